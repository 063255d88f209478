import * as pulumi from "@pulumi/pulumi";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { signatureKey } from "../../provider/hosts/codec";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { Peering, PeeringActivation, ProductionDatabase, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { host, startStack, workDir, type TestStack } from "../support/engine";

// What only the engine shows: what it writes into files and prints.

const token = "canary-token-8d1f";
const passwords = ["canary-password-1", "canary-password-2"];

describe("secrets", () => {
    let stack: TestStack;
    let initialPassword: string;
    let outputs: Record<string, string>;

    const program = (password: string | undefined) => () => {
        const orders = new Service("orders", {
            replicaCount: 1,
            connectionPooler: true,
            addons: ["time-series", "ai"],
            regionCode: "us-east-1",
            cpuMillis: 1000,
            memoryGbs: 4,
            environment: "PROD",
            ...(password === undefined ? {} : { password }),
        });
        const { connectionString, poolerConnectionString, vpcConnectionString, currentPassword } = orders;
        const reports = new ReadReplicaSet("reports", {
            serviceId: orders.serviceId,
            cpuMillis: 500,
            password: currentPassword,
        });
        return {
            initialPassword: orders.initialPassword,
            connectionString,
            poolerConnectionString,
            vpcConnectionString: vpcConnectionString.apply((url) => url ?? "none"),
            replicaConnectionString: reports.connectionString,
        };
    };

    beforeAll(async () => {
        stack = await startStack({ token });
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        await stack.setConfig("clouddb:accessToken", token, true);
        await stack.preview(program(passwords[0]));
        await stack.up();
        await stack.up(program(passwords[1]));
        await stack.refresh();
        outputs = (await stack.outputs()) as Record<string, string>;
        initialPassword = outputs.initialPassword ?? "";
        await stack.preview(program(undefined));
    });

    const expectNoSecret = (text: string) => {
        for (const secret of [token, ...passwords, initialPassword]) {
            expect(text).not.toContain(secret);
        }
    };

    test("the program gets the initial password and a connection string with the current password", () => {
        const { connectionString = "" } = outputs;
        const { service_id: id = "" } = stack.emulator.snapshot().services[0] ?? {};

        expect(initialPassword).toMatch(/^\S{16,}$/);
        expect(new URL(connectionString).password).toBe(passwords[1]);
        expect(stack.emulator.passwordMatches(id, new URL(connectionString).password)).toBe(true);
    });

    test("the URLs of poolers and replica sets contain the password, and there is no URL without an endpoint", () => {
        const [service] = stack.emulator.snapshot().services;
        const pooler = new URL(outputs.poolerConnectionString ?? "");
        const replica = new URL(outputs.replicaConnectionString ?? "");

        expect(pooler.host).toBe(Object.values(service?.connection_pooler?.endpoint ?? {}).join(":"));
        expect(replica.host).toBe(Object.values(service?.read_replica_sets?.[0]?.endpoint ?? {}).join(":"));
        expect([pooler.password, replica.password]).toEqual([passwords[1], passwords[1]]);
        expect(outputs.vpcConnectionString).toBe("none");
    });

    test("an export of the state contains no secret", async () => {
        expectNoSecret(await stack.exported());
    });

    test("the files of Pulumi contain no secret", () => {
        expect(stack.files().length).toBeGreaterThan(3);
        stack.files().forEach(expectNoSecret);
    });

    test("the output of Pulumi contains no secret", () => {
        expect(stack.printed()).toContain("set the password");
        expectNoSecret(stack.printed());
    });

    test("the journal of the emulator contains no secret", () => {
        const journal = JSON.stringify(stack.emulator.journal());
        expect(journal).toContain("updatePassword");
        expectNoSecret(journal);
    });

    test("the state of a service has at most 4 KB and refers to the provider with a constant", async () => {
        const state = await stack.state("orders");

        const reference = 'exports.handler=()=>require("pulumi-clouddb/provider").Service';
        // The plugin does not need the reference. The dynamic host needs it if the stack returns to it.
        expect(state.inputs.__provider).toBe(host === "native" ? undefined : reference);
        expect(state.outputs.__provider).toBe(reference);
        expect(JSON.stringify(state).length).toBeLessThanOrEqual(4096);
    });
});

describe("a program that marks every input of every kind as secret", () => {
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
    const password = "canary-password-3";
    const common = { deletionProtection: false };
    const database = { cpuMillis: 1000, memoryGbs: 4, connectionPooler: true, environment: "DEV" };
    const ssl = { sslMode: "verify-full" as const, sslRootCert: chosen.sslRootCert };
    type Values = Readonly<Record<string, unknown>>;

    /** The kind of each resource, and what it declares. */
    class Declared {
        readonly kinds: Record<string, ResourceType> = {};
        readonly args: Record<string, Values> = {};

        /** The ids of the resources are those of an earlier run. */
        constructor(
            private readonly projectId: string,
            private readonly ids: Readonly<Record<string, string | undefined>>,
        ) {}

        /** The arguments of a resource, each one as a secret. */
        marked<Args extends object>(kind: ResourceType, name: string, args: Args): Args {
            const { [name]: id } = this.ids;
            const all = { projectId: this.projectId, ...(id === undefined ? {} : { existingId: id }), ...args };
            this.kinds[name] = kind;
            this.args[name] = all;
            return Object.fromEntries(
                Object.entries(all).map(([input, value]) => [input, pulumi.secret(value as unknown)]),
            ) as unknown as Args;
        }
    }

    const program = (declared: Declared) => () => {
        const vpc = { ...common, name: chosen.network, cidr: chosen.cidr, regionCode: "us-east-1" };
        const network = new Vpc("network", declared.marked("Vpc", "network", vpc));
        const { peerAccountId, peerVpcId, passwordFile, passwordVariable } = chosen;
        const peer = { ...common, vpcId: network.vpcId, peerAccountId, peerRegionCode: "us-east-1", peerVpcId };
        const peering = { ...peer, waitFor: "provisioned" as const };
        const office = new Peering("office", declared.marked("Peering", "office", peering));
        const activation = { vpcId: network.vpcId, peeringId: office.peeringId };
        new PeeringActivation("active", declared.marked("PeeringActivation", "active", activation));
        const own = { replicaCount: 2, syncReplicaCount: 1, vpcId: network.vpcId, paused: false };
        const rest = { name: chosen.orders, regionCode: "us-east-1", addons: ["ai" as const], password };
        const all = { ...common, ...database, ...ssl, ...own, ...rest };
        const orders = new Service("orders", declared.marked("Service", "orders", all));
        new Service("file", declared.marked("Service", "file", { passwordFile, passwordVersion: 1 }));
        new Service("variable", declared.marked("Service", "variable", { passwordVariable, passwordVersion: 1 }));
        // A secret within a value.
        const fork = { serviceId: pulumi.secret(orders.serviceId), strategy: pulumi.secret("NOW") };
        new Service("copy", { ...declared.marked("Service", "copy", { ...database, fork }), fork });
        const set = { serviceId: orders.serviceId, name: chosen.reports, nodes: 2, password };
        const allOfSet = { ...common, ...database, ...ssl, ...set };
        new ReadReplicaSet("reports", declared.marked("ReadReplicaSet", "reports", allOfSet));
    };

    /** The values in the state that are not encrypted. */
    const plainIn = (value: unknown): unknown[] => {
        if (typeof value !== "object" || value === null) {
            return value === null || value === undefined ? [] : [value];
        }
        return signatureKey in value ? [] : Object.values(value).flatMap(plainIn);
    };

    test("each is encrypted in the state and hidden in the events, and only lines of text contain one, but never a password", async () => {
        writeFileSync(chosen.passwordFile, password);
        const stack = await startStack({ peerings: "immediate" });
        stack.env({ [chosen.passwordVariable]: password });
        const { projectId } = stack.emulator;
        const first = new Declared(projectId, {});
        const runs = [await stack.preview(program(first), { diff: true }), await stack.up()];
        const ids = Object.fromEntries(
            (await stack.resources()).map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]),
        );
        const second = new Declared(projectId, { ...ids, active: undefined });
        runs.push(await stack.refresh(), await stack.up(program(second)));
        expect([...new Set(Object.values(runs.at(-1)?.operations ?? {}))]).toEqual(["same"]);

        for (const type of resourceTypes) {
            const covered = Object.entries(second.args).filter(([name]) => second.kinds[name] === type);
            const names = new Set(covered.flatMap(([, args]) => Object.keys(args)));
            const { fields } = untypedResources[type];
            expect([...names].sort()).toEqual(Object.keys(fields).sort());
        }
        for (const [name, args] of Object.entries(second.args)) {
            const state = await stack.state(name);
            const isPlain = (input: string) => plainIn([state.inputs[input], state.outputs[input]]).length > 0;
            expect([name, Object.keys(args).filter(isPlain)]).toEqual([name, []]);
        }
        const kept = [await stack.exported(), ...stack.files()];
        // Pulumi's SDK sends all values to the engine as debug lines, which only `--debug` prints.
        const events = runs.flatMap((run) => run.events).filter((event) => !event.includes('"severity":"debug"'));
        const ofProperties = events.filter((event) => !event.includes('"diagnosticEvent"'));
        expect(ofProperties.length).toBeGreaterThan(8);
        const found = Object.values(chosen).filter((text) =>
            [...kept, ...ofProperties].some((one) => one.includes(text)),
        );
        expect(found).toEqual([]);
        // What the page about secrets says: lines of text, ids and outputs under other names.
        expect(runs[0]?.messages.network).toEqual(['1 create VPC "canary-network", "10.77.0.0/16" in "us-east-1"']);
        expect((await stack.state("copy")).outputs.forkedFrom).toMatchObject({ serviceId: ids.orders });
        const shown = [stack.printed(), ...events, ...kept];
        expect(shown.some((text) => text.includes(password))).toBe(false);
    });

    test("an input that the program does not declare any more is not secret any more, but a password is", async () => {
        const stack = await startStack();
        const program = (args: ServiceArgs) => () => {
            new Service("orders", args);
        };
        const { name, ...rest } = { name: chosen.orders, password };
        await stack.up(program({ name: pulumi.secret(name), ...rest }));
        expect(await stack.exported()).not.toContain(name);
        expect((await stack.up(program({}))).operations).toEqual({ orders: "update" });
        await stack.refresh();
        expect((await stack.state("orders")).outputs.name).toBe(name);
        expect([await stack.exported(), ...stack.files(), stack.printed()].join()).not.toContain(password);
    });
});

test("no instance of a class shows a password in an export, in the console or as JSON", async () => {
    const stack = await startStack({ peerings: "immediate" });
    const plain = "canary-plain-password-7a";
    const shown: string[] = [];
    const program = () => {
        const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
        const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
        const office = new Peering("office", { vpcId: network.vpcId, waitFor: "provisioned", ...peer });
        const active = new PeeringActivation("active", { vpcId: network.vpcId, peeringId: office.peeringId });
        const orders = new Service("orders", { connectionPooler: true, password: plain });
        const reports = new ReadReplicaSet("reports", {
            serviceId: orders.serviceId,
            cpuMillis: 500,
            connectionPooler: true,
            password: plain,
        });
        const shop = new ProductionDatabase("shop", {
            cpuMillis: 500,
            password: plain,
        });
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
        return { inObject: all, inList: Object.values(all), json: pulumi.jsonStringify([orders, reports]) };
    };
    await stack.preview(program);
    await stack.up();
    await stack.refresh();

    expect(shown.join("\n")).toContain("__pulumiType");
    expect(shown.filter((text) => text.includes(plain))).toEqual([]);
    const outputs = JSON.stringify(await stack.outputs());
    expect(outputs).toContain(plain);
    for (const text of [
        stack.printed(),
        await stack.exported(),
        ...stack.files(),
        await stack.pulumi("stack", "output"),
    ]) {
        expect(text).not.toContain(plain);
    }
});
