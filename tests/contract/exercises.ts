import { type Client } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { untypedKinds } from "../support/cases";
import { list, text, type Exercise, type Exercises } from "../support/cases/exercise";
import { withTexts } from "../support/cases/kind";
import { kindsWithId, pathOf, type Ids, type World } from "./world";

const ofIdentity: Exercises = {
    getAuthInfo: {
        sends: "GET /auth/info",
        answers: { type: "apiKey", api_key: { name: "emulator" } },
    },
    listProjects: {
        sends: "GET /projects",
        answers: [{ id: "{project_id}" }],
    },
};

/** Those of all kinds. A test compares their names with the contract. */
export const exercises = Object.fromEntries(
    [ofIdentity, ...Object.values(untypedKinds).map((kind) => kind.exercises)]
        .flatMap((of) => Object.entries(of))
        .map(([id, exercise]) => [id, { status: 200, ...exercise }]),
) as Readonly<Record<OperationId, Exercise & { readonly status: number }>>;

/** Creates the resources that an exercise names, and calls the operation that comes first. */
export async function prepare(id: OperationId, world: World): Promise<Ids> {
    const { after, ...exercise } = exercises[id];
    const texts = JSON.stringify(exercise);
    const ids = await world.make(
        ...kindsWithId.filter(([, param]) => texts.includes(`{${param}}`)).map(([type]) => type),
    );
    if (after !== undefined) {
        await callOperation(after, world.client, world.project, ids);
        world.finish();
    }
    return ids;
}

/** Calls an operation, by default with the body of its exercise. Each call takes the path parameters that it has. */
export function callOperation(
    id: OperationId,
    client: Client,
    project: string,
    ids: Ids,
    body = filling(project, ids)(exercises[id].body),
): Promise<unknown> {
    const path = pathOf(project, ids);
    return client.at(id, { path, query: exercises[id].query, body }, {});
}

/** The input for a property of a body. */
export const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The id of the resource that an operation has created, by its path parameter. */
export function idsIn(id: OperationId, answer: unknown): Ids {
    const created = kindsWithId.filter(([type]) => id.startsWith("create") && id in untypedKinds[type].exercises);
    const values = Object(answer) as Readonly<Record<string, string>>;
    return Object.fromEntries(created.map(([, param]) => [param, values[param] ?? values.id ?? ""]));
}

const anything: Readonly<Record<string, unknown>> = {
    [text]: expect.any(String) as unknown,
    [list]: expect.any(Array) as unknown,
};

/** Replaces placeholders by the ids of a test. */
export function filling(project: string, ids: Ids): <T>(value: T) => T {
    const known: Readonly<Record<string, string>> = { ...ids, project_id: project };
    const fill = (text: string) =>
        anything[text] ??
        text.replace(/\{(\w+)\}/g, (placeholder, name: string) => known[name] ?? unknownName(placeholder));
    return (value) => withTexts(value, fill);
}

function unknownName(placeholder: string): never {
    throw new Error(`No id is known for ${placeholder}.`);
}
