import * as pulumi from "@pulumi/pulumi";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { signatureKey } from "../../provider/hosts/codec";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { Peering, PeeringActivation, ProductionDatabase, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { host, startStack, workDir, type EngineRun, type StateResource, type TestStack } from "../support/engine";
import { peer } from "../support/existing";

// What only the engine shows: what it writes into files and prints, of a program with declared passwords, and of one that marks
// every input of every kind as secret. They share their runs.

const token = "canary-token-8d1f";
const passwords = ["canary-password-1", "canary-password-2", "canary-password-3"] as const;

const size = { cpuMillis: 1000, memoryGbs: 4 };

/** What the program shows of its resources. */
const shown: string[] = [];

/** Databases with this password. A removed password stays in force, and secret. */
function declarePasswords(password: string | undefined) {
    const declared = password === undefined ? {} : { password };
    const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
    const office = new Peering("office", { vpcId: network.vpcId, waitFor: "provisioned", ...peer });
    const active = new PeeringActivation("active", { vpcId: network.vpcId, peeringId: office.peeringId });
    const options = { replicaCount: 1, connectionPooler: true, environment: "PROD" as const };
    const orders = new Service("orders", { addons: ["time-series", "ai"], ...size, ...options, ...declared });
    const { serviceId, currentPassword, initialPassword, connectionString } = orders;
    const reports = new ReadReplicaSet("reports", { serviceId, ...size, password: currentPassword });
    const shop = new ProductionDatabase("shop", { cpuMillis: 500, ...declared });
    const all = { network, office, active, orders, reports, shop };
    const show = () => {
        for (const one of [all, Object.values(all), ...Object.values(all)]) {
            // console.log prints the same to a lesser depth.
            shown.push(inspect(one, { depth: 6 }));
            try {
                shown.push(JSON.stringify(one));
            } catch (error) {
                // Pulumi's outputs refuse this.
                shown.push(String(error));
            }
        }
    };
    show();
    // When the values are known.
    reports.connectionString.apply(show);
    return {
        initialPassword,
        connectionString,
        poolerConnectionString: orders.poolerConnectionString,
        vpcConnectionString: orders.vpcConnectionString.apply((url) => url ?? "none"),
        replicaConnectionString: reports.connectionString,
        inObject: all,
        inList: Object.values(all),
        json: pulumi.jsonStringify([orders, reports]),
    };
}

/** Values that only lines of text may contain. */
const chosen = {
    network: "canary-network",
    cidr: "10.77.0.0/16",
    peerAccountId: "987650001234",
    peerVpcId: "vpc-canary",
    orders: "canary-orders",
    reports: "canary-reports",
    sslRootCert: "/certs/canary.crt",
    passwordFile: join(workDir(), "canary-password"),
    passwordVariable: "CANARY_PASSWORD",
};

/** The resources that mark all inputs: the kind of each, and what it declares. */
class Marked {
    readonly kinds: Record<string, ResourceType> = {};
    readonly args: Record<string, Readonly<Record<string, unknown>>> = {};

    /** The ids of the resources are those of an earlier run. */
    constructor(
        private readonly projectId: string,
        private readonly ids: Readonly<Record<string, string | undefined>>,
    ) {}

    declare(password: string): void {
        const { peerAccountId, peerVpcId, passwordFile, passwordVariable, sslRootCert } = chosen;
        const common = { deletionProtection: false };
        const ssl = { sslMode: "verify-full" as const, sslRootCert };
        const database = { ...common, ...size, ...ssl, connectionPooler: true, environment: "DEV" };
        const vpc = { ...common, name: chosen.network, cidr: chosen.cidr, regionCode: "us-east-1" };
        const network = new Vpc("m-network", this.marked("Vpc", "m-network", vpc));
        const far = { ...common, vpcId: network.vpcId, peerAccountId, peerRegionCode: "us-east-1", peerVpcId };
        const peering = { ...far, waitFor: "provisioned" as const };
        const office = new Peering("m-office", this.marked("Peering", "m-office", peering));
        const activation = { vpcId: network.vpcId, peeringId: office.peeringId };
        new PeeringActivation("m-active", this.marked("PeeringActivation", "m-active", activation));
        const own = { replicaCount: 2, syncReplicaCount: 1, vpcId: network.vpcId, paused: false };
        const rest = { name: chosen.orders, regionCode: "us-east-1", addons: ["ai" as const], password };
        const orders = new Service("m-orders", this.marked("Service", "m-orders", { ...database, ...own, ...rest }));
        new Service("m-file", this.marked("Service", "m-file", { passwordFile, passwordVersion: 1 }));
        new Service("m-variable", this.marked("Service", "m-variable", { passwordVariable, passwordVersion: 1 }));
        // A secret within a value.
        const fork = { serviceId: pulumi.secret(orders.serviceId), strategy: pulumi.secret("NOW") };
        new Service("m-copy", { ...this.marked("Service", "m-copy", { ...common, ...size, fork }), fork });
        const set = { ...database, serviceId: orders.serviceId, name: chosen.reports, nodes: 2, password };
        new ReadReplicaSet("m-reports", this.marked("ReadReplicaSet", "m-reports", set));
    }

    /** The arguments of a resource, each one as a secret. */
    private marked<Args extends object>(kind: ResourceType, name: string, args: Args): Args {
        const { [name]: id } = this.ids;
        const all = { projectId: this.projectId, ...(id === undefined ? {} : { existingId: id }), ...args };
        this.kinds[name] = kind;
        this.args[name] = all;
        const secrets = Object.entries(all).map(([input, value]) => [input, pulumi.secret(value as unknown)]);
        return Object.fromEntries(secrets) as Args;
    }
}

/** The values in the state that are not encrypted. */
const plainIn = (value: unknown): unknown[] => {
    if (typeof value !== "object" || value === null) {
        return value === null || value === undefined ? [] : [value];
    }
    return signatureKey in value ? [] : Object.values(value).flatMap(plainIn);
};

let stack: TestStack;
let outputs: Record<string, string>;
let state: StateResource;
let runs: EngineRun[];
let last: Marked;

beforeAll(async () => {
    writeFileSync(chosen.passwordFile, passwords[2]);
    stack = await startStack({ token, peerings: "immediate" });
    stack.env({ CLOUDDB_ACCESS_TOKEN: "", [chosen.passwordVariable]: passwords[2] });
    await stack.setConfig("clouddb:accessToken", token, true);
    const { projectId } = stack.emulator;
    const program = (password: string | undefined, marked: Marked) => () => {
        marked.declare(passwords[2]);
        return declarePasswords(password);
    };
    const first = new Marked(projectId, {});
    runs = [await stack.preview(program(passwords[0], first), { diff: true }), await stack.up()];
    runs.push(await stack.up(program(passwords[1], first)));
    outputs = (await stack.outputs()) as Record<string, string>;
    const ids = (await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id] as const);
    last = new Marked(projectId, { ...Object.fromEntries(ids), "m-active": undefined });
    runs.push(await stack.up(program(undefined, last), { refresh: true }));
    state = await stack.state("orders");
});

test("the program gets the initial password, and connection strings with the current password and the endpoints", () => {
    const service = stack.emulator.snapshot().services.find(({ name }) => name.startsWith("orders"));
    const { initialPassword, connectionString, poolerConnectionString, replicaConnectionString } = outputs;
    const [own, pooler, replica] = [connectionString, poolerConnectionString, replicaConnectionString].map(
        (url) => new URL(url ?? ""),
    );
    expect(initialPassword).toMatch(/^\S{16,}$/);
    expect([own, pooler, replica].map((url) => url?.password)).toEqual([passwords[1], passwords[1], passwords[1]]);
    expect(stack.emulator.passwordMatches(service?.service_id ?? "", own?.password ?? "")).toBe(true);
    expect(pooler?.host).toBe(Object.values(service?.connection_pooler?.endpoint ?? {}).join(":"));
    expect(replica?.host).toBe(Object.values(service?.read_replica_sets?.[0]?.endpoint ?? {}).join(":"));
    expect(outputs.vpcConnectionString).toBe("none");
});

test("no export, file, output, instance of a class, or request in the journal shows a secret", async () => {
    const places = {
        exported: await stack.exported(),
        files: stack.files().join("\n"),
        printed: stack.printed(),
        outputs: await stack.pulumi("stack", "output"),
        // Pulumi's own objects have the configuration of the stack.
        instances: shown.join("\n").replaceAll(token, ""),
        journal: JSON.stringify(stack.emulator.journal()),
    };
    expect(places.instances).toContain("__pulumiType");
    expect(places.journal).toContain("updatePassword");
    const secrets = [token, ...passwords, outputs.initialPassword ?? ""];
    expect(secrets.filter((secret) => JSON.stringify(outputs).includes(secret))).toContain(passwords[1]);
    const leaks = Object.entries(places).filter(([, text]) => secrets.some((secret) => text.includes(secret)));
    expect(leaks.map(([place]) => place)).toEqual([]);
});

test("the state of a service has at most 4 KB and refers to the provider with a constant", () => {
    const reference = 'exports.handler=()=>require("pulumi-clouddb/provider").Service';
    // The plugin does not need the reference. The dynamic host needs it if the stack returns to it.
    expect(state.inputs.__provider).toBe(host === "native" ? undefined : reference);
    expect(state.outputs.__provider).toBe(reference);
    expect(JSON.stringify(state).length).toBeLessThanOrEqual(4096);
});

test("every input of every kind that a program marks as secret is encrypted in the state and hidden in the events, and only lines of text contain one", async () => {
    const { operations = {} } = runs.at(-1) ?? {};
    expect(new Set(Object.keys(last.args).map((name) => operations[name]))).toEqual(new Set(["same"]));
    for (const type of resourceTypes) {
        const covered = Object.entries(last.args).filter(([name]) => last.kinds[name] === type);
        const names = new Set(covered.flatMap(([, args]) => Object.keys(args)));
        expect([...names].sort()).toEqual(Object.keys(untypedResources[type].fields).sort());
    }
    for (const [name, args] of Object.entries(last.args)) {
        const { inputs, outputs: own } = await stack.state(name);
        const isPlain = (input: string) => plainIn([inputs[input], own[input]]).length > 0;
        expect([name, Object.keys(args).filter(isPlain)]).toEqual([name, []]);
    }
    const kept = stack.files();
    // Pulumi's SDK sends all values to the engine as debug lines, which only `--debug` prints.
    const events = runs.flatMap((run) => run.events).filter((event) => !event.includes('"severity":"debug"'));
    const ofProperties = events.filter((event) => !event.includes('"diagnosticEvent"'));
    expect(ofProperties.length).toBeGreaterThan(8);
    const found = Object.values(chosen).filter((text) => [...kept, ...ofProperties].some((one) => one.includes(text)));
    expect(found).toEqual([]);
    expect(events.filter((event) => passwords.some((password) => event.includes(password)))).toEqual([]);
    // What the page about secrets says: lines of text, ids and outputs under other names.
    expect(runs[0]?.messages["m-network"]?.join()).toContain(chosen.network);
    expect((await stack.state("m-copy")).outputs.forkedFrom).toMatchObject({
        serviceId: (await stack.state("m-orders")).id,
    });
});
