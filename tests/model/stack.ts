import { Engine } from "./engine/engine";
import { type Failure, lastId, type Entry } from "./engine/entry";
import { Identities } from "./identities";
import { hostOf, type Declared } from "./engine/registration";
import { allAre, keys, others, typeOf } from "./program";
import type { Key, Program, ServiceDeclaration, StackName } from "./program";
import type { Provider } from "./provider";
import { untypedResources, type ResourceType } from "../../provider/resources";
import type { HostName } from "../support/calls";
import { untypedKinds } from "../support/cases";
import { symbols } from "../support/cases/kind";
import type { Values } from "../support/cases/property";

/** A stack with its state, its program and the output of its runs. */
export class Stack {
    readonly engine = new Engine();
    readonly identities: Identities;
    readonly isTypeScript: boolean;
    /** The `existingId` lines. */
    readonly existing = new Map<Key, string>();
    /** Services without a name in the program. They keep the name that they had at their adoption. */
    readonly unnamed = new Set<Key>();
    /** Resources whose name is no longer shared with the other stack. */
    readonly renamed = new Set<Key>();
    /** `clouddb:deletionProtection`. */
    isProtected: boolean | undefined;
    /** A person has set `deletionProtection: false` for all services. */
    isPermitted = false;
    program: Program = {};
    previous: Program = {};
    /** The ids in the `existingId` lines of the last run's error messages. */
    suggestedIds = new Map<Key, string[]>();
    /** The ids of services that a person has removed from the state, and not from the API. */
    readonly former: string[] = [];
    /** Whether the password of a service has been outside of the state. */
    hasOutside = false;
    /** Warnings and errors. */
    warnings = "";

    constructor(
        readonly stack: StackName,
        { host, isTypeScript }: Pick<Setting, "host" | "isTypeScript">,
        /** Its name in its URNs. Two backends can have stacks of the same name. */
        name: string,
    ) {
        this.identities = new Identities(host, name);
        this.isTypeScript = isTypeScript;
    }

    declared(): Declared[] {
        return resourcesOf(this);
    }

    /** The URN of a resource for the options of a command. */
    urnOf(key: Key): string {
        return this.identities.of(key).urn;
    }

    /** Records the output of a run. */
    note({ warnings }: Provider, failures: readonly Failure[]): void {
        const errors = failures.map(({ key, error }) => `${key}: ${messageOf(error)}`);
        this.warnings += [...warnings, ...errors].join("\n");
        this.suggestedIds = new Map(
            failures.map(({ key }) => {
                const errors = failures.filter((one) => one.key === key).map(({ error }) => error);
                return [key, errors.flatMap(suggestedIdsIn)];
            }),
        );
    }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The ids of the `existingId` lines in a message. */
export const suggestedIdsIn = (error: unknown): string[] =>
    [...messageOf(error).matchAll(/existingId: "([^"]+)"/g)].map(([, id = ""]) => id);

/** What is the same in all runs of a history. */
export interface Setting {
    /** The host of all resources, until the program moves to the other one. */
    readonly host: HostName;
    /** The resources of the plugin are in TypeScript, whose classes set Pulumi's `protect` option. */
    readonly isTypeScript: boolean;
    /** The other stack is in another backend and has the same name, so its resources have the same URNs and generated names. */
    readonly hasSecondBackend: boolean;
    readonly dialect?: string;
}

/** The entries that depend on this one. */
export const dependentsOf = ({ engine }: Stack, { urn }: Entry): Entry[] =>
    engine.state.entries().filter(({ dependencies }) => Object.values(dependencies).includes(urn));

/** Another entry with the same id, which is not pending deletion. */
export const otherEntryOf = ({ engine }: Stack, entry: Entry): Entry | undefined =>
    engine.state.liveEntries().find((one) => one.urn !== entry.urn && lastId(one.id) === lastId(entry.id));

/** Networks of one API project must not overlap. */
const cidrs: Readonly<Record<StackName, string>> = { dev: "10.0.0.0/16", prod: "10.1.0.0/16" };

/** The resources in dependency order, without those that depend on an undeclared resource. */
function resourcesOf({ program, stack, identities, isProtected = true, ...around }: Stack): Declared[] {
    const { existing, unnamed, renamed, isTypeScript, isPermitted } = around;
    const { network, peering, orders, readers, reports, timeouts = allAre("1m") } = program;
    const found: Declared[] = [];
    const declare = (
        key: Key,
        inputs: Values,
        needs: Declared["needs"] = {},
        outputs: NonNullable<Declared["outputs"]> = {},
    ) => {
        const existingId = existing.get(key);
        const { name = key, ...rest } = inputs;
        const named = unnamed.has(key)
            ? rest
            : renamed.has(key) && "name" in untypedResources[typeOf[key]].fields
              ? { ...rest, name: `${name as string}-${stack}` }
              : inputs;
        const all = existingId === undefined ? named : { ...named, existingId };
        const declared = { key, type: typeOf[key], inputs: all, needs, outputs, timeouts, ...identities.of(key) };
        const hasClass = isTypeScript || hostOf(declared.provider) === "dynamic";
        const byDefault = typeOf[key] === "Service" && isProtected;
        const knownProtection = (inputs.deletionProtection as boolean | undefined) ?? byDefault;
        found.push(hasClass ? { ...declared, knownProtection } : declared);
    };
    const service = (
        key: Key,
        { inNetwork, cpuMillis, generation, fork, ai, passwordOutside, ...rest }: ServiceDeclaration,
    ) => {
        const isFork = fork && orders && key !== "orders";
        declare(
            key,
            {
                ...rest,
                ...(rest.password === undefined && passwordOutside),
                ...(cpuMillis !== undefined && sizeOf(cpuMillis)),
                // The name of generation 0 is derived from the URN.
                ...(generation === 0 ? {} : { name: `${key}-${generation}` }),
                // A paused service cannot have replica sets.
                ...(key === "orders" && (existing.has(key) || rest.paused) ? { paused: false } : {}),
                ...(isPermitted ? { deletionProtection: false } : {}),
                ...(isFork ? { fork: { strategy: "NOW" } } : ai ? { addons: ["ai"] } : {}),
            },
            {
                ...(inNetwork && network ? { vpcId: "network" } : {}),
                ...(isFork ? { "fork.serviceId": "orders" } : {}),
            },
        );
    };
    if (network) {
        declare("network", { name: network.name, cidr: cidrs[stack], regionCode: "us-east-1" });
    }
    if (network && peering) {
        const inputs = { peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: `vpc-${peering.generation}` };
        declare("peering", inputs, { vpcId: "network" });
    }
    if (orders) {
        service("orders", orders);
    }
    if (orders && readers) {
        const { cpuMillis, generation, hasPasswordOfService, ...rest } = readers;
        const inputs = { ...rest, ...sizeOf(Number(cpuMillis)), name: `readers-${generation}` };
        const needs = { serviceId: "orders", ...(hasPasswordOfService && { password: "orders" as const }) } as const;
        declare("readers", inputs, needs, hasPasswordOfService ? { password: "currentPassword" } : {});
    }
    if (reports) {
        service("reports", reports);
    }
    for (const type of others as readonly ResourceType[]) {
        const { parent } = untypedResources[type];
        const container = keys.find((key) => typeOf[key] === parent?.kind.type);
        const declared = (program as Readonly<Record<string, unknown>>)[type] as { generation: number } | undefined;
        if (declared && (container === undefined || program[container])) {
            const given = Object.entries(untypedKinds[type].inputs(symbols, declared.generation));
            const inputs = Object.fromEntries(given.filter(([name]) => name !== parent?.input));
            declare(type as Key, inputs, parent && container ? { [parent.input]: container } : {});
        }
    }
    return found;
}

const sizeOf = (cpuMillis: number) => ({ cpuMillis, memoryGbs: cpuMillis / 250 });
