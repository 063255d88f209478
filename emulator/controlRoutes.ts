import type { Controls, ReplicaSetPatch, ServicePatch, VpcPatch } from "./controls";
import type { Durations } from "./durations";
import { invalid, notFound } from "./errors";
import type { FaultInput } from "./faults/fault";
import { fields } from "./fields";
import { matchId, parseBody } from "./routes";
import { peeringModes } from "./world/rules";
import type { PeeringFate } from "./world/rules";

/** Requests below this path are for the emulator's controls, not for the API. */
export const controlRoot = "/_emulator";

interface ControlRoute {
    /** Method and path below the control root; `*` stands for an id. */
    on: string;
    run: (controls: Controls, id: string, body: unknown) => unknown;
}

const clockMove = fields<{ ms: number }>({ ms: "number" }, ["ms"]);
const rate = fields<{ perSecond?: number }>({ perSecond: "number" });
const peeringFate = fields<{ fail?: string; mode?: string }>({ fail: "string", mode: "string" });
const failure = fields<{ message?: string; status?: string }>({ message: "string", status: "string" });
const passwordOf = fields<{ password: string }>({ password: "string" }, ["password"]);
const logLines = fields<{ lines: number }>({ lines: "number" }, ["lines"]);
const shownStatus = fields<{ status?: string; forMs?: number }>({ status: "string", forMs: "number" });
const durations = fields<Partial<Durations>>({
    queued: "number",
    create: "number",
    fork: "number",
    resize: "number",
    setHA: "number",
    vpcChange: "number",
    stop: "number",
    start: "number",
    delete: "number",
    replicaSetCreate: "number",
    replicaSetResize: "number",
    replicaSetDelete: "number",
    peeringProvision: "number",
    peeringActivate: "number",
    staleRead: "number",
    notFoundAfterCreate: "number",
    notListedAfterCreate: "number",
    firstBackup: "number",
});
const vpcPatch = fields<VpcPatch>({ name: "string" });
const servicePatch = fields<ServicePatch>({
    name: "string",
    environment: "string",
    pooler: "boolean",
    size: "size",
    replicaCount: "number",
    syncReplicaCount: "number",
    vpcId: "string or null",
});
const replicaSetPatch = fields<ReplicaSetPatch>({
    name: "string",
    environment: "string",
    pooler: "boolean",
    nodes: "number",
    cpuMillis: "number",
    memoryGbs: "number",
});

/** The HTTP route of each control. A new control does not compile until it has one. */
const routes: Readonly<Record<keyof Controls, ControlRoute>> = {
    journal: { on: "GET /journal", run: (controls) => controls.journal() },
    clearJournal: { on: "DELETE /journal", run: (controls) => controls.clearJournal() },
    snapshot: { on: "GET /state", run: (controls) => controls.snapshot() },
    reset: { on: "POST /reset", run: (controls) => controls.reset() },
    advance: { on: "POST /clock", run: (controls, _, body) => controls.advance(clockMove(body).ms) },
    faults: { on: "GET /faults", run: (controls) => controls.faults() },
    addFaults: {
        on: "POST /faults",
        // The control itself rejects a body without a list of faults.
        run: (controls, _, body) => controls.addFaults((Object(body) as { faults: FaultInput[] }).faults),
    },
    clearFaults: { on: "DELETE /faults", run: (controls) => controls.clearFaults() },
    durations: { on: "GET /durations", run: (controls) => controls.durations() },
    setDurations: { on: "PATCH /durations", run: (controls, _, body) => controls.setDurations(durations(body)) },
    setRate: { on: "PUT /rate", run: (controls, _, body) => controls.setRate(rate(body).perSecond) },
    setPeeringFate: { on: "PUT /peerings", run: (controls, _, body) => controls.setPeeringFate(fateOf(body)) },
    acceptPeering: { on: "POST /peerings/*/accept", run: (controls, id) => controls.acceptPeering(id) },
    failPeering: {
        on: "POST /peerings/*/fail",
        run: (controls, id, body) => {
            const { message, status } = failure(body);
            controls.failPeering(id, message, status);
        },
    },
    deletePeering: { on: "DELETE /peerings/*", run: (controls, id) => controls.deletePeering(id) },
    updateVpc: { on: "PATCH /vpcs/*", run: (controls, id, body) => controls.updateVpc(id, vpcPatch(body)) },
    deleteVpc: { on: "DELETE /vpcs/*", run: (controls, id) => controls.deleteVpc(id) },
    setServiceStatus: {
        on: "PUT /services/*/status",
        run: (controls, id, body) => {
            const { status, forMs } = shownStatus(body);
            controls.setServiceStatus(id, status, forMs);
        },
    },
    updateService: {
        on: "PATCH /services/*",
        run: (controls, id, body) => controls.updateService(id, servicePatch(body)),
    },
    deleteService: { on: "DELETE /services/*", run: (controls, id) => controls.deleteService(id) },
    takeSnapshot: { on: "POST /services/*/snapshot", run: (controls, id) => controls.takeSnapshot(id) },
    passwordMatches: {
        on: "POST /services/*/password",
        run: (controls, id, body) => ({ matches: controls.passwordMatches(id, passwordOf(body).password) }),
    },
    fillLogs: {
        on: "POST /services/*/logs",
        run: (controls, id, body) => controls.fillLogs(id, logLines(body).lines),
    },
    setReplicaSetStatus: {
        on: "PUT /replicaSets/*/status",
        run: (controls, id, body) => {
            const { status, forMs } = shownStatus(body);
            controls.setReplicaSetStatus(id, status, forMs);
        },
    },
    updateReplicaSet: {
        on: "PATCH /replicaSets/*",
        run: (controls, id, body) => controls.updateReplicaSet(id, replicaSetPatch(body)),
    },
    deleteReplicaSet: { on: "DELETE /replicaSets/*", run: (controls, id) => controls.deleteReplicaSet(id) },
};

/** Runs the control that a request names and returns its result. */
export function runControl(controls: Controls, method: string, path: string, body: string | undefined): unknown {
    const [below = ""] = path.slice(controlRoot.length).split("?");
    for (const { on, run } of Object.values(routes)) {
        const id = matchId(on, `${method} ${below}`);
        if (id !== undefined) {
            return run(controls, id, parseBody(body));
        }
    }
    const known = Object.values(routes).map(({ on }) => on);
    throw notFound(`There is no control ${method} ${path}. The controls below ${controlRoot} are ${known.join(", ")}.`);
}

function fateOf(body: unknown): PeeringFate {
    const { fail, mode } = peeringFate(body);
    if (fail !== undefined) {
        return { fail };
    }
    const known = peeringModes.find((one) => one === mode);
    if (!known) {
        throw invalid(`Set mode to one of ${peeringModes.join(", ")}, or fail to a message.`);
    }
    return known;
}
