import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../../emulator";
import type { StackName } from "./program";

/** Somebody who sends requests: a stack, or a person. */
type Sender = StackName | "operator";

/** The Date header has seconds, and a request takes some time. */
const clockResolutionMs = 2_500;

/**
 * Notes who created what, stands between the stacks and the service, and finds requests that no stack may send: those that
 * change a resource which the stack neither created nor adopted, and those that delete a resource which a program declares.
 */
export class Ledger {
    private readonly creators = new Map<string, Sender>();
    private readonly adopters = new Map<string, Set<StackName>>();
    /** Initial passwords, which no file and no output may show. */
    readonly secrets = new Set<string>();
    readonly violations: string[] = [];
    /** The requests that create services by name: by whom, and when. */
    private readonly creations: { sender: Sender; name: string; at: number }[] = [];
    /**
     * Two stacks sent creations of the same name within the resolution of the server's clock: nobody can tell whose request
     * had an effect, so that the history ends here.
     */
    undecidable = false;

    /** `holder` returns the resource of a current program that has this id. */
    constructor(
        private readonly emulator: Emulator,
        private readonly holder: (id: string) => string | undefined,
    ) {}

    /** The program of the stack names this id, by the decision of a person. */
    adopt(stack: StackName, id: string): void {
        this.adopters.set(id, (this.adopters.get(id) ?? new Set()).add(stack));
    }

    /** Whether the stack created the resource or a person let it adopt it. */
    owns(stack: StackName, id: string): boolean {
        return this.creators.get(id) === stack || this.adopters.get(id)?.has(stack) === true;
    }

    /** The ids of everything that this sender created. */
    createdBy(sender: Sender): string[] {
        return [...this.creators].filter(([, creator]) => creator === sender).map(([id]) => id);
    }

    /** Carries the requests of this sender. */
    watch(sender: Sender, carry: AxiosAdapter): AxiosAdapter {
        return async (config) => {
            const method = (config.method ?? "get").toUpperCase();
            if (method === "GET") {
                return carry(config);
            }
            const { url = "" } = config;
            if (sender !== "operator") {
                this.judge(sender, method, url);
            }
            this.noteCreation(sender, String(config.data));
            const before = idsIn(this.emulator);
            // The emulator carries a request out before it returns its promise.
            const answer = carry(config);
            for (const id of idsIn(this.emulator)) {
                if (!before.has(id)) {
                    this.creators.set(id, sender);
                }
            }
            const received = await answer;
            this.noteSecret(received.data);
            return received;
        };
    }

    private judge(stack: StackName, method: string, url: string): void {
        const path = url.split("/");
        const id = path.filter((part) => this.creators.has(part)).at(-1);
        const creates = /\/(services|vpcs|peerings|replicaSets|forkService)$/.test(url);
        if (id === undefined || creates) {
            return;
        }
        const request = `${stack} sends ${method} ${url}`;
        if (!this.owns(stack, id)) {
            this.violations.push(`${request}, but it neither created nor adopted ${id}`);
        }
        const held = method === "DELETE" ? this.holder(id) : undefined;
        if (held !== undefined) {
            this.violations.push(`${request}, but the program declares ${id} as ${held}`);
        }
    }

    private noteCreation(sender: Sender, body: string): void {
        const [, name] = /"name":"([^"]+)"/.exec(body) ?? [];
        if (name === undefined) {
            return;
        }
        const at = this.emulator.snapshot().now;
        this.undecidable ||= this.creations.some(
            (one) => one.name === name && one.sender !== sender && at - one.at < clockResolutionMs,
        );
        this.creations.push({ sender, name, at });
    }

    private noteSecret(text: unknown): void {
        const [, password] = /"initial_password":"([^"]+)"/.exec(String(text)) ?? [];
        if (password !== undefined) {
            this.secrets.add(password);
        }
    }
}

/** The ids of all that exists. */
export function idsIn(emulator: Emulator): Set<string> {
    const { services, peerings, vpcs } = emulator.snapshot();
    return new Set([
        ...services.flatMap(({ service_id, read_replica_sets: sets = [] }) => [
            service_id,
            ...sets.map(({ id }) => id),
        ]),
        ...[...peerings, ...vpcs].map(({ id }) => id),
    ]);
}
