import { testAllKinds } from "../support/allKinds";
import { engineDialects } from "../support/dialects";
import { testLifeCycle } from "../support/lifeCycle";

describe.each(engineDialects.slice(1))("an API in the dialect %s", (dialect) => {
    describe("the life cycle of a stack with all four resources", () => testLifeCycle(dialect));
    describe("a program with all kinds", () => testAllKinds(dialect));
});
