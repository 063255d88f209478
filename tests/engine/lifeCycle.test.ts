import { engineDialects } from "../support/dialects";
import { testLifeCycle } from "../support/lifeCycle";

describe.each(["", engineDialects[0]])(
    'the life cycle of a stack with all kinds of resources, and an API in the dialect "%s"',
    testLifeCycle,
);
