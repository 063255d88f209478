import * as pulumi from "@pulumi/pulumi";
import { checkConfig } from "./config";
import { dynamicHost, type Host } from "./host";
import { isMocked } from "./mocks";
import { untypedResources, type ResourceType } from "../../provider/resources/index";
import { valueOf, type Field, computed } from "../../provider/base/fields";
import { outputsWhere, type Derivation, type OutputField } from "../../provider/model/outputs";

/** A class of resources with these arguments. */
export interface ResourceClass<Args extends object> {
    /** The host that serves the resources of this class. */
    readonly host: Host;
    /** The type of these resources in a URN, under the name by which Pulumi's tools know it. */
    readonly __pulumiType: string;
    isInstance(object: unknown): boolean;
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
    const registeredOutputs = outputsWhere(outputs, (output) => !output.fromId && derivationOf(output) === undefined);
    const idOutputs = outputsWhere(outputs, ({ fromId }) => fromId);
    class RegisteredResource extends pulumi.CustomResource {
        static readonly host: Host = dynamicHost;

        static get __pulumiType(): string {
            return this.host.token(type);
        }

        constructor(name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
            const { host } = new.target;
            checkConfig();
            const warnings = host.checkOptions(type, name, args, opts);
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
            for (const text of [...warnings, ...ignoredProtection(args, opts)]) {
                void pulumi.log.warn(text, this);
            }
            const values = this as unknown as Record<string, pulumi.Output<unknown> | undefined>;
            for (const output of outputsWhere(outputs, (one) => one.optional && derivationOf(one) === undefined)) {
                const value = values[output];
                // The state stores null so that a preview knows that the output has no value.
                deriveLater(this, output, () => value?.apply((known) => known ?? undefined));
            }
            for (const output of idOutputs) {
                deriveLater(this, output, () => this.id.apply((id) => id.slice(id.indexOf("/") + 1)));
            }
            for (const [name, output] of Object.entries<OutputField>(outputs)) {
                const derivation = derivationOf(output);
                if (derivation !== undefined) {
                    const source = (from: string) => (from in outputs ? values[from] : valueOf(args, from));
                    const derive = () =>
                        this.urn.apply(() => derived(derivation, (from) => pulumi.output(source(from))));
                    deriveLater(this, name, () => (output.secret ? pulumi.secret(derive()) : derive()));
                }
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

/** A warning if the program declares the protection, and keeps that of the last run. */
function ignoredProtection(args: object, { ignoreChanges = [] }: pulumi.CustomResourceOptions): string[] {
    const path = ignoreChanges.find((one) => /^\W*(\*|deletionProtection)\W*$/.test(one));
    return path === undefined || valueOf(args, "deletionProtection") === undefined
        ? []
        : [
              `The declared deletionProtection has no effect after the creation: ignoreChanges keeps that of the last run.\n` +
                  `Continue: remove ${JSON.stringify(path)} from ignoreChanges`,
          ];
}

/** How the class derives an output itself. Undefined if the state always contains it. */
const derivationOf = ({ follows, inEveryState }: OutputField): Derivation | undefined =>
    inEveryState ? undefined : follows;

/** The value that follows from others. It reads them in their order, and only until they decide. */
function derived({ from, derive }: Derivation, read: (name: string) => pulumi.Output<unknown>) {
    const after = (known: readonly unknown[]): unknown => {
        const value = derive(...from.map((_, index) => (index < known.length ? known[index] : computed)));
        const next = from[known.length];
        // An absent secret is an empty string in the state.
        return value === computed && next !== undefined
            ? read(next).apply((one) => after([...known, one]))
            : value === ""
              ? undefined
              : value;
    };
    return after([]);
}

/** Defines an output that is derived from others when the program first uses it: most programs use few outputs. */
function deriveLater(resource: object, name: string, derive: () => pulumi.Output<unknown> | undefined): void {
    let derived: pulumi.Output<unknown> | undefined;
    const get = Object.assign(() => (derived ??= derive()), {
        // A serialized function gets a function without the resource and the tables of its kind.
        captureReplacement: () => returning(get()),
    });
    Object.defineProperty(resource, name, { get, enumerable: true, configurable: true });
}

const returning =
    <T>(value: T) =>
    () =>
        value;

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
function withSecrets(args: object, fields: Readonly<Record<string, Field>>): pulumi.Inputs {
    const marked = Object.entries(fields)
        .filter(([name, { secret }]) => secret && valueOf(args, name) !== undefined)
        .map(([name]) => [name, pulumi.secret(valueOf(args, name))] as const);
    return { ...args, ...Object.fromEntries(marked) };
}
