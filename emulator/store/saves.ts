import { insufficientStorage, unavailable } from "../errors";
import type { ApiError } from "../errors";
import type { World } from "../world/world";
import type { StateFile } from "./stateFile";

/** Writes the world to its file after each change. If a write fails, all changes since the last successful write are undone. */
export class Saves {
    /** The number of failed writes. Each one undoes all unsaved changes, so all saves in progress fail with it. */
    private failures = 0;

    constructor(
        private readonly world: World,
        private readonly file: StateFile,
    ) {}

    /** Resolves when the current state is on disk. Otherwise rejects with the response to the request that has changed it. */
    async save(): Promise<void> {
        const failuresBefore = this.failures;
        let refusal: ApiError | undefined;
        try {
            await this.file.save(() => this.world.state());
        } catch (error) {
            refusal = refusalOf(error as NodeJS.ErrnoException, this.file.path);
            this.failures++;
            const saved = this.file.saved();
            if (saved) {
                this.world.undoTo(saved);
            }
        }
        if (refusal || failuresBefore !== this.failures) {
            throw refusal ?? unavailable(`The state file ${this.file.path} could not be written. Nothing was changed.`);
        }
    }
}

function refusalOf({ code, message }: NodeJS.ErrnoException, path: string): ApiError {
    return code === "ENOSPC" || code === "EDQUOT"
        ? insufficientStorage(
              `The disk with the state file ${path} is full. Nothing was changed. Free some space and try again.`,
          )
        : unavailable(`The state file ${path} cannot be written: ${message}. Nothing was changed.`);
}
