import * as pulumi from "@pulumi/pulumi";
import { checkConfig } from "./config";
import { dynamicHost, type Host } from "./host";
import { isMocked } from "./mocks";
import type { Args } from "./types";
import { connectionString, type Verification } from "../../provider/resources/database";
import { untypedResources, type ResourceType } from "../../provider/resources/index";
import { entriesOf, valueOf, type Fields } from "../../provider/inputs/fields";
import { outputsWhere } from "../../provider/contract/outputs";

/** A class of resources with these arguments. */
export interface ResourceClass<Args extends object> {
    /** The host that serves the resources of this class. */
    readonly host: Host;
    new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;
}

/**
 * The base class of the resources of a type. It registers the resource, and has the outputs that the provider returns.
 * The classes declare them with an interface of the same name, so that tools recognize each instance as a Pulumi
 * resource.
 */
export function resourceClass<Args extends object>(type: ResourceType): ResourceClass<Args> {
    const { fields, outputs, hasData } = untypedResources[type];
    const secretOutputs = outputsWhere(outputs, ({ secret }) => secret);
    const registeredOutputs = outputsWhere(outputs, ({ fromId, derived }) => !fromId && !derived);
    const idOutputs = outputsWhere(outputs, ({ fromId }) => fromId);
    class RegisteredResource extends pulumi.CustomResource {
        static readonly host: Host = dynamicHost;

        constructor(name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
            const { host } = new.target;
            checkConfig();
            host.checkOptions(type, name, opts);
            const isDeclared = opts.id === undefined && opts.urn === undefined;
            const isProtected =
                isDeclared && (valueOf(args, "deletionProtection") ?? (hasData && host.protectsData(type, opts)));
            const props = {
                ...Object.fromEntries(registeredOutputs.map((output) => [output, undefined])),
                ...withSecrets(args, fields),
                // Unit tests with mocks have no provider, and they compare the inputs with those of the program.
                ...(isMocked()
                    ? {}
                    : {
                          ...withExistingId(args),
                          ...host.hiddenInputs(type, name, args, opts),
                      }),
            };
            const options = {
                additionalSecretOutputs: [...secretOutputs],
                aliases: [{ type: host.otherToken(type) }],
            };
            const given = { ...opts, ...protection(isProtected, opts) };
            super(host.token(type), name, props, pulumi.mergeOptions(options, given));
            const values = this as unknown as Record<string, pulumi.Output<unknown> | undefined>;
            for (const output of outputsWhere(outputs, ({ optional, derived }) => optional && !derived)) {
                const value = values[output];
                // The state stores null so that a preview knows that the output has no value.
                deriveLater(this, output, () => value?.apply((known) => known ?? undefined));
            }
            for (const output of idOutputs) {
                deriveLater(this, output, () => this.id.apply((id) => id.slice(id.indexOf("/") + 1)));
            }
            // Pulumi exports a resource with its own properties only.
            for (const output of outputsWhere(outputs, ({ derived }) => derived)) {
                const inherited = descriptorOf(new.target.prototype as object, output);
                deriveLater(this, output, () => inherited?.get?.call(this) as pulumi.Output<unknown> | undefined);
            }
        }
    }
    return RegisteredResource;
}

/**
 * Pulumi's `protect` option for a resource with this effective `deletionProtection`. An option that the program sets has
 * priority. With `retainOnDelete`, a deletion only removes the resource from the state and needs no protection.
 */
function protection(
    deletionProtection: unknown,
    { protect, retainOnDelete }: pulumi.CustomResourceOptions,
): { protect?: boolean } {
    if (protect !== undefined) {
        return { protect };
    }
    return deletionProtection === true && retainOnDelete !== true ? { protect: true } : {};
}

/** How a class, or one that it extends, defines a property. */
function descriptorOf(prototype: object | null, name: string): PropertyDescriptor | undefined {
    if (prototype === null) {
        return undefined;
    }
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    return own ?? descriptorOf(Object.getPrototypeOf(prototype) as object | null, name);
}

/** Defines an output that is derived from others when the program first uses it: most programs use few outputs. */
function deriveLater(resource: object, name: string, derive: () => pulumi.Output<unknown> | undefined): void {
    let derived: pulumi.Output<unknown> | undefined;
    const get = () => (derived ??= derive());
    Object.defineProperty(resource, name, { get, enumerable: true, configurable: true });
}

/**
 * The `existingId` of the program. An output without a value becomes an empty string, which the check rejects: a
 * preview in which the output is not known yet shows an adoption, and the update would create a new database instead.
 */
function withExistingId(args: object): pulumi.Inputs {
    const existingId = valueOf(args, "existingId");
    return existingId === undefined
        ? {}
        : { existingId: (pulumi.output(existingId) as pulumi.Output<unknown>).apply((id) => id ?? "") };
}

/** The inputs, with those that are always secret marked as secret, so that Pulumi encrypts them. */
function withSecrets<Inputs>(args: object, fields: Fields<Inputs>): pulumi.Inputs {
    const marked = entriesOf(fields)
        .filter(([name, { secret }]) => secret && valueOf(args, name) !== undefined)
        .map(([name]) => [name, pulumi.secret(valueOf(args, name))] as const);
    return { ...args, ...Object.fromEntries(marked) };
}

/** The arguments of a database that its URLs contain. The state of one that an older version created does not. */
export type VerificationArgs = Readonly<Record<keyof Verification, pulumi.Input<string | undefined>>>;

export function verificationOf({ sslMode, sslRootCert }: Args<Verification, string>): VerificationArgs {
    return { sslMode, sslRootCert };
}

/** A `postgres://` URL as a secret output. Undefined if there is no such endpoint. */
export function secretUrl<Host extends string | undefined>(
    host: pulumi.Output<Host>,
    port: pulumi.Output<number | undefined>,
    password: pulumi.Input<string | undefined>,
    verification: VerificationArgs,
): pulumi.Output<Host> {
    const url = pulumi.all([host, port, password, verification]).apply((known) => connectionString(...known));
    return pulumi.secret(url) as pulumi.Output<Host>;
}
