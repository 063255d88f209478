import { components } from "../provider/api/openapi.gen.json";
import * as form from "./schema";
import { definedOf, type Fields, type Form, type ValuesOf } from "./schema";
import type { Wire } from "./wire";
import { noteChange } from "./world/drift";
import { findAny } from "./world/find";
import type { Kind } from "./world/kind";
import { assign } from "./world/progress";
import { documentedSizes } from "./world/sizes";
import type { Dated, Overridable, Size } from "./world/state";
import type { World } from "./world/world";

/** A control: a method of the emulator and a request. The types of this package show only the method. */
export interface ControlDefinition<Args extends unknown[] = never[], Result = unknown> {
    /** Method and path below the control root. `*` stands for an id, the first argument. */
    readonly on: string;
    /** The fields of the body. */
    readonly fields: Fields;
    readonly run: (parts: never, ...args: Args) => Result;
    /** Converts the body to arguments without the id, and back. */
    readonly toArgs: (body: Readonly<Record<string, unknown>>) => unknown[];
    readonly toBody: (args: readonly unknown[]) => object;
    readonly response: (result: never) => unknown;
}

type Run<Parts, Args extends unknown[], Result> = (parts: Parts, ...args: Args) => Result;

export function define<Args extends unknown[], Result>(
    on: string,
    fields: Fields,
    run: Run<never, Args, Result>,
    others: Partial<ControlDefinition<Args, Result>> = {},
): ControlDefinition<Args, Result> {
    const names = Object.keys(fields);
    return {
        on,
        fields,
        run,
        toArgs: (body) => names.map((name) => body[name]),
        toBody: (args) => Object.fromEntries(names.map((name, index) => [name, args[index]])),
        response: (result) => result,
        ...others,
    };
}

/** Defines a control whose body has a field for each argument after the id. It uses these parts of the emulator. */
export type Define<Parts> = <Args extends unknown[], Result>(
    on: string,
    fields: Readonly<Record<string, Form<NoInfer<Args[number]>>>>,
    run: Run<Parts, Args, Result>,
    others?: { readonly response: (result: NoInfer<Result>) => unknown },
) => ControlDefinition<Args, Result>;

/** What the controls of a kind use. */
interface InWorld {
    world: World;
}

export const control: Define<InWorld> = define;

/** A control whose last argument is the whole body. */
export const patchOf = <Args extends unknown[], Parts>(
    on: string,
    fields: Fields,
    run: Run<Parts, Args, void>,
): ControlDefinition<Args, void> =>
    define(on, fields, run, { toArgs: (body) => [body], toBody: ([patch]) => Object(patch) as object });

/** A control that sets these properties of a resource. */
export const modification = <const F extends Fields>(kind: Kind, fields: F) =>
    patchOf(`PATCH /${kind.name}/*`, fields, ({ world }: InWorld, id: string, patch: ValuesOf<F>) => {
        const record = findAny(world, kind, id);
        noteChange(record, false, () => assign(record, definedOf(patch)));
    });

/** A control that overrides the status of a resource. It accepts other statuses than these, which the contract knows. */
export const statusOverride = (kind: Kind<Dated & Overridable>, known: keyof Wire & `Known${string}Status`) =>
    control(
        `PUT /${kind.name}/*/status`,
        { status: { ...form.text, examples: components.schemas[known].enum }, forMs: form.milliseconds },
        ({ world }, id: string, status?: string, forMs?: number) => {
            const [at, until] = [world.now, forMs === undefined ? null : world.now + forMs];
            findAny(world, kind, id).override = status === undefined ? null : { status, at, until, isByHand: true };
        },
    );

/** A control that deletes a resource with all that it contains. */
export const deletion = (kind: Kind) =>
    control(`DELETE /${kind.name}/*`, {}, ({ world }, id: string) => world.remove(kind, findAny(world, kind, id).id));

// The forms of controls accept more than the API, for tests of unexpected responses.

/** The number of replicas or nodes. */
export const count = form.integer(0, 100);

export const amount = form.number("a number of at least 0", (one) => one >= 0 && one <= Number.MAX_SAFE_INTEGER);

export const environmentTag = { ...form.text, examples: components.schemas.EnvironmentTag.enum };

const dedicated = { cpuMillis: form.needed(amount), memoryGbs: form.needed(amount) };

export const size: Form<Size> = {
    ...form.value(
        '{ cpuMillis, memoryGbs } or "shared"',
        `${form.typeOf(dedicated)} or "shared"`,
        (one) => one === "shared" || form.object(dedicated).problem("size", one) === undefined,
    ),
    examples: documentedSizes,
};
