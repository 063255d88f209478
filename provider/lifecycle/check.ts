import { systemClock } from "../api/clock";
import type { CommonInputs, HiddenInputs, Referred, Resource } from "./resource";
import { withEngineName } from "./metadata";
import { Registry } from "./registry";
import { logicalName } from "../inputs/names";
import { checkFields, checkTimeouts, entriesOf, show, valueOf } from "../inputs/fields";
import { hasUnknown, type Planned } from "../inputs/unknown";
import type { Finding } from "../inputs/finding";

/** Inputs of a program, before any validation. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** The result of a check. The inputs have their declared types only if there are no problems. */
export interface CheckResult<Inputs> {
    readonly inputs: Planned<Inputs> & HiddenInputs;
    readonly problems: readonly Finding[];
    /** Values that the API may reject. */
    readonly warnings: readonly Finding[];
}

/** What the check of one resource knows in addition to its inputs. */
interface CheckOptions {
    readonly registry?: Registry;
    /** The URNs that the resource had before. */
    readonly aliases?: readonly string[];
    /** The time in milliseconds since 1970. */
    readonly now?: number;
}

/** Validates inputs without a request to the API. */
export function check<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    { __sources: sources = {}, ...given }: Unchecked & Pick<HiddenInputs, "__sources">,
    { registry = new Registry(), aliases = [], now = systemClock.now() }: CheckOptions = {},
): CheckResult<Inputs> {
    const inputs = given as unknown as Planned<Inputs> & HiddenInputs;
    const named = withEngineName(resource, inputs);
    const ofFields = [
        ...checkFields(named as unknown as Unchecked, resource.fields),
        ...checkTimeouts(inputs.__timeouts),
    ].map((one) => (one.property === "name" && named !== inputs ? ofEngineName(one) : one));
    if (ofFields.length > 0) {
        // Invalid values cannot be compared with others.
        return { inputs, problems: ofFields, warnings: [] };
    }
    const duplicate = registry.declare(inputs.__urn, {
        type: resource.type,
        inputs: named,
        shared: sharedInputs(resource, named),
        identity: identityOf(resource, named),
        aliases,
    });
    const { problems, warnings } = resource.validate(named, {
        others: () => registry.othersOf(resource.type, inputs.__urn),
        referred: (type, property) => referredBy(named, property, type, sources[property] ?? [], registry),
        now,
    });
    return {
        inputs,
        problems: [...problems, ...(duplicate === undefined ? [] : [sameTwice(resource, named, duplicate)])],
        warnings,
    };
}

/**
 * The resources of the program that an input refers to: the one with its id, or those that it depends on. If neither is
 * known, it can refer to any that the program has declared so far, or to none of them.
 */
function referredBy(
    inputs: object,
    property: string,
    type: string,
    sources: readonly string[],
    registry: Registry,
): Referred {
    const [projectId, id] = [valueOf(inputs, "projectId"), valueOf(inputs, property)];
    if (typeof id === "string" && typeof projectId === "string") {
        const physical = { type, projectId, id };
        const found = registry.inputsOf(registry.managerOf(physical) ?? registry.adopterOf(physical));
        return { inputs: found === undefined ? [] : [found], isCertain: true };
    }
    const known = sources.map((urn) => registry.inputsOf(urn)).filter((one) => one !== undefined);
    return known.length > 0 && known.length === sources.length
        ? { inputs: known, isCertain: true }
        : { inputs: registry.othersOf(type, undefined), isCertain: false };
}

/** The known inputs, with a placeholder for each secret. */
function sharedInputs<Inputs extends CommonInputs, Observed extends object, Item>(
    { fields }: Resource<Inputs, Observed, Item>,
    inputs: Planned<Inputs> & HiddenInputs,
): object {
    const { __secrets = [] } = inputs;
    const known = entriesOf(fields).flatMap(([name, { secret }]) => {
        const value = valueOf(inputs, name);
        const isKnown = value !== undefined && !hasUnknown(value);
        return isKnown ? [[name, secret || __secrets.includes(name) ? "[secret]" : value] as const] : [];
    });
    return Object.fromEntries(known);
}

function ofEngineName({ property, text }: Finding): Finding {
    return { property, text: `${text}. The name comes from pulumi:autonaming; change the pattern, or declare a name` };
}

function identityOf<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    inputs: Planned<Inputs>,
): readonly unknown[] {
    const { existingId, projectId } = inputs;
    return existingId === undefined ? resource.identity.unique(inputs) : [projectId, existingId];
}

function sameTwice<Inputs extends CommonInputs, Observed extends object, Item>(
    { noun, identity }: Resource<Inputs, Observed, Item>,
    inputs: Planned<Inputs>,
    duplicate: string,
): Finding {
    const other = show(logicalName(duplicate));
    return inputs.existingId === undefined
        ? {
              property: "name",
              text: `${noun} ${show(identity.nameOf(inputs))} is declared by resource ${other} of this program too; choose another name`,
          }
        : {
              property: "existingId",
              text: `existingId ${show(inputs.existingId)} is adopted by resource ${other} of this program too; remove one of them`,
          };
}
