import fc from "fast-check";
import type { JournalEntry } from "../../emulator";
import { bodySchemaOf, loadContract } from "../../emulator/contract";
import type { ResourceType } from "../../provider/resources";
import { announcements, propertiesOf, untypedKinds } from "../support/cases";
import { filled } from "../support/cases/kind";
import type { ChangingOperation, Values } from "../support/cases/property";
import { hosts } from "../support/hosts";
import { createScene } from "../support/previewChecks";
import { forms, programsOf, propertyRuns } from "../support/random";
import { simulate } from "../support/simulation";

// What a preview shows is what the requests contain, whatever the API makes of them.

/** Longer than any operation of the emulator. */
const settledMs = 3_600_000;

/** The values in a line of a plan that its request sets. One that stays is in both parts. */
function valuesIn(line: string): string[] {
    const [, same] = /(\d+ x ).* -> \1/.exec(line) ?? [];
    const to = line
        .replace(/^.* -> /, "")
        .replace(/, `pulumi refresh` .*/, "")
        .replace(same ?? "", "");
    const replicas = [...to.matchAll(/(\d+) (async|sync)/g)];
    const counts = replicas.length === 0 ? [] : [String(replicas.reduce((sum, [, count]) => sum + Number(count), 0))];
    const shown =
        /"([^"]*)"|(\d+)m\/|\/(\d+)GB|\b(DEV|PROD|shared|NOW|LAST_SNAPSHOT|ai|time-series)\b|VPC (\d+)|(\d+) (?:HA|sync|x )/g;
    return [...counts, ...[...to.matchAll(shown)].map((found) => found.slice(1).join(""))];
}

/** The values of a request: in its body and its path. */
const sentIn = ({ path, body }: JournalEntry): string[] => [
    ...path.split("/"),
    ...Object.values((body ?? {}) as Values).flatMap((value) =>
        Array.isArray(value) ? value.map(String) : String(value),
    ),
];

/** The names that an input can have in bodies. */
function wireNames(input: string): string[] {
    const name = input.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, `${name}_tag`];
}

/** The names in the bodies of the requests that create a kind. */
const namesInCreations = (type: ResourceType) =>
    new Set(
        loadContract()
            .operations.filter(({ operationId }) => operationId in untypedKinds[type].creations)
            .flatMap((operation) => Object.keys(bodySchemaOf(operation)?.properties ?? {})),
    );

/** A fork, whose request has no such value, has no HA replicas. */
const byContract: Values = { replicaCount: 0 };

let compared = 0;
afterAll(() => expect(compared).toBeGreaterThan(20));

describe.each(hosts)("previews on %s", (_, hostIn) => {
    it.each(forms.map(({ type, form }, index) => [type, index, form] as const))(
        "every value that a preview shows is in the body that is sent: %s (%s)",
        async (type, _index, form) => {
            const programs = programsOf(type, form);
            const creation = namesInCreations(type);
            const property = fc.asyncProperty(fc.option(programs), programs, async (from, to) => {
                const world = await simulate({ peerings: "immediate" });
                const scene = await createScene(world.client, world.emulator, () => world.clock.advance(settledMs));
                world.clock.advance(48 * settledMs);
                const host = hostIn(world);
                const run = (inputs: Values, entry?: Parameters<typeof host.up>[2]) =>
                    host.up(type, filled(inputs, scene), entry).catch(() => undefined);
                const entry = from === null ? undefined : (await run(from))?.entry;
                const preview = await host.preview(type, filled(to, scene), entry).catch(() => undefined);
                world.emulator.clearJournal();
                await run(to, entry);
                const requests = world.emulator.changes();
                const left = [...requests];
                for (const line of preview?.steps ?? []) {
                    const announced = ({ operationId }: JournalEntry) =>
                        announcements[operationId as ChangingOperation]?.test(line) === true;
                    const [request] = left.splice(left.findIndex(announced), left.some(announced) ? 1 : 0);
                    const sent = request === undefined ? [] : sentIn(request);
                    // The journal hides the whole body of an operation that takes a secret.
                    const isHidden = sent.includes("[redacted]");
                    const missing = valuesIn(line).filter((value) => !isHidden && !sent.includes(value));
                    expect([line, sent, request === undefined ? [] : missing]).toEqual([line, sent, []]);
                    compared += request === undefined ? 0 : 1;
                }
                const isCreated = requests.some(({ operationId = "" }) => /^(create|fork)/.test(operationId));
                const bodies = Object.assign({}, ...requests.map(({ body }) => body)) as Values;
                const shown = propertiesOf(type).filter(
                    ([name]) => wireNames(name).some((one) => creation.has(one)) && name in (preview?.known ?? {}),
                );
                for (const [name] of isCreated ? shown : []) {
                    const sentAs = wireNames(name).find((one) => one in bodies) ?? "";
                    const sent = bodies[sentAs] ?? byContract[name];
                    const known = sent === "[redacted]" ? sent : preview?.known[name];
                    expect([name, String(sent)]).toEqual([name, String(known)]);
                }
            });
            await fc.assert(property, { numRuns: Math.ceil(propertyRuns / 4), seed: 3 });
        },
    );
});
