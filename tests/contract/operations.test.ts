import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { OperationId } from "../../provider/api/contract";
import type { Exercise } from "../support/cases/exercise";
import { callOperation, exercises, filling, prepare } from "./exercises";
import { startClient } from "./world";
import { answerFault } from "../support/responses";

const rows = Object.entries(exercises) as [OperationId, Exercise][];

describe("each operation, called by the client over HTTP", () => {
    it.each(rows)("the request of %s and the result of its response match the contract", async (id, exercise) => {
        const world = await startClient();
        const ids = await prepare(id, world);
        const filled = filling(world.project, ids);

        const answer = await callOperation(id, world.client, world.project, ids);

        const { exchange, response } = world.passed.at(-1) ?? fail();
        const { method, path, headers = {}, body = "" } = exchange.request;
        expect(exchange.operationId).toBe(id);
        expect(`${method} ${path}`).toBe(filled(exercise.sends).replace(" ", " /v1"));
        expect(body === "" ? undefined : JSON.parse(body)).toEqual(filled(exercise.body));
        expect(headers["content-type"]).toBe(exercise.body === undefined ? undefined : "application/json");

        const onTheWire: unknown = response.body === "" ? undefined : JSON.parse(response.body);
        expect(response.status).toBe(exercise.status);
        expect(answerFault(id, response.status, onTheWire)).toBeUndefined();
        if (exercise.answers === undefined) {
            expect(answer).toBeUndefined();
        } else {
            expect(answer).toMatchObject(filled(exercise.answers) as object);
        }
        expect(answer).toEqual(withoutDeprecated(onTheWire));
    });
});

describe("the list of operations", () => {
    const contract = parse(readFileSync(join(__dirname, "../../provider/api/openapi.yaml"), "utf8")) as Contract;
    const inTheContract = operationsOf(contract);

    it("each operation of openapi.yaml has a unique id", () => {
        expect(inTheContract.map(({ id }) => id)).not.toContain("");
        expect(new Set(inTheContract.map(({ id }) => id)).size).toBe(inTheContract.length);
    });

    it("each operation of openapi.yaml has one of the tags that openapi.yaml describes, and each tag has an operation", () => {
        expect([...new Set(inTheContract.map(({ tags }) => tags.join()))].sort()).toEqual(
            contract.tags.map(({ name }) => name).sort(),
        );
        expect(contract.tags.filter(({ description }) => !description)).toEqual([]);
    });

    it("each operation of openapi.yaml has a test, and there are no other tests", () => {
        expect(rows.map(([id]) => id).sort()).toEqual(inTheContract.map(({ id }) => id).sort());
    });

    it("each request has the method and path of openapi.yaml", () => {
        const shape = (place: string) => place.replace(/\?.*/, "").replace(/\{\w+\}/g, "{}");
        const tried = rows.map(([id, { sends }]): [string, string] => [id, shape(sends)]);
        const written = inTheContract.map(({ id, method, path }): [string, string] => [id, shape(`${method} ${path}`)]);
        expect(new Map(tried)).toEqual(new Map(written));
    });
});

function fail(): never {
    throw new Error("Nothing went over the wire.");
}

interface Contract {
    readonly tags: readonly { readonly name: string; readonly description?: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
    readonly operationId?: string;
    readonly tags?: readonly string[];
}

interface Written {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly tags: readonly string[];
}

/** The operations in the paths of a contract. */
function operationsOf({ paths }: Contract): readonly Written[] {
    return Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item)
            .filter(([method]) =>
                ["get", "put", "post", "delete", "patch", "head", "options", "trace"].includes(method),
            )
            .map(([method, { operationId, tags = [] }]) => ({
                id: operationId ?? "",
                method: method.toUpperCase(),
                path,
                tags,
            })),
    );
}

/** The emulator returns each such field under both names. */
function withoutDeprecated(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(withoutDeprecated);
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    return Object.fromEntries(
        Object.entries(value)
            .filter(([name]) => !["apiKey", "vpcEndpoint", "lastCursor"].includes(name))
            .map(([name, field]) => [name, withoutDeprecated(field)]),
    );
}
