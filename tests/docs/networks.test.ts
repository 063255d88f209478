import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as clouddb from "../../sdk/nodejs";
import { errorsInPages } from "../support/compiler";
import { blocksOf, root, shellBlocksOf } from "../support/documents";
import { fromText, openProject } from "../support/project";
import { evaluate } from "../support/scripts";

// Follows docs/networks.md. Nothing here has an AWS account: the program of both sides runs with mocks, with the real package of
// Pulumi's provider for AWS, and the emulator accepts the peering in place of the commands of AWS.

const page = "docs/networks.md";
const [bothSides = "", oneSide = ""] = blocksOf(page, ["ts"]).map(({ text }) => text);

/** npm installs the provider for AWS in this folder, from its lock file. */
const awsFolder = join(__dirname, "aws");

beforeAll(async () => {
    await evaluate(`const { install } = await load("lib/install.mjs"); await install(${JSON.stringify(awsFolder)});`);
});

const accountId = "123456789012";
const settings = {
    awsAccountId: accountId,
    awsVpcId: "vpc-0a1b2c3d4e5f67890",
    awsRouteTableIds: JSON.stringify(["rtb-first", "rtb-second"]),
    awsSecurityGroupId: "sg-0a1b2c3d4e5f67890",
};

test("the program for both sides compiles with the package of the provider for AWS", () => {
    expect(bothSides).toContain('from "@pulumi/aws"');
    const file = join(root, "docs", "networks-both-sides.ts");
    const errorsIn = errorsInPages(new Map([[file, bothSides]]), {
        "@pulumi/aws": [join(awsFolder, "node_modules", "@pulumi", "aws")],
        // Its own copy of this package is another one to the compiler.
        "@pulumi/pulumi": [join(root, "node_modules", "@pulumi", "pulumi")],
        "@pulumi/pulumi/*": [join(root, "node_modules", "@pulumi", "pulumi", "*")],
    });
    expect(errorsIn(file)).toEqual([]);
});

test("the program for both sides accepts the peering, routes to the network and lets the port through, then waits", async () => {
    const created: pulumi.runtime.MockResourceArgs[] = [];
    const outputs: Record<string, object> = {
        Vpc: { vpcId: "707236" },
        Peering: { peeringId: "515151", provisionedId: "pcx-provisioned" },
        Service: { vpcHost: "db.internal", vpcPort: 31_234, initialPassword: "", connectionPooler: true },
        PeeringActivation: { status: "active" },
    };
    await pulumi.runtime.setMocks(
        {
            newResource: async (args) => {
                const kind = args.type.split(":").at(-1) ?? "";
                if (kind === "VpcPeeringConnectionAccepter") {
                    // What does not wait for it is created now.
                    await new Promise((resolve) => setImmediate(resolve));
                }
                created.push(args);
                return {
                    id: kind.startsWith("Vpc") ? `${kind}-id` : args.name,
                    state: { ...(args.inputs as object), ...outputs[kind] },
                };
            },
            call: () => ({}),
        },
        "shop",
    );
    pulumi.runtime.setAllConfig(
        Object.fromEntries(Object.entries(settings).map(([name, value]) => [`shop:${name}`, value])),
    );
    const { outputText } = ts.transpileModule(bothSides, {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
    });
    const exported: Record<string, pulumi.Output<unknown>> = {};
    const packages: Readonly<Record<string, unknown>> = {
        "@pulumi/pulumi": pulumi,
        "pulumi-clouddb": clouddb,
        // eslint-disable-next-line @typescript-eslint/no-require-imports -- the suite has installed it meanwhile
        "@pulumi/aws": require(join(awsFolder, "node_modules", "@pulumi", "aws")) as unknown,
    };
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the program of the page
    const run = new Function("exports", "require", outputText) as (to: object, load: (name: string) => unknown) => void;
    run(exported, (name) => packages[name]);
    const status = await new Promise((resolve) => void exported.peeringStatus?.apply(resolve));
    await pulumi.runtime.disconnect();

    expect(status).toBe("active");
    const inputsOf = (type: string) => created.filter((one) => one.type === type).map(({ inputs }) => inputs as object);
    expect(inputsOf("pulumi-nodejs:dynamic/clouddb:Peering")).toMatchObject([
        { waitFor: "provisioned", peerAccountId: accountId, peerVpcId: settings.awsVpcId },
    ]);
    expect(inputsOf("aws:ec2/vpcPeeringConnectionAccepter:VpcPeeringConnectionAccepter")).toMatchObject([
        { vpcPeeringConnectionId: "pcx-provisioned", autoAccept: true },
    ]);
    const route = { destinationCidrBlock: "10.20.0.0/20", vpcPeeringConnectionId: "VpcPeeringConnectionAccepter-id" };
    expect(inputsOf("aws:ec2/route:Route")).toMatchObject([
        { ...route, routeTableId: "rtb-first" },
        { ...route, routeTableId: "rtb-second" },
    ]);
    expect(inputsOf("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule")).toMatchObject([
        { cidrIpv4: "10.20.0.0/20", ipProtocol: "tcp", fromPort: 31_234, toPort: 31_234 },
    ]);
    const order = created.map(({ type }) => type.split(":").at(-1));
    expect(order.indexOf("PeeringActivation")).toBeGreaterThan(order.indexOf("VpcPeeringConnectionAccepter"));
});

test("the steps with another team create a peering that the team can accept, and replace one that has expired", async () => {
    const { emulator, env, shell, outputs } = await openProject(fromText(oneSide, "index.ts"), {
        peerings: "acceptance",
    });
    const [create = "", values = "", record = "", ...others] = shellBlocksOf(page);
    expect(others).toEqual([]);
    env({ PULUMI_STACK: "prod" });
    await shell(`pulumi stack init prod\n${create}`);
    const [first] = emulator.snapshot().peerings;
    const printed = (await shell(values)).trim().split("\n");
    expect(printed).toEqual([
        first?.provisioned_id,
        "10.20.0.0/20",
        expect.any(String),
        expect.stringMatching(/^\d+$/),
    ]);
    expect((await outputs()).peeringStatus).not.toBe("active");

    // Nobody has accepted it within seven days.
    emulator.failPeering(first?.id ?? "", "The request has expired.", "expired");
    await shell("pulumi up --refresh");
    const [second, ...more] = emulator.snapshot().peerings;
    expect(more).toEqual([]);
    expect(second?.id).not.toBe(first?.id);

    emulator.acceptPeering(second?.id ?? "");
    expect((await shell(record)).trim().split("\n").at(-1)).toBe("active");
});
