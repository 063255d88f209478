import type { CommonInputs, HiddenInputs, Resource } from "./resource";
import { Registry } from "./registry";
import { checkFields, checkTimeouts, show } from "../inputs/fields";
import type { Planned } from "../inputs/unknown";
import type { Finding } from "../inputs/finding";

/** Inputs as they came, of which nothing is known yet. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** What a check answers; the inputs are to be trusted only where there are no problems. */
export interface CheckResult<Inputs> {
    readonly inputs: Planned<Inputs> & HiddenInputs;
    readonly problems: readonly Finding[];
    /** What the service may refuse; shown as warnings. */
    readonly warnings: readonly Finding[];
}

/** Pure: everything that can be known about inputs without asking the service. */
export function check<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    given: Unchecked,
    registry = new Registry(),
): CheckResult<Inputs> {
    const inputs = given as unknown as Planned<Inputs> & HiddenInputs;
    const ofFields = [...checkFields(given, resource.fields), ...checkTimeouts(inputs.__timeouts)];
    if (ofFields.length > 0) {
        // Values that are wrong by themselves are not worth comparing.
        return { inputs, problems: ofFields, warnings: [] };
    }
    const duplicate = registry.declare(resource.type, inputs, identityOf(resource, inputs));
    const { problems, warnings } = resource.validate(inputs, () => registry.othersOf(resource.type, inputs.__urn));
    return {
        inputs,
        problems: [...problems, ...(duplicate === undefined ? [] : [sameTwice(resource, inputs, duplicate)])],
        warnings,
    };
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
    const logicalName = show(duplicate.slice(duplicate.lastIndexOf("::") + 2));
    return inputs.existingId === undefined
        ? {
              property: "name",
              text: `${noun} ${show(identity.nameOf(inputs))} is declared by resource ${logicalName} of this program too; choose another name`,
          }
        : {
              property: "existingId",
              text: `existingId ${show(inputs.existingId)} is adopted by resource ${logicalName} of this program too; remove one of them`,
          };
}
