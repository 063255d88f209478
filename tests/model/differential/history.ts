import fc from "fast-check";
import type { OperationId } from "../../../provider/api/contract";
import type { HostName } from "../../support/calls";
import { scenarios, type Round, type Scenario } from "../scenario";

/** A network in use cannot be deleted, and the provider waits. The real engine waits in real time. */
const timeouts = { delete: "5s" };

/** A history of the model without what the real engine cannot repeat. Each seed gives a different one. */
export function historyOf(seed: number, host: HostName): Scenario {
    const [scenario] = fc.sample(scenarios, { seed, numRuns: 1 });
    if (scenario === undefined) {
        throw new Error("There is no history.");
    }
    // The API of the real engine speaks no dialect.
    const setting = { ...scenario.setting, host, hasSecondBackend: false, dialect: "" };
    return { ...scenario, setting, rounds: scenario.rounds.map(repeatable) };
}

/** Without faults and signals, whose time is uncertain, and without changes outside of the stack. */
function repeatable(round: Round): Round {
    const { adoption, identities, program } = round;
    return {
        ...round,
        program: { ...program, timeouts },
        adoption: adoption !== undefined && ["itself", "other"].includes(adoption.of) ? adoption : undefined,
        target: undefined,
        drifts: [],
        identities: identities.filter(({ does }) => does !== "host"),
        concurrent: undefined,
        death: undefined,
        cancellation: undefined,
        hasOldToken: false,
        wrongProject: undefined,
    };
}

/** The operation that the API rejects during a round: one that changes something, and has a fault in the scenario. */
export function rejectedIn({ faults, continueOnError }: Round): OperationId | undefined {
    const operations = faults.flatMap((fault) => (/^\w+/.exec(fault)?.[0] ?? []) as OperationId | []);
    const isDeletion = (id: OperationId) => id.startsWith("delete") && id !== "deleteVpc";
    return operations.find((id) => !/^(get|list|GET|POST|DELETE)|\*/.test(id) && (!isDeletion(id) || continueOnError));
}
