/** The options of a resource that decide about its protection. */
interface Options {
    readonly protect?: boolean | undefined;
    readonly retainOnDelete?: boolean | undefined;
}

/**
 * Pulumi's `protect` option for a resource with this effective `deletionProtection`. An option that the program sets has
 * priority. With `retainOnDelete`, a deletion only removes the resource from the state and needs no protection.
 */
export function protection(deletionProtection: unknown, { protect, retainOnDelete }: Options): { protect?: boolean } {
    if (protect !== undefined) {
        return { protect };
    }
    return deletionProtection === true && retainOnDelete !== true ? { protect: true } : {};
}
