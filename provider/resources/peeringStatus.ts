/** Ends of a peering after which it can never become active. */
export type Final = "rejected" | "expired" | "deleted" | "failed";

/** The words of a status that have a meaning. A status with none of them is pending. */
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

/** Words that say what the status is about, and not what it is. */
const subjects = ["peering", "connection", "vpc", "pcx", "state", "status", "request"];
const subjectPrefix = new RegExp(`^(?:${subjects.join("|")})+(?=.)`);

/** What a status means in any spelling, such as `ACTIVE`, `peering-rejected` or `PeeringFailed`; undefined if it is pending. */
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
    // Among other words an end counts too, as in `acceptance failed`, but not in `not rejected` or `failed, retrying`.
    const isEnd = (one: string | undefined, index: number) =>
        one !== undefined && one !== "active" && !negations.has(words[index - 1] ?? "");
    return words.some((word) => continuing.has(word)) ? undefined : found.find(isEnd);
}

const negations: ReadonlySet<string> = new Set(["not", "never", "non"]);
const continuing: ReadonlySet<string> = new Set(["pending", "retry", "retrying"]);
