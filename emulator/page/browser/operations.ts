import { kinds } from "../messages";
import type { ApiOperation, ApiResult, Kind, Resource, Schema } from "../messages";
import { vpcsFor } from "./actions";
import { openForm } from "./form";
import type { Field, FormProps, FormValues } from "./form";
import { pulumiCode } from "./pulumi";
import { displayName, parentIdOf } from "./format";
import { connection, Copied, html, notify, store } from "./ui";

// The operations of the API, as forms that are generated from the contract.

const named = new RegExp(`/(${kinds.join("|")})/\\{`, "g");

/** The kind of the resource that an operation addresses. Undefined if it addresses a project. */
export const kindOf = ({ path }: ApiOperation): Kind | undefined => [...path.matchAll(named)].at(-1)?.[1] as Kind;

/** The operations of the API for a resource that make sense in its state. */
export function operationsOf({ kind, value }: Resource<Kind>): ApiOperation[] {
    const status = "status" in value ? value.status : "";
    const hasPooler = "connection_pooler" in value;
    const hasVpc = "vpc_endpoint" in value;
    const useless = new RegExp(
        [
            status === "PAUSED" ? "^stopService" : "^startService",
            hasPooler ? "^enable.*Pooler" : "^disable.*Pooler",
            hasVpc ? "^attachToVPC" : "^detachFromVPC",
        ].join("|"),
    );
    return (store.about?.changes ?? []).filter((one) => kindOf(one) === kind && !useless.test(one.id));
}

/** The text of a menu item: the summary of the operation without the resource itself. */
export const titleOf = ({ summary }: ApiOperation): string =>
    summary.replace(/ (for )?an? (service|VPC|VPC peering|read replica set)$/, "").replace(/^Create$/, summary);

/** Sends a request as the API's client. Throws the error of its response. */
export async function callApi({ method, path, summary }: ApiOperation, body?: unknown): Promise<void> {
    const { status, body: answer } = await connection.ask<ApiResult>("POST", "/_page/call", { method, path, body });
    if (status === undefined) {
        throw new Error("There was no response, because a fault broke the connection.");
    }
    if (status >= 400) {
        throw new Error((Object(answer) as { message?: string }).message ?? `The response has status ${status}.`);
    }
    notify(`${summary}: ${status}`);
}

/** Shows the form of an operation with its request, and sends it. */
export function openOperation(operation: ApiOperation, resource?: Resource<Kind>): void {
    const { body, description, summary } = operation;
    const isCreation = /^(create|fork)/.test(operation.id);
    const named = { ...operation, path: pathOf(operation.path, resource) };
    const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) =>
        fieldOf(name, schema, body?.required?.includes(name) ?? false, resource, isCreation),
    );
    const bodyOf = (values: FormValues): FormValues | undefined =>
        body && Object.fromEntries(Object.entries(values).filter(([, value]) => String(value) !== ""));
    /** The preview does not show a password. */
    const shownBodyOf = (values: FormValues): FormValues | undefined =>
        bodyOf(values.password ? { ...values, password: "PASSWORD" } : values);
    const form: FormProps = {
        title: resource ? `${titleOf(operation)}: ${displayName(resource)}` : summary,
        ...(description !== undefined && { text: description.replaceAll("`", "") }),
        fields,
        submit: "Send request",
        preview: (values) => html`
            <h3>Request</h3>
            <${Copied} label="request as curl" text=${curlOf(named, shownBodyOf(values))} />
            <h3>In a Pulumi program</h3>
            <${Copied} label="Pulumi code" text=${pulumiCode(operation.id, shownBodyOf(values) ?? {}, resource)} />
        `,
        run: (_, values) => callApi(named, bodyOf(values)),
    };
    openForm(form);
}

/** The path of an operation with the ids of a resource. */
function pathOf(path: string, resource: Resource<Kind> | undefined): string {
    const parent = resource && parentIdOf(resource);
    const ids: Readonly<Record<string, string | undefined>> = {
        project_id: store.about?.projectId,
        ...(resource?.kind === "peerings" && { vpc_id: parent, peering_id: resource.id }),
        ...(resource?.kind === "replicaSets" && { service_id: parent, replica_set_id: resource.id }),
        ...(resource?.kind === "services" && { project_id: parent, service_id: resource.id }),
        ...(resource?.kind === "vpcs" && { project_id: parent, vpc_id: resource.id }),
    };
    const [root] = resource?.kind === "peerings" ? store.all("vpcs").filter(({ id }) => id === parent) : [];
    return path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === "project_id" && root ? parentIdOf(root) : (ids[name] ?? ""),
    );
}

const words: Readonly<Record<string, string>> = {
    cpu: "CPU",
    vpc: "VPC",
    gbs: "in GB",
    millis: "in millicores",
    id: "id",
    cidr: "CIDR",
    ha: "HA",
    sync: "Synchronous",
};

/** The label of a property: `cpu_millis` becomes `CPU in millicores`. */
export function labelOf(property: string): string {
    const text = property
        .split("_")
        .map((word) => words[word] ?? word)
        .join(" ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The field of a property in the contract. A creation needs no optional values. */
function fieldOf(
    name: string,
    schema: Schema,
    isRequired: boolean,
    resource: Resource<Kind> | undefined,
    isCreation: boolean,
): Field {
    const known = schema.enum ?? schema.items?.enum;
    const choices = known?.map((one) => [one, one] as const);
    const base = {
        name,
        label: labelOf(name),
        isOptional: !isRequired,
        ...(schema.description !== undefined && { hint: schema.description.replaceAll('"', "") }),
    };
    if (schema.type === "array" && choices) {
        return { ...base, type: "several", value: [], choices };
    }
    const current = isRequired || !isCreation ? (currentOf(name, resource, isCreation) ?? "") : "";
    if (choices) {
        const all = isRequired ? choices : [["", "default"] as const, ...choices];
        return { ...base, type: "text", value: String(current || (all[0]?.[0] ?? "")), choices: all };
    }
    if (name === "vpc_id" && resource?.kind === "services") {
        const attached = resource.value.vpc_endpoint?.vpc_id;
        const vpcs = vpcsFor(resource.value).filter(([id]) => attached === undefined || id === attached);
        return { ...base, type: "text", value: vpcs[0]?.[0] ?? "", choices: vpcs };
    }
    const type =
        schema.format === "password" ? "password" : /integer|number/.test(schema.type ?? "") ? "number" : "text";
    return { ...base, type, value: type === "number" ? current : String(current) };
}

/** The current value of a property of a resource. A new resource has values with which the request succeeds. */
function currentOf(
    name: string,
    resource: Resource<Kind> | undefined,
    isCreation: boolean,
): string | number | undefined {
    const value = Object(resource?.value) as Partial<Resource<"services">["value"] & Resource<"replicaSets">["value"]>;
    const spec = value.resources?.[0]?.spec ?? value;
    const current: Readonly<Record<string, string | number | undefined>> = {
        cpu_millis: spec.cpu_millis ?? (isCreation ? 500 : "shared"),
        memory_gbs: spec.memory_gbs ?? (isCreation ? 2 : "shared"),
        environment: value.metadata?.environment,
        replica_count: value.ha_replicas?.replica_count,
        sync_replica_count: value.ha_replicas?.sync_replica_count,
        nodes: value.nodes ?? 1,
        name: isCreation ? (resource ? `${value.name}-replica` : "sample") : value.name,
        region_code: "us-east-1",
        cidr: "10.0.0.0/16",
        peer_account_id: "123456789012",
        peer_region_code: "us-east-1",
        peer_vpc_id: "vpc-0a1b2c3d4e5f67890",
    };
    return current[name];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a command, with the variables that the program also uses. */
function curlOf({ method, path }: ApiOperation, body: FormValues | undefined): string {
    return [
        `curl -X ${method} "$CLOUDDB_BASE_URL${path}"`,
        `  -H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN"`,
        ...(body ? ['  -H "Content-Type: application/json"', `  -d ${quoted(JSON.stringify(body))}`] : []),
    ].join(" \\\n");
}
