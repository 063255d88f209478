import { Callers } from "./callers";
import { isVirtual } from "./clock";
import { apiRoot, loadContract } from "./contract";
import { controlRoot, createControls, runControl, type Controlled, type Controls } from "./controls";
import { createDatabases, type Databases } from "./databases";
import { EmulatorStartError } from "./errors";
import { Faults } from "./faults/faults";
import { Journal, type JournalEntry } from "./journal";
import { kinds } from "./kinds";
import { defaultToken, settle, type EmulatorOptions, type Settings } from "./options";
import { changesOf } from "./page/operations";
import { Page } from "./page/page";
import { answer, lowerCased, refusalsAnswered, type Surroundings } from "./pipeline";
import { jsonResponse, type EmulatorRequest, type EmulatorResponse } from "./exchange";
import { startPostgres, type Postgres, type ServerCertificate } from "./postgres/start";
import { hostAt } from "./server/address";
import { listen } from "./server/httpServer";
import { siteGuard, type SiteGuard } from "./server/sameSite";
import { StateFile } from "./store/stateFile";
import { isRead } from "./wire";
import { emptyWorld, World } from "./world/world";

/** A running emulator. */
export interface Emulator extends Controls, Databases {
    /** The base URL of the API, which ends in `/v1`. */
    readonly url: string;
    /** The port that the emulator listens on. */
    readonly port: number;
    /** The address of the web page. If the page needs a token, the address contains a key that opens it without one. */
    readonly pageUrl: string;
    /** The bearer token of the first caller and of the controls over HTTP. */
    readonly token: string;
    /** The id of the first project. */
    readonly projectId: string;
    /** The names of the rules of its dialect, separated by commas. They reproduce it as the option `dialect`. */
    readonly dialect: string;
    /** The certificate of the PostgreSQL servers. Undefined without the option `postgres`. */
    readonly certificate: ServerCertificate | undefined;
    /** The environment variables with which a provider uses this emulator. */
    readonly env: Readonly<
        Record<"CLOUDDB_BASE_URL" | "CLOUDDB_PROJECT_ID" | "CLOUDDB_ACCESS_TOKEN" | "CLOUDDB_LIST_LAG_MS", string>
    >;
    /** Returns the requests in the journal that are not reads. */
    changes: () => JournalEntry[];
    /**
     * Handles a request like the HTTP server, but without a socket. If a fault breaks the connection, it rejects with an error
     * whose code is `ECONNRESET`.
     */
    handle: (request: EmulatorRequest) => Promise<EmulatorResponse>;
    /** Closes all connections, saves the state and unlocks its file. */
    close: () => Promise<void>;
    /** Closes it at the end of a block that declares it with `await using`. */
    [Symbol.asyncDispose]: () => Promise<void>;
}

/** The time for which a provider searches for a resource whose creation got no response, before `speed` divides it. */
const listLagMs = 30_000;

/**
 * Starts an emulator, by default on a loopback address. It does not keep the process alive.
 *
 * Throws an `EmulatorStartError` if an option is invalid, the port is in use, the state file is in use or unreadable, or
 * PostgreSQL is missing or fails.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const settings = settle(options);
    const { clock, projects, rules, seed } = settings;
    const file = settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile);
    let postgres: Postgres | undefined;
    try {
        const world = new World(kinds, rules, clock, file?.read() ?? emptyWorld(projects, seed));
        for (const project of projects) {
            world.projects.set(project.id, world.projects.get(project.id) ?? project);
        }
        const write = async (): Promise<void> => file?.save(world);
        if (settings.postgres) {
            postgres = await startPostgres(settings, world, write);
        } else {
            // No server listens at a saved address.
            world.all().forEach(({ record }) => Object.assign(record, "host" in record && { host: undefined }));
        }
        await write().catch((cause: unknown) => {
            const message = `Cannot write the state file: ${(cause as Error).message}`;
            throw new EmulatorStartError("state-unusable", message, { cause });
        });
        return await startWith(settings, { world, file, write, postgres });
    } catch (error) {
        await postgres?.close();
        file?.close();
        throw error;
    }
}

interface Started {
    world: World;
    file: StateFile | undefined;
    /** Writes the state file. */
    write: () => Promise<void>;
    postgres: Postgres | undefined;
}

async function startWith(settings: Settings, { world, file, write, postgres }: Started): Promise<Emulator> {
    const { clock, host, log, port, projectId, report, rules, token } = settings;
    const journal = new Journal();
    const faults = new Faults({ world, ...settings });
    const { durations, speed } = settings;
    const state = () => emptyWorld(settings.projects, settings.seed);
    const initial = { durations, speed, peeringFate: rules.peeringFate, state };
    /** Writes the state before existing servers change, so that no state contains a service without its data. */
    const save = async (): Promise<void> => {
        postgres?.fleet.startNew();
        try {
            await write();
        } finally {
            await postgres?.fleet.reconcile();
        }
    };
    const changed = () => void postgres?.fleet.reconcile();
    const controlled: Controlled = { world, clock, journal, faults, durations, speed, initial, changed };
    const controls = createControls(controlled);
    const around: Surroundings = {
        world,
        callers: new Callers(settings.callers),
        journal,
        save,
        log,
        report,
        intercept: (exchange, carryOut) =>
            settings.intercept(exchange, () =>
                settings.dialect.intercept(exchange, () => faults.intercept(exchange, carryOut)),
            ),
    };
    const contract = loadContract();
    let changes: ReturnType<typeof changesOf> | undefined;
    const isPublic = token === defaultToken;
    const refuseOtherSites = siteGuard(settings);
    const page = new Page({
        ...around,
        refuseOtherSites,
        token: isPublic ? undefined : token,
        apiToken: token,
        controlled,
        about: () => ({
            url: url(),
            certificateFile: postgres?.certificate.file,
            isVirtualClock: isVirtual(clock),
            projectId,
            publicToken: isPublic ? token : undefined,
            nouns: Object.fromEntries(kinds.map(({ name, noun }) => [name, noun])),
            changes: (changes ??= changesOf(contract)),
        }),
    });
    const handle = handlerOf(
        { ...around, refuseOtherSites },
        controls,
        page,
        new Callers([{ token }, { token: page.session }]),
    );

    const server = await listen({ host, port, handle, log, report });
    const url = (): string => `http://${hostAt(host)}:${server.port}${apiRoot}`;
    const close = async (): Promise<void> => {
        await server.close();
        try {
            await postgres?.close();
            await write();
        } finally {
            file?.close();
        }
    };
    let closed: Promise<void> | undefined;
    const databases = createDatabases(around, {
        clock,
        token,
        projectId,
        certificate: postgres?.certificate,
        isOpen: () => closed === undefined,
    });
    return {
        ...databases,
        ...controls,
        url: url(),
        port: server.port,
        pageUrl: page.addressAt(new URL("/", url()).href),
        token,
        projectId,
        dialect: settings.dialect.names.join(),
        certificate: postgres?.certificate,
        handle,
        env: {
            CLOUDDB_BASE_URL: url(),
            CLOUDDB_PROJECT_ID: projectId,
            CLOUDDB_ACCESS_TOKEN: token,
            CLOUDDB_LIST_LAG_MS: String(Math.ceil(listLagMs / Math.max(1, speed))),
        },
        changes: () => journal.entries().filter(({ method }) => !isRead(method)),
        close: () => (closed ??= close()),
        [Symbol.asyncDispose]: () => (closed ??= close()),
    };
}

/** Answers requests for the page, the controls and the API. */
function handlerOf(
    around: Surroundings & { refuseOtherSites: SiteGuard },
    controls: Controls,
    page: Page,
    controller: Callers,
) {
    const control = async ({ headers, method, path, body }: EmulatorRequest): Promise<EmulatorResponse> => {
        controller.identify(lowerCased(headers).authorization);
        const result = runControl(controls, method, path, body);
        await around.save();
        return jsonResponse(result === undefined ? 204 : 200, result);
    };
    return (request: EmulatorRequest): Promise<EmulatorResponse> =>
        page.has(request.path)
            ? page.answer(request)
            : refusalsAnswered(around, () => {
                  around.refuseOtherSites(lowerCased(request.headers));
                  return isControl(request) ? control(request) : answer(around, request);
              });
}

const isControl = ({ path }: EmulatorRequest): boolean => path === controlRoot || path.startsWith(`${controlRoot}/`);
