import { secretSignature, signatureKey } from "../../../provider/hosts/codec";
import { hosts, type Entry, type TestHost } from "../../support/hosts";
import { simulate, type Simulation } from "../../support/simulation";

const password = "p@ss/word: 1";
const encoded = "p%40ss%2Fword%3A%201";
const hour = 3_600_000;

const network = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };
const orders = { regionCode: "us-east-1", cpuMillis: 500, memoryGbs: 2, password };
const reports = { cpuMillis: 500, memoryGbs: 2, password };
/** What the classes for TypeScript add: they derive the connection strings themselves. */
const ofClass = { __program: { derivedFrom: ["password"] } };

const derivedOf = {
    Service: ["currentPassword", "poolerConnectionString", "vpcConnectionString"],
    ReadReplicaSet: ["connectionString", "poolerConnectionString"],
} as const;

const isSecret = (value: unknown) => (value as Record<string, unknown>)[signatureKey] === secretSignature;

/** The state of an older version that does not have the derived outputs. */
function ofOlderVersion(type: keyof typeof derivedOf, { id, outputs }: Entry): Entry {
    const names: readonly string[] = derivedOf[type];
    return { id, outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => !names.includes(name))) };
}

const url = (host: unknown, port: unknown, user = `tsdbadmin:${encoded}`) =>
    `postgres://${user}@${String(host)}:${String(port)}/tsdb?sslmode=require`;

describe.each(hosts)("connection strings on %s", (hostName, hostIn) => {
    let world: Simulation;
    let host: TestHost;

    beforeEach(async () => {
        world = await simulate();
        host = hostIn(world);
    });

    /** A service and one of its replica sets, with these inputs in addition. */
    async function createSet(more: object = {}) {
        const service = await host.up("Service", orders);
        world.clock.advance(hour);
        const declared = { ...reports, serviceId: service.entry.id };
        const set = await host.up("ReadReplicaSet", { ...declared, ...more });
        return { service, set, declared };
    }

    test("a service has its current password and one secret URL for each endpoint", async () => {
        const vpc = await host.up("Vpc", network);
        const declared = { ...orders, connectionPooler: true, vpcId: vpc.entry.id };
        const { outputs, entry } = await host.up("Service", declared);
        expect(outputs).toMatchObject({
            currentPassword: password,
            connectionString: url(outputs.host, outputs.port),
            poolerConnectionString: url(outputs.poolerHost, outputs.poolerPort),
            vpcConnectionString: url(outputs.vpcHost, outputs.vpcPort),
        });
        expect(derivedOf.Service.filter((name) => !isSecret(entry.outputs[name]))).toEqual([]);
    });

    test("the current password is the initial one if none is declared, and URLs without an endpoint are absent", async () => {
        const { outputs, entry } = await host.up("Service", { ...orders, password: undefined });
        expect(outputs.currentPassword).toEqual(expect.any(String));
        expect(outputs.currentPassword).toBe(outputs.initialPassword);
        expect(entry.outputs).toMatchObject({ poolerConnectionString: null, vpcConnectionString: null });
    });

    test("an adopted service without a declared password has no current password, and URLs with the role only", async () => {
        const { entry } = await host.up("Service", orders);
        const adopted = await host.up("Service", { existingId: entry.id, connectionPooler: true });
        expect(adopted.entry.outputs.currentPassword).toHaveProperty("value", "");
        const { poolerConnectionString, poolerHost, poolerPort } = adopted.outputs;
        expect(poolerConnectionString).toBe(url(poolerHost, poolerPort, "tsdbadmin"));
    });

    test("the URLs of a replica set contain its password, which is secret and never sent", async () => {
        const { set } = await createSet({ connectionPooler: true });
        expect(set.outputs).toMatchObject({
            connectionString: url(set.outputs.host, set.outputs.port),
            poolerConnectionString: url(set.outputs.poolerHost, set.outputs.poolerPort),
        });
        const secrets = [...derivedOf.ReadReplicaSet, "password"];
        expect(secrets.filter((name) => !isSecret(set.entry.outputs[name]))).toEqual([]);
        const ofSet = world.emulator.journal().filter(({ path }) => path.includes("/replicaSets"));
        expect(ofSet.length).toBeGreaterThan(0);
        expect(JSON.stringify(ofSet)).not.toContain(password);
    });

    test("a new password of a replica set changes its URLs without a request", async () => {
        const { set, declared } = await createSet();
        world.emulator.clearJournal();
        const renewed = { ...declared, password: "another-password" };
        const previewed = await host.preview("ReadReplicaSet", renewed, set.entry);
        expect(previewed).toMatchObject({ operation: "update", steps: [] });
        const updated = await host.up("ReadReplicaSet", renewed, set.entry);
        expect(updated.outputs.connectionString).toContain(":another-password@");
        const removed = await host.up("ReadReplicaSet", { ...declared, password: undefined }, updated.entry);
        expect(removed.outputs.connectionString).toBe(url(removed.outputs.host, removed.outputs.port, "tsdbadmin"));
        expect(JSON.stringify(removed.entry)).not.toContain("another-password");
        expect(world.emulator.journal()).toEqual([]);
    });

    test("a state of an older version shows no change, and has the outputs after a refresh", async () => {
        const { service } = await createSet();
        const old = ofOlderVersion("Service", service.entry);
        expect(await host.preview("Service", orders, old)).toMatchObject({ operation: "same" });
        const refreshed = await host.refresh("Service", old);
        expect(refreshed.outputs).toEqual(service.entry.outputs);
        expect(await host.preview("Service", orders, refreshed)).toMatchObject({ operation: "same" });
    });

    test("a replica set of TypeScript follows a new password, and keeps one that a preview does not know", async () => {
        const { set, declared } = await createSet(ofClass);
        expect(set.outputs.connectionString).toBe(url(set.outputs.host, set.outputs.port));
        const uncertain = { ...declared, ...ofClass, password: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
        const { operation } = await host.preview("ReadReplicaSet", uncertain, set.entry);
        expect(operation).toBe("same");
        const renewed = { ...declared, ...ofClass, password: "another-password" };
        const updated = await host.up("ReadReplicaSet", renewed, set.entry);
        expect(updated.outputs.connectionString).toContain(":another-password@");
    });

    test("a password that a replica set of TypeScript declares later is in its URLs", async () => {
        const { set, declared } = await createSet({ ...ofClass, password: undefined });
        const later = await host.up("ReadReplicaSet", { ...declared, ...ofClass }, set.entry);
        expect(later.outputs.connectionString).toBe(url(set.outputs.host, set.outputs.port));
        const uncertain = { ...declared, ...ofClass, password: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
        expect(await host.preview("ReadReplicaSet", uncertain, set.entry)).toMatchObject({ operation: "same" });
    });

    if (hostName === "the plugin") {
        test("the preview of an update shows the new URLs, and that of a creation the declared password", async () => {
            const { service } = await createSet();
            expect((await host.preview("Service", orders)).known.currentPassword).toBe(password);
            const undeclared = await host.preview("Service", { ...orders, password: undefined });
            expect(undeclared.known).not.toHaveProperty("currentPassword");
            const renewed = { ...orders, password: "another-password", connectionPooler: true };
            const { known } = await host.preview("Service", renewed, service.entry);
            expect(known).toMatchObject({ currentPassword: "another-password", vpcConnectionString: undefined });
            expect(known.connectionString).toContain(":another-password@");
            expect(known).not.toHaveProperty("poolerConnectionString");
        });
    }
});
