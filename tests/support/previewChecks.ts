import type { Emulator, Interceptor } from "../../emulator";
import { unknownWord } from "../../emulator/dialect/members";
import { type Client } from "../../provider/api/client";
import { methods, operations } from "../../provider/api/operations.gen";
import { valueOf } from "../../provider/base/fields";
import { valueAt } from "../../provider/reconcile/references";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { loseResponse, respond } from "./fixtures";
import { recordOf, type Entry, type Preview } from "./hosts";
import type { Change } from "./random";
import { announcements, untypedKinds } from "./cases";
import { filled, symbols, type CallApi } from "./cases/kind";
import type { ChangingOperation, Refs, Values } from "./cases/property";

/** A stack with at most one resource in a program. */
export interface PreviewedStack {
    readonly emulator: Emulator;
    /** The resource in the state. */
    readonly entry: () => Promise<Entry | undefined>;
    /** Previews a program in which the values at these paths are unknown. Throws an error with the reason if it is refused. */
    readonly preview: (type: ResourceType, inputs: Values, hidden: readonly string[]) => Promise<Preview>;
    /** Runs the program, and returns the outputs of the resource. Throws an error with the reason if it is refused. */
    readonly up: (
        type: ResourceType,
        inputs: Values,
        hidden: readonly string[],
    ) => Promise<{ readonly outputs: Values; readonly error?: unknown }>;
    readonly refresh: (type: ResourceType) => Promise<void>;
    /** The operations since the last call that changed something, in order. */
    readonly changes: () => string[];
}

/** Lines of a plan that send no request which changes something. */
const onlyReads = /^(adopt|wait until)/;

/** Why an update may fail although its preview did not: an unknown value requires a replacement, or names nothing to adopt. */
const refusals = /would replace it|cannot be adopted|existingId|has no value/;

/** The condition of a step that a preview cannot decide. */
const condition = /^if [^:]+: /;

const announces = (line: string, operation: string) =>
    announcements[operation as ChangingOperation]?.test(line.replace(condition, "")) === true;

/** The operations of the journal in order, each of which the lines must announce; and whether each line has one. */
function compare(lines: readonly string[], operations: readonly string[]) {
    const left = [...operations];
    const unused = lines.filter((line) => {
        const isMade = left[0] !== undefined && announces(line, left[0]);
        if (isMade) {
            left.shift();
        }
        return !isMade;
    });
    return { unannounced: left, unused };
}

/** The resources that the programs refer to. They exist outside of the stack. */
type Scene = Pick<Refs, ResourceType | "emptyVpcs">;

/** Creates the scene with the API. `settle` resolves when what was created is ready. */
export async function createScene(client: Client, emulator: Emulator, settle: () => unknown): Promise<Scene> {
    const call: CallApi = (operation, path, body) =>
        client.call(operation, { path: { project_id: emulator.projectId, ...path }, body } as never, {});
    const created = async (type: ResourceType, refs: Refs) => {
        const { create } = untypedKinds[type];
        const pair = [await create(call, refs, 0), await create(call, refs, 1)] as const;
        await settle();
        return pair;
    };
    const empty = async (part: number) => {
        const input = { name: `e${part}`, cidr: `10.${part}.0.0/16`, region_code: "us-east-1" };
        return (await call("createVpc", {}, input)).id;
    };
    let refs = symbols;
    for (const type of resourceTypes) {
        refs = { ...refs, [type]: await created(type, refs) };
    }
    refs.Service.forEach((id) => emulator.takeSnapshot(id));
    return { ...refs, emptyVpcs: [await empty(5), await empty(6)] };
}

const unauthorized = respond(401, '{"code":"UNAUTHORIZED","message":"expired"}');

/** Creates the resource as it was before the change, and applies the event of the change. */
async function createState(type: ResourceType, change: Change, scene: Scene, stack: PreviewedStack): Promise<void> {
    const { from, between, event, fails } = change;
    if (from === null) {
        return;
    }
    const { emulator } = stack;
    let isCut = false;
    const cut: Interceptor = (exchange, carryOut) => {
        if (methods[operations[exchange.operationId].method] === "read") {
            return isCut ? unauthorized(exchange, carryOut) : carryOut();
        }
        isCut = true;
        return loseResponse(exchange, carryOut);
    };
    const upWithFault = async (inputs: Values) => {
        const rejected = { operation: fails, effect: { kind: "answer", status: 400 } };
        emulator.addFaults([(event === "cutUpdate" ? { times: "all", effect: cut } : rejected) as never]);
        await stack.up(type, filled(inputs, scene), []).catch(messageOf);
        emulator.clearFaults();
    };
    if (event === "failedCreation") {
        return upWithFault(from);
    }
    // A rejected adoption leaves nothing in the state.
    const created = await stack.up(type, filled(from, scene), []).catch(messageOf);
    if (typeof created === "string") {
        expect(created).toContain("cannot be adopted");
        return;
    }
    const { id, outputs } = (await stack.entry()) ?? {};
    if (event === "upgrade" && id !== undefined && type === "Service" && outputs?.status === "READY") {
        emulator.setServiceStatus(id, "UPGRADING");
        await stack.refresh(type);
        emulator.setServiceStatus(id);
    } else if (event === "refresh" || event === "failure") {
        const own = id?.split("/").at(-1);
        if (event === "failure" && own !== undefined) {
            untypedKinds[type].breaks?.(emulator, own);
        }
        await stack.refresh(type);
    } else if (event === "failedUpdate" || event === "cutUpdate") {
        await upWithFault(between);
    }
}

/**
 * Previews and updates the change. Every known output of the preview is the result of the update, and every step a
 * request in order. A refused preview or update changes nothing, and both have the same reason. Returns whether it is not refused.
 */
export async function expectExactPreview(
    type: ResourceType,
    change: Change,
    scene: Scene,
    stack: PreviewedStack,
): Promise<boolean> {
    await createState(type, change, scene, stack);
    const before = await stack.entry();
    const isInterrupted = before !== undefined && "interruption" in recordOf(before);
    const declared = filled(change.to, scene);
    const hidden = change.unknowns.filter((path) => valueAt(declared, path) !== undefined);
    stack.changes();
    const preview = await stack.preview(type, declared, hidden).catch(messageOf);
    expect(stack.changes()).toEqual([]);
    const updated = await stack.up(type, declared, hidden).catch(messageOf);
    const changes = stack.changes();
    if (typeof updated === "string") {
        // A refused update changes nothing, and the preview shows the refusal if it knows all values.
        expect(changes).toEqual([]);
        if (hidden.length === 0) {
            expect(preview).toBe(updated);
        } else {
            expect(updated).toMatch(refusals);
        }
        return false;
    }
    if (typeof preview === "string") {
        throw new Error(`The preview fails, and the update succeeds: ${preview}`);
    }
    if (change.event === "failure" && "existingId" in declared && updated.error !== undefined) {
        // What has failed is replaced, unless the program adopts it.
        expect((updated.error as Error).message).toContain("remove existingId");
        return true;
    }
    expect(updated.error).toBeUndefined();
    if (isInterrupted && hidden.includes("deletionProtection")) {
        // If its value turns out to be another one, the update records that first and sends nothing.
        return true;
    }
    const isReplaced = before !== undefined && (await stack.entry())?.id !== before.id;
    const shown = Object.entries(preview.known).filter(
        // An output that is absent in the preview of a creation is unknown. A dialect has the word in some reads and not in others.
        ([name, value]) =>
            !(isReplaced && name === "serviceId") && ![value, valueOf(updated.outputs, name)].includes(unknownWord),
    );
    expect(updated.outputs).toMatchObject(Object.fromEntries(shown));
    if ((preview.operation === "replace") !== isReplaced) {
        return true; // The preview says so.
    }
    const idInputs = ["existingId", untypedResources[type].parent?.input];
    if ("existingId" in declared && hidden.some((name) => idInputs.includes(name))) {
        return true; // The steps of this adoption are not known.
    }
    const operations = changes.filter((operation) => !operation.startsWith("delete"));
    const lines = preview.steps.filter((line) => !onlyReads.test(line));
    if (isInterrupted) {
        // Some steps are only necessary if requests of the earlier run take effect.
        const unannounced = operations.filter((operation) => !lines.some((line) => announces(line, operation)));
        expect(unannounced).toEqual([]);
        return true;
    }
    const { unannounced, unused } = compare(lines, operations);
    expect(unannounced).toEqual([]);
    if (hidden.length === 0) {
        expect(unused.filter((line) => !condition.test(line))).toEqual([]);
    }
    return true;
}

/** Pulumi puts "Preview failed" before the error of a creation in a preview. */
const messageOf = (error: unknown) => (error as Error).message.replace(/^Preview failed: /, "");
