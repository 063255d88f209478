import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startNode } from "../../support/child";
import { root } from "../../support/documents";

const script = pathToFileURL(join(root, "scripts", "docs", "messages.mjs")).href;

interface Result {
    readonly texts: string[];
    readonly page?: string;
    readonly error?: string;
}

/** The messages in a source, and the page for a catalogue or the error of the check. */
async function resultOf(source: string, catalogue = ""): Promise<Result> {
    const code = `
        import { messagesIn, pageOf } from ${JSON.stringify(script)};
        const messages = messagesIn("a.ts", ${JSON.stringify(source)});
        const result = { texts: messages.map(({ text }) => text) };
        try {
            result.page = pageOf(${JSON.stringify(catalogue)}, messages);
        } catch (error) {
            result.error = error.message;
        }
        console.log(JSON.stringify(result));`;
    const { stdout, stderr } = await startNode(["--input-type=module", "--eval", code], root, {}).ended;
    if (stdout === "") {
        throw new Error(stderr);
    }
    return JSON.parse(stdout) as Result;
}

const catalogue = `# Messages

- **is paused**
  - Cause: Somebody paused it.
  - Remedy: Start it.

<!-- No messages:

- create VPC

-->
`;

const paused = "throw new StateError(`${noun} ${id} is paused. Start it.`);";
const plan = "const lines = [`create VPC ${name} in this region`];";

it("the page contains the message of each entry, with … for variable parts", async () => {
    const { page } = await resultOf(`${paused}\n${plan}`, catalogue);
    expect(page).toContain("- … **is paused**. Start it.\n  - Cause: Somebody paused it.");
    expect(page).not.toContain("create VPC");
});

it("the check reports a message without an entry, with its file and line", async () => {
    const { error } = await resultOf(`${paused}\n${plan}\ncontext.warn("is out of date");`, catalogue);
    expect(error).toMatch(/\na\.ts:3 has no entry: is out of date$/);
});

it("the check reports an entry that no message contains", async () => {
    const { error } = await resultOf(plan, catalogue);
    expect(error).toMatch(/\nThe code has no message for this entry: is paused$/);
});

it("the check reports a message that belongs to two entries", async () => {
    const { error } = await resultOf(`${paused}\n${plan}`, catalogue.replace("<!--", "- **Start it**\n\n<!--"));
    expect(error).toMatch(/\na\.ts:1 has several entries: … is paused\. Start it\.$/);
});

/** Sources with their messages. */
const cases: readonly (readonly [reason: string, source: string, texts: readonly string[]])[] = [
    ["a concatenation", 'super("The file is empty. " + `Use ${name}.`);', ["The file is empty. Use …."]],
    ["a choice", "super(one ? `${id} is gone` : `${id} is paused`);", ["… is gone", "… is paused"]],
    [
        "an optional sentence",
        'warn(`It failed.${busy ? " It was busy then." : ""}`);',
        ["It failed. [It was busy then.]"],
    ],
    [
        "a constant",
        'const key = "clouddb:url";\nnew ConfigError(key, `${key} is invalid`);',
        ["clouddb:url is invalid"],
    ],
    ["a list of lines", 'warn([`${id} exists`, ...lines, "Delete it:"].join("\\n"));', ["… exists … Delete it:"]],
    [
        "a finding",
        "found.push({ property, text: `nodes ${nodes} is more than allowed` });",
        ["nodes … is more than allowed"],
    ],
    ["a returned text", 'const test = () => (valid ? undefined : "is not a size; use 1");', ["is not a size; use 1"]],
    ["a step of a plan", 'const step = { call, text: "change the size of it" };', []],
    ["a status row", 'pending(status, "waiting for the other account");', []],
];

it("all forms of messages are found, and texts of plans and status rows are not", async () => {
    const { texts } = await resultOf(cases.map(([, source]) => source).join("\n"));
    expect(texts).toEqual(cases.flatMap(([, , expected]) => expected));
});
