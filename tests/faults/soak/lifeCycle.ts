import { isDeepStrictEqual } from "node:util";
import type { Emulator } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { PartialFailure, AlreadyExistsError } from "../../../provider/lifecycle/errors";
import type { Context } from "../../../provider/model/context";
import type { Checked } from "../../../provider/model/resource";
import type { ServiceKind } from "../../../provider/resources/service/plan";
import { rejectedOutputs } from "../../support/passwords";
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
    await assertTrue(name, id, state, first, emulator, provider);
    const updated = await change(id, state, changed, provider, figures);
    await assertTrue(name, id, updated, changed, emulator, provider);
    // The password is set, but the run fails, and the user takes the program back.
    const lost = `updatePassword/${id}#1+:reset-after`;
    emulator.addFaults([lost]);
    const run = provider.run({ timeMs: 20_000 });
    const attempted = await attempt(id, updated, { ...changed, password: `${password}-2` }, run);
    emulator.removeFault(lost);
    const last = await change(id, attempted.state, changed, provider, figures);
    await assertTrue(name, id, last, changed, emulator, provider);
    await repeat(figures, () => Service.delete(id, last, provider.run()));
    return figures;
}

/** Fails if the state after a successful run differs from the program, or from what is in force. */
async function assertTrue(
    name: string,
    id: string,
    state: State,
    inputs: Inputs,
    emulator: Emulator,
    provider: ProviderProcess,
): Promise<void> {
    const { steps, replace, stateChanges } = Service.plan(state, inputs);
    const isDeclaredInForce = inputs.password === undefined || emulator.passwordMatches(id, inputs.password);
    const problems = [
        ...rejectedOutputs(emulator, id, state).map((output) => `the service rejects its ${output}`),
        ...(isDeclaredInForce ? [] : ["the service rejects the declared password"]),
        ...[...steps, ...replace, ...stateChanges].map((change) => `a second preview has ${JSON.stringify(change)}`),
        ...((await isSeen(id, state, provider)) ? [] : ["a refresh finds another state"]),
    ];
    if (problems.length > 0) {
        throw new Error(`The state of ${name} is not true: ${problems.join(", ")}.`);
    }
}

/** Whether a refresh finds this state. Some faults change the response to one read. */
async function isSeen(id: string, state: State, provider: ProviderProcess): Promise<boolean> {
    for (let reads = 0; reads < mostRuns; reads++) {
        const seen = await Service.read(id, state, provider.run()).catch(() => undefined);
        if (seen !== undefined && isDeepStrictEqual(Service.stored(seen.state), Service.stored(state))) {
            return true;
        }
    }
    return false;
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
        const { state: next, error } = await attempt(id, known, inputs, provider.run());
        known = next;
        if (error !== undefined) {
            throw error;
        }
        return known;
    });
}

/** One run, and the state that it leaves. */
async function attempt(
    id: string,
    state: State,
    inputs: Inputs,
    run: Context,
): Promise<{ state: State; error?: Error }> {
    try {
        return { state: await Service.update(id, state, inputs, run) };
    } catch (cause) {
        const error = cause as Error;
        return { state: error instanceof PartialFailure ? (error.state as State) : state, error };
    }
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
