import { Callers } from "./callers";
import { API_ROOT, loadContract } from "./contract";
import { CONTROL_ROOT, runControl } from "./controlRoutes";
import { createControls } from "./controls";
import type { Controls } from "./controls";
import { EmulatorStartError } from "./errors";
import { Faults } from "./faults/faults";
import { Journal } from "./journal";
import { settle } from "./options";
import type { EmulatorOptions, Settings } from "./options";
import { answer, jsonResponse, lowerCased, refusalsAnswered } from "./pipeline";
import type { EmulatorRequest, EmulatorResponse, Surroundings } from "./pipeline";
import { listen } from "./server/httpServer";
import { StateFile } from "./store/stateFile";
import { emptyWorld, World } from "./world/world";

/** A running emulator. */
export interface Emulator extends Controls {
    /** The base URL of the API; ends in `/v1`. */
    readonly url: string;
    readonly port: number;
    /** The bearer token of the first caller, and of the controls over HTTP. */
    readonly token: string;
    /** The first project. */
    readonly projectId: string;
    /**
     * Answers a request just as the HTTP server does, without a socket. Where a fault breaks the connection it rejects with an
     * error whose code is ECONNRESET.
     */
    handle: (request: EmulatorRequest) => Promise<EmulatorResponse>;
    /** Ends all connections, keeps the state and gives its file free. */
    close: () => Promise<void>;
}

/**
 * Starts an emulator that listens on a loopback address.
 *
 * Throws an EmulatorStartError when an option cannot be meant, the port is taken, or the state file is in use or unreadable.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const settings = settle(options);
    const file = settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile);
    try {
        return await startWith(settings, file);
    } catch (error) {
        file?.close();
        throw error;
    }
}

async function startWith(settings: Settings, file: StateFile | undefined): Promise<Emulator> {
    const { clock, host, intercept, log, port, projectId, projects, rules, seed, token } = settings;
    const beginning = () => emptyWorld(projects, seed);
    const world = new World(rules, clock, file?.read() ?? beginning());
    for (const project of projects) if (!world.projects.has(project.id)) world.projects.set(project.id, project);

    const save = async (): Promise<void> => file?.save(() => world.state());
    await save().catch((cause: unknown) => {
        throw new EmulatorStartError("state-unusable", `Cannot write the state file: ${(cause as Error).message}`, {
            cause,
        });
    });

    const contract = loadContract();
    const journal = new Journal();
    const faults = new Faults({ world, clock, seed, faults: settings.faults, rate: settings.rate });
    const controls = createControls({ world, clock, journal, beginning, faults });
    const around: Surroundings = {
        contract,
        world,
        callers: new Callers(settings.callers),
        journal,
        save,
        log,
        intercept: (exchange, carryOut) => intercept(exchange, () => faults.intercept(exchange, carryOut)),
    };
    const controller = new Callers([{ token }]);
    const control = async (request: EmulatorRequest): Promise<EmulatorResponse> => {
        controller.identify(lowerCased(request.headers).authorization);
        const result = runControl(controls, request.method, request.path, request.body);
        await save();
        return jsonResponse(result === undefined ? 204 : 200, result);
    };
    const handle = (request: EmulatorRequest): Promise<EmulatorResponse> =>
        isControl(request) ? refusalsAnswered(around, () => control(request)) : answer(around, request);

    const server = await listen({ host, port, handle, log });
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
        await server.close();
        try {
            await save();
        } finally {
            file?.close();
        }
    };
    return {
        ...controls,
        url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}${API_ROOT}`,
        port: server.port,
        token,
        projectId,
        handle,
        close: () => (closed ??= close()),
    };
}

const isControl = ({ path }: EmulatorRequest): boolean => path === CONTROL_ROOT || path.startsWith(`${CONTROL_ROOT}/`);
