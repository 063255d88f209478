import { isDeepStrictEqual } from "node:util";
import { unknownWord } from "../../emulator/dialect/members";
import { untypedKinds } from "../support/cases";
import { addFaults } from "../support/effects";
import { deleteServices } from "./deletion";
import { deleteByHand } from "./drift";
import { readLogs } from "./logs";
import { isInAdoption, isIncomplete, lastId, type Entry, type Failure } from "./engine/entry";
import { differences } from "./expectations";
import { idsIn, resourcesIn } from "./ledger";
import { declare, optionsOf, prepare } from "./preparation";
import { detachUnmanaged, recover } from "./recovery";
import { longMs } from "./scenario";
import type { Round, Scenario, Verb } from "./scenario";
import { otherEntryOf, type Stack } from "./stack";
import { World } from "./world";

/** Runs a scenario. Returns the figures of its world. Throws if an invariant is violated. */
export async function runScenario({ setting, rounds, ending, lastFaults }: Scenario) {
    const world = await World.start(setting);
    /** Resources that needed a manual step. */
    let helped = 0;
    try {
        for (const round of rounds) {
            await runRound(round, world);
            if (world.ledger.undecidable) {
                break;
            }
        }
        world.clock.skip(longMs);
        if (world.ledger.undecidable) {
            // Two histories are possible.
        } else if (ending.does === "delete") {
            await deleteServices(world.dev, world);
            await deleteServices(world.prod, world);
        } else {
            helped = await end([world.dev, world.prod], world, ending.keeps, lastFaults);
        }
        return { runs: world.runs, helped, skipped: world.skipped };
    } finally {
        await world.emulator.close();
    }
}

async function runRound(round: Round, world: World): Promise<void> {
    const { dev, prod, emulator, clock } = world;
    const { refresh, faults, death, cancellation, hasOldToken, wrongProject, concurrent, restartMs } = round;
    if (round.blind !== undefined) {
        await runBlind(round.blind, world);
    }
    await prepare(round, world);
    addFaults(emulator, [...faults, ...(concurrent?.faults ?? [])]);
    const runs: ReturnType<World["run"]>[] = [
        world.run(
            dev,
            async (engine, provider) => {
                if (refresh) {
                    await engine.refresh(provider);
                }
                if (provider.isDead() || provider.cancelledAt() !== undefined) {
                    return [];
                }
                return engine.up(dev.declared(), provider, optionsOf(round, dev));
            },
            { death, cancellation, hasOldToken, projectId: wrongProject },
        ),
    ];
    if (concurrent) {
        declare(prod, concurrent.program);
        const start = clock.sleep(concurrent.afterMs);
        runs.push(start.then(() => world.run(prod, (engine, provider) => engine.up(prod.declared(), provider))));
    }
    const ended = await Promise.allSettled(runs);
    for (const one of ended) {
        if (one.status === "rejected") {
            throw one.reason;
        }
    }
    emulator.clearFaults();
    const [first] = ended as PromiseFulfilledResult<Awaited<ReturnType<World["run"]>>>[];
    if (first?.value.failures.length === 0 && !first.value.interrupted && wrongProject === undefined) {
        await expectNoRequest(round, world);
    }
    clock.skip(restartMs);
}

/** A command whose token sees nothing removes no protected entry of a resource of the stack, and sends nothing. */
async function runBlind(verb: Verb, world: World): Promise<void> {
    const { dev } = world;
    const before = dev.engine.state.entries();
    const sent = world.emulator.changes().length;
    await world.run(
        dev,
        (engine, provider) => (verb === "up" ? engine.up(dev.declared(), provider) : engine[verb](provider)),
        { isBlind: true },
    );
    const after = new Set(dev.engine.state.entries().map(({ urn, id }) => `${urn} ${id}`));
    const isKept = (one: Entry) =>
        one.outputs.values.deletionProtection !== false && !isInAdoption(one) && otherEntryOf(dev, one) === undefined;
    // Pulumi itself removes what an earlier run has deleted before its replacement.
    const lost = before.filter((one) => !after.has(`${one.urn} ${one.id}`) && !one.deletedFirst && isKept(one));
    const protectedOnes = lost.filter(({ type }) => type === "Service" || type === "ReadReplicaSet");
    expectNone(
        protectedOnes.map(({ urn, id }) => `a ${verb} with a token that sees nothing has removed ${urn} (${id})`),
    );
    expectNone(
        world.emulator
            .changes()
            .slice(sent)
            .map(({ operationId }) => `it sends ${String(operationId)}`),
    );
}

/** After a successful run, the same program sends no change, unless a person has changed something, or it has left something out. */
async function expectNoRequest(round: Round, world: World): Promise<void> {
    const { dev, emulator, hasDrift } = world;
    const isWhole = round.target === undefined && round.excluded === undefined;
    if (!isWhole || hasDrift || dev.engine.state.entries().some(isIncomplete)) {
        return;
    }
    const before = emulator.changes().length;
    const { failures } = await world.run(dev, (engine, provider) => engine.up(dev.declared(), provider));
    expectNoFailures("a second run of the same program", failures);
    const sent = emulator.changes().slice(before);
    expectNone(sent.map(({ operationId }) => `a second run of the same program sends ${String(operationId)}`));
}

/**
 * The third invariant: the documented steps lead out of every failure. What exists is then what the programs declare, the next
 * run changes nothing, and a destroy leaves nothing: no database is lost, and there is no second one. Returns the number of
 * resources that needed a manual step.
 */
async function end(stacks: readonly Stack[], world: World, keeps: boolean, faults: readonly string[]): Promise<number> {
    let helped = 0;
    for (const stack of stacks) {
        helped += await recover(stack, world, keeps);
    }
    world.hasDrift = false;
    for (const stack of stacks) {
        removeDuplicates(stack, world);
    }
    for (const stack of stacks) {
        await readLogs(stack, world);
        expectNone(differences(stack, world.emulator));
        stack.existing.clear();
        await expectNothingToDo(stack, world);
    }
    for (const stack of stacks) {
        await destroyAll(stack, world, faults);
    }
    // Only what belongs to no stack.
    const left = [...idsIn(world.emulator)].filter((id) => !world.operator.passwords.has(id));
    expectNone(left.map((id) => `destroy did not delete ${id}`));
    return helped;
}

/** With these rules, both lists that the run after a kill reads may not show by what it recognizes what that one has created. */
const hiding = new Map([
    [untypedKinds.Peering, "Peering.peer_vpc_id:empty"],
    [untypedKinds.ReadReplicaSet, "ReadReplicaSet.name:empty"],
]);

/**
 * Deletes resources that a stack created but that are not in its state. A warning or an error must name each of them, or the service
 * that has it.
 */
function removeDuplicates(stack: Stack, { emulator, ledger, created, dialect }: World): void {
    const known = new Set(stack.engine.state.entries().map(({ id }) => lastId(id)));
    const unknown = resourcesIn(emulator).filter(({ id }) => !known.has(id));
    const left = ledger.createdBy(stack.stack).flatMap((id) => unknown.find((one) => one.id === id) ?? []);
    const named = left.filter(({ id, serviceId = id }) => [id, serviceId].some((one) => stack.warnings.includes(one)));
    const isWarned = stack.engine.notes.interruptedReplacements.size > 0;
    const isHidden = ({ id, kind }: (typeof left)[number]) =>
        created.unrecorded.has(id) && dialect.split(",").includes(hiding.get(kind) ?? "");
    expectNone(
        left
            .filter((one) => !isWarned && !named.includes(one) && !stack.former.includes(one.id) && !isHidden(one))
            .map(({ id }) => `${stack.stack} created ${id}, but it is not in its state, and no warning names it`),
    );
    left.forEach(({ id }) => deleteByHand(id, emulator));
}

async function expectNothingToDo(stack: Stack, world: World): Promise<void> {
    const { emulator } = world;
    const before = visible(stack);
    emulator.clearJournal();
    // The `existingId` lines are removed at this point.
    const again = await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
    expectNoFailures("the run after recovery", again.failures);
    const calls = emulator.changes();
    expectNone(calls.map(({ operationId }) => `the run after recovery still sends ${String(operationId)}`));
    const refreshed = await world.run(stack, (engine, provider) => engine.refresh(provider));
    expectNoFailures("the refresh after recovery", refreshed.failures);
    const after = visible(stack);
    const isMissing = (id: string) => (before.get(id) ?? undefined) === undefined;
    // A dialect can have another word in each answer, and a later one can show what the earlier ones have not.
    const changes = [...before].filter(([id, value]) => {
        const found = after.get(id);
        return (
            !isDeepStrictEqual(value, found) &&
            ![value, found].includes(unknownWord) &&
            !isMissing(id) &&
            !(id !== portOf(id) && isMissing(portOf(id)))
        );
    });
    expectNone(
        changes.map(([id, value]) => `a refresh changes ${id} from ${String(value)} to ${String(after.get(id))}`),
    );
}

/** The output with the port in this connection string, and any other output itself. */
const portOf = (id: string): string => id.replace(/ connectionString$/, " port").replace(/ConnectionString$/, "Port");

/**
 * The outputs in the state that a program can read. The endpoints of a replica set change when its service is attached to a VPC.
 */
const visible = ({ engine }: Stack) =>
    new Map(
        engine.state.liveEntries().flatMap(({ urn, type, outputs: { values } }) => {
            const hidden = type === "ReadReplicaSet" ? /^__|host|port|connectionString/i : /^__/;
            const shown = Object.entries(values).filter(([name]) => !hidden.test(name));
            return shown.map(([name, value]): [string, unknown] => [`${urn} ${name}`, value]);
        }),
    );

async function destroyAll(stack: Stack, world: World, faults: readonly string[]): Promise<void> {
    const { emulator, clock } = world;
    stack.isPermitted = true;
    const permitted = await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
    expectNoFailures("the run that permits the deletions", permitted.failures);
    addFaults(emulator, faults);
    const destroy = () => world.run(stack, (engine, provider) => engine.destroy(provider));
    const { failures } = await destroy();
    emulator.clearFaults();
    clock.skip(longMs);
    if (failures.length > 0) {
        const { failures: remaining } = await destroy();
        expectNoFailures("the second destroy", detachUnmanaged(remaining, world));
        if (remaining.length > 0) {
            expectNoFailures("the destroy after a service was detached manually", (await destroy()).failures);
        }
    }
    expectNone(stack.engine.state.entries().map(({ key }) => `destroy did not remove ${key} from the state`));
}

function expectNoFailures(what: string, failures: readonly Failure[]): void {
    for (const { key, error } of failures) {
        throw new Error(`${key} failed in ${what}`, { cause: error });
    }
}

function expectNone(problems: readonly string[]): void {
    if (problems.length > 0) {
        throw new Error(problems.join("\n"));
    }
}
