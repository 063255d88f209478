import { version } from "../../../package.json";
import { main } from "../../../cli/planComment/main";

const protectionOff = "deletion protection off: a later run can delete this database";

const urn = (type: string, name: string) => `urn:pulumi:live::shop::${type}::${name}`;
const service = urn("pulumi-nodejs:dynamic/clouddb:Service", "orders");

function run(input: string | Buffer, argv: readonly string[] = []): { code: number; out: string; err: string } {
    const result = { code: 0, out: "", err: "" };
    result.code = main(argv, {
        stdin: () => Buffer.from(input),
        stdout: (text) => (result.out += text),
        stderr: (text) => (result.err += text),
    });
    return result;
}

const reason = "invalid credentials";
const remark = "deletion protection on";
const call = "1 environment DEV -> PROD";

const comment = (preview: object) => run(JSON.stringify(preview)).out;

test("a preview without changes is one line", () => {
    const out = comment({ steps: [{ op: "same", urn: service }], diagnostics: [] });
    expect(out).toBe("<!-- clouddb-plan shop/live -->\n\n### `live` of `shop`: no changes\n");
});

test("deletions, interruptions and warnings come first, and the numbered calls follow", () => {
    const out = comment({
        steps: [
            { op: "create", urn: urn("aws:s3:Bucket", "files") },
            { op: "update", urn: service },
            { op: "delete", urn: urn("pulumi-nodejs:dynamic/clouddb:Vpc", "network") },
        ],
        diagnostics: [
            {
                urn: service,
                severity: "info",
                message: "1 resize 1000m/4GB -> 2000m/8GB, restarts the service, takes minutes\n2 pause\n",
            },
            { urn: service, severity: "warning", message: "warning: cpuMillis 1100 is unusual\n" },
        ],
    });
    expect(out.split("\n")).toEqual([
        "<!-- clouddb-plan shop/live -->",
        "",
        "### `live` of `shop`: 1 deleted, 1 changed, 1 created",
        "",
        "> [!WARNING]",
        "> - Vpc `network` will be **deleted**",
        "> - Service `orders`: `resize 1000m/4GB -> 2000m/8GB, restarts the service, takes minutes`",
        "> - Service `orders`: `cpuMillis 1100 is unusual`",
        "",
        "**Vpc `network`** will be deleted",
        "",
        "**Service `orders`** will be changed",
        "",
        "```text",
        "1 resize 1000m/4GB -> 2000m/8GB, restarts the service, takes minutes",
        "2 pause",
        "```",
        "",
    ]);
});

describe("lost data", () => {
    const of = (type: string, name: string, prefix = "clouddb:index") => urn(`${prefix}:${type}`, name);
    const risksOf = (...steps: object[]) =>
        comment({ steps, diagnostics: [] })
            .split("\n")
            .filter((line) => line.startsWith("> - "));
    const renaming =
        "> - A Service is deleted and another one created: if it is the same one, renamed or moved, add its old URN, which `pulumi stack --show-urns` prints, to its option aliases";

    test("the comment warns of the data of each deleted or replaced resource that has data, on both hosts", () => {
        expect(
            risksOf(
                { op: "replace", urn: service, replaceReasons: ["regionCode"] },
                { op: "replace", urn: of("Vpc", "network"), replaceReasons: ["cidr"] },
                { op: "delete", urn: of("Service", "reports") },
                { op: "delete", urn: of("ReadReplicaSet", "readers") },
                { op: "delete", urn: of("Service", "functions", "aws:lambda") },
            ),
        ).toEqual([
            "> - Service `reports` will be **deleted**, and the data will be lost",
            "> - ReadReplicaSet `readers` will be **deleted**",
            "> - `aws:lambda:Service` `functions` will be **deleted**",
            "> - Service `orders` will be **replaced** because of `regionCode`, and the data will be lost",
            "> - Vpc `network` will be **replaced** because of `cidr`",
        ]);
    });

    test("the comment says that a created and a deleted resource of the same type may be a renamed one", () => {
        const network = { op: "delete", urn: of("Vpc", "network") };
        const lost = "> - Service `orders` will be **deleted**, and the data will be lost";
        expect(
            risksOf(
                { op: "create", urn: of("Service", "purchases") },
                { op: "delete", urn: of("Service", "orders") },
                network,
            ),
        ).toEqual([lost, "> - Vpc `network` will be **deleted**", renaming]);
        // An alias cannot change the host.
        expect(risksOf({ op: "create", urn: of("Service", "purchases") }, { op: "delete", urn: service })).toEqual([
            lost,
        ]);
    });

    test("data that retainOnDelete keeps is not lost", () => {
        const oldState = { retainOnDelete: true };
        expect(
            risksOf(
                { op: "delete", urn: service, oldState },
                { op: "replace", urn: of("Service", "reports"), oldState, replaceReasons: ["regionCode"] },
            ),
        ).toEqual([
            "> - Service `orders` will be **deleted**, but `retainOnDelete` keeps the data",
            "> - Service `reports` will be **replaced** because of `regionCode`, but `retainOnDelete` keeps the data",
        ]);
    });

    test("the deletion or replacement of a protected service fails, perhaps after the run has created another one", () => {
        const kept = { outputs: { deletionProtection: true } };
        const deleted = { op: "delete", urn: of("Service", "orders"), oldState: kept };
        const fails = "> - Service `orders` is **protected**: this run will fail";
        expect(risksOf(deleted)).toEqual([fails]);
        expect(risksOf({ ...deleted, op: "replace", replaceReasons: ["regionCode"] })).toEqual([fails]);
        const created = ["main", "other"].map((name) => ({ op: "create", urn: of("Service", name) }));
        const network = { op: "create", urn: of("Vpc", "network") };
        expect(risksOf(deleted, ...created, network)).toEqual([
            `${fails} after it has created \`main\`, \`other\``,
            renaming,
        ]);
        const gone = "> - Service `orders` will be **deleted**, and the data will be lost";
        expect(risksOf({ ...deleted, oldState: { outputs: { deletionProtection: false } } })).toEqual([gone]);
        const retained = { ...kept, retainOnDelete: true };
        expect(risksOf({ ...deleted, oldState: retained })).toEqual([
            "> - Service `orders` will be **deleted**, but `retainOnDelete` keeps the data",
        ]);
    });

    test("many services, each with another reason, are one group, and many new names are cut", () => {
        const many = Array.from({ length: 1_000 }, (_, index) => of("Service", `db${index}`));
        const kept = ["a", "b"].map((name) => of("Service", name));
        const replaced = many.map((one, index) => ({ op: "replace", urn: one, replaceReasons: [`property${index}`] }));
        const retained = kept.map((one) => ({ op: "delete", urn: one, oldState: { retainOnDelete: true } }));
        const groups = risksOf(...replaced, ...retained, ...many.map((one) => ({ op: "delete", urn: one })));
        expect(groups.map((line) => /^> - (\d+) Service \*\*(\w+)\*\*/.exec(line)?.slice(1))).toEqual([
            ["2", "deleted"],
            ["1000", "deleted"],
            ["1000", "replaced"],
        ]);
        const deleted = {
            op: "delete",
            urn: of("Service", "orders"),
            oldState: { outputs: { deletionProtection: true } },
        };
        const [fails = ""] = risksOf(deleted, ...many.map((one) => ({ op: "create", urn: one })));
        expect(fails).toContain("…");
        expect(fails.length).toBeLessThan(1_500);
    });

    test("a replacement without a reason is one that no provider sees in a preview", () => {
        const replaced = { op: "replace", replaceReasons: ["id"] };
        expect(risksOf({ ...replaced, urn: service }, { ...replaced, urn: of("Vpc", "network") })).toEqual([
            "> - Service `orders` will be **replaced** because of `--replace`, a taint or an option, and the data will be lost",
            "> - Vpc `network` will be **replaced**",
        ]);
    });
});

test("protection that goes off is a warning, and each remark on a plan is part of it", () => {
    const out = comment({
        steps: [
            { op: "update", urn: service },
            { op: "update", urn: urn("clouddb:index:Service", "reports") },
        ],
        diagnostics: [
            { urn: service, severity: "warning", message: `warning: ${protectionOff}\n` },
            { urn: urn("clouddb:index:Service", "reports"), severity: "info", message: `\n${remark}\n` },
            { urn: urn("aws:s3:Bucket", "files"), severity: "info", message: "1 of 2 files\n" },
        ],
    });
    expect(out).toContain(
        "> [!WARNING]\n> - Service `orders`: `deletion protection off: a later run can delete this database`\n\n",
    );
    expect(out.split("\n").filter((line) => line === remark)).toHaveLength(1);
    expect(out).not.toContain("files");
});

test("the comment on a failed preview shows the errors", () => {
    const out = comment({
        steps: [],
        diagnostics: [{ urn: service, severity: "error", message: "error: cidr is not a network\n" }],
    });
    expect(out).toContain("`live` of `shop`: the preview failed");
    expect(out).toContain("```text\ncidr is not a network\n```");
});

test("a resource name cannot add markup or end the hidden marker", () => {
    const name = "a`b --> <b>@everyone</b>";
    const out = comment({
        steps: [{ op: "delete", urn: urn("pulumi-nodejs:dynamic/clouddb:Vpc", name).replace("shop", "s-->hop") }],
        diagnostics: [],
    });
    expect(out.split("\n")[0]).toBe("<!-- clouddb-plan s--_hop/live -->");
    expect(out).toContain("`a'b --> <b>@everyone</b>`");
});

test("a long plan is shortened, and the comment shows the number of omitted parts", () => {
    const many = Array.from({ length: 2_000 }, (_, index) =>
        urn("pulumi-nodejs:dynamic/clouddb:Service", `db${index}`),
    );
    const out = comment({
        steps: many.map((one) => ({ op: "update", urn: one })),
        diagnostics: many.map((one) => ({ urn: one, severity: "info", message: `${call}\n` })),
    });
    expect(out.length).toBeLessThan(65_536);
    expect(out).toContain("…");
});

test.each([
    ["a type without a colon", "<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>` `orders`"],
    ["a type of this package that does not exist", "clouddb:index:<b>x</b>", "`<b>x</b>` `orders`"],
    ["a type with emphasis", "clouddb:index:__x__", "`__x__` `orders`"],
])("%s cannot add markup", (_, type, label) => {
    const out = comment({ steps: [{ op: "delete", urn: urn(type, "orders") }], diagnostics: [] });
    expect(out).toContain(label);
    const many = Array.from({ length: 1_000 }, (_, index) => ({ op: "delete", urn: urn(type, `db${index}`) }));
    expect(comment({ steps: many, diagnostics: [] })).toContain(label.replace(" `orders`", ""));
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "a step with the operation %s changes nothing",
    (op) => {
        expect(comment({ steps: [{ op, urn: service }] })).toBe(comment({ steps: [{ op: "same", urn: service }] }));
        expect(run(JSON.stringify({ steps: [{ op, urn: service }] }), ["--drift"]).out).toBe("");
    },
);

test("messages cannot end their block, control a terminal or give commands to the pipeline", () => {
    const message = "error: a```\n::error::\u001b[2J\u009b\u202e\n<b>##[error]x";
    const warning = "warning: ::warning::\u001b[2Jx";
    const out = comment({
        steps: [{ op: "update", urn: urn("pulumi-nodejs:dynamic/clouddb:Service", "o\u001bx") }],
        diagnostics: [
            { severity: "error", message },
            { urn: urn("pulumi-nodejs:dynamic/clouddb:Service", "o\u001bx"), severity: "warning", message: warning },
        ],
    });
    expect(out).toContain("```text\na'''\n: :error::?[2J??\n<b># #[error]x\n```");
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]|^[\s>-]*`?::|##\[/mu);
});

describe("an error above the size limit", () => {
    test.each([
        ["one line", "x".repeat(200_000)],
        ["many backticks", "`".repeat(200_000)],
        ["many lines", "line\n".repeat(50_000)],
    ])("an error of %s is cut, not omitted", (_, text) => {
        const out = comment({
            steps: [],
            diagnostics: [{ urn: service, severity: "error", message: `error: ${text}` }],
        });
        expect(out).toMatch(/```text\n(x{3}|'{3}|line)/);
        expect(out).toContain("…");
        expect(out.length).toBeLessThan(65_536);
    });
});

describe("a shortened comment", () => {
    /** Deletions and replacements among many updates. */
    const many = (count: number) => ({
        steps: Array.from({ length: count }, (_, index) => [
            { op: "update", urn: urn("pulumi-nodejs:dynamic/clouddb:Service", `changed${index}`) },
            { op: "delete", urn: urn("pulumi-nodejs:dynamic/clouddb:Service", `deleted${index}`) },
            {
                op: "replace",
                urn: urn("pulumi-nodejs:dynamic/clouddb:Vpc", `replaced${index}`),
                replaceReasons: ["cidr"],
            },
        ]).flat(),
    });
    const warningsFor = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
            urn: urn("pulumi-nodejs:dynamic/clouddb:Service", `changed${index}`),
            severity: "warning",
            message: `warning: cpuMillis 1100 is not documented ${"x".repeat(300)}\n`,
        }));

    test.each([100, 1_500])("a shortened comment names every deletion and replacement, of %i each", (count) => {
        const errors = [{ urn: service, severity: "error", message: "y".repeat(50_000) }];
        const out = comment({ ...many(count), diagnostics: [...warningsFor(count), ...errors] });
        for (const name of Array.from({ length: count }, (_, index) => [
            `deleted${index}`,
            `replaced${index}`,
        ]).flat()) {
            expect(out).toContain(`\`${name}\``);
        }
        expect(out.length).toBeLessThan(65_536);
        expect(out).toContain("y…");
    });
});

describe("the text of an issue about drift", () => {
    const drift = (preview: object) => run(JSON.stringify(preview), ["--drift"]).out;

    test("the text of an issue about drift is empty without drift", () => {
        const warning = { urn: service, severity: "warning", message: "warning: cpuMillis 1100 is unusual" };
        expect(
            drift({
                steps: [
                    { op: "same", urn: service },
                    { op: "refresh", urn: service },
                ],
                diagnostics: [warning],
            }),
        ).toBe("");
    });

    test.each([
        ["a failure of the command", { error: reason }],
        ["a failure of the command with steps", { steps: [], diagnostics: [], error: reason }],
        ["a failure that is an object", { error: { message: reason } }],
        ["an error", { steps: [], diagnostics: [{ severity: "error", message: `error: ${reason}` }] }],
    ])("%s is not reported as no drift", (_, preview) => {
        expect(drift(preview)).toContain(reason);
    });

    test.each([
        [
            "a preview without --refresh",
            { steps: [{ op: "same", urn: urn("pulumi:pulumi:Stack", "shop-live") }], changeSummary: { same: 3 } },
            2,
        ],
        ["a preview with --refresh", { steps: [{ op: "refresh", urn: service }], changeSummary: { same: 3 } }, 0],
        [
            "a preview of a stack without resources",
            { steps: [{ op: "same", urn: urn("pulumi:pulumi:Stack", "shop-live") }], changeSummary: { same: 1 } },
            0,
        ],
        ["a preview of a new stack", { steps: [], changeSummary: { create: 3 } }, 0],
        ["a preview that failed before its refresh", { error: "no", steps: [], changeSummary: { same: 3 } }, 0],
    ])("%s ends with the right code", (_, preview, code) => {
        const { code: actual, err } = run(JSON.stringify(preview), ["--drift"]);
        expect(actual).toBe(code);
        expect(err.includes("was made without --refresh")).toBe(code !== 0);
    });

    test("the text of an issue about drift shows the calls that would revert the drift, and has its own marker", () => {
        const info = { urn: service, severity: "info", message: `${call}\n` };
        const text = drift({ steps: [{ op: "update", urn: service }], diagnostics: [info] });
        expect(text.split("\n")[0]).toBe("<!-- clouddb-drift shop/live -->");
        expect(text).toContain(call);
    });
});

test("a byte order mark, which PowerShell writes, is not part of the preview", () => {
    expect(run(`\ufeff${JSON.stringify({ steps: [], diagnostics: [] })}`)).toMatchObject({ code: 0, err: "" });
});

test.each<[string | Buffer]>([
    [""],
    [Buffer.from("\ufeff{}", "utf16le")],
    ["error: no stack"],
    ["null"],
    ['{"steps":"x"}'],
    ['{"steps":[null]}'],
    ['{"steps":[{"op":"delete","urn":"x","replaceReasons":"cidr"}]}'],
    ['{"diagnostics":[{"severity":"error","message":"x","urn":1}]}'],
])("input that is not a preview fails with an error that names the expected input: %j", (input) => {
    const { code, out, err } = run(input);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("--json");
});

test("the command prints its help and version, and rejects unknown options and missing files", () => {
    expect(run("", ["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("Usage:") as string });
    expect(run("", ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(run("", ["--frob"])).toEqual({
        code: 2,
        out: "",
        err: "clouddb-plan-comment: Unknown option '--frob'. See --help.\n",
    });
    expect(run("", ["/no/such/file"])).toMatchObject({ code: 2, err: expect.stringContaining("ENOENT") as string });
});
