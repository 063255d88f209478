import type { OperationId } from "../wire";
import { effectKinds, fieldsOf, type AnyEffect, type Effect, type EffectKind } from "./effects";
import { faultMethods, type Fault, type FaultMethod } from "./fault";

/** For messages. */
const faultSyntax = "WHERE[/ID][#WHEN]:EFFECT[,FIELD=VALUE…][|EFFECT…]";

const faultPattern = /^([A-Za-z*]+)(?:\/([A-Za-z0-9-]+))?(?:#([^:]*))?:(.+)$/;
const whenPattern = /^(?:(\d+)(?:(\+)|x(\d+))?)?(?:@([\d.]+))?$/;

/**
 * Parses a fault in short form. WHERE is an operation, a method or `*`, and ID the id of a resource. WHEN is `2` (the second
 * call), `2+` (the second call and all later ones), `2x3` (three calls, beginning with the second) or `@0.05` (each call with this probability). EFFECT is a
 * status such as `503`, `reset-before`, `reset-after` or `reset-middle`, or the kind of another effect.
 */
export function parseFault(text: string): Fault {
    const [, where, resource, when, effects] = faultPattern.exec(text) ?? [];
    if (where === undefined || effects === undefined) {
        throw new Error(`It must have the form ${faultSyntax}.`);
    }
    const parsed = effects.split("|").map(parseEffect);
    const [only] = parsed;
    return {
        ...(where === "*" ? {} : isMethod(where) ? { method: where } : { operation: where as OperationId }),
        ...(resource !== undefined && { resource }),
        ...parseWhen(when),
        effect: parsed.length === 1 && only ? only : parsed,
    };
}

const isMethod = (where: string): where is FaultMethod => (faultMethods as readonly string[]).includes(where);

function parseWhen(when: string | undefined): Partial<Fault> {
    if (when === undefined) {
        return {};
    }
    const [whole, from, onwards, times, probability] = whenPattern.exec(when) ?? [];
    if (whole === undefined || whole === "") {
        throw new Error(`The part after # must have the form 2, 2+, 2x3 or @0.05, not "${when}".`);
    }
    return {
        ...(from !== undefined && { from: Number(from) }),
        ...(onwards !== undefined && { times: "all" }),
        ...(times !== undefined && { times: Number(times) }),
        ...(probability !== undefined && { probability: Number(probability) }),
    };
}

function parseEffect(text: string): Effect {
    const [name = "", ...rest] = text.split(",");
    const effect = effectNamed(name);
    const fields = fieldsOf(effect.kind);
    const values = rest.map((pair): [string, unknown] => {
        const [key = "", ...parts] = pair.split("=");
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
        // A flag needs no value. The check of the effect rejects unknown fields.
        return [key, parts.length === 0 || (field?.read?.(parts.join("=")) ?? parts.join("="))];
    });
    return { ...effect, ...Object.fromEntries(values) } as Effect;
}

function effectNamed(name: string): { kind: EffectKind } {
    if (/^\d+$/.test(name)) {
        return { kind: "answer", status: Number(name) } as Effect<"answer">;
    }
    const [kind, when] = name.split("-");
    if (kind === "reset") {
        return { kind, when } as Effect<"reset">;
    }
    const known = effectKinds.find((one) => one === name);
    if (known === undefined) {
        throw new Error(
            `There is no effect "${name}". Use a status such as 503, reset-before, reset-after, reset-middle, ` +
                `or one of ${effectKinds.filter((one) => one !== "answer" && one !== "reset").join(", ")}.`,
        );
    }
    return { kind: known };
}

/** Formats a fault in short form, for `parseFault`. */
export function formatFault({ operation, method, resource, from, times, probability, effect }: Fault): string {
    const count = times === "all" ? "+" : times === undefined ? "" : `x${times}`;
    const first = from ?? (count === "" ? "" : 1);
    const when = `${first}${count}${probability === undefined ? "" : `@${probability}`}`;
    const effects = [effect].flat().map(formatEffect).join("|");
    const where = `${operation ?? method ?? "*"}${resource === undefined ? "" : `/${resource}`}`;
    return `${where}${when === "" ? "" : `#${when}`}:${effects}`;
}

/** Formats an effect in short form, and a function as its name. The name of two kinds contains the value of their first field. */
export function formatEffect(effect: AnyEffect): string {
    if (typeof effect === "function") {
        return effect.name;
    }
    const { kind, ...values } = effect;
    const given = values as Readonly<Record<string, unknown>>;
    const named = { answer: ["status", ""], reset: ["when", "reset-"] }[kind as string];
    const name = named ? `${named[1] ?? ""}${String(given[named[0] ?? ""])}` : kind;
    const rest = Object.keys(fieldsOf(kind)).filter((key) => key !== named?.[0] && given[key] !== undefined);
    return [name, ...rest.map((key) => (given[key] === true ? key : `${key}=${String(given[key])}`))].join(",");
}
