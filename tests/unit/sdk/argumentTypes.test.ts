import { join } from "node:path";
import ts from "typescript";

// What the compiler says about arguments, before a preview.

const root = join(__dirname, "../../..");
const file = join(root, "program.ts");

const programs = {
    "two sources of a password": 'new Service("db", { password: "long-enough", passwordFile: "p" });',
    "a password file without a version": 'new Service("db", { passwordFile: "password" });',
    "a password variable without a version": 'new Service("db", { passwordVariable: "PASSWORD" });',
    "a version without a source": 'new Service("db", { passwordVersion: 1 });',
    "a fork with a region": 'new Service("db", { regionCode: "r", fork: { serviceId: "s", strategy: "NOW" } });',
    "a point in time without a time": 'new Service("db", { fork: { serviceId: "s", strategy: "PITR" } });',
    "a time without a point in time":
        'new Service("db", { fork: { serviceId: "s", strategy: "NOW", targetTime: "2026-01-31T12:00:00Z" } });',
    "an unknown property": 'new Service("db", { cpuMilis: 500 });',
    "a missing property": 'new Vpc("network", {});',
    "a wrong combination in a component":
        'new ProductionDatabase("db", { cpuMillis: 500, password: "long-enough", passwordFile: "p" });',
    "a fork without a strategy": 'new Service("db", { fork: { serviceId: "s" } });',
    "a wrong strategy": 'new Service("db", { fork: { serviceId: "s", strategy: "LATEST" } });',
    "a wrong environment": 'const db: Service = new Service("db", { environment: "STAGE" });',
    "a wrong environment in arguments that a program has before": 'const args: ServiceArgs = { environment: "STAGE" };',
    "a point in time without a time in arguments that a program has before":
        'const args: ServiceArgs = { fork: { serviceId: "s", strategy: "PITR" } };',
    "a wrong addon": 'new Service("db", { environment: "DEV", addons: ["ai", "gis"] });',
    "a wrong size": 'new Service("db", { cpuMillis: "large" });',
    "a wrong environment of a set":
        'new ReadReplicaSet("r", { serviceId: "s", cpuMillis: 500, environment: "STAGE" });',
    "a wrong state to wait for":
        'new Peering("p", { vpcId: "1", peerAccountId: "1", peerRegionCode: "r", peerVpcId: "v", waitFor: "ready" });',
    "a wrong environment of the set of a component":
        'new ProductionDatabase("db", { cpuMillis: 500, readReplicas: { reports: { environment: "STAGE" } } });',
    "a wrong strategy of a component":
        'new ProductionDatabase("db", { cpuMillis: 500, fork: { serviceId: "s", strategy: "LATEST" } });',
    "a wrong environment with the plugin": 'new native.Service("db", { environment: "STAGE" });',
    "an unknown property of a read replica":
        'new ProductionDatabase("db", { cpuMillis: 500, readReplicas: { reports: { node: 1 } } });',
};

const valid = `
const secret = new pulumi.Config().requireSecret("password");
const parent = new Service("parent", { password: secret, regionCode: "r", addons: ["ai"] });
new Service("file", { passwordFile: "password", passwordVersion: 1 });
new Service("variable", { passwordVariable: "PASSWORD", passwordVersion: parent.port });
new Service("now", { fork: { serviceId: parent.serviceId, strategy: "NOW" }, password: secret });
new Service("then", { fork: { serviceId: parent.serviceId, strategy: "PITR", targetTime: parent.created } });
new Service("output", { fork: parent.serviceId.apply((serviceId) => ({ serviceId, strategy: "NOW" as const })) });
type OwnArgs = ServiceArgs & { team: string };
const own = ({ team, ...args }: OwnArgs) => new Service(team, args);
const copyIf = (isCopy: boolean) =>
    new Service("s", { cpuMillis: 500, ...(isCopy && { fork: { serviceId: parent.serviceId, strategy: "NOW" } }) });
const inRegion = (args: ServiceArgs & { fork?: undefined }) => new Service("s", { regionCode: "r", ...args });
new ProductionDatabase("production", { cpuMillis: 1000, passwordFile: "password", passwordVersion: 1 });
`;

/** Objects and variables that a program has before, whose words are of the type `string`, and classes of its own. */
const built = `
const [text, count, isOn] = [String("x"), Number("1"), Boolean("")];
const parent = new Service("parent");
const last = { serviceId: parent.serviceId, strategy: "LAST_SNAPSHOT" };
const then = { serviceId: parent.serviceId, strategy: "PITR", targetTime: new Date(0).toISOString() };
const either = { serviceId: text, strategy: text, targetTime: isOn ? text : undefined };
for (const fork of [last, then, either]) {
    new Service("fork", { fork });
    new Service("fork", { fork, environment: "PROD", paused: isOn });
    new native.Service("fork", { fork });
    new ProductionDatabase("fork", { cpuMillis: count, fork });
}
new Service("inline", { fork: { serviceId: parent.serviceId, strategy: text } });
new Service("output", { fork: parent.serviceId.apply((serviceId) => ({ serviceId, strategy: text })) });
const common = {
    environment: "PROD",
    addons: ["ai"],
    cpuMillis: "shared",
    memoryGbs: "shared",
    sslMode: "require",
    replicaCount: 1,
    paused: false,
    deletionProtection: false,
    connectionPooler: true,
};
new Service("common", common);
new Service("spread", { ...common, name: "orders" });
new Service("words", { environment: text, addons: [text], cpuMillis: isOn ? 500 : text, sslMode: parent.name });
new Service("numbers", { cpuMillis: count, memoryGbs: count, replicaCount: count, syncReplicaCount: count });
new Service("config", { environment: new pulumi.Config().require("environment") });
const set = { serviceId: parent.serviceId, nodes: 1, cpuMillis: 500, environment: "DEV", sslMode: "require" };
new ReadReplicaSet("set", set);
new native.ReadReplicaSet("set", set);
const peer = { vpcId: "1", peerAccountId: "1", peerRegionCode: "r", peerVpcId: "v", waitFor: "provisioned" };
new Peering("peer", peer);
new native.Peering("peer", peer);
const readReplicas = { reports: { cpuMillis: 500, environment: "DEV" } };
new ProductionDatabase("built", { cpuMillis: 500, environment: text, readReplicas }).readReplicas.reports.host;
const args = { cpuMillis: 500, environment: "PROD", readReplicas };
new native.ProductionDatabase("built", args);
class Own extends Service {
    constructor(name: string, ownArgs: ServiceArgs<string> = {}) {
        super(name, { environment: "PROD", ...ownArgs });
    }
}
class Team extends pulumi.ComponentResource {
    readonly service: Service;
    constructor(name: string, teamArgs: { environment: pulumi.Input<string>; service: ServiceArgs; fork: Fork }) {
        super("shop:index:Team", name);
        this.service = new Own(name, { ...teamArgs.service, environment: teamArgs.environment });
        new Service("annotated", teamArgs.service);
        new Service("fork", { fork: teamArgs.fork });
    }
}
const production = (given: ProductionDatabaseArgs) => new ProductionDatabase("wrapped", given);
const services: Service[] = [new Own("own"), parent, new native.Service("plugin", { environment: "PROD" })];
const { Service: OfHost } = isOn ? native : dynamic;
new OfHost("chosen", { environment: "PROD" });
`;

/** The errors of each program, which are all compiled at once. */
function errorsOf(sources: readonly string[]): string[][] {
    const imports = [
        'import * as pulumi from "@pulumi/pulumi";',
        'import * as dynamic from "./sdk/nodejs";',
        'import { Peering, ProductionDatabase, ReadReplicaSet, Service, Vpc } from "./sdk/nodejs";',
        'import type { Fork, ProductionDatabaseArgs, ServiceArgs } from "./sdk/nodejs";',
        'import * as native from "./sdk/nodejs/native";',
    ];
    const text = [...imports, ...sources.map((source) => `{\n${source}\n}`)].join("\n");
    const options: ts.CompilerOptions = {
        ...ts.convertCompilerOptionsFromJson(
            (
                ts.readConfigFile(join(root, "tsconfig.json"), (name) => ts.sys.readFile(name)).config as {
                    compilerOptions: object;
                }
            ).compilerOptions,
            root,
        ).options,
        // The default of a project that `pulumi new` creates.
        exactOptionalPropertyTypes: false,
        noEmit: true,
    };
    const host = ts.createCompilerHost(options);
    const withProgram: ts.CompilerHost = {
        ...host,
        getSourceFile: (name, version, ...rest) =>
            name === file ? ts.createSourceFile(name, text, version) : host.getSourceFile(name, version, ...rest),
    };
    const program = ts.createProgram([file], options, withProgram);
    const found = program.getSemanticDiagnostics(program.getSourceFile(file));
    const lineOf = ({ start = 0 }: ts.Diagnostic) => text.slice(0, start).split("\n").length;
    let line = imports.length;
    return sources.map((source) => {
        const from = line;
        line += source.split("\n").length + 2;
        return found
            .filter((diagnostic) => lineOf(diagnostic) > from && lineOf(diagnostic) <= line)
            .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    });
}

test("the compiler rejects combinations that the check rejects, and names the type as the documentation does", () => {
    const [errors, before, ...wrong] = errorsOf([valid, built, ...Object.values(programs)]);
    expect([errors, before]).toEqual([[], []]);
    const first = wrong.map((messages) => messages.join("\n").split("\n"));
    expect(Object.fromEntries(Object.keys(programs).map((name, index) => [name, first[index]]))).toMatchInlineSnapshot(`
        {
          "a fork with a region": [
            "Type '{ serviceId: string; strategy: string; }' is not assignable to type 'undefined'.",
          ],
          "a fork without a strategy": [
            "Type '{ serviceId: string; }' is not assignable to type 'Input<Args<Fork, string> | Args<Fork, string>> | undefined'.",
            "  Property 'strategy' is missing in type '{ serviceId: string; }' but required in type 'Args<Fork, string>'.",
          ],
          "a missing property": [
            "Argument of type '{}' is not assignable to parameter of type 'VpcArgs'.",
            "  Type '{}' is missing the following properties from type 'Args<VpcInputs, never>': cidr, regionCode",
          ],
          "a password file without a version": [
            "Argument of type '{ passwordFile: string; }' is not assignable to parameter of type 'ServiceArgs<string> | undefined'.",
            "  Type '{ passwordFile: string; }' is not assignable to type '(OtherServiceArgs<string> & PasswordInFile & EmptyDatabase<string>) | (OtherServiceArgs<string> & PasswordInFile & ForkedDatabase<...>)'.",
            "    Type '{ passwordFile: string; }' is not assignable to type 'OtherServiceArgs<string> & PasswordInFile & ForkedDatabase<string>'.",
            "      Property 'passwordVersion' is missing in type '{ passwordFile: string; }' but required in type 'PasswordInFile'.",
          ],
          "a password variable without a version": [
            "Argument of type '{ passwordVariable: string; }' is not assignable to parameter of type 'ServiceArgs<string> | undefined'.",
            "  Type '{ passwordVariable: string; }' is not assignable to type '(OtherServiceArgs<string> & PasswordInVariable & EmptyDatabase<string>) | (OtherServiceArgs<string> & PasswordInVariable & ForkedDatabase<...>)'.",
            "    Type '{ passwordVariable: string; }' is not assignable to type 'OtherServiceArgs<string> & PasswordInVariable & ForkedDatabase<string>'.",
            "      Property 'passwordVersion' is missing in type '{ passwordVariable: string; }' but required in type 'PasswordInVariable'.",
          ],
          "a point in time without a time": [
            "Type '{ serviceId: string; strategy: "PITR"; }' is not assignable to type 'Input<Args<Fork, "PITR">> | undefined'.",
            "  Property 'targetTime' is missing in type '{ serviceId: string; strategy: "PITR"; }' but required in type 'Args<ForkOfTime, "PITR">'.",
          ],
          "a point in time without a time in arguments that a program has before": [
            "Type '{ serviceId: string; strategy: "PITR"; }' is not assignable to type 'Input<Args<Fork, never>> | undefined'.",
            "  Property 'targetTime' is missing in type '{ serviceId: string; strategy: "PITR"; }' but required in type 'Args<ForkOfTime, never>'.",
          ],
          "a time without a point in time": [
            "Type '"NOW"' is not assignable to type 'Input<"PITR">'.",
          ],
          "a version without a source": [
            "Argument of type '{ passwordVersion: number; }' is not assignable to parameter of type 'ServiceArgs<string> | undefined'.",
            "  Type '{ passwordVersion: number; }' is not assignable to type '(OtherServiceArgs<string> & PasswordInFile & EmptyDatabase<string>) | (OtherServiceArgs<string> & PasswordInFile & ForkedDatabase<...>) | (OtherServiceArgs<...> & ... 1 more ... & EmptyDatabase<...>) | (OtherServiceArgs<...> & ... 1 more ... & ForkedDatabase<...>)'.",
            "    Type '{ passwordVersion: number; }' is not assignable to type 'OtherServiceArgs<string> & PasswordInVariable & ForkedDatabase<string>'.",
            "      Property 'passwordVariable' is missing in type '{ passwordVersion: number; }' but required in type 'PasswordInVariable'.",
          ],
          "a wrong addon": [
            "Type '"gis"' is not assignable to type 'Input<"time-series" | "ai">'.",
          ],
          "a wrong combination in a component": [
            "Argument of type '{ cpuMillis: number; password: string; passwordFile: string; }' is not assignable to parameter of type 'ProductionDatabaseArgs<string, string>'.",
            "  Types of property 'passwordFile' are incompatible.",
            "    Type 'string' is not assignable to type 'undefined'.",
          ],
          "a wrong environment": [
            "Type '"STAGE"' is not assignable to type 'Input<"DEV" | "PROD" | undefined>'.",
          ],
          "a wrong environment in arguments that a program has before": [
            "Type '"STAGE"' is not assignable to type 'Input<"DEV" | "PROD" | undefined>'.",
          ],
          "a wrong environment of a set": [
            "Type '"STAGE"' is not assignable to type 'Input<"DEV" | "PROD" | undefined>'.",
          ],
          "a wrong environment of the set of a component": [
            "Type '"STAGE"' is not assignable to type 'Input<"DEV" | "PROD" | undefined>'.",
          ],
          "a wrong environment with the plugin": [
            "Type '"STAGE"' is not assignable to type 'Input<"DEV" | "PROD" | undefined>'.",
          ],
          "a wrong size": [
            "Type '"large"' is not assignable to type 'Input<Size | undefined>'.",
          ],
          "a wrong state to wait for": [
            "Type '"ready"' is not assignable to type 'Input<"provisioned" | "active" | undefined>'.",
          ],
          "a wrong strategy": [
            "Type '"LATEST"' is not assignable to type 'Input<"PITR">'.",
          ],
          "a wrong strategy of a component": [
            "Type '"LATEST"' is not assignable to type 'Input<"PITR">'.",
          ],
          "an unknown property": [
            "Object literal may only specify known properties, but 'cpuMilis' does not exist in type 'ServiceArgs<string>'. Did you mean to write 'cpuMillis'?",
          ],
          "an unknown property of a read replica": [
            "Object literal may only specify known properties, but 'node' does not exist in type 'ReadReplicaArgs<string>'. Did you mean to write 'nodes'?",
          ],
          "two sources of a password": [
            "Type 'string' is not assignable to type 'undefined'.",
          ],
        }
    `);
});
