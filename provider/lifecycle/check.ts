import { valueOf, checkFields, checkTimeouts, entriesOf, show, textWarnings, hasUnknown } from "../base/fields";
import type { Field, Findings } from "../base/fields";
import { withoutHidden, type Declared, type HiddenInputs, type ReferredInputs, type Resource } from "../model/resource";
import { identityOf, nameOf } from "../model/identity";
import { protectionInput, withEngineName } from "./metadata";
import { quotedName } from "./messages";
import type { Declaration, Row, Registry } from "../model/registry";
import { declined, referencesIn } from "../reconcile/references";
import { format, warning, type Notice } from "../base/message";
import { inProject, type Managed, settingError } from "./session";

/** Inputs of a program, before any validation. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** The result of a check. */
export interface CheckResult {
    readonly inputs: Declared;
    /** Why the inputs are rejected. */
    readonly problems: readonly string[];
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

/**
 * Validates the inputs of a program. The default project is added to them. The old inputs are empty for a resource that is
 * about to be created.
 */
export function check(managed: Managed, unchecked: Unchecked, olds: Unchecked): CheckResult {
    const { session, guard } = managed;
    const inputs = withoutDerivedChanges(unchecked, olds);
    const missingProject = inputs.projectId === undefined ? settingError(() => session.projectId()) : undefined;
    const complete = missingProject === undefined ? inProject(session, inputs) : inputs;
    const found = checkInputs(managed, complete, olds);
    const declared: Declared = { ...found.inputs, __program: undefined };
    session.registry.update(declared.__urn, { declared: found.declaration });
    const settings = [missingProject, session.settingsProblem()].filter((one) => one !== undefined);
    const problems = [...settings, ...found.problems].map(format);
    if (problems.length > 0) {
        return { inputs: declared, problems, notices: [] };
    }
    const replacement = guard.onCheck(declared, Object.keys(olds).length > 0 ? olds : undefined);
    const warnings = [...found.warnings, ...replacement.warnings];
    return { inputs: declared, problems: replacement.problems.map(format), notices: warnings.map(warning) };
}

/** The result of a validation. The inputs have their declared types only if there are no problems. */
interface Validated extends Findings {
    readonly inputs: Declared;
    /** Absent if the values are invalid. */
    readonly declaration?: Declaration;
}

/** Validates inputs without a request to the API, and resolves `deletionProtection`. */
function checkInputs({ resource, session }: Managed, unchecked: Unchecked, olds: Unchecked): Validated {
    const { registry } = session;
    const isProtected = unchecked.deletionProtection ?? (resource.hasData && session.protectsData());
    // A peering activation has no such input, because its deletion deletes nothing.
    const inputs = (
        protectionInput in resource.fields ? { ...unchecked, [protectionInput]: isProtected } : unchecked
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
    const duplicate = registry.duplicateOf(inputs.__urn, declaration);
    const isNew = Object.keys(olds).length === 0 && inputs.existingId === undefined;
    const declining =
        isNew && typeof named.projectId === "string"
            ? declined(referencesIn(resource, named), named.projectId, session)
            : [];
    const { problems, warnings } = resource.validate?.(named, {
        others: () => registry.othersOf(type, inputs.__urn),
        referred: (kind, property) => declaredFor(named, property, kind, registry),
        now: session.now(),
    }) ?? { problems: [], warnings: [] };
    return {
        inputs,
        problems: [
            ...problems,
            ...declining,
            ...(duplicate === undefined ? [] : [sameTwice(resource, named, duplicate)]),
        ],
        warnings: [...textWarnings(named, resource.fields), ...warnings],
        declaration,
    };
}

/**
 * The resources of the program that an input refers to: the one with its id, or while the id is not known, any that the
 * program has declared so far.
 */
function declaredFor(inputs: object, property: string, type: string, registry: Registry): ReferredInputs {
    const [projectId, id] = [valueOf(inputs, "projectId"), valueOf(inputs, property)];
    if (typeof id === "string" && typeof projectId === "string") {
        const declared = registry.managerOf({ type, projectId, id })?.declared;
        return { inputs: declared === undefined ? [] : [declared.inputs], isCertain: true };
    }
    return { inputs: registry.othersOf(type, undefined), isCertain: false };
}

/** The fields of a resource with these old inputs. An imported one has no secrets, and keeps those that are in force. */
function fieldsAfter(olds: Unchecked, { fields }: Resource): Readonly<Record<string, Field>> {
    const isKept = (name: string, { secret }: Field) => secret && Object.keys(olds).length > 0 && !(name in olds);
    const kept = entriesOf(fields).filter(([name, field]) => isKept(name, field));
    return { ...fields, ...Object.fromEntries(kept.map(([name, field]) => [name, { ...field, required: false }])) };
}

function ofEngineName({ fields }: Resource, named: Declared): string[] {
    const ofNames = Object.fromEntries(entriesOf(fields).filter(([name]) => name === "name"));
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
 * The inputs of an existing resource. Of those from which the program itself derives outputs, it keeps the old value of one
 * that is unknown, because a preview in TypeScript does not know the password of a service that changes, and leaves out one
 * that the last run did not have, such as a run of an older version.
 */
function withoutDerivedChanges(unchecked: Unchecked & HiddenInputs, olds: Unchecked): Unchecked {
    const names = Object.keys(olds).length === 0 ? [] : (unchecked.__program?.derivedFrom ?? []);
    const kept = names.filter((name) => hasUnknown(valueOf(unchecked, name)) || !Object.hasOwn(olds, name));
    return { ...unchecked, ...Object.fromEntries(kept.map((name) => [name, valueOf(olds, name)])) };
}
