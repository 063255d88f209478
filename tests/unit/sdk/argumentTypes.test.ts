import { join } from "node:path";
import ts from "typescript";
import { compiled } from "../../support/compiler";
import { root } from "../../support/documents";

// What the compiler says about arguments, before a preview.

const [typo, unknown, type, argument] = [2561, 2353, 2322, 2345];

/** Programs that are wrong, with the code of the compiler's error. */
const wrong: readonly (readonly [what: string, source: string, code: number])[] = [
    ["an unknown property", 'new Service("db", { cpuMilis: 500 });', typo],
    ["an unknown property with the plugin", 'new native.Service("db", { cpuMilis: 500 });', typo],
    [
        "an unknown property of a read replica",
        'new ProductionDatabase("db", { cpuMillis: 500, readReplicas: { reports: { node: 1 } } });',
        typo,
    ],
    [
        "an unknown property of a fork",
        'new Service("db", { fork: { serviceId: "s", strategy: "NOW", time: "t" } });',
        unknown,
    ],
    ["a missing property", 'new Vpc("network", {});', argument],
    ["a fork without a strategy", 'new Service("db", { fork: { serviceId: "s" } });', type],
    ["a value of another type", 'new Service("db", { environment: true });', type],
    ["a wrong word of a type without outputs", 'const fork: Fork = { serviceId: "s", strategy: "LATEST" };', type],
    ["a wrong size of a type without outputs", 'const size: Size = "large";', type],
    ["a wrong word of an enumeration", 'const environment: native.Environment = "STAGE";', type],
];

/** What a program does with arguments: objects that it builds in steps, words of the type `string`, and classes of its own. */
const valid = `
const [text, count, isOn] = [String("x"), Number("1"), Boolean("")];
const config = new pulumi.Config();

const steps: ServiceArgs = { environment: config.require("environment"), cpuMillis: 500 };
steps.password = config.requireSecret("password");
steps.fork = { serviceId: "s", strategy: "NOW" };
new Service("steps", steps);
new Service("spread", { ...steps, name: "orders", fork: undefined, ...(isOn && { addons: ["ai"] }) });
interface OwnArgs extends ServiceArgs {
    team: string;
}
const own = ({ team, ...args }: OwnArgs) => new Service(team, args);
own({ team: "shop", regionCode: "r", sslMode: "require" });
class Own extends Service {
    constructor(name: string, args: ServiceArgs = {}) {
        super(name, { environment: "PROD", ...args });
    }
}
class Team extends pulumi.ComponentResource {
    readonly service: Service;
    constructor(name: string, args: { environment: pulumi.Input<string>; service: ServiceArgs; fork: Fork }) {
        super("shop:index:Team", name);
        this.service = new Own(name, { ...args.service, environment: args.environment });
        new Service("fork", { fork: args.fork });
    }
}
const production = (args: ProductionDatabaseArgs) => new ProductionDatabase("production", args);

const parent = new Service("parent", { regionCode: "r" });
const last = { serviceId: parent.serviceId, strategy: "LAST_SNAPSHOT" };
const then = { serviceId: parent.serviceId, strategy: "PITR", targetTime: parent.created };
const either = { serviceId: text, strategy: text, targetTime: isOn ? text : undefined };
for (const fork of [last, then, either]) {
    new Service("fork", { fork, environment: "PROD", paused: isOn });
    new native.Service("fork", { fork });
    new ProductionDatabase("fork", { cpuMillis: count, fork });
}
new Service("output", { fork: parent.serviceId.apply((serviceId) => ({ serviceId, strategy: text })) });
const common = { environment: "PROD", addons: ["ai"], cpuMillis: "shared", memoryGbs: "shared", sslMode: "require" };
new Service("common", common);
new Service("words", { environment: text, addons: [text], cpuMillis: isOn ? 500 : text, sslMode: parent.name });
const set = { serviceId: parent.serviceId, cpuMillis: 500, environment: "DEV", sslMode: "require" };
new ReadReplicaSet("set", set);
new native.ReadReplicaSet("set", set);
const peer = { vpcId: "1", peerAccountId: "1", peerRegionCode: "r", peerVpcId: "v", waitFor: "provisioned" };
new Peering("peer", peer);
new native.Peering("peer", peer);
const args = { cpuMillis: 500, environment: "PROD", readReplicas: { reports: { cpuMillis: 500, environment: "DEV" } } };
new ProductionDatabase("built", args).readReplicas.reports?.host;
new native.ProductionDatabase("built", args);

const services: Service[] = [new Own("own"), parent, new native.Service("plugin", { environment: "PROD" })];
const { Service: OfHost } = isOn ? native : dynamic;
new OfHost("chosen", { environment: "PROD" });
`;

const all = compiled([valid, ...wrong.map(([, source]) => source)]);

test("the compiler accepts plain objects and strings, and rejects misspelt and missing properties", () => {
    expect(all.errors()).toEqual([[], ...wrong.map(([, , code]) => [code])]);
});

test("no public type has a type parameter, so that a tooltip shows only its name", () => {
    const { program } = all;
    const checker = program.getTypeChecker();
    const types = ["index.ts", "native/index.ts"].flatMap((name) => {
        const entry = program.getSourceFile(join(root, "sdk/nodejs", name));
        const symbol = entry && checker.getSymbolAtLocation(entry);
        return symbol ? checker.getExportsOfModule(symbol) : [];
    });
    expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining(["Service", "ServiceArgs", "Provider"]));
    const generic = types.filter((symbol) => {
        const { declarations = [] } = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return declarations.some(
            (one) =>
                (ts.isClassDeclaration(one) || ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) &&
                one.typeParameters !== undefined,
        );
    });
    expect(generic.map(({ name }) => name)).toEqual([]);
});
