/** `npm run bench [-- OPTIONS]`: see bench/main.ts. */
import { createRequire } from "node:module";
import { withBundle } from "./lib/bundle.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

export const run = (args) =>
    withBundle(["bench/main.ts"], (main) => createRequire(main)(main).bench(args, repositoryRoot));
