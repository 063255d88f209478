import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { isInlineProgram, isProjectSecret, protectsData } from "./config";
import { plainError } from "./plainError";
import { environmentNames } from "../../provider/api/settings";
import { show, valueOf } from "../../provider/base/fields";
import { dynamicToken, nativeToken } from "../../provider/base/names";
import { providerKey, providerModule, providerReference } from "../../provider/hosts/dynamic/reference";
import { declaredProtection } from "./native/provider";
import type { ProgramFacts } from "../../provider/model/resource";
import type { ResourceType } from "../../provider/resources/index";

/** How a program registers resources with one of the provider's hosts. */
export interface Host {
    /** The type of a resource in the state. */
    readonly token: (type: ResourceType) => string;
    /** The type of the same resource in the other host, from which a stack may come. */
    readonly otherToken: (type: ResourceType) => string;
    /** Fails for options that the host ignores, if a database could be missed or lost. Returns warnings about the others. */
    readonly checkOptions: (
        type: ResourceType,
        name: string,
        args: object,
        opts: pulumi.CustomResourceOptions,
    ) => readonly string[];
    /** Fails for a provider of the other host in the options of a class or a component itself. */
    readonly checkProviders: (type: string, name: string, opts: pulumi.ComponentResourceOptions) => void;
    /** The inputs that the host needs and that the program does not declare. */
    readonly hiddenInputs: (
        type: ResourceType,
        name: string,
        args: object,
        opts: pulumi.CustomResourceOptions,
    ) => pulumi.Inputs;
    /** The `deletionProtection` of a resource with data that does not declare it. Undefined if the program does not know it. */
    readonly protectsData: (type: ResourceType, opts: pulumi.CustomResourceOptions) => boolean | undefined;
}

/** The host in Pulumi's process for dynamic providers. */
export const dynamicHost: Host = {
    token: dynamicToken,
    otherToken: nativeToken,
    checkOptions: withoutEffect,
    checkProviders: rejectPluginProvider,
    hiddenInputs,
    protectsData: () => protectsData(),
};

/** The plugin. Its protocol passes what the dynamic host needs as hidden inputs, except for a resource that is only read. */
export const nativeHost: Host = {
    token: nativeToken,
    otherToken: dynamicToken,
    checkOptions: () => [],
    checkProviders: () => undefined,
    protectsData: (type, opts) => {
        const provider = explicitProviderOf(nativeToken(type), opts);
        return provider === undefined ? protectsData() : declaredProtection(provider);
    },
    hiddenInputs: (type, _name, args, { id }) =>
        ofProgram({ ...(id === undefined ? {} : inPreview()), ...ofGet(id), ...derivedFrom(type, args) }),
};

/** The explicit provider of a resource: its own, or that of a parent. */
const explicitProviderOf = (token: string, { provider, parent }: pulumi.CustomResourceOptions) =>
    provider ?? inheritedProvider(token, parent);

/** The explicit provider that a parent passes on. Pulumi's public types leave out the function. */
function inheritedProvider(token: string, parent: pulumi.Resource | undefined): pulumi.ProviderResource | undefined {
    const ofParent = (parent as { getProvider?: (token: string) => pulumi.ProviderResource | undefined } | undefined)
        ?.getProvider;
    return ofParent?.call(parent, token);
}

/** The class that a provider of the plugin has an effect on. */
const ofPlugin = (type: string): string => `import { ${type} } from "pulumi-clouddb/native"`;

/** Rejects a provider of the plugin: the resource would be in the default project, with the default token. */
function rejectPluginProvider(type: string, name: string, opts: pulumi.ComponentResourceOptions): void {
    const { provider, providers = [] } = opts;
    const given = [provider, ...Object.values(providers)] as (undefined | { getPackage: () => string })[];
    if (given.some((one) => one?.getPackage() === "clouddb")) {
        throw plainError(
            `${type} ${JSON.stringify(name)} cannot have a provider of the plugin: its class is that of the dynamic provider.\n` +
                `Continue: ${ofPlugin(type)}`,
        );
    }
}

/** The project of a resource, as far as the class knows it and may print it. */
function projectOf(args: object): string {
    const declared = valueOf(args, "projectId");
    // The process of an inline program does not have the environment of its workspace.
    const ofEnvironment = isInlineProgram() ? undefined : process.env[environmentNames.projectId];
    const byDefault = new pulumi.Config("clouddb").get("projectId") ?? ofEnvironment;
    const project = declared ?? (isProjectSecret() ? undefined : byDefault);
    return typeof project === "string"
        ? `project ${show(project.trim())}`
        : "the project that it declares, or the default";
}

/**
 * Rejects options that Pulumi ignores for dynamic providers, or for which its error does not name a remedy, if a program with
 * them could create, change or lose another database than it says. Returns warnings about others without effect.
 */
function withoutEffect(
    type: ResourceType,
    name: string,
    args: object,
    opts: pulumi.CustomResourceOptions,
): readonly string[] {
    const { import: id, replaceOnChanges = [], customTimeouts, parent } = opts;
    const subject = `${type} ${JSON.stringify(name)}`;
    rejectPluginProvider(type, name, opts);
    if (id !== undefined) {
        throw plainError(
            `${subject} cannot be imported: dynamic providers do not support the import option. ` +
                `To adopt the existing resource, set existingId: ${JSON.stringify(id)} instead.`,
        );
    }
    if (replaceOnChanges.length > 0) {
        throw plainError(
            `${subject} cannot have the option replaceOnChanges: dynamic providers do not support it. ` +
                `Remove it, and run \`pulumi up --replace\` with the URN instead, or use the class of pulumi-clouddb/native.`,
        );
    }
    const ignored = [
        ...(["version", "pluginDownloadURL"] as const).filter((option) => opts[option] !== undefined),
        ...(customTimeouts?.read === undefined ? [] : ["customTimeouts.read"]),
    ];
    return [
        ...ignored.map((option) => `The option ${option} has no effect on the class of the dynamic provider.`),
        ...(inheritedProvider(nativeToken(type), parent) === undefined
            ? []
            : [
                  `The provider of its parent has no effect on the class of the dynamic provider: it is in ${projectOf(args)}.\n` +
                      `Continue: ${ofPlugin(type)}`,
              ]),
    ];
}

/**
 * The inputs that the provider needs and that the program does not declare. `__provider` locates the provider; it is the same
 * on every machine and in every version, so that an upgrade shows no change. `__urn` identifies the resource in messages.
 * `__timeouts` is needed because the engine does not pass `customTimeouts` to dynamic providers.
 */
function hiddenInputs(
    type: ResourceType,
    name: string,
    args: object,
    { id, parent, customTimeouts }: pulumi.CustomResourceOptions,
): pulumi.Inputs {
    assertProviderIsFound(type, name);
    const timeouts = Object.entries(customTimeouts ?? {}).filter(([operation]) => operation !== "read");
    return {
        [providerKey]: providerReference(type),
        __urn: urnOf(dynamicToken(type), name, parent),
        ...(customTimeouts ? { __timeouts: Object.fromEntries(timeouts) } : {}),
        ...ofProgram({ ...inPreview(), ...ofGet(id), ...derivedFrom(type, args) }),
        // The engine keeps an input secret, but does not know that a default is.
        ...(valueOf(args, "projectId") === undefined && isProjectSecret()
            ? { projectId: new pulumi.Config("clouddb").getSecret("projectId")?.apply((id) => id.trim()) }
            : {}),
    };
}

/**
 * Rejects a resource that would run without its provider: Pulumi loads the provider from the program folder, and not from that
 * of a library or a component package. An inline program has a work folder that its process does not know.
 */
function assertProviderIsFound(type: ResourceType, name: string): void {
    if (isInlineProgram()) {
        return;
    }
    const folder = process.cwd();
    try {
        createRequire(join(folder, "index.js")).resolve(providerModule);
    } catch {
        throw plainError(
            `${type} ${JSON.stringify(name)} needs the package pulumi-clouddb in the program folder ${folder}.\n` +
                "Install it there as in the library or component package that declares the resource,\n" +
                'or import "pulumi-clouddb/native" there, and install the plugin for the program.',
        );
    }
}

/** The hidden input with what only the program knows. Without facts, a transform sees the inputs of the program only. */
const ofProgram = (facts: ProgramFacts): pulumi.Inputs => (Object.keys(facts).length === 0 ? {} : { __program: facts });

/** A resource that a program only reads has an id in its options. */
const ofGet = (id: unknown): ProgramFacts => (id === undefined ? {} : { isGet: true });

const inPreview = (): ProgramFacts => (pulumi.runtime.isDryRun() ? { isPreview: true } : {});

/** The class derives the connection strings from the password itself, whatever the state contains. */
const derivedFrom = (type: ResourceType, args: object): ProgramFacts =>
    type === "ReadReplicaSet" && valueOf(args, "password") !== undefined ? { derivedFrom: ["password"] } : {};

/**
 * The URN that the resource will have. It is a promise and not an output, because an output would depend on the parent. A
 * dependency on a component waits for all its children, so the resource would wait for itself.
 */
function urnOf(token: string, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    return new Promise((resolve) => {
        createUrn(name, token, parent).apply(resolve);
    });
}
