import type { CommonInputs, Finding, HiddenInputs, Resource } from "./contract";
import { checkFields, checkTimeouts } from "./fields";
import type { Planned } from "./unknown";

/** Inputs as they came, of which nothing is known yet. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** What a check answers; the inputs are to be trusted only where there are no problems. */
export interface CheckResult<Inputs> {
    readonly inputs: Planned<Inputs> & HiddenInputs;
    readonly problems: readonly Finding[];
    /** What the service may refuse; shown as warnings. */
    readonly advice: readonly Finding[];
}

/** Pure: everything that can be known about inputs without asking the service. */
export function check<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    given: Unchecked,
    others: readonly Planned<Inputs>[] = [],
): CheckResult<Inputs> {
    const inputs = given as unknown as Planned<Inputs> & HiddenInputs;
    const ofFields = [...checkFields(given, resource.fields), ...checkTimeouts(inputs.__timeouts)];
    // Values that are wrong by themselves are not worth comparing.
    const { problems, advice } = ofFields.length > 0 ? { problems: [], advice: [] } : resource.examine(inputs, others);
    return { inputs, problems: [...ofFields, ...problems], advice };
}
