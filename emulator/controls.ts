import { isVirtual } from "./clock";
import type { Clock } from "./clock";
import { durationFields, scaled } from "./durations";
import type { Durations } from "./durations";
import { conflict, invalid, notFound } from "./errors";
import { faultList, faultsOf } from "./faults/fault";
import type { FaultInput } from "./faults/fault";
import type { Faults } from "./faults/faults";
import type { FaultReport } from "./faults/report";
import type { Journal, JournalEntry } from "./journal";
import type { Kind, ModelsInParents } from "./kinds";
import { check, parseBody, Routes } from "./routes";
import {
    aboveZero,
    definedOf,
    flag,
    integer,
    isObject,
    milliseconds,
    needed,
    nullable,
    number,
    object,
    oneOf,
    secret,
    text,
    typeOf,
    value,
} from "./schema";
import type { Fields, Form, ValuesOf } from "./schema";
import type { Wire } from "./wire";
import { noteChange } from "./world/drift";
import { findAny } from "./world/find";
import { fillLog } from "./world/logs";
import { finish, rescale } from "./world/pace";
import { passwordMatches } from "./world/password";
import * as peerings from "./world/peerings";
import { peeringModes } from "./world/rules";
import type { PeeringFate, Rules } from "./world/rules";
import type { ReplicaSetRecord, ServiceRecord, Size, Tally, WorldState } from "./world/state";
import { viewInParent } from "./world/views";
import type { World } from "./world/world";

/** Requests below this path are for the emulator's controls, not for the API. */
export const controlRoot = "/_emulator";

/** The maximum number of lines that `fillLogs` adds to the log of a service. It then drops the oldest ones. */
const maxLogLines = 100_000;

/** More replicas or nodes than the API accepts, for tests of unexpected responses. */
const servers = integer(0, 100);
const amount = number("a number of at least 0", (one) => one >= 0 && one <= Number.MAX_SAFE_INTEGER);
const dedicated = { cpuMillis: needed(amount), memoryGbs: needed(amount) };

const servicePatch = {
    name: text,
    environment: text,
    size: value<Size>(
        '{ cpuMillis, memoryGbs } or "shared"',
        `${typeOf(dedicated)} or "shared"`,
        (one) => one === "shared" || object(dedicated).problem("size", one) === undefined,
    ),
    replicaCount: servers,
    syncReplicaCount: servers,
    vpcId: nullable(text),
    pooler: flag,
};

/** The properties of a service that `updateService` can change. */
export type ServicePatch = ValuesOf<typeof servicePatch>;

const replicaSetPatch = {
    name: text,
    environment: text,
    nodes: servers,
    cpuMillis: amount,
    memoryGbs: amount,
    pooler: flag,
};

/** The properties of a read replica set that `updateReplicaSet` can change. */
export type ReplicaSetPatch = ValuesOf<typeof replicaSetPatch>;

const vpcPatch = { name: text };

/** The properties of a VPC that `updateVpc` can change. */
export type VpcPatch = ValuesOf<typeof vpcPatch>;

/** The resources of each kind. A service contains its read replica sets. */
type Resources = { [K in Exclude<Kind, "replicaSets">]: ModelsInParents[K][] };

/** All resources, as the API returns them, with the ids of their parents. */
export interface Snapshot extends Resources {
    /** The time in milliseconds since 1970 by the emulator's clock. */
    now: number;
    projects: Wire["Project"][];
    /** The number of resources of each kind that were created and deleted since the start. */
    counts: Record<Kind, Tally>;
}

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

/** A control: a method of the emulator and a request. The types of this package show only the method. */
interface Definition<Args extends unknown[], Result> {
    /** Method and path below the control root. `*` stands for an id, the first argument. */
    readonly on: string;
    /** The fields of the body. */
    readonly fields: Fields;
    readonly run: (parts: never, ...args: Args) => Result;
    /** Converts the body to arguments without the id, and back. */
    readonly toArgs: (body: Readonly<Record<string, unknown>>) => unknown[];
    readonly toBody: (args: readonly unknown[]) => object;
    readonly response: (result: Result) => unknown;
}

type Run<Args extends unknown[], Result> = (parts: Controlled, ...args: Args) => Result;

function define<Args extends unknown[], Result>(
    on: string,
    fields: Fields,
    run: Run<Args, Result>,
    others: Partial<Definition<Args, Result>> = {},
): Definition<Args, Result> {
    const names = Object.keys(fields);
    return {
        on,
        fields,
        run,
        toArgs: (body) => names.map((name) => body[name]),
        toBody: (args) => Object.fromEntries(names.map((name, index) => [name, args[index]])),
        response: (result) => result,
        ...others,
    };
}

/** A control whose body has a field for each argument after the id. */
const control: <Args extends unknown[], Result>(
    on: string,
    fields: Readonly<Record<string, Form<NoInfer<Args[number]>>>>,
    run: Run<Args, Result>,
    others?: Pick<Definition<Args, Result>, "response">,
) => Definition<Args, Result> = define;

/** A control whose last argument is the whole body. */
const patchOf = <Args extends unknown[]>(on: string, fields: Fields, run: Run<Args, void>): Definition<Args, void> =>
    define(on, fields, run, { toArgs: (body) => [body], toBody: ([patch]) => Object(patch) as object });

/** A control that overrides the status of a resource of this kind. */
const statusOf = (kind: "services" | "replicaSets") =>
    control(
        `PUT /${kind}/*/status`,
        { status: text, forMs: milliseconds },
        ({ world }, id: string, status?: string, forMs?: number) => {
            const [at, until] = [world.now, forMs === undefined ? null : world.now + forMs];
            findAny(world, kind, id).override = status === undefined ? null : { status, at, until, isByHand: true };
        },
    );

const definitions = {
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
    setDurations: patchOf("PATCH /durations", durationFields, (parts, durations: Partial<Durations>) =>
        useDurations(parts, { ...parts.durations, ...definedOf(durations) }),
    ),
    /** Returns the divisor of all durations. Over HTTP, the response is `{ "speed": 1 }`. */
    speed: control("GET /speed", {}, ({ speed }): number => speed, { response: (speed) => ({ speed }) }),
    /** Sets the divisor of all durations. Changes in progress continue at the new speed. */
    setSpeed: control("PUT /speed", { speed: needed(aboveZero) }, (parts, speed: number) => useSpeed(parts, speed)),
    /** Completes the changes in progress of a service, read replica set or peering immediately. */
    finish: control("POST /finish/*", {}, ({ world }, id: string) => finish(world, id)),
    /** Sets the maximum number of requests per second. Further requests are rejected with 429. Without a number, it removes the limit. */
    setRate: control("PUT /rate", { perSecond: aboveZero }, ({ faults }, perSecond?: number) =>
        faults.setRate(perSecond),
    ),
    /** Sets how new peerings proceed: `immediate`, `delay`, `acceptance` or `fail` (over HTTP as `mode`), or `{ fail }` with a message. */
    setPeeringFate: define(
        "PUT /peerings",
        { fail: text, mode: oneOf(peeringModes) },
        ({ world }, fate: PeeringFate) => {
            world.rules.peeringFate = () => fate;
        },
        {
            toArgs: ({ fail, mode }) => {
                if (fail === undefined && mode === undefined) {
                    throw invalid(`Set mode to one of ${peeringModes.join(", ")}, or fail to a message.`);
                }
                return [fail === undefined ? mode : { fail }];
            },
            toBody: ([fate]) => (isObject(fate) ? fate : { mode: fate }),
        },
    ),
    /** Accepts the peering in place of the peer account. It becomes active immediately. */
    acceptPeering: control("POST /peerings/*/accept", {}, ({ world }, id: string) =>
        peerings.acceptPeering(world, findAny(world, "peerings", id)),
    ),
    /** Fails the peering immediately. `message` has a default, and the default of `status` is `failed`. */
    failPeering: control(
        "POST /peerings/*/fail",
        { message: text, status: text },
        ({ world }, id: string, message?: string, status?: string) =>
            peerings.failPeering(world, findAny(world, "peerings", id), message, status),
    ),
    /** Deletes the peering immediately. */
    deletePeering: control("DELETE /peerings/*", {}, ({ world }, id: string) => remove(world, "peerings", id)),
    /** Renames the VPC immediately. */
    updateVpc: patchOf("PATCH /vpcs/*", vpcPatch, ({ world }, id: string, patch: VpcPatch) => {
        const vpc = findAny(world, "vpcs", id);
        noteChange(vpc, false, () => Object.assign(vpc, definedOf(patch)));
    }),
    /** Deletes the VPC and its peerings immediately, and detaches its services. */
    deleteVpc: control("DELETE /vpcs/*", {}, ({ world }, id: string) => remove(world, "vpcs", id)),
    /** Overrides the status of the service, for `forMs` milliseconds or until this is called without a status. */
    setServiceStatus: statusOf("services"),
    /** Changes the service immediately, without a change of its status. */
    updateService: patchOf("PATCH /services/*", servicePatch, ({ world }, id: string, patch: ServicePatch) =>
        update(findAny(world, "services", id), patch),
    ),
    /** Deletes the service and its read replica sets immediately. */
    deleteService: control("DELETE /services/*", {}, ({ world }, id: string) => remove(world, "services", id)),
    /** Takes a snapshot of the service for forks with the strategy `LAST_SNAPSHOT`. The emulator also takes one every hour. */
    takeSnapshot: control("POST /services/*/snapshot", {}, ({ world }, serviceId: string) => {
        // Data that was written in this millisecond belongs to the snapshot.
        findAny(world, "services", serviceId).snapshotAt = world.now + 1;
    }),
    /** Returns whether this is the current password of the service. Over HTTP, the response is `{ "matches": true }` or `{ "matches": false }`. */
    passwordMatches: control(
        "POST /services/*/password",
        { password: needed(secret(text)) },
        ({ world }, serviceId: string, password: string) =>
            passwordMatches(findAny(world, "services", serviceId).password, password),
        { response: (matches) => ({ matches }) },
    ),
    /** Adds this number of lines to the log of a service, with the current time. */
    fillLogs: control(
        "POST /services/*/logs",
        { lines: needed(integer(0, maxLogLines)) },
        ({ world }, serviceId: string, lines: number) =>
            fillLog(findAny(world, "services", serviceId), lines, world.now, maxLogLines),
    ),
    /** Overrides the status of the read replica set, for `forMs` milliseconds or until this is called without a status. */
    setReplicaSetStatus: statusOf("replicaSets"),
    /** Changes the read replica set immediately, without a change of its status. */
    updateReplicaSet: patchOf(
        "PATCH /replicaSets/*",
        replicaSetPatch,
        ({ world }, id: string, patch: ReplicaSetPatch) => update(findAny(world, "replicaSets", id), patch),
    ),
    /** Deletes the read replica set immediately. */
    deleteReplicaSet: control("DELETE /replicaSets/*", {}, ({ world }, id: string) => remove(world, "replicaSets", id)),
};

type Definitions = typeof definitions;
type Method<D> = D extends Definition<infer Args, infer Result> ? (...args: Args) => Result : never;

/** Reads and changes the emulator without the API. Each control is also available over HTTP, below `/_emulator`. */
export type Controls = { [Name in keyof Definitions]: Method<Definitions[Name]> };

type AnyDefinition = Definition<unknown[], unknown>;
const all = Object.entries(definitions) as unknown as [name: keyof Controls, AnyDefinition][];

interface ControlRequest {
    name: string;
    on: string;
    fields: Fields;
    body: string | undefined;
}

/** The request of each control, for the documentation and the page. */
export const requests: readonly ControlRequest[] = all.map(([name, { on, fields }]) => ({
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
                const result = (run as Run<unknown[], unknown>)(parts, ...args);
                parts.changed();
                return result;
            },
        ]),
    ) as unknown as Controls;

const table = new Routes(all.map(([name, definition]) => [definition.on, { name, definition }]));

/** Runs the control that a request names and returns its response. */
export function runControl(controls: Controls, method: string, path: string, body: string | undefined): unknown {
    const [below = ""] = path.slice(controlRoot.length).split("?");
    const found = table.match(method, below);
    if (!found) {
        const known = all.map(([, { on }]) => on).join(", ");
        throw notFound(`There is no control ${method} ${path}. The controls below ${controlRoot} are ${known}.`);
    }
    const { name, definition } = found.target;
    const { fields, on, toArgs, response } = definition;
    const values = Object.keys(fields).length === 0 ? {} : parseBody(body, fields, nounOf(name));
    const args = [...(on.includes("*") ? [found.id] : []), ...toArgs(values)];
    return response((controls[name] as (...args: unknown[]) => unknown)(...args));
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

const remove = (world: World, kind: Kind, id: string): void => world.remove(kind, findAny(world, kind, id).id);

/** Changes a record without the API. Each property is one of its values or of the record itself. Values are never optional. */
function update(record: ServiceRecord | ReplicaSetRecord, patch: object): void {
    noteChange(record, false, () => {
        for (const [key, changed] of Object.entries(definedOf(patch)) as [string, unknown][]) {
            Object.assign(key in record.values ? record.values : record, { [key]: changed });
        }
    });
}

function snapshotOf(world: World): Snapshot {
    world.catchUp();
    const all = <K extends Kind>(kind: K) =>
        [...world.records(kind).values()].map((record) => viewInParent(world, kind, record));
    return structuredClone({
        now: world.now,
        projects: [...world.projects.values()],
        vpcs: all("vpcs"),
        peerings: all("peerings"),
        services: all("services"),
        counts: world.counts,
    });
}
