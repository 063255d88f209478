import { Engine } from "./engine/engine";
import { type Failure, lastId, type Entry } from "./engine/entry";
import { Identities } from "./identities";
import type { Declared } from "./engine/registration";
import { resourcesOf, type Key, type Program, type StackName } from "./program";
import type { Provider } from "./provider";
import type { HostName } from "../support/calls";

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
