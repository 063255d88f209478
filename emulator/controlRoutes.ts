import type { Controls, ReplicaSetPatch, ServicePatch, VpcPatch } from "./controls";
import type { Durations } from "./durations";
import { invalid, notFound } from "./errors";
import type { FaultInput } from "./faults/fault";
import { fields, type Body } from "./fields";
import { parseBody, Routes } from "./routes";
import { peeringModes } from "./world/rules";
import type { PeeringFate } from "./world/rules";

/** Requests below this path are for the emulator's controls, not for the API. */
export const controlRoot = "/_emulator";

interface ControlRoute {
    /** Method and path below the control root; `*` stands for an id. */
    readonly on: string;
    /** The form of the JSON body; absent if there is none. */
    readonly body?: string;
    readonly run: (controls: Controls, id: string, body: unknown) => unknown;
}

const without = (on: string, run: (controls: Controls, id: string) => unknown): ControlRoute => ({ on, run });

function withBody<T>(
    on: string,
    { form, parse }: Body<T>,
    run: (controls: Controls, values: T, id: string) => unknown,
): ControlRoute {
    return { on, body: form, run: (controls, id, body) => run(controls, parse(body), id) };
}

const clockMove = fields<{ ms: number }>({ ms: "number" }, ["ms"]);
const speedOf = fields<{ speed: number }>({ speed: "number" }, ["speed"]);
const oneFault = fields<{ fault: string }>({ fault: "string" }, ["fault"]);
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

/** The control itself rejects a body without a list of faults. */
const faultList: Body<{ faults: FaultInput[] }> = {
    form: "{ faults: FaultInput[] }",
    parse: (body) => Object(body) as { faults: FaultInput[] },
};

/** The HTTP route of each control. A new control does not compile until it has one. */
export const routes: Readonly<Record<keyof Controls, ControlRoute>> = {
    journal: without("GET /journal", (controls) => controls.journal()),
    clearJournal: without("DELETE /journal", (controls) => controls.clearJournal()),
    snapshot: without("GET /state", (controls) => controls.snapshot()),
    reset: without("POST /reset", (controls) => controls.reset()),
    advance: withBody("POST /clock", clockMove, (controls, { ms }) => controls.advance(ms)),
    faults: without("GET /faults", (controls) => controls.faults()),
    addFaults: withBody("POST /faults", faultList, (controls, { faults }) => controls.addFaults(faults)),
    removeFault: withBody("POST /faults/remove", oneFault, (controls, { fault }) => controls.removeFault(fault)),
    clearFaults: without("DELETE /faults", (controls) => controls.clearFaults()),
    durations: without("GET /durations", (controls) => controls.durations()),
    setDurations: withBody("PATCH /durations", durations, (controls, changes) => controls.setDurations(changes)),
    speed: without("GET /speed", (controls) => ({ speed: controls.speed() })),
    setSpeed: withBody("PUT /speed", speedOf, (controls, { speed }) => controls.setSpeed(speed)),
    finish: without("POST /finish/*", (controls, id) => controls.finish(id)),
    setRate: withBody("PUT /rate", rate, (controls, { perSecond }) => controls.setRate(perSecond)),
    setPeeringFate: withBody("PUT /peerings", peeringFate, (controls, fate) => controls.setPeeringFate(fateOf(fate))),
    acceptPeering: without("POST /peerings/*/accept", (controls, id) => controls.acceptPeering(id)),
    failPeering: withBody("POST /peerings/*/fail", failure, (controls, { message, status }, id) =>
        controls.failPeering(id, message, status),
    ),
    deletePeering: without("DELETE /peerings/*", (controls, id) => controls.deletePeering(id)),
    updateVpc: withBody("PATCH /vpcs/*", vpcPatch, (controls, patch, id) => controls.updateVpc(id, patch)),
    deleteVpc: without("DELETE /vpcs/*", (controls, id) => controls.deleteVpc(id)),
    setServiceStatus: withBody("PUT /services/*/status", shownStatus, (controls, { status, forMs }, id) =>
        controls.setServiceStatus(id, status, forMs),
    ),
    updateService: withBody("PATCH /services/*", servicePatch, (controls, patch, id) =>
        controls.updateService(id, patch),
    ),
    deleteService: without("DELETE /services/*", (controls, id) => controls.deleteService(id)),
    takeSnapshot: without("POST /services/*/snapshot", (controls, id) => controls.takeSnapshot(id)),
    passwordMatches: withBody("POST /services/*/password", passwordOf, (controls, { password }, id) => ({
        matches: controls.passwordMatches(id, password),
    })),
    fillLogs: withBody("POST /services/*/logs", logLines, (controls, { lines }, id) => controls.fillLogs(id, lines)),
    setReplicaSetStatus: withBody("PUT /replicaSets/*/status", shownStatus, (controls, { status, forMs }, id) =>
        controls.setReplicaSetStatus(id, status, forMs),
    ),
    updateReplicaSet: withBody("PATCH /replicaSets/*", replicaSetPatch, (controls, patch, id) =>
        controls.updateReplicaSet(id, patch),
    ),
    deleteReplicaSet: without("DELETE /replicaSets/*", (controls, id) => controls.deleteReplicaSet(id)),
};

const table = new Routes(Object.values(routes).map((route) => [route.on, route]));

/** Runs the control that a request names and returns its result. */
export function runControl(controls: Controls, method: string, path: string, body: string | undefined): unknown {
    const [below = ""] = path.slice(controlRoot.length).split("?");
    const found = table.match(method, below);
    if (found) {
        return found.target.run(controls, found.id, parseBody(body));
    }
    const known = Object.values(routes).map(({ on }) => on);
    throw notFound(`There is no control ${method} ${path}. The controls below ${controlRoot} are ${known.join(", ")}.`);
}

function fateOf({ fail, mode }: { fail?: string; mode?: string }): PeeringFate {
    if (fail !== undefined) {
        return { fail };
    }
    const known = peeringModes.find((one) => one === mode);
    if (!known) {
        throw invalid(`Set mode to one of ${peeringModes.join(", ")}, or fail to a message.`);
    }
    return known;
}
