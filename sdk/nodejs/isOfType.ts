/** Whether an object, which need not be a resource, is of the type of a class. */
export function isOfType(object: unknown, { __pulumiType: type }: { readonly __pulumiType: string }): boolean {
    return (object as { readonly __pulumiType?: string } | null | undefined)?.__pulumiType === type;
}
