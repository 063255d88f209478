import { virtualClock } from "../../../../emulator";
import { defaultDurations } from "../../../../emulator/durations";
import { Faults } from "../../../../emulator/faults/faults";
import { Journal, type Recording } from "../../../../emulator/journal";
import { messageOf } from "../../../../emulator/page/feed";
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

const setUp = () => {
    const clock = virtualClock();
    const { rules } = settle({ peerings: "acceptance" });
    const world = new World(kinds, rules, clock, emptyWorld([{ id: project, name: "Emulator" }], 1));
    const journal = new Journal();
    const faults = new Faults({ ...settle({ faults: ["*:503"], seed: 1 }), clock, world });
    const controlled = { world, journal, faults, durations: { ...defaultDurations }, speed: 1 };
    const about = {
        url: "http://127.0.0.1/v1",
        certificateFile: undefined,
        isVirtualClock: true,
        projectId: project,
        publicToken: undefined,
        nouns: {},
        changes: [],
    };
    const read = () => messageOf({ controlled, about: () => about });
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
    return { clock, world, journal, controlled, read, call, created, request };
};

const shown = ({ resources }: Message, kind: Shown["kind"]) => resources.filter((one) => one.kind === kind);

describe("page feed", () => {
    it("the page reads everything, and the changed faults and durations", () => {
        const { controlled, read, request } = setUp();
        request();
        expect(read()).toMatchObject({
            about: { isVirtualClock: true },
            resources: [{ kind: "projects", id: project }],
            journal: [{ number: 0 }],
            faults: [{ fault: "*:503" }],
            durations: { create: 3_000 },
        });
        controlled.faults.clear();
        controlled.durations = { ...defaultDurations, create: 1 };
        expect(read()).toMatchObject({ faults: [], durations: { create: 1 } });
    });

    it("the state that the page reads contains the time of the last status change of a service and its next status", () => {
        const { call, clock, created, read } = setUp();
        const createdAt = clock.now();
        const { service_id } = created();
        expect(shown(read(), "services")).toMatchObject([
            { statuses: [{ status: "QUEUED", at: createdAt }], next: { status: "CONFIGURING", at: createdAt + 1_000 } },
        ]);
        clock.advance(60_000);
        // The status has the time of the step, although there was no access since then.
        expect(shown(read(), "services")).toMatchObject([
            { value: { status: "READY" }, statuses: [{}, {}, { status: "READY", at: createdAt + 4_000 }] },
        ]);
        call("stopService", { service_id });
        expect(shown(read(), "services")).toMatchObject([
            { statuses: [{}, {}, {}, { status: "PAUSING", at: clock.now() }], next: { status: "PAUSED" } },
        ]);
    });

    it("the state that the page reads contains the time of an overridden status, and then of the real one", () => {
        const { clock, created, read } = setUp();
        const { service } = created();
        clock.advance(60_000);
        const statuses = shown(read(), "services")[0]?.statuses ?? [];
        Object.assign(service ?? {}, { override: { status: "UNSTABLE", at: clock.now(), until: null } });
        expect(shown(read(), "services")).toMatchObject([
            { value: { status: "UNSTABLE" }, statuses: [...statuses, { status: "UNSTABLE", at: clock.now() }] },
        ]);
        clock.advance(1_000);
        Object.assign(service ?? {}, { override: null });
        expect(shown(read(), "services")).toMatchObject([{ value: { status: "READY" }, statuses }]);
    });

    it("the state that the page reads contains VPCs, peerings and read replica sets, and the keys of deleted resources", () => {
        const { call, clock, created, read, world } = setUp();
        const { service_id } = created();
        const vpc = call("createVpc", {}, { name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" });
        const peering = call("createPeering", { vpc_id: vpc.id }, newPeering);
        clock.advance(60_000);
        world.catchUp();
        const size = { cpu_millis: 500, memory_gbs: 2 };
        const set = call("createReplicaSet", { service_id }, { name: "readers", nodes: 1, ...size });
        const first = read();
        expect(shown(first, "vpcs")).toMatchObject([{ id: vpc.id, value: { project_id: project } }]);
        expect(shown(first, "peerings")).toMatchObject([{ value: { vpc_id: vpc.id, status: "pending acceptance" } }]);
        expect(shown(first, "replicaSets")).toMatchObject([{ value: { service_id, status: "creating" } }]);
        acceptPeering(world, findAny(world, peerings, peering.id));
        expect(shown(read(), "peerings")).toMatchObject([
            { value: { status: "active" }, statuses: [{}, {}, { at: clock.now() }] },
        ]);
        world.remove(replicaSets, set.id);
        call("deleteService", { service_id });
        world.remove(vpcs, vpc.id);
        expect(read().resources.map(({ kind }) => kind)).toEqual(["projects", "services"]);
        clock.advance(60_000);
        expect(read().resources.map(({ kind }) => kind)).toEqual(["projects"]);
    });

    it("a cleared journal does not use the numbers of its entries again", () => {
        const { journal, read, request } = setUp();
        request();
        request();
        journal.clear();
        expect(read().journal).toEqual([]);
        request();
        expect(read().journal).toMatchObject([{ number: 2 }]);
    });

    it("the state that the page reads keeps changes among many reads, and sends at most as many entries as the page shows", () => {
        const { read, request } = setUp();
        for (let index = 0; index < 3; index++) {
            request();
        }
        for (let index = 0; index < 1_000; index++) {
            request({ method: "GET", status: undefined });
        }
        const entries = read().journal;
        expect(entries).toHaveLength(shownEntries + 3);
        expect(entries.map(({ number }) => number).slice(0, 4)).toEqual([0, 1, 2, 803]);
    });
});
