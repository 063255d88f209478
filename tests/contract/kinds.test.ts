import { requests } from "../../emulator/controls";
import { creationOf, definitionOf, kinds, settings } from "../../emulator/kinds";
import { toneOf } from "../../emulator/page/browser/kinds";
import { operations } from "../../provider/api/operations.gen";
import { isCreating } from "../../provider/model/outcome";
import { untypedResources, type ResourceType } from "../../provider/resources";
import type { OperationId } from "../../provider/api/contract";
import { changeOf, propertiesOf, untypedKinds } from "../support/cases";
import { symbols } from "../support/cases/kind";
import { ApiError } from "../../provider/api/callErrors";
import { failureOf } from "../support/client";
import { callOperation, exercises, idsIn } from "./exercises";
import { itInDialects } from "../support/dialects";
import { kindsWithId, startClient } from "./world";

type Resources = Readonly<Record<string, readonly { readonly status?: string }[]>>;

it("a new resource of each kind comes to a status that the page shows as good", async () => {
    const { emulator, make } = await startClient();
    await make(...kindsWithId.map(([type]) => type));
    const { counts, ...lists } = emulator.snapshot();
    expect(Object.values(counts).map(({ made }) => made)).toEqual(kinds.map(() => 1));
    const statuses = kinds.flatMap(({ name }) =>
        ((lists as object as Resources)[name] ?? []).map(({ status }) => status),
    );
    expect(statuses).toHaveLength(kinds.length);
    expect(statuses.map((status) => status === undefined || toneOf(status))).toEqual(
        statuses.map((status) => status === undefined || "good"),
    );
});

it.each(kinds.map(({ name }) => name))("a control deletes %s without the API", (name) => {
    expect(requests.some(({ on }) => on === `DELETE /${name}/*`)).toBe(true);
});

it.each(kindsWithId)("%s is read with each operation that the contract has for it", (type, param) => {
    const { list, get } = untypedResources[type].operations;
    const { path: collection } = operations[list];
    const [reading] = Object.entries(operations).flatMap(([id, { method, path }]) =>
        method === "GET" && path === `${collection}/{${param}}` ? [id] : [],
    );
    expect(get).toBe(reading);
});

const types = kindsWithId.map(([type]) => type);
const creationIn = (type: ResourceType) => Object.keys(untypedKinds[type].creations)[0] as OperationId;

const accepted = types.filter((type) => exercises[creationIn(type)].status === 202);

itInDialects(
    accepted.map((type) => [type] as const),
    "a new %s, which the API has only accepted, is in creation, and rejects changes (dialect %s)",
    async (type, dialect) => {
        const { client, emulator, make, project } = await startClient({ dialect });
        const ids = await make(...types.slice(0, types.indexOf(type)));
        const creation = creationIn(type);
        const made = idsIn(creation, await callOperation(creation, client, project, ids));
        const [found] = untypedKinds[type].items(emulator.snapshot());
        expect(isCreating(untypedResources[type], found?.item as object)).toBe(true);
        const changes = Object.keys(untypedKinds[type].exercises).filter((id) => id in settings);
        for (const id of changes as OperationId[]) {
            const error = await failureOf(callOperation(id, client, project, { ...ids, ...made }), ApiError);
            expect([id, error.status]).toEqual([id, 409]);
        }
    },
);

it.each(kinds)("the page names a resource of $name by its name, if it has one", (kind) => {
    const record = { id: "41", peerVpcId: "vpc-1", peeringId: "7", name: "orders" };
    expect(["orders", "vpc-1"]).toContain(definitionOf(kind).titleOf(record as never));
});

/** The properties that a control can change. */
const modified = kindsWithId.flatMap(([type, param]) => {
    const { name: kind = "" } = creationOf(Object.keys(untypedKinds[type].creations)[0] as OperationId) ?? {};
    const control = requests.find(({ on }) => on === `PATCH /${kind}/*`);
    return propertiesOf(type).flatMap(([name, one]) =>
        control !== undefined && name in control.fields && one.wire !== undefined && typeof one.values !== "function"
            ? [{ type, param, control: control.name, name, one }]
            : [],
    );
});

it.each(modified)(
    "the control $control changes $name of a $type, and a read shows it",
    async ({ type, param, control, name, one }) => {
        const { emulator, make } = await startClient();
        const { [param]: id } = await make(type);
        const [, { [name]: value }] = changeOf(name, one, symbols);
        (emulator[control] as (id: unknown, patch: object) => void)(id, { [name]: value });
        const [found] = untypedKinds[type].items(emulator.snapshot());
        expect(one.wire?.(found?.item)).toEqual(value);
    },
);
