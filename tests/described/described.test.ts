import { loadContract } from "../../emulator/contract";
import {
    getAuthInfo,
    getPeering,
    getProjects,
    getReadReplicaSets,
    getService,
    getServiceLogs,
    getVpc,
    Peering,
    PeeringActivation,
    ReadReplicaSet,
    Service,
    Vpc,
    type ReadReplicaSetArgs,
    type ServiceArgs,
} from "../../sdk/nodejs";
import { openStack, startFastEmulator } from "../support/engine";
import { peer } from "../support/existing";
import { startProxy } from "./proxy";

interface Declared {
    readonly network: string;
    readonly orders: ServiceArgs;
    readonly isAttached: boolean;
    readonly reports: Partial<ReadReplicaSetArgs>;
}

const programOf =
    ({ network: name, orders: args, isAttached, reports }: Declared) =>
    () => {
        const network = new Vpc("network", { name, cidr: "10.0.0.0/21", regionCode: "us-east-1" });
        const { vpcId } = network;
        const office = new Peering("office", { vpcId, ...peer, waitFor: "provisioned" });
        new PeeringActivation("activation", { vpcId, peeringId: office.peeringId });
        const attached = isAttached ? { vpcId } : {};
        const orders = new Service("orders", {
            addons: ["time-series"],
            regionCode: "us-east-1",
            ...args,
            ...attached,
        });
        const { serviceId } = orders;
        new Service("archive", {
            fork: { serviceId, strategy: "NOW" },
            cpuMillis: 500,
            memoryGbs: 2,
            paused: isAttached,
        });
        const set = new ReadReplicaSet("reports", {
            serviceId,
            name: "reports",
            cpuMillis: 500,
            memoryGbs: 2,
            ...reports,
        });
        // After the resources, so that the functions find them.
        const read = set.id.apply(async () => {
            const [peering] = await Promise.all([promised(office.peeringId), getAuthInfo(), getProjects()]);
            const [ofVpc, ofService] = [await promised(vpcId), await promised(serviceId)];
            await getVpc({ vpcId: ofVpc });
            await getPeering({ vpcId: ofVpc, peeringId: peering });
            await getService({ serviceId: ofService });
            await getReadReplicaSets({ serviceId: ofService });
            const [since, until] = ["2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z"];
            const filters = { since, until, severities: ["LOG"], limit: 5 };
            await getServiceLogs({ serviceId: ofService, ...filters });
        });
        return { read };
    };

const promised = <T>(output: { apply: (use: (value: T) => void) => unknown }): Promise<T> =>
    new Promise((resolve) => void output.apply(resolve));

test("a validating proxy with the published description finds no violation in the requests of a program with every operation, and in the answers", async () => {
    const emulator = await startFastEmulator({ dialect: "other-words" });
    const { url, violations } = await startProxy(emulator.url);
    // The functions of the dynamic provider run in this process.
    Object.assign(process.env, emulator.env, { CLOUDDB_BASE_URL: url });
    const stack = await openStack({ ...emulator, url });
    const small = { name: "orders", cpuMillis: 1000, memoryGbs: 4, password: "first-password" };
    await stack.up(programOf({ network: "net", orders: small, isAttached: true, reports: {} }));
    const orders: ServiceArgs = {
        ...small,
        name: "bills",
        cpuMillis: 2000,
        memoryGbs: 8,
        replicaCount: 1,
        environment: "PROD",
        connectionPooler: true,
        password: "second-password",
    };
    const reports = { cpuMillis: 1000, memoryGbs: 4, connectionPooler: true, environment: "PROD" };
    await stack.up(programOf({ network: "lan", orders, isAttached: false, reports }));
    const without = { connectionPooler: false };
    await stack.up(
        programOf({
            network: "lan",
            orders: { ...orders, ...without },
            isAttached: false,
            reports: { ...reports, ...without },
        }),
    );
    await stack.refresh();
    await stack.destroy();
    const called = new Set(emulator.journal().map(({ operationId }) => operationId));
    expect(loadContract().operationIds.filter((id) => !called.has(id))).toEqual([]);
    expect(violations).toEqual([]);
});

test("the proxy rejects a request outside of the description", async () => {
    const emulator = await startFastEmulator();
    const { url } = await startProxy(emulator.url);
    const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
    const send = (body: object) =>
        fetch(`${url}/projects/${emulator.projectId}/vpcs`, { method: "POST", headers, body: JSON.stringify(body) });
    expect((await send({ name: "net", cidr: "10.0.0.0/24" })).status).toBe(422);
    expect((await send({ name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" })).status).toBe(201);
});
