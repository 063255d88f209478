import type { TestClock } from "../../support/virtualClock";
import { Engine } from "./engine";
import type { Failures } from "./engine";
import { resourcesOf } from "./program";
import type { Declared, Key, Program, StackName, Surroundings } from "./program";
import type { Provider } from "./provider";

/** A stack with its state, its program and everything that its runs have printed. */
export class Stack implements Surroundings {
    readonly engine: Engine;
    readonly existing = new Map<Key, string>();
    readonly unnamed = new Set<Key>();
    readonly renamed = new Set<Key>();
    readonly replaceable = new Set<Key>();
    program: Program = {};
    previous: Program = {};
    /** The last values of inputs that were removed from the program, by `resource.input`. */
    readonly removed = new Map<string, unknown>();
    /** The ids that error messages of the last run name as `existingId`. */
    advice = new Map<Key, string[]>();
    /** The ids of reports that were removed from the state with `pulumi state delete`. */
    readonly former: string[] = [];
    printed = "";
    /** Warnings and errors: what a person has to notice. */
    warnings = "";

    constructor(
        readonly stack: StackName,
        clock: TestClock,
    ) {
        this.engine = new Engine(clock);
    }

    declared(): Declared[] {
        return resourcesOf(this.program, this);
    }

    /** Notes what a run has printed. */
    note({ printed, warnings }: Provider, failures: Failures): void {
        const errors = [...failures].map(([key, error]) => `${key}: ${messageOf(error)}`);
        this.printed += [...printed, ...errors].join("\n");
        this.warnings += [...warnings, ...errors].join("\n");
        this.advice = new Map([...failures].map(([key, error]) => [key, advisedIds(error)]));
    }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The ids of the `existingId` lines in a message. */
export const advisedIds = (error: unknown): string[] =>
    [...messageOf(error).matchAll(/existingId: "([^"]+)"/g)].map(([, id = ""]) => id);
