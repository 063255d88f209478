import type { Emulator } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { PartialFailure, AlreadyExistsError } from "../../../provider/lifecycle/errors";
import type { Checked } from "../../../provider/contract/resource";
import type { ServiceKind } from "../../../provider/resources/service/plan";
import type { ProviderProcess } from "../../support/provider";

const { Service } = lifecycles;
type State = Parameters<typeof Service.update>[1];
type Inputs = Checked<ServiceKind>;

/** More runs than any service of a soak needs. */
const mostRuns = 20;

/** The figures of one service. */
export interface Figures {
    runs: number;
    /** The number of adoptions. */
    adoptions: number;
}

/** Creates, updates and deletes a service. Repeats each run until it succeeds, as a user would. */
export async function runLifeCycle(name: string, emulator: Emulator, provider: ProviderProcess): Promise<Figures> {
    const figures: Figures = { runs: 0, adoptions: 0 };
    const { projectId } = emulator;
    const password = `password-${name}`;
    const urn = `urn:pulumi:dev::soak::clouddb:Service::${name}`;
    const first: Inputs = { projectId, __urn: urn, name, deletionProtection: false };
    const { id, state } = await begin(first, provider, figures);
    const changed: Inputs = { ...first, cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, password };
    const last = await change(id, state, changed, provider, figures);
    if (!emulator.passwordMatches(id, password)) {
        throw new Error(`${name} rejects its password.`);
    }
    await repeat(figures, () => Service.delete(id, last, provider.run()));
    return figures;
}

async function begin(
    inputs: Inputs,
    provider: ProviderProcess,
    figures: Figures,
): Promise<{ id: string; state: State }> {
    let existingId: string | undefined;
    return repeat(figures, async () => {
        try {
            return await Service.create({ ...inputs, ...(existingId !== undefined && { existingId }) }, provider.run());
        } catch (error) {
            if (error instanceof PartialFailure) {
                const state = await change(error.id, error.state as State, inputs, provider, figures);
                return { id: error.id, state };
            }
            if (error instanceof AlreadyExistsError) {
                existingId = error.existing[0].id;
                figures.adoptions += 1;
            }
            throw error;
        }
    });
}

async function change(
    id: string,
    state: State,
    inputs: Inputs,
    provider: ProviderProcess,
    figures: Figures,
): Promise<State> {
    let known = state;
    return repeat(figures, async () => {
        try {
            return await Service.update(id, known, inputs, provider.run());
        } catch (error) {
            if (error instanceof PartialFailure) {
                known = error.state as State;
            }
            throw error;
        }
    });
}

async function repeat<T>(figures: Figures, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
        figures.runs += 1;
        try {
            return await work();
        } catch (error) {
            if (tries === mostRuns) {
                throw error;
            }
        }
    }
}
