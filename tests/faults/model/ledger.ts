import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../../emulator";
import type { OperationId } from "../../../provider/api/contract";
import { operations } from "../../../provider/api/operations.gen";
import { untypedKinds } from "../../support/cases";
import { isInAdoption, lastId, placeOf } from "./engine/entry";
import type { Entry } from "./engine/entry";
import type { Notes } from "./engine/notes";
import type { StackName } from "./program";

/** The sender of requests: a stack, or a person. */
type Sender = StackName | "operator";

/** The Date header has a resolution of one second, and a request takes some time. */
const clockResolutionMs = 2_500;

/**
 * Intercepts all requests, records who created each resource, and reports forbidden requests: those that change a resource
 * which the stack neither created nor adopted, those that delete a service which its state protects, and those that delete a
 * resource which a program declares.
 */
export class Ledger {
    private readonly creators = new Map<string, Sender>();
    private readonly adopters = new Map<string, Set<StackName>>();
    /** Initial passwords, which no file and no output may contain. */
    readonly secrets = new Set<string>();
    readonly violations: string[] = [];
    /** The requests that create resources with a name: their sender, and when they ended. */
    private readonly creations: { sender: Sender; name: string; until: number }[] = [];
    /**
     * Two senders created the same name at the same time, up to the resolution of the server's clock. It is unknown which
     * request had an effect, so the history ends here.
     */
    undecidable = false;

    /**
     * `holder` returns the entry of a current program that has this id. `wantsCopy` tells whether the state of the stack has
     * this id with finalFork. `notes` has the entries that the engine is asking the provider to delete, and what the program
     * protects. `isOneEntryOnly`: the classes
     * reject an `existingId` that another entry has.
     */
    constructor(
        private readonly emulator: Emulator,
        private readonly holder: (id: string) => Entry | undefined,
        private readonly wantsCopy: (stack: StackName, id: string) => boolean,
        private readonly notes: (stack: StackName) => Pick<Notes<string>, "deleting" | "protecting">,
        private readonly isOneEntryOnly: boolean,
    ) {}

    /** Records that the program of the stack declares this id as `existingId`. */
    adopt(stack: StackName, id: string): void {
        this.adopters.set(id, (this.adopters.get(id) ?? new Set()).add(stack));
    }

    /** Records that the resource belongs to another stack, as if that stack had created it. */
    move(id: string, to: StackName): void {
        this.creators.set(id, to);
        this.adopters.delete(id);
    }

    /** Whether the stack created or adopted the resource. */
    owns(stack: StackName, id: string): boolean {
        return this.creators.get(id) === stack || this.adopters.get(id)?.has(stack) === true;
    }

    /** The ids of the resources that this sender created. */
    createdBy(sender: Sender): string[] {
        return [...this.creators].filter(([, creator]) => creator === sender).map(([id]) => id);
    }

    /** Sends the requests of this sender, and records and checks them. */
    watch(sender: Sender, send: AxiosAdapter): AxiosAdapter {
        return async (config) => {
            const method = (config.method ?? "get").toUpperCase();
            if (method === "GET") {
                return send(config);
            }
            const { url = "" } = config;
            if (sender !== "operator") {
                this.check(sender, method, url);
            }
            const endCreation = this.noteCreation(sender, String(config.data));
            const response = isCreation(url) ? this.sendCreation(sender, () => send(config)) : send(config);
            const received = await response.finally(endCreation);
            this.noteSecret(received.data);
            return received;
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

    private check(stack: StackName, method: string, url: string): void {
        const path = url.split("/");
        const id = path.filter((part) => this.creators.has(part)).at(-1);
        if (id === undefined || isCreation(url)) {
            return;
        }
        const request = `${stack} sends ${method} ${url}`;
        const { deleting, protecting } = this.notes(stack);
        const entry = [...deleting].find((one) => lastId(one.id) === id);
        const holder = method === "DELETE" ? this.holder(id) : undefined;
        // Providers do not know of each other, so only an alias moves an unprotected service from one to another.
        const isUnknown = !this.isOneEntryOnly && holder !== undefined && holder.provider !== entry?.provider;
        if (method === "DELETE" && isService(url)) {
            this.checkRule(request, entry, protecting);
        }
        if (!this.owns(stack, id)) {
            this.violations.push(`${request}, but it neither created nor adopted ${id}`);
        }
        if (method === "DELETE" && this.wantsCopy(stack, id) && !this.hasLastCopy(id)) {
            this.violations.push(`${request}, but there is no last copy of ${id}`);
        }
        if (holder !== undefined && !isUnknown) {
            this.violations.push(`${request}, but the program declares ${id} as ${holder.key}`);
        }
    }

    /** The rule of deletion for a service. */
    private checkRule(request: string, entry: Entry | undefined, protecting: ReadonlyMap<string, string>): void {
        const { deletionProtection } = entry?.outputs.values ?? {};
        if (deletionProtection !== false) {
            this.violations.push(`${request}, but no state says that it is not protected`);
        }
        if (entry !== undefined && protecting.get(placeOf(entry)) === entry.provider) {
            this.violations.push(`${request}, but the program of the run protects it`);
        }
        if (entry !== undefined && isInAdoption(entry)) {
            this.violations.push(`${request}, but no run has completed its adoption`);
        }
    }

    /** Whether a paused fork of the service contains its current data, and is not older than a deletion may take. */
    private hasLastCopy(id: string): boolean {
        const { services, now } = this.emulator.snapshot();
        const service = services.find(({ service_id: one }) => one === id);
        return (
            service === undefined ||
            service.status === "DELETING" ||
            services.some(
                ({ name, status, created, forked_from: parent }) =>
                    isLastCopy(name) &&
                    parent?.service_id === id &&
                    status === "PAUSED" &&
                    now - Date.parse(created) <= longestDeletionMs,
            )
        );
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

    private noteSecret(text: unknown): void {
        const [, password] = /"initial_password":"([^"]+)"/.exec(String(text)) ?? [];
        if (password !== undefined) {
            this.secrets.add(password);
        }
    }
}

/** The default time limit of a deletion with finalFork. */
const longestDeletionMs = 12.5 * 3_600_000;

/** Whether a service has the name of a last copy, which belongs to no stack. */
export const isLastCopy = (name: string): boolean => /-last-copy-\w+-\d{8}T\d{9}Z$/.test(name);

/** The ids of all last copies. */
export const lastCopiesIn = (emulator: Emulator): Set<string> =>
    new Set(
        emulator
            .snapshot()
            .services.filter(({ name }) => isLastCopy(name))
            .map(({ service_id: id }) => id),
    );

const isService = (url: string): boolean => /\/services\/\w+$/.test(url);

/** The last parts of the paths of all creations. */
const creations = new Set(
    Object.values(untypedKinds).flatMap((kind) =>
        (Object.keys(kind.creations) as OperationId[]).map((id) => operations[id].path.split("/").at(-1)),
    ),
);

const isCreation = (url: string): boolean => creations.has(url.split("/").at(-1));

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

/** The ids of all existing resources whose status is one of these. By default, all statuses. VPCs have none. */
export function idsIn(emulator: Emulator, is: (status: string) => boolean = () => true): Set<string> {
    return new Set(
        resourcesIn(emulator)
            .filter(({ status }) => status === undefined || is(status))
            .map(({ id }) => id),
    );
}
