import { parse } from "yaml";
import { environmentNames, resolveProjectId, resolveSettings } from "../../../provider/api/settings";
import { blocksOf } from "../../support/documents";

const page = "docs/pipelines.md#hosted-runs";
const [deployments] = blocksOf(page, ["json"]).map(({ text }) => JSON.parse(text) as Deployments);
const [stack] = blocksOf(page, ["yaml"]).map(({ text }) => parse(text) as StackManifest);

interface Deployments {
    sourceContext: { git: Record<string, string> };
    operationContext: { environmentVariables: Record<string, string | { secret: string }> };
}

interface StackManifest {
    apiVersion: string;
    kind: string;
    spec: Record<string, unknown> & { envRefs: Record<string, { literal?: { value: string } }> };
}

/** The variables of each manifest; a secret is undefined in the text and has a value when the program runs. */
const manifests: [string, [string, string | undefined][]][] = [
    [
        "Pulumi Deployments",
        Object.entries(deployments?.operationContext.environmentVariables ?? {}).map(([name, value]) => [
            name,
            typeof value === "string" ? value : undefined,
        ]),
    ],
    [
        "the Kubernetes Operator",
        Object.entries(stack?.spec.envRefs ?? {}).map(([name, { literal }]) => [name, literal?.value]),
    ],
];

test.each(manifests)(
    "the manifest for %s contains all variables that the provider needs, and no token",
    (_, variables) => {
        const env = Object.fromEntries(variables.map(([name, value]) => [name, value ?? "the-token"]));
        const source = { config: () => undefined, env };
        expect(resolveSettings(source)).toMatchObject({ token: { value: { token: "the-token" } } });
        expect(resolveProjectId(source)).toMatch(/^[a-z0-9]{10}$/);
        const known: string[] = [...Object.values(environmentNames), "PULUMI_ACCESS_TOKEN"];
        expect(known).toEqual(expect.arrayContaining(Object.keys(env)));
        const plain = variables.filter(([, value]) => value !== undefined).map(([name]) => name);
        expect(plain).not.toContainEqual(expect.stringMatching(/TOKEN/));
    },
);

test("the manifest of the operator is a Stack that does not delete its databases", () => {
    expect(stack).toMatchObject({ apiVersion: "pulumi.com/v1", kind: "Stack", spec: { destroyOnFinalize: false } });
    expect(stack?.spec).toMatchObject({ branch: "main", repoDir: deployments?.sourceContext.git.repoDir });
});
