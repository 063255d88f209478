import { dirname } from "node:path";
import { version } from "../../../package.json";
import { main } from "../../../cli/planComment/main";

const urn = (type: string, name: string) => `urn:pulumi:live::shop::${type}::${name}`;
/** A resource of the plugin, and the service of the dynamic provider. */
const of = (type: string, name: string) => urn(`clouddb:index:${type}`, name);
const service = urn("pulumi-nodejs:dynamic/clouddb:Service", "orders");

const step = (op: string, one: string, more: object = {}) => ({ op, urn: one, ...more });
const replace = (one: string, ...replaceReasons: string[]) => step("replace", one, { replaceReasons });
const says = (severity: string, message: string, one = service) => ({ urn: one, severity, message });
const numbered = (count: number, stepOf: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => stepOf(index));

function run(input: string | Buffer, argv: readonly string[] = []): { code: number; out: string; err: string } {
    const result = { code: 0, out: "", err: "" };
    result.code = main(argv, {
        stdin: () => Buffer.from(input),
        stdout: (text) => (result.out += text),
        stderr: (text) => (result.err += text),
    });
    return result;
}

const comment = (steps: readonly object[], diagnostics: readonly object[] = []) =>
    run(JSON.stringify({ steps, diagnostics })).out;
const call = "1 environment DEV -> PROD";
/** The largest comment that GitHub accepts. */
const limit = 65_536;

test("a preview without changes is one line, after that of the address", () => {
    const out = comment([step("same", service)]);
    expect(out).toBe(
        "<!-- clouddb-plan shop/live -->\n\naddress: environment of the run\n\n### `live` of `shop`: no changes\n",
    );
});

describe("the first visible line", () => {
    const provider = (op: string, name: string, inputs: object, state = "newState") =>
        step(op, urn("pulumi:providers:clouddb", name), { [state]: { inputs } });
    const [baseUrl, projectId] = ["https://api.example.com/v1", "abcdefghij"];
    const other = "http://10.0.0.1/v1";

    test.each<[string, object, object[], string]>([
        ["the settings of the stack", { baseUrl, projectId }, [], `address: \`${baseUrl}\`, project: \`${projectId}\``],
        [
            "and whether the token may be sent unencrypted",
            { allowInsecure: "true", baseUrl: other },
            [],
            `address: \`${other}\`, allowInsecure: \`true\``,
        ],
        ["a project alone", { projectId }, [], `address: environment of the run, project: \`${projectId}\``],
        ["no password, wherever its end is", { baseUrl: "http://u:pw/se@cret@host\n@x" }, [], "address: `[secret]@x`"],
        [
            "each explicit provider that the preview shows",
            { baseUrl },
            [
                provider("update", "eu", { baseUrl: other, allowInsecure: true }),
                provider("delete", "us", { projectId }, "oldState"),
                provider("same", "default_0_2_0", { baseUrl }),
                step("create", urn("pulumi:providers:aws", "aws"), { newState: { inputs: { baseUrl: other } } }),
            ],
            `address: \`${baseUrl}\`; provider \`eu\`: address: \`${other}\`, allowInsecure: \`true\`; ` +
                `provider \`us\`: address: environment of the run, project: \`${projectId}\``,
        ],
        ["no markup", { baseUrl: "a`<b>\n\n# x" }, [], "address: `a'<b> # x`"],
    ])("has %s", (_, settings, providers, line) => {
        const config = Object.fromEntries(Object.entries(settings).map(([name, one]) => [`clouddb:${name}`, one]));
        const preview = JSON.stringify({
            steps: [step("refresh", service), step("update", service), ...providers],
            config,
        });
        for (const argv of [[], ["--drift"]]) {
            const { out } = run(preview, argv);
            expect(out.split("\n").slice(1, 4)).toEqual(["", line, ""]);
        }
    });

    test("of many providers with long settings leaves room for the rest", () => {
        const config = { "clouddb:baseUrl": "x".repeat(100_000) };
        const steps = numbered(3_000, (index) => provider("create", `p${index}`, { baseUrl: "y".repeat(10_000) }));
        const { out } = run(JSON.stringify({ steps, config }));
        expect(out.length).toBeLessThan(limit);
        expect(out).toContain("more providers");
    });
});

test.each([
    ["hunter2", true],
    ["[secret]", false],
    [undefined, false],
])("a token that is not a secret is a warning, and is not shown: %s", (token, isPlain) => {
    const { out } = run(JSON.stringify({ steps: [step("same", service)], config: { "clouddb:accessToken": token } }));
    expect(out.includes("> - `clouddb:accessToken` is not a secret: `pulumi config set --secret")).toBe(isPlain);
    expect(out.includes("replace the token: old states keep it")).toBe(isPlain);
    expect(out).not.toContain("hunter2");
});

test("deletions, interruptions and warnings come first, and the numbered calls follow", () => {
    const plan = "1 resize 1000m/4GB -> 2000m/8GB, restarts the service, done in minutes\n2 pause";
    const out = comment(
        [step("create", urn("aws:s3:Bucket", "files")), step("update", service), step("delete", of("Vpc", "network"))],
        [says("info", `${plan}\n`), says("warning", "warning: cpuMillis 1100 is unusual\n")],
    );
    expect(out).toBe(
        `<!-- clouddb-plan shop/live -->

address: environment of the run

### \`live\` of \`shop\`: 1 deleted, 1 changed, 1 created

> [!WARNING]
> - Vpc \`network\` will be **deleted**
> - Service \`orders\`: \`resize 1000m/4GB -> 2000m/8GB, restarts the service, done in minutes\`
> - Service \`orders\`: \`cpuMillis 1100 is unusual\`

**Vpc \`network\`** will be deleted

**Service \`orders\`** will be changed

\`\`\`text
${plan}
\`\`\`
`,
    );
});

test.each<[string, object[], object[]]>([
    [
        "an entry that forbids it",
        [step("delete", service, { oldState: { outputs: { deletionProtection: true } } })],
        [],
    ],
    [
        "Pulumi's own message, which recommends a command",
        [],
        [
            says(
                "error",
                "… because it is protected. … or run `pulumi state unprotect 'urn'` to disable the `protect` flag",
            ),
        ],
    ],
])("beside a refusal by %s, the comment names the page with the ways out, and says what is none", (_, ...preview) => {
    expect(comment(...preview)).toContain(
        '\n\nThe ways out: "Protect a database", node_modules/pulumi-clouddb/docs/protection.md. Pulumi\'s `state unprotect` is not one of them.\n',
    );
    // The first of two changes that delete on purpose does not fail.
    const unprotect = step("update", service, { oldState: { outputs: { deletionProtection: true } } });
    for (const harmless of [step("create", service), unprotect]) {
        expect(comment([harmless])).not.toContain("The ways out");
    }
});

describe("lost data", () => {
    const orders = of("Service", "orders");
    const risksOf = (...steps: readonly object[]) =>
        comment(steps)
            .split("\n")
            .flatMap((line) => (line.startsWith("> - ") ? line.slice("> - ".length) : []));
    const gone = "Service `orders` will be **deleted**, and the data will be lost";
    const kept = "Service `orders` will be **deleted**, but `retainOnDelete` keeps the data";
    const fails = "Service `orders` is **protected**: this run will fail";
    const renamed = expect.stringMatching(/^A Service is deleted and another one created: .*aliases$/) as string;
    const isProtected = (deletionProtection: boolean, more = {}) => ({
        oldState: { outputs: { deletionProtection }, ...more },
    });
    const created = ["main", "other"].map((name) => step("create", of("Service", name)));
    const linked = (other: string) => step("delete", orders, { oldState: { deletedWith: of("Vpc", other) } });
    const retained = { oldState: { retainOnDelete: true } };

    test.each<[string, object[], string[]]>([
        [
            "each deleted or replaced resource that has data is named, on both hosts",
            [
                replace(service, "regionCode"),
                replace(of("Vpc", "network"), "cidr"),
                step("delete", of("Service", "reports")),
                step("delete", of("ReadReplicaSet", "readers")),
                step("delete", urn("aws:lambda:Service", "functions")),
            ],
            [
                gone.replace("orders", "reports"),
                "ReadReplicaSet `readers` will be **deleted**",
                "`aws:lambda:Service` `functions` will be **deleted**",
                "Service `orders` will be **replaced** because of `regionCode`, and the data will be lost",
                "Vpc `network` will be **replaced** because of `cidr`",
            ],
        ],
        [
            "a created and a deleted resource of the same type may be a renamed one",
            [step("create", of("Service", "purchases")), step("delete", orders), step("delete", of("Vpc", "network"))],
            [gone, "Vpc `network` will be **deleted**", renamed],
        ],
        [
            "an alias cannot change the host",
            [step("create", of("Service", "purchases")), step("delete", service)],
            [gone],
        ],
        [
            "retainOnDelete keeps the data",
            [
                step("delete", service, retained),
                step("delete", of("Vpc", "network"), retained),
                { ...replace(of("Service", "reports"), "regionCode"), ...retained },
            ],
            [
                kept,
                "Vpc `network` will be **deleted**, but `retainOnDelete` keeps it",
                "Service `reports` will be **replaced** because of `regionCode`, but `retainOnDelete` keeps the data",
            ],
        ],
        ["a protected service is not deleted", [step("delete", orders, isProtected(true))], [fails]],
        ...(["Vpc", "Peering", "ReadReplicaSet"] as const).map((type): [string, object[], string[]] => [
            `nor a protected ${type}, although it has no data`,
            [step("delete", of(type, "network"), isProtected(true))],
            [`${type} \`network\` is **protected**: this run will fail`],
        ]),
        ["nor replaced", [{ ...replace(orders, "regionCode"), ...isProtected(true) }], [fails]],
        [
            "perhaps after the run has created others",
            [step("delete", orders, isProtected(true)), ...created, step("create", of("Vpc", "network"))],
            [`${fails} after it has created \`main\`, \`other\``, renamed],
        ],
        ["a service without protection is deleted", [step("delete", orders, isProtected(false))], [gone]],
        [
            "and one with the option deletedWith stays if the run deletes the other one",
            ["network", "kept"].map((other) => linked(other)).concat(step("delete", of("Vpc", "network"))),
            [kept.replace("retainOnDelete", "deletedWith"), gone, "Vpc `network` will be **deleted**"],
        ],
        ["and a retained one stays", [step("delete", orders, isProtected(true, { retainOnDelete: true }))], [kept]],
        [
            "a replacement without a reason is one that no provider sees in a preview",
            [replace(service, "id"), replace(of("Vpc", "network"), "id")],
            [
                "Service `orders` will be **replaced** because of `--replace`, a taint or an option, and the data will be lost",
                "Vpc `network` will be **replaced**",
            ],
        ],
    ])("%s", (_, steps, expected) => {
        expect(risksOf(...steps)).toEqual(expected);
    });

    test("many services, each with another reason, are one group, and many new names are cut", () => {
        const many = (stepOf: (one: string, index: number) => object) =>
            numbered(1_000, (index) => stepOf(of("Service", `db${index}`), index));
        const groups = risksOf(
            ...many((one, index) => replace(one, `property${index}`)),
            ...["a", "b"].map((name) => step("delete", of("Service", name), retained)),
            ...many((one) => step("delete", one)),
        );
        expect(groups.map((line) => /^(\d+) Service \*\*(\w+)\*\*/.exec(line)?.slice(1))).toEqual([
            ["2", "deleted"],
            ["1000", "deleted"],
            ["1000", "replaced"],
        ]);
        const creations = many((one) => step("create", one));
        const [failing = ""] = risksOf(step("delete", orders, isProtected(true)), ...creations);
        expect(failing).toContain("…");
        expect(failing.length).toBeLessThan(1_500);
    });
});

test("protection that goes off is a warning, and each remark on a plan is part of it", () => {
    const [off, remark] = ["deletion protection off: a later run can delete this database", "deletion protection on"];
    const reports = of("Service", "reports");
    const out = comment(
        [step("update", service), step("update", reports)],
        [
            says("warning", `warning: ${off}\n`),
            says("info", `\n${remark}\n`, reports),
            says("info", "1 of 2 files\n", urn("aws:s3:Bucket", "files")),
        ],
    );
    expect(out).toContain(`> [!WARNING]\n> - Service \`orders\`: \`${off}\`\n\n`);
    expect(out.split("\n").filter((line) => line === remark)).toHaveLength(1);
    expect(out).not.toContain("files");
});

test("the comment on a failed preview shows the errors", () => {
    const out = comment([], [says("error", "error: cidr is not a network\n")]);
    expect(out).toContain("`live` of `shop`: the preview failed");
    expect(out).toContain("```text\ncidr is not a network\n```");
});

describe("text of others cannot add markup", () => {
    test("a resource name, which also cannot end the hidden marker", () => {
        const out = comment([step("delete", of("Vpc", "a`b --> <b>@everyone</b>").replace("shop", "s-->hop"))]);
        expect(out.split("\n")[0]).toBe("<!-- clouddb-plan s--_hop/live -->");
        expect(out).toContain("`a'b --> <b>@everyone</b>`");
    });

    test.each([
        ["a type without a colon", "<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>`"],
        ["a type of this package that does not exist", "clouddb:index:<b>x</b>", "`<b>x</b>`"],
        ["a type with emphasis", "clouddb:index:__x__", "`__x__`"],
    ])("%s", (_, type, label) => {
        expect(comment([step("delete", urn(type, "orders"))])).toContain(`${label} \`orders\``);
        expect(comment(numbered(1_000, (index) => step("delete", urn(type, `db${index}`))))).toContain(label);
    });

    test("a message, which also cannot end its block, control a terminal or give commands to the pipeline", () => {
        const message = "error: a```\n::error::\u001b[2J\u009b\u202e\n<b>##[error]x";
        const one = of("Service", "o\u001bx");
        const out = comment(
            [step("update", one)],
            [{ severity: "error", message }, says("warning", "warning: ::warning::\u001b[2Jx", one)],
        );
        expect(out).toContain("```text\na'''\n: :error::?[2J??\n<b># #[error]x\n```");
        expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]|^[\s>-]*`?::|##\[/mu);
    });
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "a step with the operation %s changes nothing",
    (op) => {
        expect(comment([step(op, service)])).toBe(comment([step("same", service)]));
        expect(run(JSON.stringify({ steps: [step(op, service)] }), ["--drift"]).out).toBe("");
    },
);

describe("a long comment", () => {
    const db = (index: number, name = "db") => of("Service", `${name}${index}`);

    test("has fewer plans", () => {
        const out = comment(
            numbered(2_000, (index) => step("update", db(index))),
            numbered(2_000, (index) => says("info", `${call}\n`, db(index))),
        );
        expect(out.length).toBeLessThan(limit);
        expect(out).toContain("…");
    });

    test.each([
        ["one line", "x".repeat(200_000)],
        ["many backticks", "`".repeat(200_000)],
        ["many lines", "line\n".repeat(50_000)],
    ])("has the begin of an error of %s", (_, text) => {
        const out = comment([], [says("error", `error: ${text}`)]);
        expect(out).toMatch(/```text\n(x{3}|'{3}|line)/);
        expect(out).toContain("…");
        expect(out.length).toBeLessThan(limit);
    });

    test.each([100, 1_500])("names every deletion and replacement, of %i each", (count) => {
        const steps = [
            numbered(count, (index) => step("update", db(index))),
            numbered(count, (index) => step("delete", db(index, "deleted"))),
            numbered(count, (index) => replace(of("Vpc", `replaced${index}`), "cidr")),
        ].flat();
        const warnings = numbered(count, (index) => says("warning", `warning: ${"x".repeat(300)}\n`, db(index)));
        const out = comment(steps, [...warnings, says("error", "y".repeat(50_000))]);
        const names = Array.from({ length: count }, (_, index) => [`deleted${index}`, `replaced${index}`]).flat();
        expect(names.filter((name) => !out.includes(`\`${name}\``))).toEqual([]);
        expect(out.length).toBeLessThan(limit);
        expect(out).toContain("y…");
    });
});

describe("the text of an issue about drift", () => {
    const reason = "invalid credentials";
    const drift = (preview: object) => run(JSON.stringify(preview), ["--drift"]);
    const stack = [step("same", urn("pulumi:pulumi:Stack", "shop-live"))];

    test("the text of an issue about drift is empty without drift", () => {
        const diagnostics = [says("warning", "warning: cpuMillis 1100 is unusual")];
        expect(drift({ steps: [step("same", service), step("refresh", service)], diagnostics }).out).toBe("");
    });

    test.each([
        ["a failure of the command", { error: reason }],
        ["a failure of the command with steps", { steps: [], diagnostics: [], error: reason }],
        ["a failure that is an object", { error: { message: reason } }],
        ["an error", { steps: [], diagnostics: [{ severity: "error", message: `error: ${reason}` }] }],
    ])("%s is not reported as no drift", (_, preview) => {
        expect(drift(preview).out).toContain(reason);
    });

    test.each([
        ["a preview without --refresh", { steps: stack, changeSummary: { same: 3 } }, 2],
        ["a preview with --refresh", { steps: [step("refresh", service)], changeSummary: { same: 3 } }, 0],
        ["a preview of a stack without resources", { steps: stack, changeSummary: { same: 1 } }, 0],
        ["a preview of a new stack", { steps: [], changeSummary: { create: 3 } }, 0],
        ["a preview that failed before its refresh", { error: "no", steps: [], changeSummary: { same: 3 } }, 0],
    ])("%s ends with the right code", (_, preview, code) => {
        const { code: actual, err } = drift(preview);
        expect(actual).toBe(code);
        expect(err.includes("was made without --refresh")).toBe(code !== 0);
    });

    test("the issue names the command that reverts drift: without --refresh, it would not be seen", () => {
        const { out } = drift({ steps: [step("update", service)] });
        expect(out).toContain("`pulumi up --refresh` reverts these changes");
    });

    test("the text of an issue about drift shows the calls that would revert the drift, and has its own marker", () => {
        const { out } = drift({ steps: [step("update", service)], diagnostics: [says("info", `${call}\n`)] });
        expect(out.split("\n")[0]).toBe("<!-- clouddb-drift shop/live -->");
        expect(out).toContain(call);
    });
});

test("the error for the streaming output of a preview names the variable that asks for it", () => {
    const events = [
        { sequence: 0, timestamp: 1, preludeEvent: { config: {} } },
        { sequence: 1, cancelEvent: {} },
    ];
    const { code, out, err } = run(events.map((event) => JSON.stringify(event)).join("\n"));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("PULUMI_ENABLE_STREAMING_JSON_PREVIEW");
    expect(run("error: no stack\n{}").err).not.toContain("STREAMING");
});

test("the comment of the plugin as one file names no file of the runner", () => {
    jest.spyOn(process, "getBuiltinModule").mockReturnValue({ isSea: () => true });
    jest.isolateModules(() => {
        const { main: ofArchive } = jest.requireActual<{ main: typeof main }>("../../../cli/planComment/main");
        let out = "";
        const deleted = { steps: [step("delete", service, { oldState: { outputs: { deletionProtection: true } } })] };
        ofArchive([], {
            stdin: () => Buffer.from(JSON.stringify(deleted)),
            stdout: (text) => (out += text),
            stderr: () => undefined,
        });
        expect(out).toContain('The ways out: "Protect a database", protection.md in the archive of the plugin.');
        expect(out).not.toContain(dirname(process.execPath));
    });
    jest.restoreAllMocks();
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
    expect(run("", ["--frob"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("'--frob'") as string });
    expect(run("", ["/no/such/file"])).toMatchObject({ code: 2, err: expect.stringContaining("ENOENT") as string });
});
