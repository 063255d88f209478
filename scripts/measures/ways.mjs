/**
 * The code that a call of the engine executes, for four ways through the provider:
 *
 *     node scripts/measures/ways.mjs FOLDER    prints the figures of this built checkout as JSON
 *
 * The provider is the dynamic one, called as Pulumi calls it, with the emulator of the checkout in the same process.
 */
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { join, resolve, sep } from "node:path";

const build = join(resolve(process.argv[2]), "dist", ".build");
const folder = join(build, "provider") + sep;
const require = createRequire(folder);

const { startEmulator } = require("../emulator/index.js");
const emulator = await startEmulator({ speed: 20 });
const settings = {
    "clouddb:baseUrl": emulator.url,
    "clouddb:accessToken": emulator.token,
    "clouddb:projectId": emulator.projectId,
};

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The key that marks a secret. */
const secretMark = "4dabf18193072939515e22adb298388d";

/** The providers of a new run, which share nothing with those of earlier runs. */
async function startRun() {
    Object.keys(require.cache)
        .filter((path) => path.startsWith(folder))
        .forEach((path) => delete require.cache[path]);
    const providers = require("./hosts/dynamic/main.js");
    for (const provider of Object.values(providers)) {
        await provider.configure({ config: { get: (key) => settings[key] } });
    }
    return providers;
}

/** The inputs after the check, which precedes each operation. */
async function checked(providers, type, inputs, state = {}) {
    const urn = `urn:pulumi:dev::measures::pulumi-nodejs:dynamic/clouddb:${type}::${inputs.name}`;
    const result = await providers[type].check(state, { __urn: urn, ...inputs });
    assert.deepEqual(result.failures, []);
    return result.inputs;
}

async function createService(providers, inputs) {
    const { id, outs } = await providers.Service.create(await checked(providers, "Service", inputs));
    // Pulumi's host passes secrets without their marks.
    const plain = Object.entries(outs).map(([name, value]) => [name, value?.[secretMark] ? value.value : value]);
    return { id, outs: Object.fromEntries(plain) };
}

/** Does the work, and counts what it executes. */
async function count(work) {
    // Resets the counters.
    await inspector.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    const executed = result
        .filter(({ url }) => url.startsWith(`file://${folder}`))
        .map(({ functions }) => functions.filter(({ functionName, ranges }) => functionName && ranges[0].count > 0))
        .filter((functions) => functions.length > 0);
    return { files: executed.length, functions: executed.flat().length };
}

const size = { cpuMillis: 500, memoryGbs: 2 };
const unprotected = { ...size, deletionProtection: false };

async function changedProperty() {
    const inputs = { name: "changed", ...unprotected };
    const { id, outs } = await createService(await startRun(), inputs);
    const providers = await startRun();
    const news = await checked(providers, "Service", { ...inputs, cpuMillis: 1000, memoryGbs: 4 }, outs);
    await providers.Service.diff(id, outs, news);
    return count(() => providers.Service.update(id, outs, news));
}

async function creation() {
    const providers = await startRun();
    const { id: serviceId } = await createService(providers, { name: "parent", ...unprotected });
    const inputs = await checked(providers, "ReadReplicaSet", { name: "reports", serviceId, nodes: 1, ...size });
    return count(() => providers.ReadReplicaSet.create(inputs));
}

async function deletion() {
    const { id, outs } = await createService(await startRun(), { name: "deleted", ...unprotected });
    const providers = await startRun();
    return count(() => providers.Service.delete(id, outs));
}

async function refusedDeletion() {
    const { id, outs } = await createService(await startRun(), { name: "protected", ...size });
    const providers = await startRun();
    return count(() => assert.rejects(providers.Service.delete(id, outs), { message: /deletionProtection/ }));
}

const ways = {
    "changed cpuMillis": await changedProperty(),
    "creation of a replica set": await creation(),
    deletion: await deletion(),
    "refused deletion": await refusedDeletion(),
};
console.log(JSON.stringify(ways, undefined, 1));
await emulator.close();
inspector.disconnect();
