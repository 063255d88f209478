import type { Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { withToken } from "../support/client";
import type { TestClock } from "../support/virtualClock";
import { inProcess } from "../support/inProcess";
import type { Ledger } from "./ledger";
import type { Adoption } from "./scenario";

/** Longer than any operation of the emulator takes. */
const doneMs = 10_000;
/** Until reads show that a change has begun. */
const visibleMs = 500;

/** A person who uses the API manually, in addition to the stacks. */
export class Operator {
    private readonly client: Client;
    /** The databases that the operator created and no stack must delete, with their first passwords. */
    readonly passwords = new Map<string, string>();

    constructor(
        private readonly emulator: Emulator,
        private readonly clock: TestClock,
        ledger: Ledger,
    ) {
        this.client = new Client(withToken(emulator.url, emulator.token), {
            clock,
            random: () => 0.5,
            adapter: ledger.watch("operator", inProcess(emulator)),
        });
    }

    /** A database that has these values, and perhaps a change in progress. */
    async database(
        name: string,
        { has = {}, replicasThen }: Pick<Adoption, "has" | "replicasThen"> = {},
    ): Promise<string> {
        const { service_id: id, initial_password: password } = await this.client.call(
            "createService",
            { path: { project_id: this.emulator.projectId }, body: { name } },
            {},
        );
        this.clock.skip(doneMs);
        this.passwords.set(id, password ?? "");
        const { paused, ...values } = has;
        this.emulator.updateService(id, values);
        if (paused) {
            await this.pause(id);
        }
        if (replicasThen !== undefined) {
            const path = { project_id: this.emulator.projectId, service_id: id };
            await this.client.call("setHA", { path, body: { replica_count: replicasThen } }, {});
            this.clock.skip(visibleMs);
        }
        return id;
    }

    /** Pauses a database, unless it is busy. */
    async pause(id: string): Promise<void> {
        await this.client
            .call("stopService", { path: { project_id: this.emulator.projectId, service_id: id } }, {})
            .catch(() => undefined);
        this.clock.skip(doneMs);
    }
}
