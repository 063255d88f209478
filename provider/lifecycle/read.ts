import type { Timeouts } from "../base/time";
import { previewReadMs } from "../api/client";
import { linesOf } from "../base/message";
import { assertSomethingVisible } from "./absence";
import { CloudDbError } from "../api/callErrors";
import { warnUnshown } from "./adopt";
import { messages } from "./messages";
import { Operation } from "../model/operation";
import type { Managed } from "./managed";
import { interruptionIn, onceSeen, emptyRecord, isOnlyRead, type Remembered } from "../model/state";
import { assemble, currentValues, rememberedOnCreate, inputsOf, protectionInput, valuesOf } from "../model/remembered";
import type { Context } from "../model/context";
import { isDeleting, ready, type Outcome } from "../model/outcome";
import { readItem, readStored } from "../observe/reads";
import type { HiddenInputs, Resource, State, Declared } from "../model/resource";
import { pick, same, computed } from "../base/fields";
import { shownNames } from "../model/outputs";
import { planFor } from "./plan";
import type { Call } from "../model/step";

/** A resource as a read found it. */
interface ReadResult {
    readonly state: State;
    /** The inputs that describe it. */
    readonly inputs: Record<string, unknown>;
}

/** What a request to read contains of a resource that is not in the state. */
export type ReadRequest = { readonly projectId?: string } & Pick<HiddenInputs, "__urn" | "__timeouts">;

/** Reads a resource of the state; undefined if it is gone. */
export async function read(
    managed: Managed,
    id: string,
    state: State,
    timeouts?: Timeouts,
): Promise<ReadResult | undefined> {
    const { resource } = managed;
    const inputs = inputsOf(resource, state);
    const context = readContextOf(managed, inputs, maxReadMs, timeouts);
    const operation = new Operation(resource, id, inputs, context, undefined, state);
    const { mayBeMissing } = interruptionIn(state.record);
    const item = await readStored(operation, mayBeMissing);
    if (item !== undefined && !isDeleting(resource, item)) {
        assertKind(operation, item);
        return readResultOf(operation, state, item);
    }
    await assertSomethingVisible(managed, operation, state);
    operation.context.warn(messages.deletedOutside(operation.subject, resource.hasData).what);
    return undefined;
}

/** Reads a resource that is not in the state, for `.get`. Fails if it does not exist. */
export async function get(managed: Managed, id: string, request: ReadRequest, isPreview: boolean): Promise<ReadResult> {
    const { operation, item } = await readNew(managed, id, request, isPreview);
    const { projectId, inputs } = operation;
    return readResultOf(operation, { projectId, record: { ...emptyRecord, urn: inputs.__urn } }, item);
}

/**
 * Reads a resource that is not in the state, and all inputs that lead to its observed state. Fails if it does not exist, or is not at
 * rest.
 * Properties that the program does not declare later keep their current values.
 */
export async function importResource(
    managed: Managed,
    id: string,
    request: ReadRequest,
    isPreview: boolean,
): Promise<ReadResult> {
    const { operation, item } = await readNew(managed, id, request, isPreview);
    const { resource, inputs, subject } = operation;
    const declared = { ...inputs, deletionProtection: protectionByDefault(managed) };
    const found = operation.observe(item);
    warnUnshown(operation, Object.keys(resource.fields), found);
    const outcome = restOf(operation, found);
    if (outcome.phase === "pending") {
        throw new CloudDbError(messages.notImported(subject, outcome.status));
    }
    const { record, ...held } = rememberedOnCreate(resource, declared, currentValues(resource, found));
    const remembered = { ...held, record: { ...record, declared: [], imported: true as const } };
    const state = assemble(resource, found, remembered);
    return { state, inputs: { ...allInputs(resource, state), __declared: [] } };
}

/** Whether an import may record these values. Those of a resource with defaults become the defaults, so it must be at rest. */
function restOf({ resource, inputs, item }: Operation, found: object): Outcome {
    const hasDefaults = Object.keys(currentValues(resource, found)).length > 0;
    return hasDefaults ? resource.observation.readiness(item, inputs) : ready;
}

/** Reads a resource that is not in the state. Fails if it does not exist. */
async function readNew(managed: Managed, id: string, request: ReadRequest, isPreview: boolean) {
    const { resource, session } = managed;
    const { noun, identity } = resource;
    if (!identity.idForm.pattern.test(id)) {
        const reason = `the id of a ${noun} has the form ${identity.idForm.description}`;
        throw new CloudDbError(messages.invalidId(id, reason));
    }
    const { projectId, __urn } = session.inProject(request);
    const context = readContextOf(managed, request, isPreview ? previewReadMs : maxReadMs);
    const operation = new Operation(resource, id, { projectId, __urn }, context);
    const item = await readItem(operation);
    if (item === undefined || isDeleting(resource, item)) {
        const setting = context.client.projectSetting(projectId);
        throw new CloudDbError(messages.missingResource(noun, id, projectId, setting, item === undefined));
    }
    assertKind(operation, item);
    return { operation, item };
}

/** The `deletionProtection` of a resource whose program does not declare it. */
export function protectionByDefault({ resource, session }: Managed): boolean {
    return resource.hasData && session.defaultProtection();
}

/** The time limit of a read: longer than a restart of the API takes. */
const maxReadMs = 300_000;

/** The context of a read. That of a preview must not hang; another one has the time limit that the program sets for reads. */
export function readContextOf(
    { resource, session }: Managed,
    hidden: HiddenInputs,
    limitMs: number,
    timeouts: Timeouts | undefined = hidden.__timeouts,
): Context {
    if (timeouts?.read !== undefined && limitMs !== previewReadMs) {
        return session.contextFor("read", hidden, limitMs, timeouts);
    }
    const context = session.contextFor("update", hidden, resource.times(undefined).update, timeouts);
    return { ...context, deadlineAt: Math.min(context.deadlineAt, context.beganAt + limitMs) };
}

/** Fails if the id is that of a resource of another kind. */
function assertKind({ resource, id }: Operation, item: unknown): void {
    const mismatch = resource.otherKind?.(item);
    if (mismatch !== undefined) {
        throw new CloudDbError(messages.invalidId(id, mismatch));
    }
}

/** A resource as this item shows it. */
function readResultOf(operation: Operation, remembered: Remembered, item: unknown): ReadResult {
    const { resource, id, inputs, context } = operation;
    const state = assemble(resource, operation.observe(item), {
        ...remembered,
        record: { ...remembered.record, interruption: onceSeen(remembered.record.interruption) },
    });
    // Only an adoption that no run has completed was certainly declared.
    const existingId = interruptionIn(remembered.record).isOwned ? computed : id;
    const outcome = resource.observation.readiness(item, { ...inputs, existingId });
    if (outcome.phase === "failed") {
        // A program that only reads the resource has no way out.
        const ways = isOnlyRead(remembered.record) ? [] : (outcome.ways ?? []);
        context.info(linesOf({ what: `${outcome.status}: ${outcome.reason}`, ways }));
    }
    return { state, inputs: declaredInputs(resource, state) };
}

/**
 * The inputs of a program that lead to this state: the declared ones, and those that have drifted. Without them, each
 * refresh would show the same drift again.
 */
function declaredInputs(resource: Resource, state: State): Record<string, unknown> {
    const { record } = state;
    const names = [...record.declared, "projectId", protectionInput];
    const declared = { ...pick(state, names), __urn: record.urn, __timeouts: record.timeouts };
    if (record.imported === true) {
        return { ...declared, ...allInputs(resource, state) };
    }
    if (isOnlyRead(record)) {
        return declared;
    }
    // An undeclared property has drifted if declaring its current value would change the plan.
    const callsWith = (inputs: object) => callsOf(resource, state, inputs);
    const left = callsWith(declared);
    const drifted = shownNames(resource.outputs).filter(
        (name) => !names.includes(name) && !same(left, callsWith({ ...declared, ...pick(state, [name]) })),
    );
    return { ...declared, ...pick(state, drifted) };
}

/** All inputs with a value, without secrets. */
const allInputs = ({ fields }: Resource, state: object): Readonly<Record<string, unknown>> =>
    valuesOf(fields, state, ({ onChange, secret }) => onChange !== "ignore" && !secret);

function callsOf(resource: Resource, state: State, inputs: object): readonly Call[] {
    const ofResource = Object.entries(inputs).filter(([name]) => Object.hasOwn(resource.fields, name));
    return planFor(resource, state, Object.fromEntries(ofResource) as Declared).steps.map(({ call }) => call);
}
