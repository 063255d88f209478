import { isCreation, type ApiResult, type Operation, type Schema } from "../messages";
import { openForm, type Field, type FieldValue, type FormValues } from "./form";
import { camel, displayName, labelOf, textOf } from "./format";
import { inputsOf, presentationOf, type Inputs, type Kind, type Resource } from "./kinds";
import { connection, messageOf, notify, store } from "./ui";

// The operations of the API and the controls of the emulator, with forms that are generated from their schemas.

export function control(id: string): Operation {
    const found = store.about?.changes.find((one) => one.isControl && one.id === id);
    if (!found) {
        throw new Error(`The emulator has no control ${id}.`);
    }
    return found;
}

/** The kind of the resources of an operation. Undefined if it is about the emulator. A creation addresses their parent. */
const kindOf = ({ path }: Pick<Operation, "path">): Kind | undefined =>
    path
        .split("/")
        .reverse()
        .map((part) => store.kinds.find((kind) => kind === part))
        .find(Boolean);

/** The kind of the resource that an operation addresses. */
const addressedBy = ({ path }: Operation): Kind | undefined => kindOf({ path: path.replace(/\/[^/{*]+$/, "") });

/** The operation that creates a resource of a kind in the project. */
export const creationOf = (kind: Kind): Operation | undefined =>
    store.about?.changes.find((one) => isCreation(one.id) && one.path === `/projects/{project_id}/${kind}`);

export const isDeletion = ({ id }: Operation): boolean => /^(delete|reset)/.test(id);

/** The operations and controls for a resource that make sense in its state. A deletion is the last one. */
export function operationsOf({ kind, value }: Resource): Operation[] {
    const useless = new RegExp(
        [
            "status" in value && value.status === "PAUSED" ? "^stopService" : "^startService",
            "connection_pooler" in value ? "^enable.*Pooler" : "^disable.*Pooler",
            "vpc_endpoint" in value ? "^attachToVPC" : "^detachFromVPC",
            "^passwordMatches|^fillLogs",
        ].join("|"),
    );
    return (store.about?.changes ?? [])
        .filter((one) => addressedBy(one) === kind && !useless.test(one.id))
        .sort((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)) || titleOf(a).localeCompare(titleOf(b)));
}

/** The text of a menu item: the summary of the operation without the resource itself. */
export const titleOf = ({ id, summary = labelOf(id) }: Operation): string =>
    summary.replace(new RegExp(` (for )?an? (VPC )?(${nounsOf().join("|")})$`), "").replace(/^Create$/, summary);

const nounsOf = (): string[] => Object.values(store.about?.nouns ?? {});

/** Sends the request of an operation and shows the result. Throws the error of its response. */
export async function send(one: Operation, body?: object, resource?: Resource): Promise<void> {
    const { id, isControl, method, summary = labelOf(id) } = one;
    const path = pathOf(one, resource);
    if (isControl) {
        await connection.ask(method, `/_emulator${path}`, body);
        notify(`${summary}: done`);
        return;
    }
    // The emulator sends it as the API's client.
    const { status, body: answer } = await connection.ask<ApiResult>("POST", "/_page/call", { method, path, body });
    if (status === undefined) {
        throw new Error("There was no response, because a fault broke the connection.");
    }
    if (status >= 400) {
        throw new Error((Object(answer) as { message?: string }).message ?? `The response has status ${status}.`);
    }
    notify(`${summary}: ${status}`);
}

/** Runs an operation without a form. */
export const run = (...request: Parameters<typeof send>): void =>
    void send(...request).catch((error: unknown) => notify(messageOf(error), true));

/** Shows the form of an operation. A control without a form runs at once. */
export function openOperation(one: Operation, resource?: Resource): void {
    const { body, description, isControl } = one;
    if (isControl && !body && !isDeletion(one)) {
        run(one, undefined, resource);
        return;
    }
    const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => fieldOf(name, schema, one, resource));
    const bodyOf = (values: FormValues): Record<string, unknown> | undefined =>
        body && Object.fromEntries(Object.entries(values).flatMap(([name, value]) => sent(name, value, body)));
    openForm({
        title: resource ? `${titleOf(one)}: ${displayName(resource)}` : titleOf(one),
        text:
            isControl && resource
                ? `${withoutApi}${isDeletion(one) ? alsoDeleted : ""}`
                : description?.replaceAll("`", ""),
        fields,
        submit: isControl ? titleOf(one) : "Send request",
        isDangerous: isDeletion(one),
        // A control leaves what the user does not change, and a request contains the values that it replaces.
        run: (changes, values) => send(one, bodyOf(isControl ? changes : values), resource),
    });
}

const withoutApi = "This takes effect immediately and outside the program. The next refresh detects it as drift.";
const alsoDeleted = " The deletion includes what the resource contains.";

/** A property of a body. An empty text is none, or null if this has a meaning. */
function sent(name: string, value: FieldValue, { properties }: Schema): [string, unknown][] {
    const { type = "" } = properties?.[name] ?? {};
    if (String(value) === "") {
        return type.endsWith("null") ? [[name, null]] : [];
    }
    return [[name, type.startsWith("{") ? parsed(String(value)) : value]];
}

/** The path of an operation with the ids of a resource and of what contains it. */
function pathOf({ path }: Operation, resource?: Resource): string {
    const ids = {
        project_id: store.about?.projectId,
        ...(resource && Object(store.parentOf(resource)?.value)),
        ...Object(resource?.value),
    } as Readonly<Record<string, string | undefined>>;
    return path.replace(/\*|\{(\w+)\}/g, (_, name = "") => ids[name as string] ?? resource?.id ?? "");
}

/** What the schemas of the controls do not explain. */
const hints: Readonly<Record<string, string>> = {
    status: "What the API returns. Empty: the real status, or failed for a peering.",
    forMs: "Empty: until it is set again.",
    message: "Empty: a default message.",
};

/** The field of a property. A creation needs no optional values. */
function fieldOf(name: string, schema: Schema, operation: Operation, resource?: Resource): Field {
    const { body, id } = operation;
    const isNew = isCreation(id);
    const isRequired = body?.required?.includes(name) ?? false;
    const { type = "string", description, format } = schema;
    const hint = description?.replaceAll('"', "") ?? hints[name];
    const base = { name, label: labelOf(name), isOptional: !isRequired, hint };
    const current = isRequired || !isNew ? (currentOf(camel(name), operation, resource) ?? "") : "";
    const choices = choicesOf(camel(name), schema, resource);
    if (type === "array" && choices) {
        return { ...base, type: "several", value: [], choices };
    }
    if (choices) {
        const none = [["", isNew ? "default" : "none"] as const];
        const kept = typeof current === "string" && !choices.some(([one]) => one === current) ? [current] : [];
        const all = [
            ...(isRequired || (current !== "" && !type.endsWith("null")) ? [] : none),
            ...kept.filter(Boolean).map((one) => [one, textOf(parsed(one))] as const),
            ...choices,
        ];
        return { ...base, type: "text", value: current === "" ? (all[0]?.[0] ?? "") : current, choices: all };
    }
    if (type === "boolean") {
        return { ...base, type: "checkbox", value: current === true };
    }
    const isNumber = /integer|number/.test(type);
    return {
        ...base,
        type: format === "password" ? "password" : isNumber ? "number" : "text",
        value: isNumber ? current : String(current),
    };
}

function choicesOf(property: string, { enum: own, items }: Schema, resource?: Resource): Field["choices"] {
    if (property === "vpcId" && resource?.kind === "services") {
        const { project_id: project, region_code: region } = resource.value;
        return store
            .all("vpcs")
            .filter(({ value }) => value.project_id === project && value.region_code === region)
            .map(({ id, value }) => [id, `${value.name} (${id})`]);
    }
    return (own ?? items?.enum)?.map((one) => [one, textOf(parsed(one))]);
}

/** A choice as a value. An object is JSON. */
const parsed = (choice: string): unknown => (choice.startsWith("{") ? (JSON.parse(choice) as unknown) : choice);

/** The first value of a field: that of the resource, or one with which a creation succeeds. */
function currentOf(name: string, operation: Operation, resource?: Resource): FieldValue | undefined {
    const inputs = resource ? inputsOf(resource) : {};
    if (isCreation(operation.id)) {
        const kind = kindOf(operation);
        return kind && (presentationOf(kind).sample(inputs)[name] as FieldValue | undefined);
    }
    const { cpuMillis, memoryGbs, connectionPooler } = inputs;
    const values: Inputs = {
        ...inputs,
        ms: 60_000,
        pooler: connectionPooler,
        cpuMillis: cpuMillis ?? "shared",
        memoryGbs: memoryGbs ?? "shared",
        size: cpuMillis === undefined ? "shared" : JSON.stringify({ cpuMillis, memoryGbs }),
    };
    return values[name] as FieldValue | undefined;
}
