import { isVirtual, type Clock } from "./clock";
import { define, patchOf, type ControlDefinition, type Define } from "./control";
import { durationFields, scaled, type Durations } from "./durations";
import { conflict, notFound } from "./errors";
import type { Faults } from "./faults/faults";
import { faultList, faultsOf, type FaultInput } from "./faults/input";
import type { FaultReport } from "./faults/report";
import type { Journal, JournalEntry } from "./journal";
import { controlsOfKinds, modelInParent, type KindName, type ModelsInParents } from "./kinds";
import { check, parseBody, Routes } from "./routes";
import { aboveZero, definedOf, milliseconds, needed, text, typeOf } from "./schema";
import type { Wire } from "./wire";
import { finish, rescale } from "./world/pace";
import type { Rules } from "./world/rules";
import type { Tally, WorldState } from "./world/state";
import type { World } from "./world/world";

/** Requests below this path are for the emulator's controls, not for the API. */
export const controlRoot = "/_emulator";

/** All resources, as the API returns them, with the ids of their parents. */
export type Snapshot = { [K in KindName]: ModelsInParents[K][] } & {
    /** The time in milliseconds since 1970 by the emulator's clock. */
    now: number;
    projects: Wire["Project"][];
    /** The number of resources of each kind that were created and deleted since the start. */
    counts: Record<KindName, Tally>;
};

/** The parts of an emulator that the controls use. */
export interface Controlled {
    world: World;
    clock: Clock;
    journal: Journal;
    faults: Faults;
    /** The current durations, before `speed` divides them. */
    durations: Durations;
    /** The divisor of all durations. */
    speed: number;
    /** What a reset restores. */
    initial: { durations: Durations; speed: number; peeringFate: Rules["peeringFate"]; state: () => WorldState };
    /** Called after each control. */
    changed: () => void;
}

const control: Define<Controlled> = define;

const general = {
    /** Returns the requests that the API has received. */
    journal: control("GET /journal", {}, ({ journal }): JournalEntry[] => journal.entries()),
    /** Deletes all entries of the journal. */
    clearJournal: control("DELETE /journal", {}, ({ journal }) => journal.clear()),
    /** Returns all resources, as the API returns them, and the number of resources of each kind that were created and deleted. */
    snapshot: control("GET /state", {}, ({ world }) => snapshotOf(world)),
    /** Restores the initial state, faults and durations, with the same sequence of ids, and clears the journal. */
    reset: control("POST /reset", {}, (parts) => {
        const { world, faults, journal, initial } = parts;
        world.restore(initial.state());
        world.rules.peeringFate = initial.peeringFate;
        parts.speed = initial.speed;
        useDurations(parts, initial.durations);
        faults.reset();
        journal.clear();
    }),
    /** Advances a virtual clock by this number of milliseconds. A real clock rejects it with 409. */
    advance: control("POST /clock", { ms: needed(milliseconds) }, ({ clock }, ms: number) => {
        if (!isVirtual(clock)) {
            throw conflict("The emulator uses a real clock, which cannot be advanced. Start it with a virtual clock.");
        }
        clock.advance(ms);
    }),
    /** Returns the active faults and the number of calls that each has hit. */
    faults: control("GET /faults", {}, ({ faults }): FaultReport[] => faults.selection.report()),
    /** Adds faults, as objects or in short form. If one of them is invalid, it adds none and fails with 400. */
    addFaults: control("POST /faults", { faults: needed(faultList) }, (parts, faults: readonly FaultInput[]) =>
        parts.faults.selection.add(faultsOf(faults)),
    ),
    /** Removes one fault: the first one with this short form, as `faults` returns it. Fails with 404 if there is none. */
    removeFault: control("POST /faults/remove", { fault: needed(text) }, ({ faults }, fault: string) => {
        if (!faults.selection.remove(fault)) {
            throw notFound(`There is no fault ${fault} in the emulator.`);
        }
    }),
    /** Removes all faults, and expired tokens become valid. Changes that a fault has made to resources stay. */
    clearFaults: control("DELETE /faults", {}, ({ faults }) => faults.clear()),
    /** Returns the current durations in milliseconds, before `speed` divides them. */
    durations: control("GET /durations", {}, ({ durations }): Durations => ({ ...durations })),
    /** Sets some durations in milliseconds, before `speed` divides them. Operations in progress keep their durations. */
    setDurations: patchOf("PATCH /durations", durationFields, (parts: Controlled, durations: Partial<Durations>) =>
        useDurations(parts, { ...parts.durations, ...definedOf(durations) }),
    ),
    /** Returns the divisor of all durations. Over HTTP, the response is `{ "speed": 1 }`. */
    speed: control("GET /speed", {}, ({ speed }): number => speed, { response: (speed) => ({ speed }) }),
    /** Sets the divisor of all durations. Changes in progress continue at the new speed. */
    setSpeed: control("PUT /speed", { speed: needed(aboveZero) }, (parts, speed: number) => useSpeed(parts, speed)),
    /** Completes the changes in progress of a resource immediately. */
    finish: control("POST /finish/*", {}, ({ world }, id: string) => finish(world, id)),
    /** Sets the maximum number of requests per second. Further requests are rejected with 429. Without a number, it removes the limit. */
    setRate: control("PUT /rate", { perSecond: aboveZero }, ({ faults }, perSecond?: number) =>
        faults.setRate(perSecond),
    ),
};

type Definitions = typeof general & typeof controlsOfKinds;
type Method<D> = D extends ControlDefinition<infer Args, infer Result> ? (...args: Args) => Result : never;

/** Reads and changes the emulator without the API. Each control is also available over HTTP, below `/_emulator`. */
export type Controls = { [Name in keyof Definitions]: Method<Definitions[Name]> };

const all = Object.entries({ ...general, ...controlsOfKinds }) as unknown as [
    name: keyof Controls,
    definition: ControlDefinition<unknown[]>,
][];

/** The request of each control, for the documentation and the page. */
export const requests = all.map(([name, { on, fields }]) => ({
    name,
    on,
    fields,
    body: Object.keys(fields).length === 0 ? undefined : typeOf(fields),
}));

/** The controls as methods, which check their arguments. */
export const createControls = (parts: Controlled): Controls =>
    Object.fromEntries(
        all.map(([name, { on, fields, run, toBody }]) => [
            name,
            (...args: unknown[]) => {
                check(toBody(on.includes("*") ? args.slice(1) : args), fields, nounOf(name));
                const result = (run as (parts: Controlled, ...args: unknown[]) => unknown)(parts, ...args);
                parts.changed();
                return result;
            },
        ]),
    ) as unknown as Controls;

const table = new Routes(all.map(([name, definition]) => [definition.on, { name, definition }]));

/** Runs the control that a request names and returns its response. */
export function runControl(controls: Controls, method: string, path: string, body: string | undefined): unknown {
    const below = path.slice(controlRoot.length);
    const found = table.match(method, below);
    if (!found) {
        const known = all.map(([, { on }]) => on).join(", ");
        const unknown = `There is no control ${method} ${path}. The controls below ${controlRoot} are ${known}.`;
        throw table.refusal(below, unknown);
    }
    const { name, definition } = found.target;
    const { fields, on, toArgs, response } = definition;
    const values = Object.keys(fields).length === 0 ? {} : parseBody(body, fields, nounOf(name));
    const args = [...(on.includes("*") ? [found.ids.id] : []), ...toArgs(values)];
    return response((controls[name] as (...args: unknown[]) => never)(...args));
}

const nounOf = (name: keyof Controls): string => (name === "setDurations" ? "duration" : "field");

function useDurations(parts: Controlled, durations: Durations): void {
    parts.durations = durations;
    Object.assign(parts.world.rules.durations, scaled(durations, parts.speed));
}

function useSpeed(parts: Controlled, speed: number): void {
    rescale(parts.world, parts.speed / speed);
    parts.speed = speed;
    useDurations(parts, parts.durations);
}

function snapshotOf(world: World): Snapshot {
    world.catchUp();
    const lists = world.kinds.map((kind) => [
        kind.name,
        [...world.records(kind).values()].map((record) => modelInParent(world, kind, record)),
    ]);
    return structuredClone({
        now: world.now,
        projects: [...world.projects.values()],
        ...(Object.fromEntries(lists) as object),
        counts: world.counts,
    }) as Snapshot;
}
