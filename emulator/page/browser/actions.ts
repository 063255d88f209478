import { kindFacts } from "../messages";
import type { Kind, Resource } from "../messages";
import { openForm } from "./form";
import type { Field, FormProps, FormValues } from "./form";
import { displayName } from "./format";
import { connection, notify, store } from "./ui";

// What the buttons do with the controls of the emulator.

const control = (method: string, path: string, body?: unknown): Promise<unknown> =>
    connection.ask(method, `/_emulator${path}`, body);

/** Calls a control and shows the result. Returns the problem, which can also be shown; an empty text if there is none. */
export async function runControl(
    ...[done, method, path, body, showsProblem = true]: [string, string, string, unknown?, boolean?]
): Promise<string> {
    try {
        await control(method, path, body);
        notify(done);
        return "";
    } catch (error) {
        const { message } = error as Error;
        if (showsProblem) {
            notify(message, true);
        }
        return message;
    }
}

/** Shows a form, and sends its changed fields to a control. */
function openControl(
    done: string,
    method: string,
    path: string,
    form: Omit<FormProps, "run">,
    bodyOf: (changes: FormValues) => unknown = (changes) => changes,
): void {
    const run = async (changes: FormValues): Promise<void> => {
        await control(method, path, form.fields && bodyOf(changes));
        notify(done);
    };
    openForm({ ...form, run });
}

export const finish = (resource: Resource<Kind>): void =>
    void runControl(`The change of ${displayName(resource)} is complete.`, "POST", `/finish/${resource.id}`);

export const setSpeed = (speed: number): void =>
    void runControl(`The time runs at ${speed}×.`, "PUT", "/speed", { speed });

export const addFault = (fault: string, showsProblem = true): Promise<string> =>
    runControl(`Added fault ${fault}.`, "POST", "/faults", { faults: [fault] }, showsProblem);

export const acceptPeering = ({ id }: Resource<Kind>): void =>
    void runControl(`Peering ${id} was accepted.`, "POST", `/peerings/${id}/accept`);

export const takeSnapshot = ({ id }: Resource<Kind>): void =>
    void runControl(`A snapshot of service ${id} was taken.`, "POST", `/services/${id}/snapshot`);

export function failPeering({ id }: Resource<Kind>): void {
    openControl(`Peering ${id} failed.`, "POST", `/peerings/${id}/fail`, {
        title: `Fail peering ${id}`,
        submit: "Fail peering",
        fields: [
            {
                ...text("status", "Status", "failed"),
                hint: "The status that the API returns, for example failed or rejected.",
            },
            { ...text("message", "Message", ""), isOptional: true, hint: "Leave empty for a default message." },
        ],
    });
}

/** Changes a resource without the API, so that the next refresh detects drift. */
export function modify(resource: Resource<Kind>): void {
    const { kind, id } = resource;
    const what = `${kindFacts[kind].noun} ${displayName(resource)}`;
    const form = {
        title: `Modify ${what}`,
        text: "The change takes effect immediately and outside the program. The next refresh detects it as drift.",
        submit: `Modify ${kindFacts[kind].noun}`,
        fields: fieldsOf(resource),
    };
    const spec = kind === "services" ? resource.value.resources[0]?.spec : undefined;
    openControl(`The ${what} was modified.`, "PATCH", `/${kind}/${id}`, form, (changes) =>
        kind === "services" ? servicePatch(changes, spec) : changes,
    );
}

function fieldsOf(resource: Resource<Kind>): Field[] {
    if (resource.kind === "services") {
        const { value } = resource;
        const spec = value.resources[0]?.spec;
        return [
            text("name", "Name", value.name),
            environment(value.metadata?.environment),
            flag("shared", "Shared CPU and memory", spec?.cpu_millis === undefined),
            { ...numeric("cpuMillis", "CPU in millicores", spec?.cpu_millis ?? ""), isOptional: true },
            { ...numeric("memoryGbs", "Memory in GB", spec?.memory_gbs ?? ""), isOptional: true },
            numeric("replicaCount", "HA replicas", value.ha_replicas?.replica_count ?? 0),
            numeric("syncReplicaCount", "Synchronous HA replicas", value.ha_replicas?.sync_replica_count ?? 0),
            { ...text("vpcId", "VPC", value.vpc_endpoint?.vpc_id ?? ""), choices: [["", "none"], ...vpcsFor(value)] },
            flag("pooler", "Connection pooler", value.connection_pooler !== undefined),
        ];
    }
    if (resource.kind === "replicaSets") {
        const { value } = resource;
        return [
            text("name", "Name", value.name),
            environment(value.metadata?.environment),
            numeric("nodes", "Nodes", value.nodes),
            numeric("cpuMillis", "CPU in millicores", value.cpu_millis),
            numeric("memoryGbs", "Memory in GB", value.memory_gbs),
            flag("pooler", "Connection pooler", value.connection_pooler !== undefined),
        ];
    }
    return [text("name", "Name", displayName(resource))];
}

/** The VPCs that a service can be attached to. */
export const vpcsFor = (service: Resource<"services">["value"]): [id: string, text: string][] =>
    store
        .all("vpcs")
        .filter(({ value }) => value.project_id === service.project_id && value.region_code === service.region_code)
        .map(({ id, value }) => [id, `${value.name} (${id})`]);

/** The body of the control for the changed fields of a service. The size is one value, and null means no VPC. */
function servicePatch(
    { shared, cpuMillis, memoryGbs, vpcId, ...rest }: FormValues,
    spec: { cpu_millis?: number; memory_gbs?: number } = {},
): FormValues | object {
    const isShared = shared ?? spec.cpu_millis === undefined;
    const size = { cpuMillis: cpuMillis ?? spec.cpu_millis, memoryGbs: memoryGbs ?? spec.memory_gbs };
    const isResized = shared !== undefined || (!isShared && (cpuMillis !== undefined || memoryGbs !== undefined));
    return {
        ...rest,
        ...(isResized && { size: isShared ? "shared" : size }),
        ...(vpcId !== undefined && { vpcId: vpcId === "" ? null : vpcId }),
    };
}

/** The statuses that a user can choose. */
const statuses = {
    services: ["READY", "UNSTABLE", "UPGRADING", "OPTIMIZING", "CONFIGURING", "PAUSED"],
    replicaSets: ["active", "resizing", "error"],
} as const;

export function setStatus(resource: Resource<"services" | "replicaSets">): void {
    const { kind, id } = resource;
    openControl(
        `The status of ${id} was set.`,
        "PUT",
        `/${kind}/${id}/status`,
        {
            title: `Set the status of ${displayName(resource)}`,
            text: "The API returns this status instead of the real one.",
            submit: "Set status",
            fields: [
                {
                    ...text("status", "Status", ""),
                    choices: [["", "the real status"], ...statuses[kind].map((one) => [one, one] as const)],
                    allowsOther: true,
                },
                {
                    ...numeric("seconds", "Duration in seconds", ""),
                    isOptional: true,
                    hint: "Leave empty to keep the status until it is set again.",
                },
            ],
        },
        ({ status, seconds }) => ({
            ...(status !== undefined && { status }),
            ...(status !== undefined && typeof seconds === "number" && { forMs: seconds * 1000 }),
        }),
    );
}

export function removeNow(resource: Resource<Kind>): void {
    const { noun } = kindFacts[resource.kind];
    const name = displayName(resource);
    openControl(`The ${noun} ${name} was deleted.`, "DELETE", `/${resource.kind}/${resource.id}`, {
        title: `Delete ${noun} ${name}?`,
        text: "The deletion takes effect immediately and outside the program. It includes read replica sets and peerings.",
        submit: `Delete ${noun}`,
        isDangerous: true,
    });
}

export const reset = (): void =>
    openControl("The emulator was reset.", "POST", "/reset", {
        title: "Reset the emulator?",
        text: "Deletes all resources, clears the journal, and restores the initial faults, durations and speed.",
        submit: "Reset emulator",
        isDangerous: true,
    });

export const text = (name: string, label: string, value: string): Field => ({ name, label, type: "text", value });
export const numeric = (name: string, label: string, value: number | ""): Field => ({
    name,
    label,
    value,
    type: "number",
});
const flag = (name: string, label: string, value: boolean): Field => ({ name, label, type: "checkbox", value });

function environment(value = ""): Field {
    const known = ["DEV", "PROD"];
    const choices = known.includes(value) ? known : [value, ...known];
    return { ...text("environment", "Environment", value), choices: choices.map((one) => [one, one] as const) };
}
