import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";

const { Mode } = CheckRequest.AutonamingOptions;

/** How the stack configuration (`pulumi:autonaming`) names a resource whose program declares no name. */
export type Naming = { readonly kind: "named"; readonly name: string } | { readonly kind: "disabled" };

/** The naming that a check requests; undefined if the provider chooses the name. A proposed name is used unchanged. */
export function namingOf(options: CheckRequest.AutonamingOptions | undefined): Naming | undefined {
    if (options === undefined) {
        return undefined;
    }
    return options.getMode() === Mode.DISABLE
        ? { kind: "disabled" }
        : { kind: "named", name: options.getProposedName() };
}
