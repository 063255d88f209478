import { setTimeout as sleep } from "node:timers/promises";
import type { Interceptor, JournalEntry } from "../../emulator";
import { ProductionDatabase, ReadReplicaSet, Service } from "../../sdk/nodejs";
import { cancelWhen, failed, startStack, type TestStack } from "../support/engine";
import { loseResponse } from "../support/fixtures";
import { losesPasswords } from "../support/lostAnswers";

// After a successful run, the password of each connection string of the stack is in force.

interface Passwords {
    /** The declared password. Without one, the API generates it. */
    readonly password?: string;
    readonly version?: number;
}

/** Databases whose password is declared, in a variable, and declared in a component. */
const program =
    ({ password, version = 1 }: Passwords) =>
    () => {
        const declared = password === undefined ? {} : { password };
        const one = new Service("declared", declared);
        const outside = new Service("outside", { passwordVariable: "OUTSIDE_PASSWORD", passwordVersion: version });
        const component = new ProductionDatabase("component", { cpuMillis: 500, replicaCount: 0, ...declared });
        const reports = new ReadReplicaSet("reports", {
            serviceId: one.serviceId,
            cpuMillis: 500,
            password: one.currentPassword,
        });
        return {
            declared: one.connectionString,
            outside: outside.connectionString,
            component: component.service.connectionString,
            reports: reports.connectionString,
        };
    };

/** The outputs whose password is not in force. That of the variable is not in the state. */
async function rejected({ emulator, outputs }: TestStack, outside: string): Promise<string[]> {
    const { services } = emulator.snapshot();
    return Object.entries(await outputs()).flatMap(([name, output]) => {
        const { hostname, password } = new URL(String(output));
        const [service] = services.filter(({ endpoint, read_replica_sets: sets = [] }) =>
            [endpoint, ...sets.map((set) => set.endpoint)].some((one) => one?.host === hostname),
        );
        const known = name === "outside" ? outside : decodeURIComponent(password);
        return emulator.passwordMatches(service?.service_id ?? "", known) ? [] : [name];
    });
}

/** Carries out each change of a password, whose response comes after the end of a cancelled run. */
const delayingPasswords: Interceptor = async ({ operationId }, carryOut) => {
    const response = await carryOut();
    await sleep(operationId === "updatePassword" ? 10_000 : 0, undefined, { ref: false });
    return response;
};

/** Carries out each creation, whose response a proxy replaces. */
const losingCreations: Interceptor = (exchange, carryOut) =>
    exchange.operationId === "createService" ? loseResponse(exchange, carryOut) : carryOut();

/** After so many lists, the provider has found what it has created. */
const readsUntilFound = 12;

const callsOf = (journal: readonly JournalEntry[], operation: string) =>
    journal.filter(({ operationId }) => operationId === operation);

describe("after a run that did not learn which password is in force, the next one sets it", () => {
    const first: Passwords = { password: "the-first-password", version: 1 };
    const second: Passwords = { password: "the-second-password", version: 2 };
    const variable = { first: "outside-first-password", second: "outside-second-password" };
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack({ durations: { create: 3_000_000 } });
        // The provider finds what it has created before the services are ready.
        stack.env({ CLOUDDB_LIST_LAG_MS: "300", OUTSIDE_PASSWORD: variable.first });
    });

    const intercept = (effect: Interceptor) => stack.emulator.addFaults([{ times: "all", effect }]);

    /** Runs the program, whose passwords are in force then. */
    async function complete(next: () => unknown): Promise<void> {
        stack.emulator.clearFaults();
        stack.env({ OUTSIDE_PASSWORD: variable.first });
        await stack.up(next);
        expect(await rejected(stack, variable.first)).toEqual([]);
    }

    test("the answers to creations are lost, and the run ends before the services are ready", async () => {
        intercept(losingCreations);
        const areFound = (journal: readonly JournalEntry[]) => {
            const [, , third] = callsOf(journal, "createService");
            const later = third === undefined ? [] : journal.slice(journal.indexOf(third));
            return callsOf(later, "listServices").length >= readsUntilFound;
        };
        await cancelWhen(stack, areFound, (signal) => stack.up(program({}), { signal }));
        const { services } = stack.emulator.snapshot();
        expect(services).toHaveLength(3);
        services.forEach(({ service_id: id }) => stack.emulator.finish(id));
        await complete(program({}));
    });

    test("the answers to new passwords are lost, the run fails, and the program is reverted", async () => {
        intercept(losesPasswords());
        stack.env({ OUTSIDE_PASSWORD: variable.second });
        await failed(stack.up(program(second)));
        await complete(program({}));
    });

    test("the run is cancelled while new passwords are set, and the program declares others", async () => {
        intercept(delayingPasswords);
        stack.env({ OUTSIDE_PASSWORD: variable.second });
        const areSent = (journal: readonly JournalEntry[]) => callsOf(journal, "updatePassword").length === 3;
        await cancelWhen(stack, areSent, (signal) => stack.up(program(second), { signal }));
        await complete(program(first));
    });
});
