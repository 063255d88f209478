import { connectEngine } from "../engine";
import { providersFor } from "./providers";

/**
 * The `__provider` of each resource loads its provider from here, by type. These names are in the state of every stack
 * and must not change. Pulumi starts this process with the address of the engine, and does not stop it when the engine is
 * killed.
 */
const providers = providersFor(connectEngine(process.argv[2]));

export = providers;
