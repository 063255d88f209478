import { startWorld } from "../../support/emulator";

it("createService, fork and createReadReplicaSet resolve when READY, with everything that a driver needs", async () => {
    const { emulator, service } = await startWorld();
    const seeded = await emulator.createService({ name: "seeded", cpu_millis: "1000", memory_gbs: "4" });
    const { status, endpoint } = await service(seeded.id);
    expect(status).toBe("READY");
    expect(seeded).toMatchObject({ ...endpoint, user: "tsdbadmin", database: "tsdb", ssl: undefined });
    expect(seeded.connectionString).toBe(
        `postgres://tsdbadmin:${seeded.password}@${seeded.host}:${seeded.port}/tsdb?sslmode=require`,
    );
    expect(emulator.passwordMatches(seeded.id, seeded.password)).toBe(true);
    const fork = await emulator.fork(seeded, { name: "copy" });
    expect((await service(fork.id)).forked_from?.service_id).toBe(seeded.id);
    expect(emulator.passwordMatches(fork.id, fork.password)).toBe(true);
    // A new fork rejects it until its first backup.
    const set = await emulator.createReadReplicaSet(fork.id, { nodes: 2 });
    expect((await service(fork.id)).read_replica_sets).toMatchObject([{ id: set.id, nodes: 2, status: "active" }]);
    expect(set).toMatchObject({ user: "tsdbadmin", password: fork.password });
});

it("the databases of a test are not in the journal, and no fault hits them", async () => {
    const { emulator } = await startWorld({ faults: ["*#1+:503"] });
    await emulator.fork((await emulator.createService()).id);
    expect(emulator.journal()).toEqual([]);
    expect(emulator.faults()).toMatchObject([{ hits: 0 }]);
});

it("createService, fork or createReadReplicaSet fail with the message of the API", async () => {
    const { emulator } = await startWorld();
    await expect(emulator.createService({ cpu_millis: "0" })).rejects.toThrow("cpu_millis");
    await expect(emulator.fork("nosuchone1")).rejects.toThrow("nosuchone1");
    await expect(emulator.createReadReplicaSet("nosuchone1")).rejects.toThrow("nosuchone1");
    const { id } = await emulator.createService();
    emulator.setServiceStatus(id, "UNSTABLE");
    await expect(emulator.fork(id)).rejects.toThrow("UNSTABLE");
});
