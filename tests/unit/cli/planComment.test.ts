import { version } from "../../../package.json";
import { main } from "../../../cli/planComment/main";

const urn = (type: string, name: string) => `urn:pulumi:live::shop::${type}::${name}`;
const service = urn("pulumi-nodejs:dynamic/clouddb:Service", "orders");

function run(input: string, argv: readonly string[] = []): { code: number; out: string; err: string } {
    const result = { code: 0, out: "", err: "" };
    result.code = main(argv, {
        stdin: () => input,
        stdout: (text) => (result.out += text),
        stderr: (text) => (result.err += text),
    });
    return result;
}

const comment = (preview: object) => run(JSON.stringify(preview)).out;

test("nothing to do is said in one line", () => {
    const out = comment({ steps: [{ op: "same", urn: service }], diagnostics: [] });
    expect(out).toBe("<!-- clouddb-plan shop/live -->\n\n### `live` of `shop`: no changes\n");
});

test("what hurts comes first, and the numbered calls follow", () => {
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
                message: "1 resize 1000m/4GB -> 2000m/8GB, restarts the service\n2 pause\n",
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
        "> - Vpc `network` is **deleted**",
        "> - Service `orders`: `resize 1000m/4GB -> 2000m/8GB, restarts the service`",
        "> - Service `orders`: `cpuMillis 1100 is unusual`",
        "",
        "**Vpc `network`** is deleted",
        "",
        "**Service `orders`** is changed",
        "",
        "```text",
        "1 resize 1000m/4GB -> 2000m/8GB, restarts the service",
        "2 pause",
        "```",
        "",
    ]);
});

test("a failed preview shows its errors", () => {
    const out = comment({
        steps: [],
        diagnostics: [{ urn: service, severity: "error", message: "error: cidr is no network\n" }],
    });
    expect(out).toContain("`live` of `shop`: the preview failed");
    expect(out).toContain("```text\ncidr is no network\n```");
});

test("a name cannot bring markup or end the hidden marker", () => {
    const name = "a`b --> <b>@everyone</b>";
    const out = comment({
        steps: [{ op: "delete", urn: urn("pulumi-nodejs:dynamic/clouddb:Vpc", name).replace("shop", "s-->hop") }],
        diagnostics: [],
    });
    expect(out.split("\n")[0]).toBe("<!-- clouddb-plan s--_hop/live -->");
    expect(out).toContain("`a'b --> <b>@everyone</b>`");
});

test("a plan of many resources is cut where a comment has to end, and says so", () => {
    const many = Array.from({ length: 2_000 }, (_, index) =>
        urn("pulumi-nodejs:dynamic/clouddb:Service", `db${index}`),
    );
    const out = comment({
        steps: many.map((one) => ({ op: "update", urn: one })),
        diagnostics: many.map((one) => ({ urn: one, severity: "info", message: "1 environment DEV -> PROD\n" })),
    });
    expect(out.length).toBeLessThan(65_536);
    expect(out).toMatch(/… and \d+ more, which the log of the preview shows\.\n$/);
});

test.each([
    ["", "is empty"],
    ["error: no stack", "is not JSON"],
    ["[1]", "is not a preview"],
    ['{"steps":[{}]}', "is not a preview"],
    ["null", "is not a preview"],
])("what is no preview is refused with a word on what to give: %j", (input, words) => {
    const { code, out, err } = run(input);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
    expect(err).toContain("pulumi preview --json");
});

test("it explains itself, and refuses what it does not know", () => {
    expect(run("", ["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("Usage:") as string });
    expect(run("", ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(run("", ["--frob"]).code).toBe(2);
    expect(run("", ["/no/such/file"])).toMatchObject({ code: 2, err: expect.stringContaining("ENOENT") as string });
});
