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
import { serviceError, StoredFailure } from "../../../../provider/hosts/native/failure";
import { NativeResource } from "../../../../provider/hosts/native/nativeResource";
import { pack, unpack } from "../../../../provider/hosts/native/values";
import { lifecycles, untypedLifecycles } from "../../../support/lifecycles";
import { dynamicHostIn, nativeHostIn, sessionsOn } from "../../../support/hosts";
import { simulate } from "../../../support/simulation";

const urn = "urn:pulumi:dev::shop::clouddb:index:Service::orders";
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

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
const plain = (properties: Parameters<typeof unpack>[0]) => unpack(properties).values;

/** A service in the state: its id, and its outputs in Pulumi's encoding. */
async function existing(world: Awaited<ReturnType<typeof start>>, values: object = {}) {
    const response = await world.plugin().create(create({ projectId: "emulator01", ...values }));
    return { id: response.getId(), olds: response.getProperties()?.toJavaScript() ?? {} };
}

describe("checks", () => {
    it("a check returns the inputs with the default project and with the secrets of the program, but nothing hidden", async () => {
        const { plugin } = await start();
        const response = plugin().check(
            check({ name: secret("orders"), password: secret("long-enough"), cpuMillis: 500 }),
        );
        expect(response.getFailuresList()).toEqual([]);
        expect(response.getInputs()?.toJavaScript()).toEqual({
            projectId: "emulator01",
            name: secret("orders"),
            password: secret("long-enough"),
            cpuMillis: 500,
            deletionProtection: true,
        });
    });

    it("a secret setting and what is secret in the request stay secret in a check and a read", async () => {
        const { session } = await start();
        const service = new NativeResource(lifecycles.Service.resource, session(), ["projectId"]);
        const checked = service.check(
            check({ name: secret("orders"), fork: { serviceId: secret("abc"), strategy: "NOW" } }),
        );
        expect(checked.getInputs()?.toJavaScript()).toMatchObject({
            projectId: secret("emulator01"),
            name: secret("orders"),
            fork: secret({ serviceId: "abc", strategy: "NOW" }),
        });
        const created = await service.create(create({ projectId: "emulator01", name: "orders" }));
        const properties = { ...created.getProperties()?.toJavaScript(), name: secret("orders") };
        const request = new ReadRequest().setUrn(urn).setId(created.getId()).setProperties(packed(properties));
        const read = await service.read(request.setInputs(packed({ name: secret("orders") })));
        for (const struct of [read.getProperties(), read.getInputs()]) {
            const { name, projectId } = struct?.toJavaScript() ?? {};
            expect([name, projectId]).toEqual([secret("orders"), secret("emulator01")]);
        }
    });
});

describe("pulumi:autonaming", () => {
    const { PROPOSE, ENFORCE, DISABLE } = CheckRequest.AutonamingOptions.Mode;
    const naming = (mode: CheckRequest.AutonamingOptions.Mode, name = "") =>
        new CheckRequest.AutonamingOptions().setMode(mode).setProposedName(name);
    const reasons = (response: CheckResponse) => response.getFailuresList().map((failure) => failure.getReason());

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
        expect(next.diff(diff(created.getId(), olds, { ...inputs, cpuMillis: 1000 })).getDiffsList()).toEqual([
            "cpuMillis",
            "memoryGbs",
        ]);
    });

    it("a name that is too long fails the check", async () => {
        const { plugin } = await start();
        const response = plugin().check(check({}).setAutonaming(naming(PROPOSE, "x".repeat(129))));
        expect(reasons(response)).toEqual([expect.stringMatching(/129.*pulumi:autonaming/)]);
    });

    it("a new service needs a name if autonaming is disabled", async () => {
        const world = await start();
        const { id, olds } = await existing(world);
        const failuresOf = (news: object, state: object = {}) =>
            reasons(world.plugin().check(check(news, state).setAutonaming(naming(DISABLE))));
        expect(failuresOf({})).toEqual([expect.stringMatching(/^name.*pulumi:autonaming/)]);
        expect([failuresOf({ name: "orders" }), failuresOf({ existingId: id }), failuresOf({}, olds)]).toEqual([
            [],
            [],
            [],
        ]);
    });
});

describe("previews", () => {
    it("the preview of an update keeps unchanged values and leaves values unknown that only the update shows", async () => {
        const world = await start();
        const { id, olds } = await existing(world);
        const plugin = world.plugin();
        const news = { projectId: "emulator01", connectionPooler: true, replicaCount: 1 };
        const response = await plugin.update(update(id, olds, news, true));
        const outputs = response.getProperties()?.toJavaScript() as Record<string, unknown>;
        const { host, connectionString } = olds as Record<string, unknown>;
        expect(outputs).toMatchObject({
            serviceId: id,
            host,
            connectionPooler: true,
            replicaCount: 1,
            poolerHost: unknownText,
        });
        expect(plain(response.getProperties())).toHaveProperty("connectionString");
        expect(unpack(pack({ connectionString: outputs.connectionString })).secrets).toEqual(["connectionString"]);
        expect(connectionString).toEqual(outputs.connectionString);
    });

    it("a preview prints the lines of check and diff once, and an update prints none", async () => {
        const world = await start();
        const { id, olds } = await existing(world);
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
});

describe("a cancelled creation", () => {
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
        expect(error).toBeInstanceOf(StoredFailure);
        const { metadata } = serviceError(error);
        const status = Status.deserializeBinary(metadata?.get("grpc-status-details-bin")[0] as Buffer);
        const [packedDetail] = status.getDetailsList();
        const detail = ErrorResourceInitFailed.deserializeBinary(packedDetail?.getValue_asU8() ?? new Uint8Array());
        expect(detail.getId()).toBe(world.emulator.snapshot().services[0]?.service_id);
        expect(detail.getReasonsList()).toEqual(["cancelled"]);
        expect(plain(detail.getProperties())).toMatchObject({
            cpuMillis: 500,
            __record: { interruption: "unseen" },
        });
        expect(plain(detail.getProperties())).toHaveProperty("__provider");
    });
});

describe("customTimeouts", () => {
    it.each([1e-9, 1e-7, 0.0004])("a timeout of %s seconds is not the default", async (seconds) => {
        const { plugin } = await start({ durations: { create: 5_000 } });
        const creating = plugin().create(create({ projectId: "emulator01" }).setTimeout(seconds));
        await expect(creating).rejects.toThrow("customTimeouts.create");
    });
});

describe("customTimeouts that the dynamic provider has recorded", () => {
    const minute = 60_000;
    const short = { __timeouts: { update: "1s", delete: "1s" } };
    const [small, large] = [
        { cpuMillis: 500, memoryGbs: 2 },
        { cpuMillis: 1000, memoryGbs: 4 },
    ];

    /** A service of the dynamic provider. Its changes take longer than that. */
    async function recorded() {
        const { world, plugin } = await start({ durations: { resize: 5 * minute, delete: 5 * minute } });
        const { entry } = await dynamicHostIn(world).up("Service", { ...small, ...short });
        return { world, plugin: plugin(), entry, properties: packed(entry.outputs) };
    }

    it("do not limit an update, a refresh or a deletion of the plugin", async () => {
        const { world, plugin, entry, properties } = await recorded();
        expect(await nativeHostIn(world).up("Service", large, entry)).toMatchObject({ outputs: large });
        world.emulator.addFaults(["getService#1x5:503"]);
        const seen = await plugin.read(new ReadRequest().setUrn(urn).setId(entry.id).setProperties(properties));
        expect(seen.getId()).toBe(entry.id);
        await plugin.delete(new DeleteRequest().setUrn(urn).setId(entry.id).setProperties(properties));
        expect(world.emulator.snapshot().services).toEqual([]);
    });

    it("are no change on the plugin, nor for a stack that returns", async () => {
        const { world, entry } = await recorded();
        expect((await nativeHostIn(world).preview("Service", small, entry)).operation).toBe("same");
        const renamed = await nativeHostIn(world).up("Service", { ...small, name: "renamed" }, entry);
        const returned = { ...small, ...short, name: "renamed" };
        expect((await dynamicHostIn(world).preview("Service", returned, renamed.entry)).operation).toBe("same");
    });
});

describe("reads", () => {
    it("a read without a state returns all inputs, with which the next diff finds no change", async () => {
        const world = await start();
        const { id } = await existing(world, { replicaCount: 1, environment: "PROD" });
        const plugin = world.plugin();
        const response = await plugin.read(new ReadRequest().setUrn(urn).setId(id));
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
        const world = await start();
        const { id } = await existing(world, { replicaCount: 1 });
        const stateOf = async (properties: object) => {
            const request = new ReadRequest().setUrn(urn).setId(id).setProperties(packed(properties));
            return plain((await world.plugin().read(request)).getProperties());
        };
        expect(await stateOf({})).toMatchObject({ replicaCount: 1, __record: { imported: true } });
        const read = await stateOf({ __program: { isGet: true } });
        expect(read).toMatchObject({ replicaCount: 1 });
        expect(read.__record).not.toHaveProperty("imported");
    });
});

describe("ids", () => {
    it.each([
        ["Vpc", "vpc-1", "VPC"],
        ["Peering", "1234567890", "VPC/PEERING"],
        ["PeeringActivation", "1/2/3", "VPC/PEERING"],
        ["Service", "a/b", "SERVICE"],
        ["ReadReplicaSet", "abc", "SERVICE/REPLICA_SET"],
    ] as const)("the import of a %s by an id of another form fails before a request", async (type, id, form) => {
        const { session, world } = await start();
        const resource = new NativeResource(untypedLifecycles[type].resource, session());
        const request = new ReadRequest().setUrn(urn.replace("Service", type)).setId(id);
        await expect(resource.read(request)).rejects.toThrow(form);
        expect(world.emulator.journal()).toEqual([]);
    });
});

describe("configuration", () => {
    it("the configuration marks the token as secret and rejects a misspelt setting", () => {
        const response = checkConfig(
            new CheckRequest().setNews(packed({ accessToken: "t", projectID: "p", version: "1" })),
        );
        expect(response.getInputs()?.toJavaScript()).toMatchObject({ accessToken: secret("t"), projectID: "p" });
        expect(response.getFailuresList().map((failure) => failure.getReason())).toEqual([
            expect.stringContaining("clouddb:projectId?"),
        ]);
    });

    it("the configuration never replaces a provider", () => {
        const request = new DiffRequest().setOlds(packed({ projectId: "a" })).setNews(packed({ projectId: "b" }));
        const response = diffConfig(request);
        expect(response.getChanges()).toBe(2);
        expect(response.getReplacesList()).toEqual([]);
    });
});

test("a deletion without a state, as by `pulumi do`, is refused", async () => {
    const one = await start();
    const { id } = await existing(one, { name: "orders" });
    const deletion = new DeleteRequest().setUrn(urn).setId(id).setProperties(packed({}));
    await expect(one.plugin().delete(deletion)).rejects.toThrow("deletionProtection");
});

describe("a state that a person has edited, without hidden values", () => {
    const edited = (olds: object) =>
        Object.fromEntries(Object.entries(olds).filter(([name]) => !name.startsWith("__")));
    const unprotecting = (world: Awaited<ReturnType<typeof start>>) => {
        const session = world.session();
        session.configure((key) => (key === "deletionProtection" ? "false" : undefined));
        return new NativeResource(lifecycles.Service.resource, session);
    };

    it("still protects its service, whatever the default is", async () => {
        const one = await start();
        const { id, olds } = await existing(one, { name: "orders", deletionProtection: true });
        const properties = packed(edited(olds));
        const plugin = unprotecting(one);
        const seen = await plugin.read(new ReadRequest().setUrn(urn).setId(id).setProperties(properties));
        expect(plain(seen.getProperties())).toMatchObject({ deletionProtection: true });
        await expect(
            plugin.delete(new DeleteRequest().setUrn(urn).setId(id).setProperties(properties)),
        ).rejects.toThrow("deletionProtection");
        expect(one.world.emulator.snapshot().services).toMatchObject([{ service_id: id }]);
    });

    it("can be updated, which records what the program declares", async () => {
        const one = await start();
        const { id, olds } = await existing(one, { name: "orders" });
        const news = plain(
            one
                .plugin()
                .check(check({ name: "orders" }, edited(olds)))
                .getInputs(),
        );
        const updated = await one.plugin().update(update(id, edited(olds), news));
        expect(plain(updated.getProperties())).toMatchObject({
            name: "orders",
            __record: { declared: expect.arrayContaining(["name"]) as string[] },
        });
    });
});
