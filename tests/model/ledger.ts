import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../emulator";
import type { OperationId } from "../../provider/api/contract";
import { operations } from "../../provider/api/operations.gen";
import { untypedKinds } from "../support/cases";
import type { Engine } from "./engine/engine";
import { lastId, permitsDeletion, type Entry } from "./engine/entry";
import type { StackName } from "./program";

/** The sender of requests: a stack, or a person. */
type Sender = StackName | "operator";

/** The Date header has a resolution of one second, and a request takes some time. */
const clockResolutionMs = 2_500;

/** Intercepts all requests, records who created each resource, and reports the deletions that break the rule. */
export class Ledger {
    private readonly creators = new Map<string, Sender>();
    private readonly adopters = new Map<string, Set<StackName>>();
    readonly violations: string[] = [];
    /** The requests that create resources with a name: their sender, and when they ended. */
    private readonly creations: { sender: Sender; name: string; until: number }[] = [];
    /**
     * Two senders created the same name at the same time, up to the resolution of the server's clock. It is unknown which
     * request had an effect, so the history ends here.
     */
    undecidable = false;

    constructor(
        private readonly emulator: Emulator,
        private readonly engineOf: (stack: StackName) => Engine,
    ) {}

    /** Records that the program of the stack declares this id as `existingId`. */
    adopt(stack: StackName, id: string): void {
        this.adopters.set(id, (this.adopters.get(id) ?? new Set()).add(stack));
    }

    /** Whether the stack created or adopted the resource. */
    owns(stack: StackName, id: string): boolean {
        return this.creators.get(id) === stack || this.adopters.get(id)?.has(stack) === true;
    }

    createdBy(sender: Sender): string[] {
        return [...this.creators].filter(([, creator]) => creator === sender).map(([id]) => id);
    }

    /** Sends the requests of this sender, and records and checks them. */
    watch(sender: Sender, send: AxiosAdapter): AxiosAdapter {
        return async (config) => {
            const { method = "get", url = "" } = config;
            if (method.toLowerCase() === "delete" && sender !== "operator") {
                this.violations.push(...this.problemsOf(sender, url));
            }
            if (!isCreation(method, url)) {
                return send(config);
            }
            const endCreation = this.noteCreation(sender, String(config.data));
            return this.sendCreation(sender, () => send(config)).finally(endCreation);
        };
    }

    private sendCreation<T>(sender: Sender, send: () => T): T {
        const before = idsIn(this.emulator);
        // The emulator processes a request before it returns its promise.
        const response = send();
        for (const id of idsIn(this.emulator)) {
            if (!before.has(id)) {
                this.creators.set(id, sender);
            }
        }
        return response;
    }

    /**
     * The rule of deletion: the state before the run, and the entry itself, permit it; this stack has created the resource or
     * adopted it; and no other resource of the run manages it.
     */
    private problemsOf(stack: StackName, url: string): string[] {
        const id = lastId(url);
        const { state, notes } = this.engineOf(stack);
        const entry = [...notes.deleting].find((one) => lastId(one.id) === id);
        const isPermitted =
            entry !== undefined &&
            permitsDeletion(entry) &&
            notes.before.some((one) => lastId(one.id) === id && permitsDeletion(one));
        const isManager = (one: Entry) =>
            one !== entry && !one.deletedFirst && notes.checked.has(one.urn) && lastId(one.id) === id;
        // The providers of the two hosts do not know of each other.
        const manager = state.liveEntries().find((one) => isManager(one) && one.provider === entry?.provider);
        return [
            ...(isPermitted ? [] : ["but no state before the run permits it"]),
            ...(this.owns(stack, id) ? [] : ["but it neither created nor adopted it"]),
            ...(manager === undefined ? [] : [`but ${manager.urn} of this run manages it`]),
        ].map((text) => `${stack} sends DELETE ${url}, ${text}`);
    }

    /** Notes a request that creates a resource with a name. Returns a function that notes its end. */
    private noteCreation(sender: Sender, body: string): () => void {
        const [, name] = /"name":"([^"]+)"/.exec(body) ?? [];
        if (name === undefined) {
            return () => undefined;
        }
        const now = () => this.emulator.snapshot().now;
        this.undecidable ||= this.creations.some(
            (one) => one.name === name && one.sender !== sender && now() - one.until < clockResolutionMs,
        );
        const creation = { sender, name, until: Infinity };
        this.creations.push(creation);
        return () => {
            creation.until = now();
        };
    }
}

/** The last parts of the paths of all creations. */
const creations = new Set(
    Object.values(untypedKinds).flatMap((kind) =>
        (Object.keys(kind.creations) as OperationId[]).map((id) => operations[id].path.split("/").at(-1)),
    ),
);

const isCreation = (method: string, url: string): boolean =>
    method.toLowerCase() === "post" && creations.has(url.split("/").at(-1));

/** All existing resources, each with its kind, and a replica set with its service. */
export function resourcesIn(emulator: Emulator) {
    const world = emulator.snapshot();
    return Object.values(untypedKinds).flatMap((kind) =>
        kind.items(world).map((one) => ({
            ...one,
            kind,
            serviceId: (one.item as { readonly service_id?: string }).service_id,
        })),
    );
}

export const idsIn = (emulator: Emulator): Set<string> => new Set(resourcesIn(emulator).map(({ id }) => id));
