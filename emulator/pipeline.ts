import { randomUUID } from "node:crypto";
import { authorize } from "./callers";
import type { Caller, Callers } from "./callers";
import { API_ROOT } from "./contract";
import type { Contract, ContractRequest, ParsedRequest, Route } from "./contract";
import {
    ApiError,
    ConnectionReset,
    internal,
    invalid,
    methodNotAllowed,
    notFound,
    unsupportedMediaType,
} from "./errors";
import { handlers } from "./handlers";
import type { Journal, JournalEntry } from "./journal";
import { redactBody } from "./redact";
import type { OperationId } from "./wire";
import type { World } from "./world/world";

/** A request, with or without a socket. */
export interface EmulatorRequest {
    method: string;
    /** With the query, from the root: `/v1/projects`. */
    path: string;
    /** Names in any case. */
    headers?: Readonly<Record<string, string>>;
    body?: string;
}

export interface EmulatorResponse {
    status: number;
    /** Names in lower case. */
    headers: Record<string, string>;
    body: string;
}

/** What is known of a request before it is carried out. */
export interface Exchange {
    operationId: OperationId;
    request: EmulatorRequest;
    requestId: string;
    /** Milliseconds since 1970 by the emulator's clock. */
    at: number;
}

/**
 * Stands around every operation of a known caller: it may answer without carrying it out, carry it out and answer something else,
 * wait, or change the answer. This is the one place where faults come from.
 */
export type Interceptor = (exchange: Exchange, carryOut: () => Promise<EmulatorResponse>) => Promise<EmulatorResponse>;

/** Carries a request out, in this world or, where it only reads, in another one. */
export type CarryOut = (world?: World) => Promise<EmulatorResponse>;

/** What the pipeline works with. */
export interface Surroundings {
    contract: Contract;
    world: World;
    callers: Callers;
    journal: Journal;
    intercept: (exchange: Exchange, carryOut: CarryOut) => Promise<EmulatorResponse>;
    /** Keeps the world's state after a change; the answer waits for it. */
    save: () => Promise<void>;
    log: (line: string) => void;
}

/** From a request to its answer: what is meant, who calls, is it allowed, is it well formed, carry it out, keep it. */
export async function answer(around: Surroundings, request: EmulatorRequest): Promise<EmulatorResponse> {
    const { contract, world, callers, journal, intercept } = around;
    const method = request.method.toUpperCase();
    const headers = lowerCased(request.headers);
    const asContract = { method, path: request.path, headers, ...bodyOf(request) };
    const route = contract.match(asContract);
    const requestId = headers["x-request-id"] ?? randomUUID();
    const entry: JournalEntry = {
        at: world.now,
        method,
        path: request.path,
        operationId: route?.operationId,
        status: undefined,
        body: redactBody(route, request.body),
        requestId,
        userAgent: headers["user-agent"],
    };
    journal.add(entry);
    const response = await refusalsAnswered(around, async () => {
        const caller = callers.identify(headers.authorization);
        if (!route) throw noRoute(contract, asContract);
        const exchange = { operationId: route.operationId, request, requestId, at: entry.at };
        return intercept(exchange, (inWorld = world) =>
            refusalsAnswered(around, () => carryOut({ ...around, world: inWorld }, caller, route, asContract)),
        );
    }).catch((error: unknown) => {
        around.log(`${method} ${request.path} broken`);
        throw error;
    });
    entry.status = response.status;
    around.log(`${method} ${request.path} ${response.status}`);
    const date = new Date(world.now).toUTCString();
    return { ...response, headers: { date, ...response.headers, "x-request-id": requestId } };
}

async function carryOut(
    around: Surroundings,
    caller: Caller,
    route: Route,
    request: ContractRequest,
): Promise<EmulatorResponse> {
    const { world } = around;
    const parsed = parse(around.contract, request, route);
    const projectId = parsed.params.project_id;
    if (projectId !== undefined) {
        if (!world.projects.has(projectId)) throw notFound(`There is no project ${projectId}.`);
        authorize(caller, request.method, projectId);
    }
    checkBody(route, request);
    const fault = around.contract.requestFault(request, route);
    if (fault !== undefined) throw invalid(fault);
    world.catchUp();
    const body = handlerOf(route.operationId)({ ...parsed, caller, world });
    if (request.method !== "GET") await around.save();
    return jsonResponse(route.success, body);
}

/** The contract has checked that parameters and body fit the operation, which the compiler cannot follow. */
const handlerOf = (id: OperationId) =>
    handlers[id] as (call: ParsedRequest & { caller: Caller; world: World }) => unknown;

function noRoute(contract: Contract, request: ContractRequest): ApiError {
    const [path = ""] = request.path.split("?");
    const methods = contract.methodsOf(path);
    if (methods.length > 0) return methodNotAllowed(`${path} answers ${methods.join(" and ")} only.`, methods);
    return notFound(`There is no operation at ${path}; paths begin with ${API_ROOT}/ and are in the API reference.`);
}

function parse(contract: Contract, request: ContractRequest, route: Route): ParsedRequest {
    try {
        return contract.parse(request, route);
    } catch (error) {
        if (error instanceof URIError) throw invalid("The path is not well encoded.");
        throw error;
    }
}

function checkBody(route: Route, { body, headers, method, path }: ContractRequest): void {
    if (body === undefined) {
        if (route.takesBody) throw invalid(`${route.operationId} needs a JSON body.`);
        return;
    }
    if (!route.takesBody) throw invalid(`${method} ${path} takes no body.`);
    const type = headers["content-type"] ?? "";
    if (!/^application\/json\b/i.test(type)) {
        throw unsupportedMediaType(`The body must be sent as application/json, not as "${type}".`);
    }
}

/** Runs a part of the way and turns a refusal into its answer; only a connection that breaks has none. */
export async function refusalsAnswered<Response extends EmulatorResponse>(
    { log }: Pick<Surroundings, "log">,
    run: () => Promise<Response>,
): Promise<Response | EmulatorResponse> {
    try {
        return await run();
    } catch (error) {
        if (error instanceof ConnectionReset) throw error;
        if (!(error instanceof ApiError))
            log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        const refusal = error instanceof ApiError ? error : internal("The emulator failed; its log says why.");
        const { code, message, status } = refusal;
        const response = jsonResponse(status, { code, message });
        return { ...response, headers: { ...response.headers, ...refusal.headers } };
    }
}

export function jsonResponse(status: number, body: unknown): EmulatorResponse {
    if (body === undefined) return { status, headers: {}, body: "" };
    return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const bodyOf = ({ body }: EmulatorRequest): { body?: string } => (body === undefined || body === "" ? {} : { body });
