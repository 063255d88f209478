import { isDeepStrictEqual } from "node:util";
import type { AnswerOf, OperationId } from "../../../provider/api/contract";
import { idOf } from "../../../provider/contract/path";
import { isDeleting } from "../../../provider/contract/phase";
import { encode } from "../../../provider/hosts/codec";
import { untypedLifecycles, type Lifecycle, type lifecycles } from "../../support/lifecycles";
import type { ResourceType } from "../../../provider/resources";
import type { StateMetadata, Path } from "../../../provider/contract/resource";
import { propertiesOf, untypedKinds } from "../../support/cases";

/** An activation has the model of its peering. */
type Kind = Exclude<ResourceType, "PeeringActivation">;

type Types<K extends Kind> = (typeof lifecycles)[K] extends Lifecycle<infer Own> ? Own : never;

/** The kind that a response describes. Operations that only return a message have none. */
type Described<Id extends OperationId> = {
    [K in Kind]: AnswerOf<Id> extends Types<K>["Item"] | Types<K>["Item"][] ? K : never;
}[Kind];

/** The kind that each response describes. A new operation does not compile until it has the kind of its response. */
export const kindOf: { readonly [Id in OperationId as Described<Id> extends never ? never : Id]: Described<Id> } = {
    listVpcs: "Vpc",
    createVpc: "Vpc",
    getVpc: "Vpc",
    listPeerings: "Peering",
    createPeering: "Peering",
    getPeering: "Peering",
    listServices: "Service",
    createService: "Service",
    getService: "Service",
    forkService: "Service",
    startService: "Service",
    stopService: "Service",
    resizeService: "Service",
    renameService: "Service",
    setHA: "Service",
    listReplicaSets: "ReadReplicaSet",
    createReplicaSet: "ReadReplicaSet",
};

const path: Path = { project_id: "emulator01", vpc_id: "12345", service_id: "abcdefghij" };

/** The types of the outputs, from the test cases. A question mark means that an output is optional. */
const typesOf = (kind: Kind): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(
        propertiesOf(kind).flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, shown]])),
    ),
    ...untypedKinds[kind].outputs,
});

const memory: StateMetadata = { projectId: "emulator01", __declared: ["name"], __defaults: {}, __urn: "urn::x" };
const declared = { projectId: "emulator01", name: "db", environment: "PROD", nodes: 2, cpuMillis: 500, memoryGbs: 2 };

/** The problems of the state that results from an accepted response. */
export function problemsOf(operation: OperationId, result: unknown): string[] {
    const kind = (kindOf as Partial<Record<OperationId, Kind>>)[operation];
    if (kind === undefined) {
        return [];
    }
    return [result].flat().flatMap((item) => problemsOfItem(kind, item));
}

function problemsOfItem(kind: Kind, item: unknown): string[] {
    const lifecycle = untypedLifecycles[kind];
    const { resource } = lifecycle;
    const observed = resource.observation.observe(item, path);
    const state = { ...memory, ...observed };
    const derived = { ...state, ...resource.observation.derive?.(state) };
    const outcome = resource.observation.readiness(item, declared, "rest");
    // These must not throw.
    isDeleting(resource, item);
    resource.observation.readiness(item, declared, "running");
    resource.creation.matches?.(item, declared);
    resource.creation.adoptionRefusal?.(item, path, declared);
    lifecycle.plan(derived, declared);
    return [
        ...(idOf(resource, item, path).split("/").includes("") ? ["its id is empty"] : []),
        ...(["ready", "pending", "failed"].includes(outcome.kind) ? [] : ["its outcome is unknown"]),
        ...typeProblems(kind, observed as Readonly<Record<string, unknown>>),
        ...stateProblems(derived),
    ];
}

function typeProblems(kind: Kind, observed: Readonly<Record<string, unknown>>): string[] {
    const expected = typesOf(kind);
    return Object.keys({ ...expected, ...observed })
        .filter((name) => !isOf(observed[name], expected[name] ?? "known type"))
        .map((name) => `${name} is a ${typeof observed[name]}, not a ${String(expected[name])}`);
}

function isOf(value: unknown, type: string): boolean {
    if (type.endsWith("?") && value === undefined) {
        return true;
    }
    const plain = type.replace("?", "");
    if (plain === "size") {
        return value === "shared" || typeof value === "number";
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
