import { connectEngine, engineAddress } from "../engine";
import { providersFor } from "./providers";

/**
 * The `__provider` of each resource loads its provider from here, by type. These names are in the state of every stack
 * and must not change. Pulumi does not stop this process when the engine is killed.
 */
const providers = providersFor(connectEngine(engineAddress()));

export = providers;
