import { dialectOf, inSmallest, smallestLimitMs } from "../support/dialects";
import { runLifeCycle } from "../support/lifeCycle";

it.each([2, 3, 4])(
    "the life cycle of a stack with all kinds of resources, and an API in the dialect with the number %d",
    (index) => inSmallest(dialectOf(index), runLifeCycle),
    smallestLimitMs,
);
