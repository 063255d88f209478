import fc from "fast-check";

// Random values that do not depend on which others there are. A new input, operation or kind then changes only what has its name.

/** FNV-1a, which is enough to tell names apart. */
const hashOf = (text: string): number =>
    Buffer.from(text).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), 2_166_136_261);

/** Splitmix32: one number for each state, so that a stream of a seed and a name is the same in every program. */
class Generator {
    constructor(private state: number) {}

    clone(): Generator {
        return new Generator(this.state);
    }

    next(): number {
        this.state = (this.state + 0x9e3779b9) | 0;
        const first = Math.imul(this.state ^ (this.state >>> 16), 0x21f0aaad);
        const second = Math.imul(first ^ (first >>> 15), 0x735a2d97);
        return second ^ (second >>> 15);
    }

    /** Without it, fast-check does not clone the generator. */
    jump(): void {
        this.state = Math.imul(this.next(), 0x9e3779b9);
    }

    getState(): readonly number[] {
        return [this.state];
    }
}

const whole = [-0x80000000, 0x7fffffff] as const;

/** Generates with another random source, and shrinks like the other arbitrary. */
class Streamed<T> extends fc.Arbitrary<T> {
    constructor(
        private readonly inner: fc.Arbitrary<T>,
        private readonly sourceOf: (random: fc.Random) => fc.Random,
    ) {
        super();
    }

    generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
        return this.inner.generate(this.sourceOf(random), biasFactor);
    }

    canShrinkWithoutContext(value: unknown): value is T {
        return this.inner.canShrinkWithoutContext(value);
    }

    shrink(value: T, context?: unknown): fc.Stream<fc.Value<T>> {
        return this.inner.shrink(value, context);
    }
}

/** Takes one number from the source of its surroundings, whatever it generates. */
const seeded = <T>(inner: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    new Streamed(inner, (random) => new fc.Random(new Generator(random.nextInt(...whole))));

/** Takes nothing from the source of its surroundings: the name tells its values apart from those of others there. */
const named = <T>(name: string, inner: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    new Streamed(inner, (random) => new fc.Random(new Generator(random.clone().nextInt(...whole) ^ hashOf(name))));

/** A record whose values have a stream for each name. By default, every name is required. */
export function recordOf<T extends object, Required extends keyof T = keyof T>(
    fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> },
    { requiredKeys }: { readonly requiredKeys?: readonly Required[] } = {},
): fc.Arbitrary<Partial<T> & Pick<T, Required>> {
    const isRequired = (name: string) => requiredKeys?.includes(name as Required) ?? true;
    const entries = Object.entries<fc.Arbitrary<unknown>>(fields).map(([name, one]) => {
        const present = one.map((value): [string, unknown] => [name, value]);
        return named(name, isRequired(name) ? present : fc.option(present, { nil: undefined }));
    });
    return seeded(fc.tuple(...entries)).map(
        (found) => Object.fromEntries(found.filter((entry) => entry !== undefined)) as Partial<T> & Pick<T, Required>,
    );
}

/** One of these names. Another name among them changes only the draws that choose it. */
export const nameFrom = <Name extends string>(...names: readonly Name[]): fc.Arbitrary<Name> =>
    fc.noShrink(fc.noBias(fc.integer({ min: whole[0], max: whole[1] }))).map((seed) => {
        const rank = (name: Name) => new Generator(seed ^ hashOf(name)).next();
        return names.reduce((best, name) => (rank(name) > rank(best) ? name : best));
    });

/** Some of these names. */
export const namesFrom = <Name extends string>(names: readonly Name[]): fc.Arbitrary<Name[]> =>
    recordOf(Object.fromEntries(names.map((name) => [name, fc.boolean()]))).map((found) =>
        names.filter((name) => (found as Readonly<Record<string, boolean>>)[name]),
    );
