import { virtualClock } from "../../../../emulator";
import { defaultDurations } from "../../../../emulator/durations";
import { Faults } from "../../../../emulator/faults/faults";
import { Journal, type Recording } from "../../../../emulator/journal";
import { Feed } from "../../../../emulator/page/feed";
import { shownEntries, type Message, type Shown } from "../../../../emulator/page/messages";
import { settle } from "../../../../emulator/options";
import { handlers, kinds } from "../../../../emulator/kinds";
import { acceptPeering, peerings } from "../../../../emulator/kinds/peerings";
import { replicaSets } from "../../../../emulator/kinds/replicaSets";
import { services } from "../../../../emulator/kinds/services";
import { vpcs } from "../../../../emulator/kinds/vpcs";
import type { Answer, OperationId, Params } from "../../../../emulator/wire";
import { findAny } from "../../../../emulator/world/find";
import { emptyWorld, World } from "../../../../emulator/world/world";
import { newPeering } from "../../../support/emulator";

const project = "emulator01";

const setUp = ({ isVirtualClock = false } = {}) => {
    const clock = virtualClock();
    const { rules } = settle({ peerings: "acceptance" });
    const world = new World(kinds, rules, clock, emptyWorld([{ id: project, name: "Emulator" }], 1));
    const journal = new Journal();
    const faults = new Faults({ ...settle({ faults: ["*:503"], seed: 1 }), clock, world });
    const controlled = { world, journal, faults, durations: { ...defaultDurations }, speed: 1 };
    const feed = new Feed({
        controlled,
        about: () => ({
            url: "http://127.0.0.1/v1",
            certificateFile: undefined,
            isVirtualClock,
            projectId: project,
            publicToken: undefined,
            nouns: {},
            operations: [],
            changes: [],
        }),
    });
    feed.next();
    const next = (): Message | undefined => {
        const line = feed.next();
        return line === undefined ? undefined : (JSON.parse(line) as Message);
    };
    const complete = (): Message => JSON.parse(feed.complete()) as Message;
    /** Carries out an operation of the API in the world. */
    const call = <K extends OperationId>(id: K, params: Partial<Params<K>>, body?: object): Answer<K> => {
        const carryOut = handlers[id] as (call: object) => Answer<K>;
        return carryOut({ world, params: { project_id: project, ...params }, body });
    };
    const created = () => {
        const { service_id } = call("createService", {}, { name: "db" });
        return { service_id, service: world.records(services).get(service_id) };
    };
    const request = (entry: Partial<Recording> = {}): Recording => {
        const made: Recording = {
            at: 0,
            method: "POST",
            path: "/v1",
            operationId: undefined,
            status: 200,
            requestId: "id",
            userAgent: undefined,
            takesSecret: false,
            ...entry,
        };
        journal.add(made);
        return made;
    };
    return { clock, world, journal, controlled, next, complete, call, created, request };
};

const shown = (message: Message | undefined, kind: Shown["kind"]) =>
    (message?.changed ?? []).filter((resource) => resource.kind === kind);

describe("page feed", () => {
    it("the feed of the page has everything for a new client, and no message without a change", () => {
        const { complete, next, request } = setUp();
        expect(next()).toBeUndefined();
        request();
        next();
        expect(complete()).toMatchObject({
            about: { isVirtualClock: false },
            changed: [{ kind: "projects", id: project }],
            journal: { begin: 0, entries: [{ number: 0 }] },
            faults: [{ fault: "*:503" }],
            durations: { create: 3_000 },
        });
        expect(next()).toBeUndefined();
    });

    it("the feed of the page contains the time of the last status change of a service and its next status", () => {
        const { call, clock, created, next } = setUp();
        next();
        const createdAt = clock.now();
        const { service_id } = created();
        expect(shown(next(), "services")).toMatchObject([
            { statuses: [{ status: "QUEUED", at: createdAt }], next: { status: "CONFIGURING", at: createdAt + 1_000 } },
        ]);
        clock.advance(60_000);
        // The status has the time of the step, although there was no access since then.
        expect(shown(next(), "services")).toMatchObject([
            { value: { status: "READY" }, statuses: [{}, {}, { status: "READY", at: createdAt + 4_000 }] },
        ]);
        call("stopService", { service_id });
        expect(shown(next(), "services")).toMatchObject([
            { statuses: [{}, {}, {}, { status: "PAUSING", at: clock.now() }], next: { status: "PAUSED" } },
        ]);
    });

    it("the feed of the page contains VPCs, peerings and read replica sets, and the keys of deleted resources", () => {
        const { call, clock, created, next, world } = setUp();
        const { service_id } = created();
        const vpc = call("createVpc", {}, { name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" });
        const peering = call("createPeering", { vpc_id: vpc.id }, newPeering);
        clock.advance(60_000);
        world.catchUp();
        const size = { cpu_millis: 500, memory_gbs: 2 };
        const set = call("createReplicaSet", { service_id }, { name: "readers", nodes: 1, ...size });
        const first = next();
        expect(shown(first, "vpcs")).toMatchObject([{ id: vpc.id, value: { project_id: project } }]);
        expect(shown(first, "peerings")).toMatchObject([{ value: { vpc_id: vpc.id, status: "pending acceptance" } }]);
        expect(shown(first, "replicaSets")).toMatchObject([{ value: { service_id, status: "creating" } }]);
        acceptPeering(world, findAny(world, peerings, peering.id));
        expect(next()).toMatchObject({
            changed: [{ kind: "peerings", value: { status: "active" }, statuses: [{}, {}, { at: clock.now() }] }],
        });
        world.remove(replicaSets, set.id);
        call("deleteService", { service_id });
        world.remove(vpcs, vpc.id);
        expect(next()?.gone).toEqual([`vpcs-${vpc.id}`, `peerings-${peering.id}`, `replicaSets-${set.id}`]);
        clock.advance(60_000);
        expect(next()?.gone).toEqual([`services-${service_id}`]);
    });

    it("the feed of the page reports a request when it arrives and again when it has its response", () => {
        const { next, request } = setUp();
        next();
        const entry = request({ status: undefined });
        expect(next()?.journal?.entries).toMatchObject([{ number: 0 }]);
        expect(next()).toBeUndefined();
        entry.status = 202;
        expect(next()?.journal?.entries).toMatchObject([{ number: 0, status: 202 }]);
        expect(next()).toBeUndefined();
    });

    it("the feed of the page reports a cleared journal, and does not reuse entry numbers", () => {
        const { journal, next, request } = setUp();
        request();
        request();
        next();
        journal.clear();
        expect(next()?.journal).toEqual({ begin: 2, entries: [] });
        request();
        expect(next()?.journal).toMatchObject({ begin: 2, entries: [{ number: 2 }] });
    });

    it("the feed of the page keeps changes among many reads, and sends at most as many entries as the page shows", () => {
        const { next, request } = setUp();
        for (let index = 0; index < 3; index++) {
            request();
        }
        for (let index = 0; index < 1_000; index++) {
            request({ method: "GET", status: undefined });
        }
        const entries = next()?.journal?.entries ?? [];
        expect(entries).toHaveLength(shownEntries + 3);
        expect(entries.map(({ number }) => number).slice(0, 4)).toEqual([0, 1, 2, 803]);
    });

    it("the changes reach the other clients although a new client has received them with the complete state", () => {
        const { complete, created, next } = setUp();
        const { service_id: id } = created();
        expect(shown(complete(), "services")).toMatchObject([{ id }]);
        expect(shown(next(), "services")).toMatchObject([{ id }]);
    });
});
