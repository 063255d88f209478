import type { Key } from "../program";
import { providerReference } from "../../../provider/hosts/dynamic/reference";
import type { ResourceType } from "../../../provider/resources";
import { typeTokens, type HostName, type Timeouts } from "../../support/calls";
import type { Values } from "../../support/cases/property";
import { properties, type Properties } from "../../support/properties";

/** One resource of a program, in the form that the engine receives. */
export interface Declared {
    readonly key: Key;
    readonly type: ResourceType;
    readonly urn: string;
    readonly inputs: Values;
    /** Inputs that are the id of another resource. `fork.serviceId` is a field of another input. */
    readonly needs: Readonly<Record<string, Key>>;
    /** Inputs that are an output of the resource that `needs` names for them, instead of its id. */
    readonly outputs?: Readonly<Record<string, string>>;
    readonly timeouts?: Timeouts;
    /** The URNs that the resource may have had before, in the order in which the engine looks for them. */
    readonly aliases?: readonly string[];
    /** The name of its provider. Each host has one. */
    readonly provider: string;
    readonly deleteBeforeReplace?: boolean;
    /**
     * The effective `deletionProtection`, as the class in TypeScript knows it. If it is true, the class sets Pulumi's `protect`
     * option. Undefined in other languages.
     */
    readonly knownProtection?: boolean | undefined;
}

/** The name of the provider of each host. */
export const defaultProviders: Readonly<Record<HostName, string>> = { dynamic: "default dynamic", native: "default" };

/** The host of a provider. */
export const hostOf = (provider: string): HostName => (provider === defaultProviders.dynamic ? "dynamic" : "native");

/** The representation of an unknown value: an output of a resource that is deleted before its replacement. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const secretInputs: readonly string[] = ["password"];

/** The type of a resource in its URN. */
export const tokenOf = (host: HostName, type: ResourceType): string => `${typeTokens[host]}${type}`;

/** The URN of the same resource in the dynamic host, which its class passes as a hidden input. */
const dynamicUrn = (urn: string): string => urn.replace(/clouddb:index:(?=\w+::)/, typeTokens.dynamic);

/**
 * The inputs that the class of the resource registers. The id of a resource that failed, or that the run does not create, is
 * undefined.
 */
export function registeredInputs(
    { type, inputs, needs, outputs = {}, urn, provider, timeouts, knownProtection }: Declared,
    valueOf: (key: string, output?: string) => unknown,
): Properties {
    const ids = Object.entries(needs).map(([input, needed]) => [input, valueOf(needed, outputs[input])] as const);
    const hidden = {
        __provider: providerReference(type),
        __urn: dynamicUrn(urn),
        ...(timeouts && { __timeouts: timeouts }),
    };
    // The class adds it. A language that only knows the properties has none.
    const isDerived = type === "ReadReplicaSet" && (inputs.password !== undefined || outputs.password !== undefined);
    const program = knownProtection !== undefined && isDerived && { __program: { derivedFrom: ["password"] } };
    return properties(
        { ...withIds(inputs, ids), ...program, ...(hostOf(provider) === "dynamic" && hidden) },
        secretInputs,
    );
}

/** Inputs with the ids of other resources. A name such as `fork.serviceId` is a field of another input. */
export function withIds(inputs: Values, ids: readonly (readonly [string, unknown])[]): Values {
    return ids.reduce<Values>((result, [name, id]) => {
        const [outer = "", inner] = name.split(".");
        const value = inner === undefined ? id : { ...(result[outer] as object), [inner]: id };
        return { ...result, [outer]: value };
    }, inputs);
}
