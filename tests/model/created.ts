import { isDeepStrictEqual } from "node:util";
import type { Emulator } from "../../emulator";
import { lastId, type Failure } from "./engine/entry";
import { idsIn, type Ledger } from "./ledger";
import type { Key } from "./program";
import type { Provider } from "./provider";
import { messageOf, type Stack } from "./stack";

/** An error whose text says that the resource of its request may exist. */
const isInDoubt = (error: unknown): boolean => /may not have been created|may exist/.test(messageOf(error));

/** What a run printed and the state that it left. */
interface Ended {
    readonly stack: Stack;
    readonly provider: Provider;
    readonly failures: readonly Failure[];
}

/** The fifth invariant: a resource that a run has created is in a state, or its id, or that it may exist, in an error. */
export class Created {
    /** The resources that an error only says may exist, by id, with what the program declared for the failed ones. */
    private readonly doubts = new Map<string, ReadonlyMap<Key, unknown>>();
    /** What killed runs have created, and have recorded nowhere. */
    readonly unrecorded = new Set<string>();

    constructor(
        private readonly emulator: Emulator,
        private readonly ledger: Ledger,
        private readonly stacks: () => readonly Stack[],
    ) {}

    /** A run of this stack begins. Returns a function that describes what it has lost. */
    watch({ stack }: Stack): (ended: Ended) => string[] {
        const before = new Set(this.ledger.createdBy(stack));
        return (ended) => {
            const created = this.ledger.createdBy(stack).filter((id) => !before.has(id));
            return [...this.lost(ended, created), ...this.forgotten(ended)];
        };
    }

    private lost({ stack, provider, failures }: Ended, created: readonly string[]): string[] {
        const missing = this.unknown(created, { provider, failures });
        if (provider.isDead()) {
            // Nobody sees what it would have stored and printed.
            missing.forEach((id) => this.unrecorded.add(id));
            return [];
        }
        const doubtful = new Map(
            failures.filter(({ error }) => isInDoubt(error)).map(({ key }) => [key, inputsOf(stack, key)]),
        );
        if (doubtful.size > 0) {
            missing.forEach((id) => this.doubts.set(id, doubtful));
            return [];
        }
        return missing.map((id) => `${stack.stack} created ${id}, which is in no state, and no error names it`);
    }

    /** A run of the same program has a resource, although another one that a run before it has created may exist. */
    private forgotten({ stack, ...printed }: Ended): string[] {
        return [...this.doubts].flatMap(([id, keys]) => {
            const declared = [...keys].filter(([key, inputs]) => isDeepStrictEqual(inputs, inputsOf(stack, key)));
            // A run without --replace compares the resource that was to be replaced, and looks for no other one.
            const completed = declared.filter(([key]) => {
                const { urn = "" } = stack.engine.declaration(key) ?? {};
                const { notes, state } = stack.engine;
                const found = state.get(urn);
                return notes.checked.has(urn) && found && !notes.before.some(({ id }) => id === found.id);
            });
            const isKnown = this.unknown([id], printed).length === 0;
            if (isKnown || declared.length === 0) {
                this.doubts.delete(id);
            }
            return isKnown || completed.length === 0
                ? []
                : [`${stack.stack} may have created ${id}, and the next run does not name it`];
        });
    }

    /** Those that exist, are in no state, and in no error or warning. */
    private unknown(ids: readonly string[], { provider, failures }: Omit<Ended, "stack">): string[] {
        const alive = idsIn(this.emulator);
        const states = this.stacks().flatMap(({ engine }) => engine.state.entries().map(({ id }) => lastId(id)));
        const printed = [...provider.warnings, ...failures.map(({ error }) => messageOf(error))].join("\n");
        return ids.filter((id) => alive.has(id) && !states.includes(id) && !printed.includes(id));
    }
}

const inputsOf = ({ engine }: Stack, key: Key): unknown => engine.declaration(key)?.inputs;
