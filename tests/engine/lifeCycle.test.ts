import { dialectOf, inSmallest, smallestLimitMs } from "../support/dialects";
import { runLifeCycle, testLifeCycle } from "../support/lifeCycle";

describe("the life cycle of a stack with all kinds of resources", testLifeCycle);

test(
    "the life cycle of a stack with all kinds of resources, and an API in a dialect",
    () => inSmallest(dialectOf(1), runLifeCycle),
    smallestLimitMs,
);
