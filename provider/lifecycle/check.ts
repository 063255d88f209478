import { checkTimeouts } from "../base/time";
import { valueOf, checkFields, same, show, hasComputed, inCanonicalForm } from "../base/fields";
import type { Field, Findings } from "../base/fields";
import { withoutHidden, type Declared, type HiddenInputs, type Reference, type Resource } from "../model/resource";
import type { Step } from "../model/step";
import { identityOf, nameOf, withEngineName } from "../model/identity";
import { onCheck } from "./guard";
import { print } from "../model/engine";
import { declaredNames, protectionInput } from "../model/remembered";
import { quotedName } from "./messages";
import type { Ledger, Row } from "../model/ledger";
import { referencesOf, valueAt } from "../reconcile/references";
import { described, format, info, logicalName, warning, type Notice } from "../base/message";
import { settingError } from "../api/settings";
import type { Managed } from "./managed";

/** Inputs of a program, before any validation. */
type Unchecked = Readonly<Record<string, unknown>>;

/** The result of a check. */
interface CheckResult {
    readonly inputs: Declared;
    /** Why the provider refuses the inputs. */
    readonly problems: readonly string[];
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

const countsAsAbsent = "counts as absent: the output that it is set to has no value";

/**
 * Validates the inputs of a program. The default project is added to them. The old inputs are empty for a resource that is
 * about to be created.
 */
export function check(managed: Managed, unchecked: Unchecked, olds: Unchecked): CheckResult {
    const { session } = managed;
    // Without an unknown value that the program derives, and without an empty id.
    const inputs = withoutUnmeant(managed.resource, unchecked, olds);
    const isNew = Object.keys(olds).length === 0;
    const absent = Object.keys(unchecked).filter((one) => isNew && unchecked[one] === "" && inputs[one] === undefined);
    // Printed in updates too, because a preview often does not know the value yet.
    absent.forEach((one) => session.engine.warn((inputs as HiddenInputs).__urn, `${one} "" ${countsAsAbsent}`));
    const missingProject = inputs.projectId === undefined ? settingError(() => session.projectId()) : undefined;
    const complete = missingProject === undefined ? session.inProject(inputs) : inputs;
    const found = checkInputs(managed, complete, olds);
    // `__program` is not stored, so no diff sees it.
    const declared: Declared = { ...found.inputs, __program: undefined, ...declaredSinceImport(unchecked, olds) };
    session.ledger.note(declared.__urn, { declared: found.declaration });
    const settings = [missingProject, session.settingsProblem()].filter((one) => one !== undefined);
    const problems = [...settings, ...found.problems].map(format);
    if (problems.length > 0) {
        return { inputs: declared, problems, notices: [] };
    }
    print(session.engine, declared.__urn, readAtCreation(managed.resource, olds, declared).map(info));
    const replacement = onCheck(managed, declared, isNew ? undefined : olds);
    const warnings = [...found.warnings, ...replacement.warnings];
    return { inputs: declared, problems: replacement.problems.map(format), notices: warnings.map(warning) };
}

/** Adds what this program declares to what others have declared since the import. The import itself checks what it has read. */
function declaredSinceImport(unchecked: Unchecked & HiddenInputs, { __declared: before }: Unchecked & HiddenInputs) {
    const followsImport = before !== undefined && unchecked.__declared === undefined;
    return followsImport ? { __declared: [[...new Set(before.flat())], declaredNames(unchecked)] } : {};
}

/** The result of a validation. The inputs have their declared types only if there are no problems. */
interface Validated extends Findings {
    readonly inputs: Declared;
    /** Absent if the values are invalid. */
    readonly declaration?: Row["declared"];
}

/** Validates inputs without a request to the API, and resolves `deletionProtection`. */
function checkInputs({ resource, session }: Managed, unchecked: Unchecked, olds: Unchecked): Validated {
    const { ledger } = session;
    const isProtected = unchecked.deletionProtection ?? (resource.hasData && session.protectsData());
    // A peering activation has no such input, because its deletion deletes nothing.
    const inputs = inCanonicalForm(
        protectionInput in resource.fields ? { ...unchecked, [protectionInput]: isProtected } : unchecked,
        resource.fields,
    ) as Declared;
    const named = withEngineName(resource, inputs);
    const ofFields = [
        ...checkFields(withoutHidden(inputs), fieldsAfter(olds, resource)),
        ...(named === inputs ? [] : ofEngineName(resource, named)),
        ...checkTimeouts(inputs.__timeouts),
    ];
    if (ofFields.length > 0) {
        // Invalid values cannot be compared with others.
        return { inputs, problems: ofFields, warnings: [] };
    }
    const { type } = resource;
    const declaration = { type, inputs: named, identity: identityOf(resource, named) };
    const duplicate = ledger.duplicateOf(inputs.__urn, declaration);
    const isCreated = Object.keys(olds).length === 0 && inputs.existingId === undefined;
    const refusals = isCreated ? referencesOf(resource).flatMap((one) => refusalsBy(one, named, ledger)) : [];
    const { problems, warnings } = resource.validate?.(named, {
        others: () => ledger.othersOf(type, inputs.__urn),
        referred: (kind, property) =>
            declaredFor(named, property, kind, ledger).map(({ declared }) => declared?.inputs ?? {}),
        now: session.now(),
    }) ?? { problems: [], warnings: [] };
    return {
        inputs,
        problems: [
            ...problems,
            ...refusals,
            ...(duplicate === undefined ? [] : [sameTwice(resource, named, duplicate)]),
        ],
        warnings,
        declaration,
    };
}

/** The resources of the program that an input refers to: while the id is not known, any that the program has declared so far. */
function declaredFor(inputs: Declared, property: string, type: string, ledger: Ledger): readonly Row[] {
    const id = valueAt(inputs, property);
    const mayBe = ({ urn, declared, manages }: Row) =>
        declared?.type === type &&
        urn !== inputs.__urn &&
        (hasComputed(id) || (id !== undefined && manages?.id === id));
    return ledger.all(mayBe);
}

/** A line for each member of an object that the program has changed, and that is read only at the creation. */
function readAtCreation({ fields }: Resource, olds: Unchecked, inputs: Declared): string[] {
    const members = Object.entries<Field>(fields).flatMap(([name, { properties = {} }]) =>
        Object.entries(properties).map(([member, { onChange }]) => [`${name}.${member}`, onChange] as const),
    );
    return members.flatMap(([path, onChange]) => {
        const [from, to] = onChange === "ignore" ? [valueAt(olds, path), valueAt(inputs, path)] : [];
        const isKnown = from !== undefined && to !== undefined && !hasComputed([from, to]);
        const line = `${path} ${show(from)} -> ${show(to)} changes nothing: it is read only at the creation`;
        return isKnown && !same(from, to) ? [line] : [];
    });
}

/** Why another resource will not accept a request that it has to accept, as the program declares it. */
function refusalsBy(reference: Reference, inputs: Declared, ledger: Ledger): string[] {
    const { input, kind } = reference;
    const id = valueAt(inputs, input);
    const rows = typeof id === "string" ? declaredFor(inputs, input, kind.type, ledger) : [];
    return rows.flatMap(({ urn, declared }) => {
        const why = reference.refusal?.(declared?.inputs ?? {});
        return why === undefined ? [] : [`${input}: ${described(kind, logicalName(urn), String(id))} ${why}`];
    });
}

/** Why the parent of a resource will not accept the steps of its plan, as the program declares it. */
export function refusalOfSteps(
    { parent }: Resource,
    inputs: Declared,
    steps: readonly Step[],
    ledger: Ledger,
): string | undefined {
    const isCertain = steps.some(({ sets }) => !hasComputed(sets));
    return isCertain && parent ? refusalsBy(parent, inputs, ledger)[0] : undefined;
}

/** The fields of a resource with these old inputs. An imported one has no secrets, and keeps those that are in force. */
function fieldsAfter(olds: Unchecked, { fields }: Resource): Readonly<Record<string, Field>> {
    const isKept = (name: string, { secret }: Field) => secret && Object.keys(olds).length > 0 && !(name in olds);
    const kept = Object.entries(fields).filter(([name, field]) => isKept(name, field));
    return { ...fields, ...Object.fromEntries(kept.map(([name, field]) => [name, { ...field, required: false }])) };
}

function ofEngineName({ fields }: Resource, named: Declared): string[] {
    const ofNames = Object.fromEntries(Object.entries(fields).filter(([name]) => name === "name"));
    const advice = "The name comes from pulumi:autonaming; change the pattern, or declare a name";
    return checkFields({ name: valueOf(named, "name") }, ofNames).map((text) => `${text}. ${advice}`);
}

function sameTwice(resource: Resource, inputs: Declared, { urn }: Row): string {
    const other = quotedName(urn);
    return inputs.existingId === undefined
        ? `${resource.noun} ${show(nameOf(resource, inputs))} is declared by resource ${other} of this program too; choose another name`
        : `existingId ${show(inputs.existingId)} is adopted by resource ${other} of this program too; remove one of them`;
}

/**
 * The inputs of an existing resource without those that the program does not mean. An unknown one in `derivedFrom` keeps its old value:
 * the password of a replica set, which a preview in TypeScript does not know while its service changes. An empty id counts as absent
 * if the last run had none.
 */
function withoutUnmeant({ fields }: Resource, unchecked: Unchecked & HiddenInputs, olds: Unchecked): Unchecked {
    const names = Object.keys(olds).length === 0 ? [] : (unchecked.__program?.derivedFrom ?? []);
    const kept = names.filter((name) => hasComputed(valueOf(unchecked, name)));
    const optionalIds = Object.entries(fields).flatMap(([name, { isAbsentIfEmpty }]) => (isAbsentIfEmpty ? name : []));
    const empty = optionalIds.filter((name) => unchecked[name] === "" && olds[name] === undefined);
    return { ...unchecked, ...Object.fromEntries([...kept, ...empty].map((name) => [name, valueOf(olds, name)])) };
}
