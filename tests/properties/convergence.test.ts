import fc from "fast-check";
import { pick, valueOf } from "../../provider/base/fields";
import { resourceTypes, type ResourceType } from "../../provider/resources";
import type { ServiceInputs } from "../../provider/resources/service/inputs";
import { defaultsOf, propertiesOf, untypedKinds } from "../support/cases";
import { filled, outside, symbols } from "../support/cases/kind";
import type { Values } from "../support/cases/property";
import { itInDialects } from "../support/dialects";
import { checked, operations } from "../support/fixtures";
import { sessionsOn } from "../support/hosts";
import { untypedLifecycles } from "../support/lifecycles";
import { rejectedOutputs } from "../support/passwords";
import { createScene } from "../support/previewChecks";
import { inputsOf, propertyRuns } from "../support/random";
import { simulate } from "../support/simulation";

const settledMs = 3_600_000;
const unchanged = { replace: [], steps: [], stateChanges: [] };

/** The outputs expected in a state after an update from an earlier one: an undeclared input has its default, or keeps its value. */
function expected(type: ResourceType, declared: Values, found: object, before: Values = {}): Values {
    const { cpuMillis, memoryGbs } = declared;
    const status = mayLackStatus(declared, found) ? undefined : untypedKinds[type].settled(declared);
    const known = { ...before, ...defaultsOf(type), ...declared };
    const updated = propertiesOf(type).filter(([, { announced, shown }]) => announced && shown);
    return {
        ...Object.fromEntries(updated.flatMap(([name]) => (name in known ? [[name, known[name]]] : []))),
        ...(cpuMillis === undefined ? {} : { memoryGbs: memoryGbs ?? Number(cpuMillis) / 250 }),
        ...(memoryGbs === undefined ? {} : { cpuMillis: cpuMillis ?? Number(memoryGbs) * 250 }),
        ...(status === undefined ? {} : { status }),
    };
}

/** A peering that need not be active is complete as soon as it has its id at the provider, also if no response has shown a status. */
const mayLackStatus = (declared: Values, found: object): boolean =>
    declared.waitFor === "provisioned" && valueOf(found, "status") === undefined;

/** The outputs that a peering may lack until a refresh: the status, or the id at the provider of one that is active. */
const mayLack = (declared: Values, found: object): string[] => [
    ...(mayLackStatus(declared, found) ? ["status"] : []),
    ...("peerVpcId" in found && valueOf(found, "status") === "active" && valueOf(found, "provisionedId") === undefined
        ? ["provisionedId"]
        : []),
];

/** An activation creates nothing. */
const types = resourceTypes.filter((type) => type !== "PeeringActivation");

itInDialects(
    types.map((type) => [type] as const),
    "a plan updates a %s from any state to any other, and the next plan is empty (dialect %s)",
    async (type, dialect) => {
        const world = await simulate({ peerings: "immediate", dialect });
        const { clock, client, emulator, run } = world;
        const scene = { ...symbols, ...(await createScene(client, emulator, () => clock.advance(settledMs))) };
        const lifecycle = untypedLifecycles[type];
        const { inputs, items } = untypedKinds[type];
        const count = () => items(emulator.snapshot()).length;
        const before = count();
        const isRenamed = propertiesOf(type).some(([name, { announced }]) => name === "name" && announced);
        const states = inputsOf(type, isRenamed ? ["name"] : []).map(
            (one) => lifecycle.completed(filled(one, scene) as never) as Values,
        );
        let runs = 0;
        let accepted = 0;
        const { startSession } = sessionsOn(world);
        await fc.assert(
            fc.asyncProperty(states, states, async (first, second) => {
                const given = checked(`it-${runs++}`, {});
                const [old, next] = [first, second].map((one) => ({ ...inputs(scene, 0), ...one, ...given }) as never);
                accepted += Number(
                    lifecycle.in(startSession()).check({ ...inputs(scene, 0), ...second, ...given }, {}).problems
                        .length === 0,
                );
                const made = await lifecycle.create(old as never, run());
                expect(made.state).toMatchObject(expected(type, first, made.state));
                expect(lifecycle.plan(made.state, old as never)).toMatchObject(unchanged);
                const rejected = type === "Service" ? rejectedOutputs(emulator, made.id, made.state) : [];

                const planned = lifecycle.plan(made.state, next as never).steps.map(({ call }) => call.operation);
                world.changes();
                const updated = await lifecycle.update(made.id, made.state, next as never, run());
                expect(operations(world)).toEqual(planned);
                expect(updated).toMatchObject(expected(type, second, updated, { ...made.state }));
                expect(lifecycle.plan(updated, next as never)).toMatchObject(unchanged);
                const seen = await lifecycle.read(made.id, updated, run());
                const later = pick(seen?.state ?? {}, mayLack(second, updated));
                expect(seen?.state).toEqual({ ...updated, ...later });
                expect(seen?.inputs).toEqual(next);
                if (type === "Service") {
                    expect([...rejected, ...rejectedOutputs(emulator, made.id, updated)]).toEqual([]);
                    const password = passwordAfter(first, second);
                    expect(password === undefined || emulator.passwordMatches(made.id, password)).toBe(true);
                    expect(JSON.stringify([made.state, updated])).not.toContain(outside);
                    expect(isOutside(first, second)).toBe(valueOf(updated, "currentPassword") === "");
                }
                await lifecycle.delete(made.id, updated, run());
                expect(count()).toBe(before);
            }),
            { numRuns: propertyRuns, seed: 4, endOnFailure: true },
        );
        // Of a kind whose `forms` lack something, each program would be refused.
        expect(accepted).toBeGreaterThan(0);
    },
);

/** The password in force after both programs: one outside of the state is read only if its version changes. */
function passwordAfter(first: ServiceInputs, second: ServiceInputs): string | undefined {
    const of = ({ password, passwordVariable = "" }: ServiceInputs) => password ?? process.env[passwordVariable];
    const isSame = second.passwordVersion !== undefined && second.passwordVersion === first.passwordVersion;
    return isSame ? of(first) : (of(second) ?? of(first));
}

/** Whether the password that is in force was outside of the state. */
function isOutside(first: ServiceInputs, second: ServiceInputs): boolean {
    const declared = second.password === undefined && second.passwordVersion === undefined ? first : second;
    return declared.passwordVersion !== undefined;
}
