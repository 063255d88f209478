import type { OperationId } from "../wire";
import { effectKinds, fieldsOfKind, fromText, isEffectKind, valuesOf } from "./fields";
import type { Effect, Fault, FaultMethod } from "./fault";

/** The syntax of the short form, for messages. */
export const faultSyntax = "WHERE[/ID][#WHEN]:EFFECT[,FIELD=VALUE…][|EFFECT…]";

const faultPattern = /^([A-Za-z*]+)(?:\/([A-Za-z0-9]+))?(?:#([^:]*))?:(.+)$/;
const whenPattern = /^(?:(\d+)(?:(\+)|x(\d+))?)?(?:@([\d.]+))?$/;

/**
 * Parses a fault in short form. WHERE is an operation, a method or `*`, and ID is the
 * id of a resource in the path. WHEN is `2` (the second call), `2+` (the second call
 * and all later ones), `2x3` (three calls, beginning with the second) or `@0.05` (each call with this probability). EFFECT is a
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

const isMethod = (where: string): where is FaultMethod => /^(GET|POST|DELETE)$/.test(where);

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
    const fields = fieldsOfKind(effect.kind);
    const values = rest.map((pair): [string, unknown] => {
        const [key = "", ...value] = pair.split("=");
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
        // A flag needs no value. The validation rejects unknown fields.
        if (value.length === 0) {
            return [key, true];
        }
        return [key, field ? fromText(field, value.join("=")) : value.join("=")];
    });
    return { ...effect, ...Object.fromEntries(values) } as Effect;
}

function effectNamed(name: string): { kind: Effect["kind"] } {
    if (/^\d+$/.test(name)) {
        return { kind: "answer", status: Number(name) } as Effect<"answer">;
    }
    const [kind, when] = name.split("-");
    if (kind === "reset") {
        return { kind, when } as Effect<"reset">;
    }
    if (isEffectKind(name)) {
        return { kind: name };
    }
    throw new Error(
        `There is no effect "${name}". Use a status such as 503, reset-before, reset-after, reset-middle, ` +
            `or one of ${effectKinds.filter((one) => one !== "answer" && one !== "reset").join(", ")}.`,
    );
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

/** Formats an effect in short form. */
export function formatEffect(effect: Effect): string {
    // The name contains the value of this field.
    const hidden = effect.kind === "answer" ? "status" : effect.kind === "reset" ? "when" : undefined;
    const name =
        effect.kind === "answer"
            ? String(effect.status)
            : effect.kind === "reset"
              ? `reset-${effect.when}`
              : effect.kind;
    const rest = valuesOf(effect).filter(([key]) => key !== hidden);
    return [name, ...rest.map(([key, value]) => (value === true ? key : `${key}=${String(value)}`))].join(",");
}
