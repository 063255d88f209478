import type { Emulator } from "../../emulator";
import type { OperationId } from "../../provider/api/contract";
import type { ResourceType } from "../../provider/resources";
import type { Entry, Preview } from "./hosts";
import type { Change, Kind, Scene, Values } from "./randomPrograms";

/** A stack with at most one resource in a program. */
export interface PreviewedStack {
    readonly emulator: Emulator;
    /** The resource in the state. */
    readonly entry: () => Promise<Entry | undefined>;
    /** Previews a program in which these properties are unknown. Throws an error with the reason if it is refused. */
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

type ChangingOperation = Exclude<OperationId, `${"get" | "list" | "delete"}${string}`>;

const [rename, resize, environment, pooler] = [/^rename/, /^resize/, /^environment/, /^connection pooler/];

/** The line of a plan that announces each request. A new operation does not compile until it has one. */
const lineOf: Readonly<Record<ChangingOperation, RegExp>> = {
    createVpc: /^create VPC/,
    createPeering: /^create peering/,
    createService: /^create service/,
    forkService: /^fork/,
    createReplicaSet: /^create read replica set/,
    renameVpc: rename,
    renameService: rename,
    updatePassword: /^(set|change) the password/,
    detachFromVPC: /^detach/,
    attachToVPC: /^attach/,
    resizeService: resize,
    resizeReplicaSet: resize,
    setHA: /^HA replicas/,
    enablePooler: pooler,
    disablePooler: pooler,
    enableReplicaSetPooler: pooler,
    disableReplicaSetPooler: pooler,
    setEnvironment: environment,
    setReplicaSetEnvironment: environment,
    startService: /^resume/,
    stopService: /^pause/,
};

const announces = (line: string, operation: string) => lineOf[operation as ChangingOperation].test(line);

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

/** Creates the resource as it was before the change, and applies the event of the change. */
async function createState(kind: Kind, change: Change, scene: Scene, stack: PreviewedStack): Promise<void> {
    const { from, between, event, fails } = change;
    if (from === null) {
        return;
    }
    const { emulator } = stack;
    const upWithFault = async (inputs: Values) => {
        emulator.addFaults([{ operation: fails, effect: { kind: "answer", status: 400 } } as never]);
        await stack.up(kind.type, kind.inputsIn(inputs, scene), []).catch(messageOf);
        emulator.clearFaults();
    };
    if (event === "failedCreation") {
        return upWithFault(from);
    }
    // A rejected adoption leaves nothing in the state.
    const created = await stack.up(kind.type, kind.inputsIn(from, scene), []).catch(messageOf);
    if (typeof created === "string") {
        expect(created).toContain("cannot be adopted");
        return;
    }
    const { id, outputs } = (await stack.entry()) ?? {};
    if (event === "upgrade" && id !== undefined && kind.type === "Service" && outputs?.status === "READY") {
        emulator.setServiceStatus(id, "UPGRADING");
        await stack.refresh(kind.type);
        emulator.setServiceStatus(id);
    } else if (event === "refresh") {
        await stack.refresh(kind.type);
    } else if (event === "failedUpdate") {
        await upWithFault(between);
    }
}

/**
 * Previews and updates the change. Every known output of the preview is the result of the update, and every step a
 * request in order. A refused preview or update changes nothing, and both have the same reason.
 */
export async function expectExactPreview(
    kind: Kind,
    change: Change,
    scene: Scene,
    stack: PreviewedStack,
): Promise<void> {
    const { type } = kind;
    await createState(kind, change, scene, stack);
    const before = await stack.entry();
    const isInterrupted = before?.outputs.__interrupted !== undefined;
    const declared = kind.inputsIn(change.to, scene);
    const hidden = change.unknowns.filter((name) => name in declared);
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
        return;
    }
    if (typeof preview === "string") {
        throw new Error(`The preview fails, and the update succeeds: ${preview}`);
    }
    expect(updated.error).toBeUndefined();
    const isReplaced = before !== undefined && (await stack.entry())?.id !== before.id;
    const shown = Object.entries(preview.known).filter(
        // An output that is absent in the preview of a creation is unknown.
        ([name]) => !(isReplaced && name === "serviceId"),
    );
    expect(updated.outputs).toMatchObject(Object.fromEntries(shown));
    if (isInterrupted || (preview.operation === "replace") !== isReplaced) {
        return; // The preview says so.
    }
    if ("existingId" in declared && ["existingId", "serviceId"].some((name) => hidden.includes(name))) {
        return; // The steps of this adoption are not known.
    }
    const operations = changes.filter((operation) => !operation.startsWith("delete"));
    const lines = preview.steps.filter((line) => !onlyReads.test(line));
    // A warning announces all requests for the last copy of a replaced service. It is resumed only if it is paused.
    const copied = isReplaced && before.outputs.finalFork === true;
    const { unannounced, unused } = compare(copied ? [...lines, resumed, "fork it", "pause it"] : lines, operations);
    expect(unannounced).toEqual([]);
    if (hidden.length === 0) {
        // The API chooses the tag of a new read replica set, which may be the declared one.
        expect(unused.filter((line) => line !== resumed && !line.startsWith("environment none"))).toEqual([]);
    }
}

const resumed = "resume it";

/** Pulumi puts "Preview failed" before the error of a creation in a preview. */
const messageOf = (error: unknown) => (error as Error).message.replace(/^Preview failed: /, "");
