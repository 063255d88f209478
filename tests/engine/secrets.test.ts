import * as pulumi from "@pulumi/pulumi";
import { inspect } from "node:util";
import { Peering, PeeringActivation, ProductionDatabase, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { host, removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

// What only the engine shows: what it writes into files and prints.

const token = "canary-token-8d1f";
const passwords = ["canary-password-1", "canary-password-2"];

afterAll(removeStacks);

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
    }, 120_000);

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

test("inputs that the program marks as secret stay encrypted in the state: name, peerAccountId", async () => {
    const stack = await startStack({ peerings: "immediate" });
    const names = ["canary-network-1", "canary-network-2"];
    const peerAccountId = "987650001234";
    const program = (name: string | undefined) => () => {
        const args = name === undefined ? {} : { name: pulumi.secret(name) };
        const vpc = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1", ...args });
        const peer = { peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
        new Peering("office", { vpcId: vpc.vpcId, peerAccountId: pulumi.secret(peerAccountId), ...peer });
    };
    await stack.up(program(names[0]));
    await stack.refresh();
    await stack.up(program(names[1]));
    expect((await stack.up()).operations).toEqual({ network: "same", office: "same" });
    await stack.up(program(undefined));
    await stack.refresh();

    const kept = [await stack.exported(), ...stack.files()].join("\n");
    for (const secret of [...names, peerAccountId]) {
        expect(kept.includes(secret)).toBe(false);
    }
}, 120_000);

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
}, 180_000);
