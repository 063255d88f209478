import { filesBelow, read } from "../../support/documents";

const page = "docs/pulumi-features.md";

/** The features on the page, and the titles of the tests that show their behaviour. */
const features: Readonly<Record<string, readonly string[]>> = {
    dependsOn: [
        "dependsOn: a resource is created when the one that it depends on is ready",
        "a read replica set with a plain id and dependsOn is deleted first, also if it gets the option later",
    ],
    protect: ["resources with deletionProtection have Pulumi's protect option"],
    ignoreChanges: ["ignoreChanges: the input keeps its old value"],
    aliases: ["aliases: a resource with a new name or a new parent stays the same, even if its name is generated"],
    parent: ["aliases: a resource with a new name or a new parent stays the same, even if its name is generated"],
    retainOnDelete: ["retainOnDelete: the resource leaves the state and stays"],
    deletedWith: [
        "deletedWith: a read replica set that Pulumi has removed from the state only is deleted by the command in the message",
    ],
    deleteBeforeReplace: ["deleteBeforeReplace: the old resource is deleted first"],
    replaceOnChanges: [
        "replaceOnChanges: the plugin replaces the resource",
        "replaceOnChanges: an error that names --replace, because dynamic providers do not support the option",
    ],
    replaceWith: [
        "replaceWith and replacementTrigger: the preview warns that data will be lost, and fails if the program protects the service",
        "replaceWith of a service that is deleted before its replacement: the preview knows the entry from the class, and warns or fails before the first deletion",
    ],
    customTimeouts: ["a creation that times out keeps the service in the state, and the next run resumes it"],
    import: ["the import option fails with an error that names existingId"],
    hooks: ["an onError hook that repeats a creation creates no second database, and the error names the first one"],
    hideDiffs: ["hideDiffs: a preview hides the values of the property, and lists the steps"],
    transforms: ["transforms: they change inputs, but the options of the resource do not follow"],
    "pulumi import": [
        "import: the plugin imports a resource, with a dynamic provider the command fails before it changes anything",
    ],
    "--target": ["state rename: the resource stays the same, and --target updates it alone"],
    "--replace": [
        "a changed region fails the preview, and one up without protection comes first, which sends no request",
    ],
    "state rename": [
        "state rename: the resource stays the same, and --target updates it alone",
        "state move: the resource stays the same in the other stack",
    ],
    StackReference: ["StackReference: a secret output stays secret"],
    mocks: ["the mock of call receives the token and the arguments of each function"],
    "Automation API": ["Automation API: functions of an inline program read the config, not envVars"],
    "Ctrl-C": [
        "Ctrl-C: the operation in progress ends, and no other begins",
        "Ctrl-C twice: the run ends at once, and the error of the next one begins with the interruption",
    ],
};

const [lists = ""] = read(page).split("\n## Cancel a run");
const entries = [...lists.matchAll(/^- (.+?): /gm)].map(([, names = ""]) => names.replaceAll("`", "").split(", ")[0]);

test("the page has an entry for each Pulumi feature that programs or pipelines use, and for no other", () => {
    expect(entries.sort()).toEqual(Object.keys(features).sort());
});

const titles = filesBelow("tests", ".test.ts").flatMap((file) =>
    [...read(file).matchAll(/\b(?:test|it)\(\s*"((?:[^"\\]|\\.)+)"/g)].map(([, title]) => title),
);

test.each(Object.entries(features))("%s: the tests for the behaviour exist", (_, expected) => {
    expect(expected.filter((title) => !titles.includes(title))).toEqual([]);
});
