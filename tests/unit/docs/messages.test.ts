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

interface Input {
    readonly source: string;
    readonly catalogue?: string;
}

/** The messages in each source, and the page for its catalogue or the error of the check. */
async function resultsOf<Name extends string>(inputs: Record<Name, Input>): Promise<Record<Name, Result>> {
    const code = `
        import { messagesIn, pageOf } from ${JSON.stringify(script)};
        const resultOf = ({ source, catalogue = "" }) => {
            const messages = messagesIn("a.ts", source);
            const texts = messages.map(({ text }) => text);
            try {
                return { texts, page: pageOf(catalogue, messages) };
            } catch (error) {
                return { texts, error: error.message };
            }
        };
        const results = Object.entries(${JSON.stringify(inputs)}).map(([name, input]) => [name, resultOf(input)]);
        console.log(JSON.stringify(Object.fromEntries(results)));`;
    const { stdout, stderr } = await startNode(["--input-type=module", "--eval", code], root, {}).ended;
    if (stdout === "") {
        throw new Error(stderr);
    }
    return JSON.parse(stdout) as Record<Name, Result>;
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

const inputs = {
    complete: { source: `${paused}\n${plan}`, catalogue },
    withoutEntry: { source: `${paused}\n${plan}\ncontext.warn("is out of date");`, catalogue },
    withoutMessage: { source: plan, catalogue },
    withTwoEntries: { source: `${paused}\n${plan}`, catalogue: catalogue.replace("<!--", "- **Start it**\n\n<!--") },
    forms: { source: cases.map(([, source]) => source).join("\n") },
};
let results: Record<keyof typeof inputs, Result>;

beforeAll(async () => {
    results = await resultsOf(inputs);
});

it("the page contains the message of each entry, with … for variable parts", () => {
    const { page } = results.complete;
    expect(page).toContain("- … **is paused**. Start it.\n  - Cause: Somebody paused it.");
    expect(page).not.toContain("create VPC");
});

it("the check reports a message without an entry, with its file and line", () => {
    expect(results.withoutEntry.error).toMatch(/\na\.ts:3 has no entry: is out of date$/);
});

it("the check reports an entry that no message contains", () => {
    expect(results.withoutMessage.error).toMatch(/\nThe code has no message for this entry: is paused$/);
});

it("the check reports a message that belongs to two entries", () => {
    expect(results.withTwoEntries.error).toMatch(/\na\.ts:1 has several entries: … is paused\. Start it\.$/);
});

it("all forms of messages are found, and texts of plans and status rows are not", () => {
    expect(results.forms.texts).toEqual(cases.flatMap(([, , expected]) => expected));
});
