import type { RegisterResourceResponse } from "@pulumi/pulumi/proto/resource_pb";
import { outputsWhere } from "../../lifecycle/outputs";
import { predictDerived } from "../../lifecycle/prediction";
import { untypedLifecycles, type ResourceType } from "../../resources/index";
import { encode, signatureKey, unknownText } from "../codec";
import { ProgramOutput } from "./programValue";
import { resourceSignature, unpack } from "./values";

/** A resource of a component after its registration, with its outputs in Pulumi's encoding. */
export class Registered {
    readonly urn: string;
    /** What a program in any language gets as the resource. */
    readonly reference: object;
    private readonly outputs: Readonly<Record<string, unknown>>;

    constructor(
        type: ResourceType,
        response: RegisterResourceResponse,
        /** The engine omits outputs that it does not know: in a preview, and of a resource that failed. */
        private readonly isPartial: boolean,
    ) {
        const { resource } = untypedLifecycles[type];
        const secretOutputs = new Set(outputsWhere(resource.outputs, ({ secret }) => secret));
        const state = response.getObject();
        this.urn = response.getUrn();
        this.reference = {
            [signatureKey]: resourceSignature,
            urn: this.urn,
            id: response.getId() || (isPartial ? unknownText : ""),
        };
        // The state of a resource that an older version created does not contain the derived outputs.
        const derived = predictDerived(resource, unpack(state).values as never);
        this.outputs = { ...state?.toJavaScript(), ...encode(derived, secretOutputs) };
    }

    output(name: string): ProgramOutput {
        return new ProgramOutput(this.outputs[name] ?? (this.isPartial ? unknownText : undefined), [this.urn]);
    }

    /** Those of these outputs that have a value. */
    present(names: readonly string[]): Record<string, unknown> {
        const found = names.map((name) => [name, this.outputs[name]] as const);
        return Object.fromEntries(found.filter(([, packed]) => packed !== undefined && packed !== null));
    }
}
