import type { Emulator } from "../../../emulator";
import { lifecycles } from "../../../provider/resources";
import { PartialFailure, AlreadyExistsError } from "../../../provider/lifecycle/errors";
import type { Checked } from "../../../provider/lifecycle/resource";
import type { ServiceInputs } from "../../../provider/resources/service/service";
import type { ProviderProcess } from "../../support/simulation";

const { Service } = lifecycles;
type State = Parameters<typeof Service.update>[1];
type Inputs = Checked<ServiceInputs>;

/** More runs than any service of a soak needs. */
const mostRuns = 20;

/** The figures of one service. */
export interface Life {
    runs: number;
    /** The number of adoptions. */
    adoptions: number;
}

/** Creates, updates and deletes a service. Repeats each run until it succeeds, as a user would. */
export async function live(name: string, emulator: Emulator, provider: ProviderProcess): Promise<Life> {
    const life: Life = { runs: 0, adoptions: 0 };
    const { projectId } = emulator;
    const password = `password-${name}`;
    const first: Inputs = { projectId, __urn: `urn:pulumi:dev::soak::clouddb:Service::${name}`, name };
    const { id, state } = await begin(first, provider, life);
    const changed: Inputs = { ...first, cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, password };
    const last = await change(id, state, changed, provider, life);
    if (!emulator.passwordMatches(id, password)) {
        throw new Error(`${name} rejects its password.`);
    }
    await repeat(life, () => Service.remove(id, last, provider.run()));
    return life;
}

async function begin(inputs: Inputs, provider: ProviderProcess, life: Life): Promise<{ id: string; state: State }> {
    let existingId: string | undefined;
    return repeat(life, async () => {
        try {
            return await Service.create({ ...inputs, ...(existingId !== undefined && { existingId }) }, provider.run());
        } catch (error) {
            if (error instanceof PartialFailure) {
                const state = await change(error.id, error.state as State, inputs, provider, life);
                return { id: error.id, state };
            }
            if (error instanceof AlreadyExistsError) {
                existingId = error.existing[0].id;
                life.adoptions += 1;
            }
            throw error;
        }
    });
}

async function change(id: string, state: State, inputs: Inputs, provider: ProviderProcess, life: Life): Promise<State> {
    let known = state;
    return repeat(life, async () => {
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

async function repeat<T>(life: Life, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
        life.runs += 1;
        try {
            return await work();
        } catch (error) {
            if (tries === mostRuns) {
                throw error;
            }
        }
    }
}
