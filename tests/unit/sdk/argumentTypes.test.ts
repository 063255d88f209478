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

/** The errors of each program, which are all compiled at once. */
function errorsOf(sources: readonly string[]): string[][] {
    const imports = [
        'import * as pulumi from "@pulumi/pulumi";',
        'import { ProductionDatabase, Service, Vpc, type ServiceArgs } from "./sdk/nodejs";',
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
    const [errors = [], ...wrong] = errorsOf([valid, ...Object.values(programs)]);
    expect(errors).toEqual([]);
    const first = wrong.map((messages) => messages.join("\n").split("\n"));
    expect(Object.fromEntries(Object.keys(programs).map((name, index) => [name, first[index]]))).toMatchInlineSnapshot(`
        {
          "a fork with a region": [
            "Type '{ serviceId: string; strategy: string; }' is not assignable to type 'undefined'.",
          ],
          "a missing property": [
            "Argument of type '{}' is not assignable to parameter of type 'VpcArgs'.",
            "  Type '{}' is missing the following properties from type 'Args<VpcInputs>': cidr, regionCode",
          ],
          "a password file without a version": [
            "Argument of type '{ passwordFile: string; }' is not assignable to parameter of type 'ServiceArgs | undefined'.",
            "  Type '{ passwordFile: string; }' is not assignable to type '(OtherServiceArgs & PasswordInFile & EmptyDatabase) | (OtherServiceArgs & PasswordInFile & ForkedDatabase)'.",
            "    Type '{ passwordFile: string; }' is not assignable to type 'OtherServiceArgs & PasswordInFile & ForkedDatabase'.",
            "      Property 'passwordVersion' is missing in type '{ passwordFile: string; }' but required in type 'PasswordInFile'.",
          ],
          "a password variable without a version": [
            "Argument of type '{ passwordVariable: string; }' is not assignable to parameter of type 'ServiceArgs | undefined'.",
            "  Type '{ passwordVariable: string; }' is not assignable to type '(OtherServiceArgs & PasswordInVariable & EmptyDatabase) | (OtherServiceArgs & PasswordInVariable & ForkedDatabase)'.",
            "    Type '{ passwordVariable: string; }' is not assignable to type 'OtherServiceArgs & PasswordInVariable & ForkedDatabase'.",
            "      Property 'passwordVersion' is missing in type '{ passwordVariable: string; }' but required in type 'PasswordInVariable'.",
          ],
          "a point in time without a time": [
            "Type '{ serviceId: string; strategy: "PITR"; }' is not assignable to type 'Input<Args<Fork>> | undefined'.",
            "  Property 'targetTime' is missing in type '{ serviceId: string; strategy: "PITR"; }' but required in type 'Args<ForkOfTime>'.",
          ],
          "a time without a point in time": [
            "Type '"NOW"' is not assignable to type 'Input<"PITR">'.",
          ],
          "a version without a source": [
            "Argument of type '{ passwordVersion: number; }' is not assignable to parameter of type 'ServiceArgs | undefined'.",
            "  Type '{ passwordVersion: number; }' is not assignable to type '(OtherServiceArgs & PasswordInFile & EmptyDatabase) | (OtherServiceArgs & PasswordInFile & ForkedDatabase) | (OtherServiceArgs & ... 1 more ... & EmptyDatabase) | (OtherServiceArgs & ... 1 more ... & ForkedDatabase)'.",
            "    Type '{ passwordVersion: number; }' is not assignable to type 'OtherServiceArgs & PasswordInVariable & ForkedDatabase'.",
            "      Property 'passwordVariable' is missing in type '{ passwordVersion: number; }' but required in type 'PasswordInVariable'.",
          ],
          "a wrong combination in a component": [
            "Argument of type '{ cpuMillis: number; password: string; passwordFile: string; }' is not assignable to parameter of type 'ProductionDatabaseArgs<string>'.",
            "  Types of property 'passwordFile' are incompatible.",
            "    Type 'string' is not assignable to type 'undefined'.",
          ],
          "an unknown property": [
            "Object literal may only specify known properties, but 'cpuMilis' does not exist in type 'ServiceArgs'. Did you mean to write 'cpuMillis'?",
          ],
          "an unknown property of a read replica": [
            "Object literal may only specify known properties, but 'node' does not exist in type 'Args<ReadReplicaInputs>'. Did you mean to write 'nodes'?",
          ],
          "two sources of a password": [
            "Type 'string' is not assignable to type 'undefined'.",
          ],
        }
    `);
});
