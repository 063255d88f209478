import fc from "fast-check";
import type { Interceptor } from "../../emulator";
import { bodySchemaOf, loadContract } from "../../emulator/contract";
import type { OperationId } from "../../provider/api/contract";
import { methods, operations } from "../../provider/api/operations.gen";
import { resourceTypes, type ResourceType } from "../../provider/resources";
import { announcements, propertiesOf, untypedKinds } from "../support/cases";
import { changeOf, type ChangingOperation, type Values } from "../support/cases/property";
import { filled, symbols } from "../support/cases/kind";
import { hosts, nativeHostIn } from "../support/hosts";
import { createScene } from "../support/previewChecks";
import { forms, programsOf, propertyRuns } from "../support/random";
import { simulate } from "../support/simulation";

// What a preview shows is what the requests contain, whatever the API makes of them.

/** Longer than any operation of the emulator. */
const settledMs = 3_600_000;

/** A request with the body that the provider has sent, also with what the journal of the emulator hides. */
interface Sent {
    readonly operationId: OperationId;
    readonly path: string;
    readonly body: Values;
}

/** The requests that change something, and what records them. */
function recorder() {
    const requests: Sent[] = [];
    const intercept: Interceptor = ({ operationId, request: { path, body = "" } }, carryOut) => {
        if (methods[operations[operationId].method] !== "read") {
            requests.push({ operationId, path, body: JSON.parse(body || "{}") as Values });
        }
        return carryOut();
    };
    return { requests, intercept };
}

/** The values in a value. */
const leavesOf = (value: unknown): unknown[] =>
    typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

/** The words without a digit that a program with this kind can have as a value, such as `DEV`. */
function wordsOf(type: ResourceType): ReadonlySet<unknown> {
    const { together = {}, forms: all } = untypedKinds[type];
    const pairs = propertiesOf(type).map(([name, one]) => changeOf(name, one, symbols));
    return new Set(leavesOf([together, all, pairs]).filter((value) => /^[a-z_-]+$/i.test(String(value))));
}

/** How lines write values that are otherwise in a request. Each becomes the values of the request. */
const formats: readonly (readonly [RegExp, (text: string, ...parts: string[]) => string])[] = [
    [/(\d+)m\/(\d+)GB/g, (_, cpu, memory) => [cpu, memory].join(" ")],
    [/(\d+) async \+ (\d+) sync/g, (_, async, sync) => [Number(async) + Number(sync), sync].join(" ")],
];

/** What a line says beside values of its request: where a secret is from, what it was, and what follows. */
const asides = [/\(version .*\)/, /^.* -> /, /, `pulumi refresh` .*/];

/** The values in a line of a plan that its request sets: texts in quotes, what has a digit, and these words. */
function valuesIn(line: string, words: ReadonlySet<unknown>): string[] {
    // One that stays is in both parts, and not in the request.
    const [, same = ""] = /(\d+ x ).* -> \1/.exec(line) ?? [];
    const shown = asides.reduce((text, aside) => text.replace(aside, ""), line).replace(same, "");
    const formatted = formats.reduce((text, [from, to]) => text.replace(from, to), shown);
    const quoted = formatted.match(/"[^"]*"/g) ?? [];
    const plain = formatted.replace(/"[^"]*"/g, "").split(/[\s,()[\]{}]+/);
    return [
        ...quoted.map((text) => JSON.parse(text) as string),
        ...plain.filter((word) => /\d/.test(word) || words.has(word)),
    ];
}

/** The input with a name in a body. */
const inputOf = (name: string) =>
    name.replace(/_tag$/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A value in the form that it has in programs, with texts for numbers and flags. */
function texts(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(texts);
    }
    return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [inputOf(name), texts(one)]))
        : String(value);
}

/** The outputs of a preview that a request sets, each with the value in the request and in the preview. */
function comparedIn({ body }: Sent, known: Values): [string, unknown[]][] {
    return Object.entries(body).flatMap(([name, sent]): [string, unknown[]][] => {
        const input = inputOf(name);
        return known[input] === undefined ? [] : [[input, [texts(sent), texts(known[input])]]];
    });
}

/** The requests after that of a creation which set only what it has set: such values are in `sets` of `describe`. */
function repeated([creation, ...others]: readonly Sent[], known: Values): string[] {
    const namesIn = (request: Sent) => comparedIn(request, known).map(([name]) => name);
    const created = new Set(creation === undefined ? [] : namesIn(creation));
    const isRepeated = (names: readonly string[]) => names.length > 0 && names.every((name) => created.has(name));
    return others.filter((one) => isRepeated(namesIn(one))).map(({ operationId }) => operationId);
}

/** The inputs that the requests which create a kind can contain. */
const inputsInCreations = (type: ResourceType) =>
    loadContract()
        .operations.filter(({ operationId }) => operationId in untypedKinds[type].creations)
        .flatMap((operation) => Object.keys(bodySchemaOf(operation)?.properties ?? {}).map(inputOf));

/** A fork, whose request has no such value, has no HA replicas. */
const byContract: Values = { replicaCount: 0 };

/** Synchronous replicas: none, or one of two. */
const isDocumented = ({ replica_count: all, sync_replica_count: sync }: Values): boolean =>
    Number(all) <= 2 && (sync === 0 || (sync === 1 && all === 2));

let compared = 0;

/** What the preview of a program shows, after the run of another one, is in the requests of its run. Returns whether that succeeds. */
async function expectShownIsSent(
    hostIn: (typeof hosts)[number][1],
    type: ResourceType,
    from: Values | null,
    to: Values,
) {
    const { requests, intercept } = recorder();
    const world = await simulate({ peerings: "immediate", intercept });
    const scene = await createScene(world.client, world.emulator, () => world.clock.advance(settledMs));
    world.clock.advance(48 * settledMs);
    const host = hostIn(world);
    const run = (inputs: Values, entry?: Parameters<typeof host.up>[2]) =>
        host.up(type, filled(inputs, scene), entry).catch(() => undefined);
    const entry = from === null ? undefined : (await run(from))?.entry;
    const preview = await host.preview(type, filled(to, scene), entry).catch(() => undefined);
    requests.length = 0;
    const isAccepted = (await run(to, entry)) !== undefined;
    const [left, words] = [[...requests], wordsOf(type)];
    for (const line of preview?.steps ?? []) {
        const announced = ({ operationId }: Sent) =>
            announcements[operationId as ChangingOperation]?.test(line) === true;
        const [request] = left.splice(left.findIndex(announced), left.some(announced) ? 1 : 0);
        if (request !== undefined) {
            const sent = [...request.path.split("/"), ...leavesOf(request.body).map(String)];
            const missing = valuesIn(line, words).filter((value) => !sent.includes(value));
            // A line that writes a value in a way of its own has a row in `formats` of this file.
            expect([line, sent, missing]).toEqual([line, sent, []]);
            compared += 1;
        }
    }
    if ((to.replicaCount === undefined) !== (to.syncReplicaCount === undefined)) {
        const bodies = requests.flatMap(({ operationId, body }) => (operationId === "setHA" ? [body] : []));
        // The value that the program does not declare is one that fits.
        expect(bodies.filter((body) => !isDocumented(body))).toEqual([]);
    }
    const known = preview?.known ?? {};
    const last = Object.fromEntries(requests.flatMap((request) => comparedIn(request, known)));
    for (const [name, [sent, shown]] of Object.entries(last)) {
        expect([name, sent]).toEqual([name, shown]);
    }
    if (requests.some(({ operationId }) => /^(create|fork)/.test(operationId))) {
        const shown = inputsInCreations(type).filter((name) => (known[name] ?? byContract[name]) !== byContract[name]);
        expect(shown.filter((name) => !(name in last))).toEqual([]);
        expect(repeated(requests, known)).toEqual([]);
    }
    return isAccepted;
}

describe.each(hosts)("previews on %s", (_, hostIn) => {
    it.each(forms.map(({ type, form }, index) => [type, index, form] as const))(
        "every value that a preview shows is in the body that is sent: %s (%s)",
        async (type, _index, form) => {
            const programs = programsOf(type, form);
            let accepted = 0;
            const property = fc.asyncProperty(fc.option(programs), programs, async (from, to) => {
                accepted += Number(await expectShownIsSent(hostIn, type, from, to));
            });
            await fc.assert(property, { numRuns: Math.ceil(propertyRuns / 4), seed: 3 });
            expect(accepted).not.toBe(0);
        },
    );
});

/** Each input that a change sets in place, in programs with its values before and after it. */
const changes = resourceTypes.flatMap((type) =>
    propertiesOf(type)
        .filter(([, { announced }]) => announced !== undefined)
        .map(([name, one]) => {
            const required = untypedKinds[type].inputs(symbols, 0);
            const [from, to] = changeOf(name, one, symbols).map((inputs) => ({ ...required, ...inputs }));
            return { type, name, from: from ?? {}, to: to ?? {} };
        }),
);

it.each(changes)(
    "what the preview of a change of $name of a $type shows is in the body that is sent",
    async (change) => {
        expect(await expectShownIsSent(nativeHostIn, change.type, change.from, change.to)).toBe(true);
    },
);

it("enough lines were compared with a request", () => {
    expect(compared).toBeGreaterThan(20);
});
