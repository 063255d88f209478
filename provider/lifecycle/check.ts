import type { CommonInputs, HiddenInputs, Resource } from "./resource";
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

/** Validates inputs without a request to the API. */
export function check<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    given: Unchecked,
    registry = new Registry(),
    aliases: readonly string[] = [],
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
    const { problems, warnings } = resource.validate(named, () => registry.othersOf(resource.type, inputs.__urn));
    return {
        inputs,
        problems: [...problems, ...(duplicate === undefined ? [] : [sameTwice(resource, named, duplicate)])],
        warnings,
    };
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
