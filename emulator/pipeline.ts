import { authorize, type Caller, type Callers } from "./callers";
import { apiRoot, loadContract, type ParsedRequest, type Route } from "./contract";
import { ApiError, ConnectionReset, internal, invalid, notFound, unsupportedMediaType } from "./errors";
import { jsonResponse, type EmulatorRequest, type EmulatorResponse, type Exchange } from "./exchange";
import { creationOf, handlers } from "./kinds";
import type { Journal, Recording } from "./journal";
import { redactPath } from "./redact";
import { uniqueId } from "./secureRandom";
import { controlCharacters, mapped } from "./schema";
import { effectOf, isRead, type OperationId } from "./wire";
import { noteChange } from "./world/drift";
import { addressed } from "./world/find";
import type { World } from "./world/world";

/**
 * A function around every operation of an authenticated caller. It can return a response without carrying out the request,
 * wait, or change the response. All faults are injected here.
 */
export type Interceptor = (exchange: Exchange, carryOut: () => Promise<EmulatorResponse>) => Promise<EmulatorResponse>;

/** Carries out a request. A read can be carried out in another world. */
export type CarryOut = (world?: World) => Promise<EmulatorResponse>;

/** The parts of an emulator that the pipeline uses. */
export interface Surroundings {
    world: World;
    callers: Callers;
    journal: Journal;
    intercept: (exchange: Exchange, carryOut: CarryOut) => Promise<EmulatorResponse>;
    /** Whether the requests come from the page. What they change is drift. */
    isByHand?: true;
    /** Saves the state of the world after a change, before the response is sent. */
    save: () => Promise<void>;
    log: (line: string) => void;
    /** Reports a failure of the emulator. */
    report: (line: string) => void;
}

/** Handles a request: finds the operation, authenticates, authorizes and validates, carries it out and saves the state. */
export async function answer(around: Surroundings, request: EmulatorRequest): Promise<EmulatorResponse> {
    const { world, callers, journal, intercept } = around;
    const { routes } = loadContract();
    const method = request.method.toUpperCase();
    const headers = lowerCased(request.headers);
    const { target: route, ids = {} } = routes.match(method, request.path) ?? {};
    const requestId = headers["x-request-id"] ?? uniqueId();
    const recording: Recording = {
        at: world.now,
        method,
        path: redactPath(request.path, route),
        operationId: route?.operationId,
        status: undefined,
        requestId,
        userAgent: headers["user-agent"],
        takesSecret: route?.takesSecret ?? false,
    };
    journal.add(recording);
    const line = `${method} ${recording.path}`;
    const response = await refusalsAnswered(around, async () => {
        const caller = callers.identify(headers.authorization);
        journal.keep(recording, "sent", request.body ?? "");
        if (!route) {
            const unknown = `There is no operation at ${request.path.replace(/\?.*/s, "")}. Paths begin with ${apiRoot}/.`;
            throw routes.refusal(request.path, `${unknown} See the API reference.`);
        }
        const exchange = {
            operationId: route.operationId,
            request,
            requestId,
            at: recording.at,
            noteFault: (fault: string) => void (recording.faults = [...(recording.faults ?? []), fault]),
        };
        return intercept(exchange, (inWorld = world) =>
            refusalsAnswered(around, () =>
                carryOut({ ...around, world: inWorld }, caller, route, { ...request, method, headers, ids }),
            ),
        );
    }).catch((error: unknown) => {
        around.log(`${line} broken`);
        throw error;
    });
    recording.status = response.status;
    recording.durationMs = world.now - recording.at;
    journal.keep(recording, "received", response.body);
    around.log(`${line} ${response.status}`);
    const date = new Date(world.now).toUTCString();
    return { ...response, headers: { date, ...response.headers, "x-request-id": requestId } };
}

/** A request with its method in upper case, the names of its headers in lower case, and the ids in its path. */
type MatchedRequest = Required<Pick<EmulatorRequest, "headers">> &
    EmulatorRequest & { ids: Readonly<Record<string, string>> };

async function carryOut(
    around: Surroundings,
    caller: Caller,
    route: Route,
    request: MatchedRequest,
): Promise<EmulatorResponse> {
    const { world } = around;
    const params = mapped(request.ids, decodeURIComponent);
    const projectId = params.project_id;
    if (projectId !== undefined) {
        if (!world.projects.has(projectId)) {
            throw notFound(`There is no project ${projectId}.`);
        }
        authorize(caller, request.method, projectId);
    }
    checkBody(route, request);
    const parsed = loadContract().parse(request, route);
    refuseControlCharacters(parsed.body);
    world.catchUp();
    const handle = (): unknown => handlerOf(route.operationId)({ ...parsed, params, caller, world });
    const changed = changedRecord(world, request, route.operationId);
    const body = changed ? noteChange(changed, !around.isByHand, handle) : handle();
    if (!isRead(request.method)) {
        await around.save();
    }
    return jsonResponse(route.success, body);
}

/** The record that a request changes. */
function changedRecord(world: World, { method, path }: MatchedRequest, id: OperationId) {
    const isChange = effectOf(method) === "change" && creationOf(id) === undefined;
    return isChange ? addressed(world, path)?.record : undefined;
}

/** The contract has validated parameters and body. The compiler cannot infer that. */
const handlerOf = (id: OperationId) =>
    handlers[id] as (call: ParsedRequest & { params: object; caller: Caller; world: World }) => unknown;

function checkBody(route: Route, { body = "", headers, method, path }: MatchedRequest): void {
    if (body === "") {
        if (route.takesBody) {
            throw invalid(`${route.operationId} requires a JSON body.`);
        }
        return;
    }
    if (!route.takesBody) {
        throw invalid(`${method} ${path} does not accept a body.`);
    }
    const type = headers["content-type"] ?? "";
    if (!/^application\/json\b/i.test(type)) {
        throw unsupportedMediaType(`The body must be sent as application/json, not as "${type}".`);
    }
}

/** Rejects characters that PostgreSQL or a terminal cannot show, such as NUL, in names, passwords and other texts. */
function refuseControlCharacters(body: unknown): void {
    for (const [name, value] of Object.entries(Object(body) as object)) {
        if (typeof value === "string" && controlCharacters.test(value)) {
            throw invalid(`${name} must not contain control characters, such as a line break.`);
        }
    }
}

/** Runs a function and converts a thrown error to its response. Rethrows a broken connection, which has no response. */
export async function refusalsAnswered<Response extends EmulatorResponse>(
    { report }: Pick<Surroundings, "report">,
    run: () => Promise<Response>,
): Promise<Response | EmulatorResponse> {
    try {
        return await run();
    } catch (error) {
        if (error instanceof ConnectionReset) {
            throw error;
        }
        const { code, headers, message, status } = refusalOf(error);
        if (status >= 500) {
            const { stack = String(error) } = Object(error) as Partial<Error>;
            report(error instanceof ApiError ? message : `internal error: ${stack}`);
        }
        const response = jsonResponse(status, { code, message });
        return { ...response, headers: { ...response.headers, ...headers } };
    }
}

function refusalOf(error: unknown): ApiError {
    if (error instanceof URIError) {
        return invalid("The path contains an invalid percent-encoding.");
    }
    return error instanceof ApiError
        ? error
        : internal("The emulator failed. Its log, by default stderr, has the reason.");
}

export const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
