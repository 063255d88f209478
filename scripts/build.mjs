/** `npm run build`: all of dist/ anew. */
import { bootstrap } from "./bootstrap.mjs";
import { main } from "./lib/repository.mjs";

await main(() => bootstrap({ rebuild: true }));
