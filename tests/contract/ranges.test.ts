import { bodySchemaOf, loadContract } from "../../emulator/contract";
import { entriesOf } from "../../provider/base/fields";
import { resourceTypes, untypedResources } from "../../provider/resources";
import { untypedKinds } from "../support/cases";
import { camel } from "./exercises";

/** The inputs of each kind that the contract limits in a body, with their ranges. */
const ranges = resourceTypes.flatMap((type) => {
    const fields = new Map(entriesOf(untypedResources[type].fields));
    return loadContract()
        .operations.filter(({ operationId }) => operationId in untypedKinds[type].exercises)
        .flatMap((operation) => {
            const properties = Object.entries(bodySchemaOf(operation)?.properties ?? {});
            return properties.flatMap(([name, { minimum = -Infinity, maximum = Infinity }]) => {
                const field = fields.get(camel(name));
                const isLimited = minimum > -Infinity || maximum < Infinity;
                return field && isLimited ? [{ type, name, id: operation.operationId, field, minimum, maximum }] : [];
            });
        });
});

it.each(ranges)("$type accepts the values of $name that $id accepts", ({ field, minimum, maximum }) => {
    const limits = [minimum, maximum].filter(Number.isFinite);
    expect(limits.filter((value) => field.test(value) !== undefined)).toEqual([]);
    const beyond = [minimum - 1, maximum + 1].filter(Number.isFinite);
    expect(beyond.filter((value) => field.test(value) === undefined)).toEqual([]);
});
