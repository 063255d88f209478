import { Callers } from "./callers";
import { API_ROOT, loadContract } from "./contract";
import { CONTROL_ROOT, runControl } from "./controlRoutes";
import { createControls } from "./controls";
import type { Controls } from "./controls";
import { EmulatorStartError } from "./errors";
import { Journal } from "./journal";
import { settle } from "./options";
import type { EmulatorOptions, Settings } from "./options";
import { answer, jsonResponse, lowerCased, refusalsAnswered } from "./pipeline";
import type { EmulatorRequest, EmulatorResponse, Surroundings } from "./pipeline";
import { listen } from "./server/httpServer";
import { StateFile } from "./store/stateFile";
import type { WorldState } from "./world/state";
import { emptyWorld, World } from "./world/world";

/** A running emulator. */
export interface Emulator extends Controls {
    /** The base URL of the API; ends in `/v1`. */
    readonly url: string;
    readonly port: number;
    readonly token: string;
    readonly projectId: string;
    /** Answers a request just as the HTTP server does, without a socket. */
    handle(request: EmulatorRequest): Promise<EmulatorResponse>;
    /** Ends all connections and gives the state file free. */
    close(): Promise<void>;
}

/** Starts an emulator that listens on a loopback address. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const settings = settle(options);
    const contract = await loadContract();
    const file = settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile);
    try {
        const beginning = (): WorldState => emptyWorld(settings.projects, settings.seed);
        const world = new World(settings.rules, settings.clock, file?.read() ?? beginning());
        for (const project of settings.projects)
            if (!world.projects.has(project.id)) world.projects.set(project.id, { ...project });
        const save = async (): Promise<void> => file?.save(() => world.state());
        await save().catch((error: unknown) => {
            throw new EmulatorStartError("state-unusable", `Cannot write the state file: ${(error as Error).message}`, {
                cause: error,
            });
        });
        const journal = new Journal();
        const controls = createControls({ world, clock: settings.clock, journal, beginning });
        const callers = new Callers(settings.callers);
        const around = { contract, world, callers, journal, save, intercept: settings.intercept, log: settings.log };
        const handle = (request: EmulatorRequest): Promise<EmulatorResponse> =>
            isControl(request) ? control(around, settings, controls, request) : answer(around, request);
        const server = await listen({ host: settings.host, port: settings.port, handle, log: settings.log });
        const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
        return {
            ...controls,
            url: `http://${host}:${server.port}${API_ROOT}`,
            port: server.port,
            token: settings.token,
            projectId: settings.projectId,
            handle,
            close: async () => {
                await server.close();
                await file?.close();
            },
        };
    } catch (error) {
        await file?.close();
        throw error;
    }
}

const isControl = ({ path }: EmulatorRequest): boolean => path === CONTROL_ROOT || path.startsWith(`${CONTROL_ROOT}/`);

/** The controls answer to the first caller only: whoever may change the world need not be one who may use the API. */
function control(
    around: Surroundings,
    { token }: Settings,
    controls: Controls,
    request: EmulatorRequest,
): Promise<EmulatorResponse> {
    return refusalsAnswered(around, async () => {
        new Callers([{ token }]).identify(lowerCased(request.headers).authorization);
        const result = runControl(controls, request.method, request.path, request.body);
        if (request.method !== "GET") await around.save();
        return jsonResponse(result === undefined ? 204 : 200, result);
    });
}
