import { bodySchemaOf, loadContract, type Schema } from "../../emulator/contract";
import type { OperationId } from "../../provider/api/contract";
import type { Field } from "../../provider/base/fields";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { propertiesOf, untypedKinds } from "../support/cases";
import { camel } from "./exercises";

/** A value in a body, and the field of its input. */
interface Row {
    readonly type: ResourceType;
    readonly name: string;
    readonly id: OperationId;
    readonly field: Field;
    readonly schema: Schema;
    /** Whether the contract requires it. */
    readonly isRequired: boolean;
}

/** The values in a body with a field, also those in objects. */
const rowsIn = (
    { properties = {}, required = [] }: Schema,
    fields: Readonly<Record<string, Field>>,
    of: Pick<Row, "type" | "id">,
    prefix = "",
): Row[] =>
    Object.entries(properties).flatMap(([name, schema]) => {
        const { [camel(name)]: field } = fields;
        const row = { ...of, name: `${prefix}${name}`, schema, isRequired: required.includes(name) };
        return field === undefined
            ? []
            : [{ ...row, field }, ...rowsIn(schema, field.properties ?? {}, of, `${row.name}.`)];
    });

/** The fields of the values in the body of an operation, which can be an object that it sets. */
const fieldsIn = (type: ResourceType, id: OperationId): Readonly<Record<string, Field>> => {
    const { fields } = untypedResources[type] as { readonly fields: Readonly<Record<string, Field>> };
    const set = propertiesOf(type).filter(([, { announced = {} }]) => id in announced);
    return Object.assign({}, fields, ...set.map(([name]) => fields[name]?.properties)) as typeof fields;
};

const rows = resourceTypes.flatMap((type) => {
    const { exercises } = untypedKinds[type];
    return loadContract()
        .operations.filter(({ operationId }) => operationId in exercises)
        .flatMap((operation) => {
            const { operationId: id } = operation;
            return rowsIn(bodySchemaOf(operation) ?? {}, fieldsIn(type, id), { type, id });
        });
});

/** Values that a schema just allows, and that it just forbids. The provider may allow less. */
function limitsOf({ type, minimum, maximum, minLength, maxLength, enum: words }: Schema) {
    const textOf = (length: number) => "x".repeat(length);
    const ofNumbers = [minimum, maximum].filter((one) => one !== undefined);
    const ofTexts = words === undefined && type === "string" ? [maxLength ?? []].flat().map(textOf) : [];
    return {
        allowed: [...ofNumbers, ...ofTexts, ...(words ?? [])],
        forbidden: [
            ...[minimum ?? []].flat().map((one) => one - 1),
            ...[maximum ?? []].flat().map((one) => one + 1),
            ...[minLength ?? []].flat().map((one) => textOf(one - 1)),
            ...[maxLength ?? []].flat().map((one) => textOf(one + 1)),
            ...(words === undefined ? [] : ["no-such-word"]),
        ],
    };
}

const limited = rows.filter(({ schema }) => limitsOf(schema).forbidden.length > 0);

it.each(limited)("$type accepts the values of $name that $id accepts", ({ field, schema }) => {
    const { allowed, forbidden } = limitsOf(schema);
    expect(allowed.filter((value) => field.test(value) !== undefined)).toEqual([]);
    expect(forbidden.filter((value) => field.test(value) === undefined)).toEqual([]);
});

/** What a program must declare, and the members of an object. The provider completes other values of a body, such as a name. */
const required = rows.filter(
    ({ type, id, name, field }) =>
        (id.startsWith("create") && field.required) || !(camel(name) in untypedResources[type].fields),
);

it.each(required)("$type requires $name, as $id does", ({ field, isRequired }) => {
    expect(field.required).toBe(isRequired);
});

it("the inputs of each kind of the tests are those that it requires", () => {
    const wrong = resourceTypes.filter((type) => {
        const { fields } = untypedResources[type];
        const names = Object.entries<Field>(fields).flatMap(([name, one]) => (one.required ? [name] : []));
        const inputs = untypedKinds[type].inputs({ Vpc: [], Peering: [], Service: [] } as never, 0);
        return Object.keys(inputs).sort().join() !== names.sort().join();
    });
    expect(wrong).toEqual([]);
});
