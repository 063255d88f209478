import { testAllKinds } from "../support/allKinds";
import { engineDialects } from "../support/dialects";

describe.each(engineDialects.slice(0, 1))("a program with all kinds, and an API in the dialect %s", testAllKinds);
