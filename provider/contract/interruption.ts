/** What did not complete: an update, a creation, a creation before any read has shown the resource, or an adoption. */
export type Interruption = true | "creation" | "unseen" | "adoption";

/** What an interruption means for the next run. */
interface Meaning {
    /** The next update first waits for the changes that the interrupted run started. */
    readonly resumes: boolean;
    /** The creation or the adoption is not complete, and other resources may need its outputs. */
    readonly isInCreation: boolean;
    /** This stack has created the resource, or completed its adoption. It deletes no other one. */
    readonly isOwned: boolean;
    /** Reads may not show the resource yet. */
    readonly mayBeMissing: boolean;
}

const complete: Meaning = { resumes: false, isInCreation: false, isOwned: true, mayBeMissing: false };
const update: Meaning = { ...complete, resumes: true };
const creation: Meaning = { ...update, isInCreation: true };
const meanings: Readonly<Record<`${Interruption}`, Meaning>> = {
    true: update,
    creation,
    unseen: { ...creation, mayBeMissing: true },
    adoption: { ...creation, isOwned: false },
};

/** What the interruption in the record of a state means. A state of an earlier version can have another value, after an update. */
export function interruptionIn({ interruption }: { readonly interruption?: Interruption | undefined }): Meaning {
    if (interruption === undefined) {
        return complete;
    }
    const key = `${interruption}` as const;
    return meanings[Object.hasOwn(meanings, key) ? key : "true"];
}

/** What is interrupted once a read has shown the resource. */
export function onceSeen<Was extends Interruption | undefined>(interrupted: Was): Was | "creation" {
    return interrupted === "unseen" ? "creation" : interrupted;
}
