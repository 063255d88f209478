import { withDerived } from "../../../provider/model/outputs";
import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "../../../provider/api/contract";
import contract from "../../../provider/api/openapi.gen.json";
import { idOf } from "../../../provider/model/identity";
import { isDeleting } from "../../../provider/model/outcome";
import { encode } from "../../../provider/hosts/codec";
import { untypedLifecycles } from "../../support/lifecycles";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import type { Path } from "../../../provider/model/resource";
import type { Remembered } from "../../../provider/model/state";
import { propertiesOf, untypedKinds } from "../../support/cases";

interface Schema {
    readonly required?: readonly string[];
}
type Response = { content?: { "application/json": { schema: { items?: object } } } } | undefined;

/** The schema of the model in the response of each operation, alone or in a list. */
const models = new Map(
    Object.values(contract.paths)
        .flatMap((item) => Object.values(item as object) as { operationId?: string; responses?: object }[])
        .map(({ operationId = "", responses = {} }) => {
            const first = Object.values(responses)[0] as Response;
            const schema = first?.content?.["application/json"].schema;
            return [operationId, JSON.stringify(schema?.items ?? schema)] as const;
        }),
);

/** The kind that the response of an operation describes. Operations that only return a message have none. */
export const kindOf = (operation: OperationId): ResourceType | undefined =>
    resourceTypes.find((type) => models.get(untypedResources[type].operations.list) === models.get(operation));

const serviceStatuses: readonly string[] = contract.components.schemas.KnownServiceStatus.enum;

const path: Path = { project_id: "emulator01", vpc_id: "12345", service_id: "abcdefghij" };

/** The types of the outputs, from the test cases. A question mark means that an output is optional. */
const typesOf = (kind: ResourceType): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(
        propertiesOf(kind).flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, shown]])),
    ),
    ...untypedKinds[kind].outputs,
});

const memory: Remembered = { projectId: "emulator01", record: { declared: ["name"], defaults: {}, urn: "urn::x" } };
const declared = { projectId: "emulator01", name: "db", environment: "PROD", nodes: 2, cpuMillis: 500, memoryGbs: 2 };

/** The problems of the state that results from an accepted response. */
export function problemsOf(operation: OperationId, result: unknown): string[] {
    const kind = kindOf(operation);
    if (kind === undefined) {
        return [];
    }
    return [result].flat().flatMap((item) => problemsOfItem(kind, item));
}

function problemsOfItem(kind: ResourceType, item: unknown): string[] {
    const lifecycle = untypedLifecycles[kind];
    const { resource } = lifecycle;
    const observed = resource.observation.observe(item, path);
    const state = { ...memory, ...observed };
    const derived = withDerived(resource, state);
    const outcome = resource.observation.readiness(item, declared, "rest");
    // These must not throw.
    isDeleting(resource, item);
    resource.observation.readiness(item, declared, "running");
    resource.creation.matches?.(item, declared);
    resource.creation.adoptionRefusal?.(item, declared);
    lifecycle.plan(derived, declared);
    return [
        ...(idOf(resource, item, path).split("/").includes("") ? ["its id is empty"] : []),
        ...(["ready", "pending", "failed"].includes(outcome.phase) ? [] : ["its outcome is unknown"]),
        ...typeProblems(kind, observed as Readonly<Record<string, unknown>>, mayLeaveOut(kind, item as object)),
        ...stateProblems(derived),
    ];
}

/** Whether the response does not show an output: a required text was empty, or nobody knows what the status means. */
function mayLeaveOut(kind: ResourceType, item: object): boolean {
    const { required = [] } = JSON.parse(models.get(untypedResources[kind].operations.list) ?? "{}") as Schema;
    const { status = "READY" } = item as { readonly status?: string };
    return required.some((name) => !(name in item)) || (kind === "Service" && !serviceStatuses.includes(status));
}

/** What is wrong with the types of outputs. An output can be left out only if the response does not show it. */
function typeProblems(kind: ResourceType, observed: Readonly<Record<string, unknown>>, mayLeave: boolean): string[] {
    const expected = typesOf(kind);
    const isLeftOut = (name: string) => mayLeave && !(name in observed);
    return Object.keys({ ...expected, ...observed })
        .filter((name) => !isLeftOut(name) && !isOf(observed[name], expected[name] ?? "known type"))
        .map(
            (name) =>
                `${name} is a ${typeof observed[name]}, not a ${String(expected[name])} as tests/support/cases says`,
        );
}

function isOf(value: unknown, type: string): boolean {
    if (type.endsWith("?") && value === undefined) {
        return true;
    }
    const plain = type.replace("?", "");
    if (plain === "size") {
        return value === "shared" || typeof value === "number";
    }
    if (plain === "list") {
        return Array.isArray(value);
    }
    return typeof value === plain && value !== null;
}

/** The state must be plain JSON without undefined values, and must not change when it is stored. */
function stateProblems(state: object): string[] {
    const encoded = encode(state);
    const missing = undefinedIn(encoded, "state");
    const decoded: unknown = JSON.parse(JSON.stringify(encoded));
    return [...missing, ...(isDeepStrictEqual(decoded, encoded) ? [] : ["the state is not plain JSON"])];
}

function undefinedIn(value: unknown, at: string): string[] {
    if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) {
        return [`${at} is ${String(value)}`];
    }
    if (typeof value !== "object" || value === null) {
        return [];
    }
    return Object.entries(value).flatMap(([name, inner]) => undefinedIn(inner, `${at}.${name}`));
}
