import type { Emulator } from "../../emulator";
import type { Session } from "../../provider/lifecycle/session";
import { callsOf } from "../support/calls";
import { rejectedOutputs } from "../support/passwords";
import type { Engine } from "./engine/engine";
import { isIncomplete, type Entry } from "./engine/entry";
import { hostOf } from "./engine/registration";
import { idsIn } from "./ledger";
import { otherEntryOf, type Stack } from "./stack";
import { passwordOfVersion } from "./sources";

// The fourth invariant: after a successful run, what the state says is what the platform has.

/** The entries that the last run, a successful one, has completed. */
const completed = ({ state, notes }: Engine): Entry[] =>
    state.liveEntries().filter((one) => notes.checked.has(one.urn) && !isIncomplete(one) && !one.deletedFirst);

/** Describes each entry that a successful run has left incomplete, although it did more than record its protection. */
export const incomplete = ({ state, notes }: Engine): string[] =>
    state
        .liveEntries()
        .filter((one) => notes.checked.has(one.urn) && isIncomplete(one) && !one.deletedFirst)
        .filter(({ urn, id, outputs }) => {
            // Two entries can have one service, and an alias changes a URN.
            const ofService = notes.before.filter((one) => one.id === id);
            const before = ofService.find((one) => one.urn === urn) ?? ofService[0];
            return before?.outputs.values.deletionProtection === outputs.values.deletionProtection;
        })
        .map(({ urn }) => `${urn} is incomplete after a successful run`);

/**
 * Describes each password and connection string in the state that its service rejects, without the services whose password a
 * killed run may have set, and without entries that still exist beside one that has adopted their service.
 */
export function rejectedSecrets(stack: Stack, emulator: Emulator, unrecorded: ReadonlySet<string>): string[] {
    const entries = completed(stack.engine).filter(
        (entry) => !unrecorded.has(entry.id.split("/")[0] ?? "") && otherEntryOf(stack, entry)?.adopted !== true,
    );
    return entries.flatMap((entry) => rejected(entry, stack, emulator));
}

/** Describes each entry that a second preview would change. `session` starts a process without an engine. */
export async function secondPreview(engine: Engine, session: () => Session): Promise<string[]> {
    const changed = completed(engine).map(async ({ type, urn, id, provider, outputs: olds, inputs: news }) => {
        const diff = await callsOf(hostOf(provider), type, session()).diff({ urn, id, olds, news });
        return diff.changes ? [`a second preview of ${urn} is not empty after a successful run`] : [];
    });
    return (await Promise.all(changed)).flat();
}

/** The last password of each service that a state, a program or the person who made it knows. */
export class KnownPasswords {
    private readonly known = new Map<string, string>();
    /** The services that have had an entry. */
    private readonly managed = new Set<string>();
    /** Those of which a person has removed or tainted the entry, and that were adopted again: the new one knows nothing of it. */
    private readonly adoptedAgain = new Set<string>();

    constructor(
        private readonly emulator: Emulator,
        private readonly ofPerson: ReadonlyMap<string, string>,
    ) {}

    /**
     * Describes each service whose password in force is not known, without a warning that says so. Of one that was adopted and that
     * an interrupted run has created, nobody has ever known a password.
     */
    unsaid({ engine }: Stack, warnings: readonly string[], unrecorded: ReadonlySet<string>): string[] {
        const existing = idsIn(this.emulator);
        const isWarned = warnings.some((text) => text.includes("the password in force may be one that no state has"));
        return completed(engine)
            .filter(({ type, id }) => type === "Service" && existing.has(id) && !unrecorded.has(id))
            .filter((entry) => passwordOf(entry) === undefined && !isWarned)
            .filter(({ id, adopted }) => {
                // An API may not tell the person either.
                const known = this.known.get(id) ?? this.ofPerson.get(id) ?? "";
                const password = this.adoptedAgain.has(id) ? "" : known;
                return password === "" ? !adopted : !this.emulator.passwordMatches(id, password);
            })
            .map(({ urn }) => `nobody knows the password of ${urn}, and the run does not say so`);
    }

    /** Records the adoptions of a run, whether it has failed or not. */
    recordAdoptions({ engine: { state, notes } }: Stack): void {
        for (const { id, adopted } of state.liveEntries()) {
            const isAgain = this.managed.has(id) && !notes.before.some((one) => one.id === id && !one.tainted);
            if (adopted && isAgain) {
                this.adoptedAgain.add(id);
            }
            this.managed.add(id);
        }
    }

    /** Records what the states know after a run, whether it has failed or not. */
    record({ engine }: Stack): void {
        for (const entry of engine.state.liveEntries()) {
            const { type, id } = entry;
            const password = passwordOf(entry);
            const exists = type === "Service" && idsIn(this.emulator).has(id);
            if (exists && password !== undefined && this.emulator.passwordMatches(id, password)) {
                this.known.set(id, password);
                this.adoptedAgain.delete(id);
            }
        }
    }
}

/** The password of a service that its entry has, or the version of. */
function passwordOf({ outputs }: Entry): string | undefined {
    const { currentPassword, passwordVersion } = outputs.values;
    return typeof currentPassword === "string" && currentPassword !== ""
        ? currentPassword
        : passwordOfVersion(passwordVersion);
}

/**
 * The secrets that the service of the entry rejects. The state does not have the password of a service that was adopted without
 * one, or that had one outside of the state.
 */
function rejected(
    { key, type, id, urn, adopted, inputs, outputs }: Entry,
    { engine, hasOutside }: Stack,
    emulator: Emulator,
) {
    const [values, program] = [textsOf(outputs), textsOf(inputs)];
    const service = type === "Service" ? id : values.serviceId;
    const parent = engine.state.liveEntries().find((one) => one.id === service);
    const isDerived =
        engine.declaration(key)?.outputs?.password === "currentPassword" && parent && !isIncomplete(parent);
    const hasSecrets = type === "Service" || isDerived;
    if (service === undefined || !hasSecrets || !idsIn(emulator).has(service)) {
        return [];
    }
    const accepts = (password: string) => emulator.passwordMatches(service, password);
    // An empty password of a replica set counts as none.
    const { password: declared = "" } = program;
    const outside = passwordOfVersion(inputs.values.passwordVersion);
    const isKnown = type === "Service" && !adopted && !hasOutside;
    return [
        ...(isKnown && (values.currentPassword ?? "") === "" ? [`${urn} has no password in the state`] : []),
        ...(declared === "" || accepts(declared) ? [] : [`${urn} rejects the declared password`]),
        ...(outside === undefined || accepts(outside) ? [] : [`${urn} rejects the password of its source`]),
        ...rejectedOutputs(emulator, service, values).map((name) => `${urn} rejects its ${name}`),
    ];
}

const textsOf = ({ values }: Entry["outputs"]): Readonly<Record<string, string | undefined>> =>
    Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
