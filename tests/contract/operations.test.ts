import { loadContract } from "../../emulator/contract";
import type { OperationId } from "../../provider/api/contract";
import { absentMeans, deprecatedAliases } from "../../provider/api/operations.gen";
import type { Exercise } from "../support/cases/exercise";
import { callOperation, exercises, filling, prepare } from "./exercises";
import { itInDialects } from "../support/dialects";
import { startClient } from "./world";
import { answerFault } from "../support/responses";

const rows = Object.entries(exercises) as [OperationId, Exercise][];

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
    expect(inForm(answer)).toEqual(inForm(onTheWire));
});

itInDialects(
    rows.map(([id]) => [id] as const),
    "%s is carried out and answered also in other words (dialect %s)",
    async (id, dialect) => {
        const world = await startClient({ dialect });
        const ids = await prepare(id, world);
        await callOperation(id, world.client, world.project, ids);
        const { request } = (world.passed.at(-1) ?? fail()).exchange;
        const sent = filling(world.project, ids)(exercises[id].sends).replace(" ", " /v1");
        expect(`${request.method} ${request.path}`).toBe(sent);
    },
);

it("each operation of the contract has a test, and there are no other tests", () => {
    expect(rows.map(([id]) => id).sort()).toEqual([...loadContract().operationIds].sort());
});

function fail(): never {
    throw new Error("Nothing went over the wire.");
}

/** Removes the fields that a response may leave out: deprecated names, empty lists, and values that an absent field stands for. */
function inForm(value: unknown): unknown {
    const meanings: readonly Readonly<Record<string, unknown>>[] = Object.values(absentMeans);
    const isMeant = (name: string, field: unknown) =>
        meanings.some((one) => Object.hasOwn(one, name) && one[name] === field);
    return JSON.parse(JSON.stringify([value]), (name, field: unknown) =>
        Object.hasOwn(deprecatedAliases, name) || (Array.isArray(field) && !field.length) || isMeant(name, field)
            ? undefined
            : field,
    ) as unknown;
}
