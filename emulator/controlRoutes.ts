import type { Controls } from "./controls";
import { invalid, notFound } from "./errors";
import { peeringModes } from "./world/rules";
import type { PeeringFate } from "./world/rules";

/** Below this path the emulator itself is asked, not the API. */
export const CONTROL_ROOT = "/_emulator";

type Fields = Readonly<Record<string, unknown>>;

interface ControlRoute {
    /** Method and path below the control root; `*` stands for an id. */
    on: string;
    run: (controls: Controls, id: string, body: Fields) => unknown;
}

/** How each control is reached over HTTP; a new control without a route does not compile. */
const routes: Readonly<Record<keyof Controls, ControlRoute>> = {
    journal: { on: "GET /journal", run: (controls) => controls.journal() },
    clearJournal: { on: "DELETE /journal", run: (controls) => controls.clearJournal() },
    snapshot: { on: "GET /state", run: (controls) => controls.snapshot() },
    reset: { on: "POST /reset", run: (controls) => controls.reset() },
    advance: { on: "POST /clock", run: (controls, _, body) => controls.advance(required(body, "ms", "number")) },
    setPeeringFate: { on: "PUT /peerings", run: (controls, _, body) => controls.setPeeringFate(fateOf(body)) },
    acceptPeering: { on: "POST /peerings/*/accept", run: (controls, id) => controls.acceptPeering(id) },
    failPeering: {
        on: "POST /peerings/*/fail",
        run: (controls, id, body) => controls.failPeering(id, optional(body, "message", "string")),
    },
    deletePeering: { on: "DELETE /peerings/*", run: (controls, id) => controls.deletePeering(id) },
    updateVpc: { on: "PATCH /vpcs/*", run: (controls, id, body) => controls.updateVpc(id, body) },
    deleteVpc: { on: "DELETE /vpcs/*", run: (controls, id) => controls.deleteVpc(id) },
    setServiceStatus: {
        on: "PUT /services/*/status",
        run: (controls, id, body) =>
            controls.setServiceStatus(id, optional(body, "status", "string"), optional(body, "forMs", "number")),
    },
    updateService: { on: "PATCH /services/*", run: (controls, id, body) => controls.updateService(id, body) },
    deleteService: { on: "DELETE /services/*", run: (controls, id) => controls.deleteService(id) },
    passwordMatches: {
        on: "POST /services/*/password",
        run: (controls, id, body) => ({ matches: controls.passwordMatches(id, required(body, "password", "string")) }),
    },
    fillLogs: {
        on: "POST /services/*/logs",
        run: (controls, id, body) => controls.fillLogs(id, required(body, "lines", "number")),
    },
    setReplicaSetStatus: {
        on: "PUT /replicaSets/*/status",
        run: (controls, id, body) =>
            controls.setReplicaSetStatus(id, optional(body, "status", "string"), optional(body, "forMs", "number")),
    },
    updateReplicaSet: { on: "PATCH /replicaSets/*", run: (controls, id, body) => controls.updateReplicaSet(id, body) },
    deleteReplicaSet: { on: "DELETE /replicaSets/*", run: (controls, id) => controls.deleteReplicaSet(id) },
};

/** Runs the control that a request names and answers what it returns. */
export function runControl(controls: Controls, method: string, path: string, body: string | undefined): unknown {
    const [below = ""] = path.slice(CONTROL_ROOT.length).split("?");
    for (const { on, run } of Object.values(routes)) {
        const id = matchId(on, `${method} ${below}`);
        if (id !== undefined) return run(controls, id, fieldsOf(body));
    }
    const known = Object.values(routes).map(({ on }) => on);
    throw notFound(`The emulator has no control ${method} ${path}; below ${CONTROL_ROOT} it has: ${known.join(", ")}.`);
}

function matchId(pattern: string, asked: string): string | undefined {
    const found = new RegExp(`^${pattern.replace("*", "([^/]+)")}$`).exec(asked);
    return found ? decodeURIComponent(found[1] ?? "") : undefined;
}

function fieldsOf(body: string | undefined): Fields {
    if (body === undefined || body === "") return {};
    let parsed: unknown;
    try {
        parsed = JSON.parse(body);
    } catch (error) {
        throw invalid(`The body is not JSON: ${(error as Error).message}.`);
    }
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
        throw invalid("The body must be a JSON object.");
    return parsed as Fields;
}

interface Types {
    string: string;
    number: number;
}

function optional<T extends keyof Types>(body: Fields, field: string, type: T): Types[T] | undefined {
    const value = body[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== type) throw invalid(`${field} must be a ${type}.`);
    return value as Types[T];
}

function required<T extends keyof Types>(body: Fields, field: string, type: T): Types[T] {
    const value = optional(body, field, type);
    if (value === undefined) throw invalid(`${field} is required.`);
    return value;
}

function fateOf(body: Fields): PeeringFate {
    const message = optional(body, "fail", "string");
    if (message !== undefined) return { fail: message };
    const mode = required(body, "mode", "string");
    const known = peeringModes.find((one) => one === mode);
    if (!known) throw invalid(`mode must be one of ${peeringModes.join(", ")}.`);
    return known;
}
