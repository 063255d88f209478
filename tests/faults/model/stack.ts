import type { TestClock } from "../../support/virtualClock";
import { Engine } from "./engine/engine";
import type { Failures } from "./engine/engine";
import { hostOf } from "./engine/registration";
import { Identities } from "./identities";
import { resourcesOf } from "./program";
import type { Declared, Key, Program, StackName, Surroundings } from "./program";
import type { Defaults, Provider } from "./provider";
import type { Setting } from "./world";

/** A stack with its state, its program and the output of its runs. */
export class Stack implements Surroundings {
    readonly engine: Engine<Key>;
    readonly identities: Identities;
    readonly isTypeScript: boolean;
    readonly readsState: boolean;
    readonly existing = new Map<Key, string>();
    readonly sources = new Map<Key, string>();
    readonly unnamed = new Set<Key>();
    readonly renamed = new Set<Key>();
    /** The services for which a person has replaced the entry of the service that took their place. */
    readonly keptIds = new Set<string>();
    defaults: Defaults = {};
    isPermitted = false;
    program: Program = {};
    previous: Program = {};
    /** The last values of inputs that were removed from the program, by `resource.input`. */
    readonly removed = new Map<string, unknown>();
    /** The ids in the `existingId` lines of the last run's error messages. */
    suggestedIds = new Map<Key, string[]>();
    /** The ids of reports that were removed from the state with `pulumi state delete`. */
    readonly former: string[] = [];
    printed = "";
    /** Warnings and errors. */
    warnings = "";

    constructor(
        readonly stack: StackName,
        clock: TestClock,
        { host, onOtherHost, isTypeScript, readsState }: Omit<Setting, "hasSecondBackend">,
        /** Its name in its URNs. Two backends can have stacks of the same name. */
        name: string = stack,
    ) {
        this.engine = new Engine(clock);
        this.identities = new Identities(host, name, onOtherHost);
        this.isTypeScript = isTypeScript;
        this.readsState = readsState;
    }

    declared(): Declared[] {
        return resourcesOf(this.program, this);
    }

    /**
     * Whether two providers manage one service for the program, or both hosts have an entry of it. Neither knows of the other, so
     * the history ends here.
     */
    isShared(): boolean {
        const { state } = this.engine;
        const declared = this.declared().map(({ urn, aliases = [], provider }) => ({
            id: state.find([urn, ...aliases])?.id,
            manager: provider,
        }));
        const stored = state.liveEntries().map(({ id, provider }) => ({ id, manager: hostOf(provider) }));
        return [declared, stored].some((all) =>
            all.some((one) =>
                all.some(({ id, manager }) => id !== undefined && id === one.id && manager !== one.manager),
            ),
        );
    }

    /**
     * Whether the state has a service with this id and finalFork. An adopted service can be in the state twice, and each entry
     * has the value of its own last update.
     */
    wantsCopy(id: string): boolean {
        const entries = this.engine.entries().filter((entry) => entry.id === id);
        return entries.length > 0 && entries.every(({ outputs }) => outputs.values.finalFork === true);
    }

    /** The URN of a resource for the options of a command. */
    urnOf(key: Key): string {
        return this.identities.of(key).urn;
    }

    /** Records the output of a run. */
    note({ printed, warnings }: Provider, failures: Failures<Key>): void {
        const errors = [...failures].map(([key, error]) => `${key}: ${messageOf(error)}`);
        this.printed += [...printed, ...errors].join("\n");
        this.warnings += [...warnings, ...errors].join("\n");
        this.suggestedIds = new Map([...failures].map(([key, error]) => [key, suggestedIdsIn(error)]));
    }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The ids of the `existingId` lines in a message. */
export const suggestedIdsIn = (error: unknown): string[] =>
    [...messageOf(error).matchAll(/existingId: "([^"]+)"/g)].map(([, id = ""]) => id);
