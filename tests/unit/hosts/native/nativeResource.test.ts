import {
    CheckRequest,
    type CheckResponse,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    ErrorResourceInitFailed,
    ReadRequest,
    UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { EmulatorOptions, Interceptor } from "../../../../emulator";
import { checkConfig, diffConfig } from "../../../../provider/hosts/native/config";
import { secretSignature, signatureKey } from "../../../../provider/hosts/codec";
import { serviceError } from "../../../../provider/hosts/native/failure";
import { NativeResource } from "../../../../provider/hosts/native/nativeResource";
import { pack, unpack } from "../../../../provider/hosts/native/values";
import { resourceTypes, untypedResources } from "../../../../provider/resources";
import { lifecycles, untypedLifecycles } from "../../../support/lifecycles";
import { dynamicHostIn, nativeHostIn, sessionsOn } from "../../../support/hosts";
import { simulate } from "../../../support/simulation";

const urn = "urn:pulumi:dev::shop::clouddb:index:Service::orders";
const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });

/** The services of a plugin, with an emulator. */
async function start(options: EmulatorOptions = {}, runEnded = new AbortController().signal) {
    const world = await simulate(options);
    const { lines, startSession: session } = sessionsOn(world, runEnded);
    const plugin = () => new NativeResource(lifecycles.Service.resource, session());
    return { world, lines, session, plugin };
}

const packed = (values: object) => pack(values as Record<string, unknown>);
const check = (news: object, olds: object = {}) =>
    new CheckRequest().setUrn(urn).setNews(packed(news)).setOlds(packed(olds));
const create = (values: object, preview = false) =>
    new CreateRequest().setUrn(urn).setProperties(packed(values)).setPreview(preview);
const update = (id: string, olds: object, news: object, preview = false) =>
    new UpdateRequest().setUrn(urn).setId(id).setOlds(packed(olds)).setNews(packed(news)).setPreview(preview);
const diff = (id: string, olds: object, news: object) =>
    new DiffRequest().setUrn(urn).setId(id).setOlds(packed(olds)).setNews(packed(news));
const read = (id: string, properties: object = {}) =>
    new ReadRequest().setUrn(urn).setId(id).setProperties(packed(properties));
const remove = (id: string, properties: object) =>
    new DeleteRequest().setUrn(urn).setId(id).setProperties(packed(properties));
const plain = (properties: Parameters<typeof unpack>[0]) => unpack(properties).values;
const reasonsOf = (response: CheckResponse) => response.getFailuresList().map((failure) => failure.getReason());

/** The same, with a service in the state: its id, and its outputs in Pulumi's encoding. */
async function startWith(values: object = {}, options: EmulatorOptions = {}) {
    const parts = await start(options);
    const response = await parts.plugin().create(create({ projectId: "emulator01", ...values }));
    return { ...parts, id: response.getId(), olds: response.getProperties()?.toJavaScript() ?? {} };
}

it("a check returns the inputs with the default project and with the secrets of the program, but nothing hidden", async () => {
    const { plugin } = await start();
    const response = plugin().check(check({ name: secret("orders"), password: secret("long-enough"), cpuMillis: 500 }));
    expect(response.getFailuresList()).toEqual([]);
    expect(response.getInputs()?.toJavaScript()).toEqual({
        projectId: "emulator01",
        name: secret("orders"),
        password: secret("long-enough"),
        cpuMillis: 500,
        deletionProtection: true,
    });
});

it.each([
    [undefined, []],
    ["abc", []],
    [null, [expect.stringContaining("existingId")]],
    [secret(null), [expect.stringContaining("existingId")]],
])("an existingId %j is an id or an error, and creates a service only if it is absent", async (existingId, reasons) => {
    const { plugin } = await start();
    const response = plugin().check(check({ name: "orders", ...(existingId === undefined ? {} : { existingId }) }));
    expect(reasonsOf(response)).toEqual(reasons);
});

it("a secret setting and what is secret in the request stay secret in a check and a read", async () => {
    const { session } = await start();
    const service = new NativeResource(lifecycles.Service.resource, session(), ["projectId"]);
    const [name, projectId] = [secret("orders"), secret("emulator01")];
    const fork = (serviceId: unknown) => ({ serviceId, strategy: "NOW" });
    const checked = service.check(check({ name, fork: fork(secret("abc")) }));
    expect(checked.getInputs()?.toJavaScript()).toMatchObject({ projectId, name, fork: secret(fork("abc")) });
    const created = await service.create(create({ projectId: "emulator01", name: "orders" }));
    const request = read(created.getId(), { ...created.getProperties()?.toJavaScript(), name });
    const seen = await service.read(request.setInputs(packed({ name })));
    for (const struct of [seen.getProperties(), seen.getInputs()]) {
        expect(struct?.toJavaScript()).toMatchObject({ name, projectId });
    }
});

describe("pulumi:autonaming", () => {
    const { PROPOSE, ENFORCE, DISABLE } = CheckRequest.AutonamingOptions.Mode;
    const naming = (mode: CheckRequest.AutonamingOptions.Mode, name = "") =>
        new CheckRequest.AutonamingOptions().setMode(mode).setProposedName(name);

    it.each([
        ["proposed", PROPOSE],
        ["enforced", ENFORCE],
    ])("a new service has the %s name, and keeps it when the engine chooses another one", async (_, mode) => {
        const { plugin, world } = await start();
        const first = plugin();
        const checked = first.check(check({}).setAutonaming(naming(mode, "shop-dev")));
        const inputs = plain(checked.getInputs());
        expect(inputs).toEqual({ projectId: "emulator01", deletionProtection: true });
        const preview = await first.create(create(inputs, true));
        expect(plain(preview.getProperties())).toMatchObject({ name: "shop-dev" });
        const created = await first.create(create(inputs));
        const olds = created.getProperties()?.toJavaScript() ?? {};
        expect(plain(created.getProperties())).toMatchObject({ name: "shop-dev" });
        world.changes();

        const next = plugin();
        next.check(check({}, olds).setAutonaming(naming(mode, "shop-prod")));
        expect(next.diff(diff(created.getId(), olds, inputs)).getChanges()).toBe(1);
        const resized = next.diff(diff(created.getId(), olds, { ...inputs, cpuMillis: 1000 }));
        expect(resized.getDiffsList()).toEqual(["cpuMillis", "memoryGbs"]);
    });

    it("a proposed name must not be too long, and without a proposal a new service needs a name", async () => {
        const { id, olds, ...world } = await startWith();
        const failuresOf = (proposal: CheckRequest.AutonamingOptions, news: object, state: object = {}) =>
            reasonsOf(world.plugin().check(check(news, state).setAutonaming(proposal)));
        const long = failuresOf(naming(PROPOSE, "x".repeat(129)), {});
        expect(long).toEqual([expect.stringMatching(/129.*pulumi:autonaming/)]);
        const disabled = naming(DISABLE);
        expect(failuresOf(disabled, {})).toEqual([expect.stringMatching(/^name.*pulumi:autonaming/)]);
        for (const [news, state] of [[{ name: "orders" }], [{ existingId: id }], [{}, olds]] as const) {
            expect(failuresOf(disabled, news, state)).toEqual([]);
        }
    });
});

it("a preview prints the lines of check and diff once, and an update prints none", async () => {
    const { id, olds, ...world } = await startWith();
    const news = { projectId: "emulator01", deletionProtection: true, cpuMillis: 700, memoryGbs: 3 };
    const plugin = world.plugin();
    plugin.check(check(news, olds));
    plugin.diff(diff(id, olds, news));
    expect(world.lines).toEqual([]);
    await plugin.update(update(id, olds, news, true));
    const printed = [...world.lines];
    expect(printed).toEqual([expect.stringContaining("700"), expect.stringMatching(/^1/)]);
    await plugin.update(update(id, olds, news, true));
    expect(world.lines).toEqual(printed);
});

it("a cancelled creation keeps the id and the known state in the error", async () => {
    const cancellation = new AbortController();
    const intercept: Interceptor = async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        if (operationId === "createService") {
            cancellation.abort(new Error("cancelled"));
        }
        return answer;
    };
    const { plugin, world } = await start({ intercept }, cancellation.signal);
    const creating = plugin().create(create({ projectId: "emulator01", cpuMillis: 500 }));
    const error: unknown = await creating.catch((caught: unknown) => caught);
    const { metadata } = serviceError(error);
    const status = Status.deserializeBinary(metadata?.get("grpc-status-details-bin")[0] as Buffer);
    const [packedDetail] = status.getDetailsList();
    const detail = ErrorResourceInitFailed.deserializeBinary(packedDetail?.getValue_asU8() ?? new Uint8Array());
    expect(detail.getId()).toBe(world.emulator.snapshot().services[0]?.service_id);
    expect(detail.getReasonsList()).toEqual(["cancelled"]);
    const known = { cpuMillis: 500, __record: { interruption: "unseen" }, __provider: expect.anything() as unknown };
    expect(plain(detail.getProperties())).toMatchObject(known);
});

describe("customTimeouts", () => {
    const minute = 60_000;
    const short = { __timeouts: { update: "1s", delete: "1s" } };
    const small = { cpuMillis: 500, memoryGbs: 2 };
    const large = { cpuMillis: 1000, memoryGbs: 4 };

    it.each([1e-9, 1e-7, 0.0004])("a timeout of %s seconds is not the default", async (seconds) => {
        const { plugin } = await start({ durations: { create: 5_000 } });
        const creating = plugin().create(create({ projectId: "emulator01" }).setTimeout(seconds));
        await expect(creating).rejects.toThrow("customTimeouts.create");
    });

    it("a deletion that takes longer than its timeout fails and names the setting", async () => {
        const { id, olds, ...world } = await startWith(
            { deletionProtection: false },
            { durations: { delete: 5 * minute } },
        );
        const deletion = world.plugin().delete(remove(id, olds).setTimeout(1));
        await expect(deletion).rejects.toThrow("customTimeouts.delete");
    });

    it("the timeout of a read limits a refresh and a .get, also beyond the limit without it", async () => {
        const { id, olds, world, plugin } = await startWith();
        world.emulator.addFaults(["getService#1x10000:503"]);
        const reads = [read(id, olds), read(id, { __program: { isGet: true } })];
        for (const request of reads) {
            for (const seconds of [60, 400]) {
                const beganAt = world.clock.now();
                await expect(plugin().read(request.setTimeout(seconds))).rejects.toThrow("503");
                expect((world.clock.now() - beganAt) / 1_000 / seconds).toBeCloseTo(1, 1);
            }
        }
    });

    it("those that the dynamic provider has recorded are no limit and no change, also for a stack that returns", async () => {
        const { world, plugin } = await start({ durations: { resize: 5 * minute, delete: 5 * minute } });
        const { entry } = await dynamicHostIn(world).up("Service", { ...small, ...short });
        expect((await nativeHostIn(world).preview("Service", small, entry)).operation).toBe("same");
        const renamed = await nativeHostIn(world).up("Service", { ...small, name: "renamed" }, entry);
        const returned = { ...small, ...short, name: "renamed" };
        expect((await dynamicHostIn(world).preview("Service", returned, renamed.entry)).operation).toBe("same");

        expect(await nativeHostIn(world).up("Service", large, entry)).toMatchObject({ outputs: large });
        world.emulator.addFaults(["getService#1x5:503"]);
        expect((await plugin().read(read(entry.id, entry.outputs))).getId()).toBe(entry.id);
        await plugin().delete(remove(entry.id, entry.outputs));
        expect(world.emulator.snapshot().services).toEqual([]);
    });
});

it("a read without a state returns all inputs, with which the next diff finds no change", async () => {
    const { id, ...world } = await startWith({ replicaCount: 1, environment: "PROD" });
    const plugin = world.plugin();
    const response = await plugin.read(read(id));
    const inputs = plain(response.getInputs());
    expect(inputs).toMatchObject({ replicaCount: 1, environment: "PROD", paused: false });
    expect(Object.keys(inputs)).not.toContain("projectId");
    expect(Object.keys(inputs)).not.toContain("deletionProtection");
    const olds = response.getProperties()?.toJavaScript() ?? {};
    expect(olds).toMatchObject({ deletionProtection: true });
    for (const declared of [inputs, {}]) {
        const news = plain(plugin.check(check(declared, olds)).getInputs());
        const found = plugin.diff(diff(id, olds, news));
        expect(found.getDiffsList()).toEqual([]);
        expect(found.getChanges()).toBe(1);
    }
});

it("a .get in TypeScript does not count as an import, which would make its entry one that manages the resource", async () => {
    const { id, world, plugin } = await startWith({ replicaCount: 1 });
    const stateOf = async (properties: object) => plain((await plugin().read(read(id, properties))).getProperties());
    expect(await stateOf({})).toMatchObject({ replicaCount: 1, __record: { imported: true } });
    // Only a preview does not wait for an API that restarts.
    world.emulator.addFaults(["getService#1x10:503"]);
    await expect(stateOf({ __program: { isGet: true, isPreview: true } })).rejects.toThrow("503");
    const seen = await stateOf({ __program: { isGet: true } });
    expect(seen).toMatchObject({ replicaCount: 1 });
    expect(seen.__record).not.toHaveProperty("imported");
});

it.each(["READY", "CONFIGURING", "UNSTABLE"])(
    "a read with inputs, also without any, and without a state is the .get of a service that is %s: it manages nothing",
    async (status) => {
        const { id, world, plugin } = await startWith({ replicaCount: 1 });
        world.emulator.setServiceStatus(id, status);
        for (const inputs of [{}, { projectId: "emulator01" }]) {
            const seen = plain((await plugin().read(read(id).setInputs(packed(inputs)))).getProperties());
            expect(seen).toMatchObject({ replicaCount: 1, status, __record: { declared: [] } });
            expect(seen.__record).not.toHaveProperty("imported");
        }
        world.emulator.deleteService(id);
        await expect(plugin().read(read(id).setInputs(packed({})))).rejects.toThrow("There is no service");
    },
);

it.each(resourceTypes)("the import of a %s by an id of another form fails before a request", async (type) => {
    const { description: form } = untypedResources[type].identity.idForm;
    const id = form.includes("/") ? "1" : "1/2";
    const { session, world } = await start();
    const resource = new NativeResource(untypedLifecycles[type].resource, session());
    const request = new ReadRequest().setUrn(urn.replace("Service", type)).setId(id);
    await expect(resource.read(request)).rejects.toThrow(form);
    expect(world.emulator.journal()).toEqual([]);
});

/** The check of a configuration in a project. */
const configured = (settings: object, project = "shop") => {
    const request = new CheckRequest().setUrn(`urn:pulumi:dev::${project}::pulumi:providers:clouddb::default`);
    return checkConfig(request.setNews(packed(settings)));
};

it("the configuration marks the token as secret, and rejects a misspelt setting, but nothing that the engine adds", () => {
    const response = configured({ accessToken: "t", projectID: "p" });
    expect(response.getInputs()?.toJavaScript()).toMatchObject({ accessToken: secret("t"), projectID: "p" });
    expect(reasonsOf(response)).toEqual([expect.stringContaining("clouddb:projectId?")]);
    expect(reasonsOf(configured({ version: "1", pluginDownloadURL: "https://example.com" }))).toEqual([]);
});

it("the configuration of a project with the name of this package says why it contains another setting", () => {
    const remove = "pulumi config rm clouddb:cpu";
    expect(reasonsOf(configured({ cpu: "1000" }))).toEqual([expect.stringContaining(remove)]);
    const [reason] = reasonsOf(configured({ cpu: "1000" }, "clouddb"));
    const named = "The project has the name of this package: read it with another namespace, or rename the project";
    expect(reason).toContain(named);
    expect(reason).not.toContain(remove);
});

it("the configuration never replaces a provider", () => {
    const request = new DiffRequest().setOlds(packed({ projectId: "a" })).setNews(packed({ projectId: "b" }));
    const response = diffConfig(request);
    expect(response.getChanges()).toBe(2);
    expect(response.getReplacesList()).toEqual([]);
});

it("a state that a person has edited, without its record, permits nothing", async () => {
    const { world, plugin, id, olds } = await startWith({ name: "orders", deletionProtection: false });
    const edited = Object.fromEntries(Object.entries(olds).filter(([name]) => !name.startsWith("__")));
    const lost = "has lost its record: import it again";
    await expect(plugin().read(read(id, edited))).rejects.toThrow(lost);
    const checked = plugin().check(check({ name: "other" }, edited));
    const news = plain(checked.getInputs());
    expect(() => plugin().diff(diff(id, edited, news))).toThrow(lost);
    await expect(plugin().update(update(id, edited, news))).rejects.toThrow(lost);
    // `pulumi do` has no state at all.
    for (const properties of [edited, {}]) {
        await expect(plugin().delete(remove(id, properties))).rejects.toThrow(lost);
    }
    expect(world.emulator.snapshot().services).toMatchObject([{ service_id: id, name: "orders" }]);
});
