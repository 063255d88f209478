import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bodySchemaOf, loadContract } from "../../emulator/contract";
import type * as Errors from "../../emulator/errors";
import type { OperationId } from "../../provider/api/contract";
import type { Exercise, Rejection } from "../support/cases/exercise";
import { root } from "../support/documents";
import { requestTo, type Refusal } from "../support/emulator";
import { callOperation, exercises, filling, idsIn, prepare } from "./exercises";
import { startClient } from "./world";

/** The places in the code that have rejected a value. */
const mockPlaces = new Set<string>();

jest.mock("../../emulator/errors", () => {
    const errors = jest.requireActual<typeof Errors>("../../emulator/errors");
    const invalid: typeof errors.invalid = (message) => {
        const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
        mockPlaces.add(/emulator\/\S+:\d+(?=:)/.exec(caller)?.[0] ?? caller);
        return errors.invalid(message);
    };
    return { ...errors, invalid };
});

/** The networks in bodies, which the contract does not check. */
const networks = loadContract().operations.flatMap((operation) =>
    Object.entries((bodySchemaOf(operation)?.properties ?? {}) as Readonly<Record<string, { format?: string }>>)
        .filter(([, { format }]) => format === "cidr")
        .map(([name]): Row => [operation.operationId, { [name]: "10.0.0.0" }, "address/prefix", {}]),
);

type Row = readonly [OperationId, ...Required<Rejection>];

const rows: readonly Row[] = [
    ...(Object.entries(exercises) as [OperationId, Exercise][]).flatMap(([id, { rejects = [] }]) =>
        rejects.map(([change, says, after = {}]): Row => [id, change, says, after]),
    ),
    ...networks,
];

it.each(rows)("the emulator rejects %s with %j and names the problem: %s", async (id, change, message, after) => {
    const { sends, body } = exercises[id];
    const world = await startClient({ dialect: "limits" });
    const { client, emulator, finish, project } = world;
    let ids = await prepare(id, world);
    for (const [first, given] of Object.entries(after) as [OperationId, object][]) {
        ids = { ...ids, ...idsIn(first, await callOperation(first, client, project, ids, given)) };
        finish();
    }
    const fill = filling(project, ids);
    const [method = "", path = ""] = fill(sends).split(" ");
    const query = method === "GET" ? `&${new URLSearchParams({ ...change }).toString()}` : "";
    const before = emulator.snapshot();
    const changed = method === "GET" ? "" : { ...(fill(body) as object), ...change };
    const answer = await requestTo(emulator, `${method} /v1${path}${query}`, changed);
    const refusal = JSON.parse(answer.body) as Refusal;
    expect([answer.status, refusal.message]).toEqual([400, expect.stringContaining(message)]);
    expect(emulator.snapshot()).toEqual(before);
});

it("each rule of the emulator about values has a row", async () => {
    const { emulator } = await startClient();
    // One rule is that of a control.
    await requestTo(emulator, "PUT /_emulator/peerings", {});
    const files = ["kinds", "world"].flatMap((name) => {
        const folder = join(root, "emulator", name);
        return readdirSync(folder).map((file) => join(folder, file));
    });
    const places = files.flatMap((file) =>
        readFileSync(file, "utf8")
            .split("\n")
            .flatMap((line, index) => (/\binvalid\(/.test(line) ? [`${relative(root, file)}:${index + 1}`] : [])),
    );
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter((place) => !mockPlaces.has(place))).toEqual([]);
});
