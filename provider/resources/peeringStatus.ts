/** Final states. A peering in one of them never becomes active. */
export type Final = "rejected" | "expired" | "deleted" | "failed";

/** The words of a status that have a meaning. A status without any of them is pending. */
const meanings: Readonly<Record<string, "active" | Final>> = {
    active: "active",
    rejected: "rejected",
    declined: "rejected",
    denied: "rejected",
    refused: "rejected",
    expired: "expired",
    deleted: "deleted",
    deleting: "deleted",
    removed: "deleted",
    removing: "deleted",
    terminated: "deleted",
    terminating: "deleted",
    failed: "failed",
    failure: "failed",
    error: "failed",
    cancelled: "failed",
    canceled: "failed",
};

/** Words that name the subject of the status. They carry no meaning. */
const subjects = ["peering", "connection", "vpc", "pcx", "state", "status", "request"];
const subjectPrefix = new RegExp(`^(?:${subjects.join("|")})+(?=.)`);

/**
 * The meaning of a status in any spelling, such as `ACTIVE`, `peering-rejected` or `PeeringFailed`. Undefined means
 * pending.
 */
export function meaningOf(status: string): "active" | Final | undefined {
    const words = status
        .replace(/([a-z])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .split(/[^a-z]+/)
        .map((word) => word.replace(subjectPrefix, ""))
        .filter((word) => word !== "" && !subjects.includes(word));
    const found = words.map((word) => (Object.hasOwn(meanings, word) ? meanings[word] : undefined));
    if (words.length === 1) {
        return found[0];
    }
    // `acceptance failed` is final. `not rejected` and `failed, retrying` are not.
    const isFinal = (meaning: string | undefined, index: number) =>
        meaning !== undefined && meaning !== "active" && !negations.has(words[index - 1] ?? "");
    return words.some((word) => continuing.has(word)) ? undefined : found.find(isFinal);
}

const negations: ReadonlySet<string> = new Set(["not", "never", "non"]);
const continuing: ReadonlySet<string> = new Set(["pending", "retry", "retrying"]);
