import * as pulumi from "@pulumi/pulumi";
import { functions, type FunctionName } from "../../../provider/functions";
import * as clouddb from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { startConnected, type TestWorld } from "../../support/emulator";
import { mockEngine, valueIn } from "../../support/mocks";

// The mocks replace the engine only. The functions call the API as in a run of the engine.
jest.mock("../../../sdk/nodejs/mocks", () => ({ isMocked: () => false }));

let world: TestWorld;

/** A resource whose outputs are unknown in a preview. */
class Unmade extends pulumi.CustomResource {
    constructor(name: string) {
        super("test:index:Unmade", name, {});
    }
}

/** A resource whose name is known in a preview, and whose id is not. */
class Declared extends pulumi.CustomResource {
    declare readonly name: pulumi.Output<string>;

    constructor(name: string, props: { name: string }, opts?: pulumi.CustomResourceOptions) {
        super("test:index:Declared", name, props, opts);
    }
}

const pulumiThat = (preview: boolean) =>
    void mockEngine({ idOf: (name) => (preview ? undefined : name), stateOf: () => ({}), preview });

/** The value of an output, or `unknown`. */
async function valueOf<T>(output: pulumi.Output<T>): Promise<T | "unknown"> {
    const value = await valueIn(output);
    return (await (output as unknown as { isKnown: Promise<boolean> }).isKnown) ? value : "unknown";
}

beforeEach(async () => {
    world = await startConnected();
});

test("a function with an unknown input returns an unknown result in a preview and sends no request", async () => {
    pulumiThat(true);
    const serviceId = new Unmade("db").id;
    await expect(valueOf(clouddb.getServiceOutput({ serviceId }))).resolves.toBe("unknown");
    await expect(valueOf(clouddb.getReadReplicaSetsOutput({ serviceId }))).resolves.toBe("unknown");
    await expect(valueOf(clouddb.getServiceLogsOutput({ serviceId }))).resolves.toBe("unknown");
    await expect(valueOf(clouddb.getPeeringOutput({ vpcId: "1", peeringId: serviceId }))).resolves.toBe("unknown");
    expect(world.emulator.journal()).toEqual([]);
});

test("a function with known inputs returns its result in a preview", async () => {
    pulumiThat(true);
    const { service_id: serviceId } = await world.readyService();
    await expect(valueOf(clouddb.getServiceOutput({ serviceId: pulumi.output(serviceId) }).status)).resolves.toBe(
        "READY",
    );
});

test("a function waits for the resources in dependsOn", async () => {
    pulumiThat(true);
    const dependsOn = new Unmade("network");
    await expect(valueOf(clouddb.getVpcsOutput({}, { dependsOn }))).resolves.toBe("unknown");
    expect(world.emulator.journal()).toEqual([]);
    pulumiThat(false);
    await world.vpc();
    const made = clouddb.getVpcsOutput({}, { dependsOn: [new Unmade("another")] });
    await expect(valueOf(made)).resolves.toHaveLength(1);
});

describe.each([
    ["the package", clouddb],
    ["the plugin", native],
])("functions of %s in a preview that creates a resource", (_, module) => {
    type OutputForm = (...args: object[]) => pulumi.Output<unknown>;

    const called: string[] = [];

    function previewThatCreates(): Declared {
        called.length = 0;
        const call = ({ token }: pulumi.runtime.MockCallArgs) => {
            called.push(token);
            return {};
        };
        void mockEngine({ idOf: () => undefined, call, preview: true });
        return new Declared("db", { name: "orders" });
    }

    const forms = (Object.keys(functions) as FunctionName[])
        .filter((name) => `${name}Output` in module)
        .map((name) => ({
            name,
            run: (module as unknown as Record<`${FunctionName}Output`, OutputForm>)[`${name}Output`],
            required: functions[name].required.map((one) => [one].flat()[0] as string),
        }));
    const withArguments = forms.filter(({ required }) => required.length > 0);

    test("each function has an Output form", () => {
        expect(forms.map(({ name }) => name)).toEqual(Object.keys(functions));
    });

    test.each(withArguments)("$name waits for the resource behind an argument that the preview knows", async (form) => {
        const { name } = previewThatCreates();
        const args = Object.fromEntries(form.required.map((argument) => [argument, pulumi.interpolate`${name}-1`]));
        await expect(valueOf(pulumi.output(args))).resolves.not.toBe("unknown");
        await expect(valueOf(form.run(args))).resolves.toBe("unknown");
        expect([...called, ...world.emulator.journal()]).toEqual([]);
    });

    test.each(forms)("$name waits for the resources of a component in dependsOn", async ({ run, required }) => {
        const resource = previewThatCreates();
        const args = Object.fromEntries(required.map((argument) => [argument, "1"]));
        const component = new pulumi.ComponentResource("test:index:Component", "component");
        new Declared("child", { name: "orders" }, { parent: component });
        for (const dependsOn of [resource, component, [component]]) {
            const all = required.length > 0 ? [args, { dependsOn }] : [{}, { dependsOn }];
            await expect(valueOf(run(...(run.length === 1 ? all.slice(1) : all)))).resolves.toBe("unknown");
        }
        expect([...called, ...world.emulator.journal()]).toEqual([]);
    });
});

test("getServiceLogsOutput reads as many entries as limit, or one page by default", async () => {
    pulumiThat(false);
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 700);
    await expect(valueOf(clouddb.getServiceLogsOutput({ serviceId }))).resolves.toHaveLength(500);
    await expect(valueOf(clouddb.getServiceLogsOutput({ serviceId, limit: 600 }))).resolves.toHaveLength(600);
});

test("the result of a function with a secret input is secret", async () => {
    pulumiThat(false);
    const { service_id: serviceId } = await world.readyService();
    const found = clouddb.getServiceOutput({ serviceId: pulumi.secret(serviceId) });
    await expect(pulumi.isSecret(found)).resolves.toBe(true);
});
