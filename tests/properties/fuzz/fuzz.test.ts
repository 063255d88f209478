import type { AxiosAdapter } from "axios";
import fc from "fast-check";
import { Client } from "../../../provider/api/client";
import type { OperationId } from "../../../provider/api/contract";
import { CloudDbError } from "../../../provider/api/callErrors";
import { callOperation, exercises, prepare } from "../../contract/exercises";
import { kindsWithId, pathOf, startClient, type Ids } from "../../contract/world";
import { dialectOf } from "../../support/dialects";
import { withToken } from "../../support/client";
import { TestClock } from "../../support/virtualClock";
import { kindOf, problemsOf } from "./mappings";
import { untypedResources } from "../../../provider/resources";
import { mutate, mutations } from "./mutations";

const operations = Object.keys(exercises) as OperationId[];
/** The number of runs for each operation. `.ci/run release` runs more. */
const runs = Number(process.env.CLOUDDB_FUZZ_RUNS ?? 30);
const seed = 6;
const tally = { errors: 0, objects: 0 };

/** A client for an API that returns this response to every request. */
function clientFor(status: number, text: string): Client {
    const adapter: AxiosAdapter = (config) =>
        Promise.resolve({ status, statusText: "", headers: {}, data: text, config });
    return new Client(withToken("http://127.0.0.1:9/v1"), { adapter, clock: TestClock.automatic(), random: () => 0.5 });
}

async function validResponse(id: OperationId): Promise<{ status: number; body: string; ids: Ids; project: string }> {
    const world = await startClient({ dialect: dialectOf(operations.indexOf(id)) });
    const ids = await prepare(id, world);
    await callOperation(id, world.client, world.project, ids);
    const { status = 0, body = "" } = world.passed.at(-1)?.response ?? {};
    return { status, body, ids, project: world.project };
}

it("the responses of each kind are mapped to its outputs", () => {
    const kinds = operations.map(kindOf).filter((kind) => kind !== undefined);
    expect(new Set(kinds)).toEqual(new Set(kindsWithId.map(([type]) => type)));
    expect(["getService", "setHA", "forkService", "renameVpc"].map((one) => kindOf(one as OperationId))).toEqual([
        "Service",
        "Service",
        "Service",
        undefined,
    ]);
});

it.each(kindsWithId.map(([type]) => untypedResources[type].operations.list))(
    "a list with one malformed entry of %s contains all other entries, and a warning describes the malformed one",
    async (id) => {
        const { status, body, ids, project } = await validResponse(id);
        const [good] = JSON.parse(body) as unknown[];
        await fc.assert(
            fc.asyncProperty(mutations, fc.nat(2), async (mutation, place) => {
                const mutated = mutate(JSON.stringify(good), { ...mutation, text: "whole" });
                const entries = [JSON.stringify(good), JSON.stringify(good)];
                entries.splice(place, 0, mutated === "" ? "null" : mutated);
                const malformed: Error[] = [];
                const result = (await clientFor(status, `[${entries.join()}]`).at(
                    id,
                    { path: pathOf(project, ids) },
                    { onMalformed: (_, error) => malformed.push(error) },
                )) as unknown[];
                expect(result.length + malformed.length).toBe(3);
                expect(result.length).toBeGreaterThanOrEqual(2);
                expect(problemsOf(id, result)).toEqual([]);
                for (const { message } of malformed) {
                    expect(message).toContain(`response[${place}]`);
                }
            }),
            { numRuns: runs, seed },
        );
    },
);

describe("a response that violates the contract", () => {
    it.each(operations.map((id, index) => [id, dialectOf(index)] as const))(
        "a malformed response of %s (dialect %s) is a typed error or a correct object, and no undefined value gets into a state",
        async (id) => {
            const { status, body, ids, project } = await validResponse(id);
            await fc.assert(
                fc.asyncProperty(mutations, async (mutation) => {
                    const client = clientFor(status, mutate(body, mutation));
                    const result: unknown = await callOperation(id, client, project, ids).catch((error: unknown) => {
                        if (!(error instanceof CloudDbError)) {
                            throw error;
                        }
                        return error;
                    });
                    if (result instanceof CloudDbError) {
                        tally.errors += 1;
                        expect(result.message).toContain(id);
                        expect(result.message.length).toBeLessThan(2_000);
                    } else {
                        tally.objects += 1;
                        expect(problemsOf(id, result)).toEqual([]);
                    }
                }),
                { numRuns: runs, seed },
            );
        },
    );

    it("malformed responses are tested many times, with both results", () => {
        console.log(`${tally.errors} mutated responses were typed errors, ${tally.objects} were accepted`);
        const all = tally.errors + tally.objects;
        expect(all).toBeGreaterThanOrEqual(Math.min(runs * operations.length, 10_000));
        expect(Math.min(tally.errors, tally.objects)).toBeGreaterThan(all / 10);
    });
});
