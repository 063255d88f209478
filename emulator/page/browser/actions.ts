import { kindFacts } from "../messages";
import type { Kind, Resource } from "../messages";
import type { Connection } from "./connection";
import { setProblem } from "./dom";
import { showForm } from "./formDialog";
import type { FormField, FormValues } from "./formDialog";
import { nameOf } from "./format";
import type { Store } from "./store";

/** The controls of the emulator for buttons and dialogs. */
export class Actions {
    constructor(
        private readonly connection: Connection,
        private readonly store: Store,
        /** Shows the user the result of an action. */
        private readonly notify: (text: string, isProblem?: boolean) => void,
    ) {}

    /** Calls a control and shows the result. A problem appears at the field with the value, if there is one. */
    async run(done: string, method: string, path: string, body?: unknown, field?: HTMLElement): Promise<boolean> {
        const show = (problem: string): void => {
            if (field) {
                setProblem(field, problem);
            } else if (problem !== "") {
                this.notify(problem, true);
            }
        };
        try {
            await this.control(method, path, body);
            show("");
            this.notify(done);
            return true;
        } catch (error) {
            show((error as Error).message);
            return false;
        }
    }

    acceptPeering({ id }: Resource<"peerings">): void {
        void this.run(`Peering ${id} was accepted.`, "POST", `/peerings/${id}/accept`);
    }

    failPeering({ id }: Resource<"peerings">): void {
        this.show(`Peering ${id} failed.`, "POST", `/peerings/${id}/fail`, {
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

    modifyService({ id, value }: Resource<"services">): void {
        const spec = value.resources[0]?.spec;
        const vpcId = value.vpc_endpoint?.vpc_id ?? "";
        const isShared = spec?.cpu_millis === undefined;
        const vpcs = [...this.store.resources.vpcs.values()].filter(
            (vpc) => vpc.value.project_id === value.project_id && vpc.value.region_code === value.region_code,
        );
        this.show(
            `Service ${id} was modified.`,
            "PATCH",
            `/services/${id}`,
            {
                title: `Modify service ${nameOf(value.name)}`,
                text: modificationText,
                submit: "Modify service",
                fields: [
                    text("name", "Name", value.name),
                    environment(value.metadata?.environment),
                    flag("shared", "Shared CPU and memory", isShared),
                    { ...numeric("cpuMillis", "CPU in millicores", spec?.cpu_millis ?? ""), isOptional: true },
                    { ...numeric("memoryGbs", "Memory in GB", spec?.memory_gbs ?? ""), isOptional: true },
                    numeric("replicaCount", "HA replicas", value.ha_replicas?.replica_count ?? 0),
                    numeric("syncReplicaCount", "Synchronous HA replicas", value.ha_replicas?.sync_replica_count ?? 0),
                    {
                        ...text("vpcId", "VPC", vpcId),
                        choices: [
                            ["", "none"],
                            ...vpcs.map((vpc) => [vpc.id, `${vpc.value.name} (${vpc.id})`] as const),
                        ],
                    },
                    flag("pooler", "Connection pooler", value.connection_pooler !== undefined),
                ],
            },
            (changes) => servicePatch(changes, { isShared, cpuMillis: spec?.cpu_millis, memoryGbs: spec?.memory_gbs }),
        );
    }

    modifyReplicaSet({ id, value }: Resource<"replicaSets">): void {
        this.show(`Read replica set ${id} was modified.`, "PATCH", `/replicaSets/${id}`, {
            title: `Modify read replica set ${nameOf(value.name)}`,
            text: modificationText,
            submit: "Modify read replica set",
            fields: [
                text("name", "Name", value.name),
                environment(value.metadata?.environment),
                numeric("nodes", "Nodes", value.nodes),
                numeric("cpuMillis", "CPU in millicores", value.cpu_millis),
                numeric("memoryGbs", "Memory in GB", value.memory_gbs),
                flag("pooler", "Connection pooler", value.connection_pooler !== undefined),
            ],
        });
    }

    renameVpc({ id, value }: Resource<"vpcs">): void {
        this.show(`VPC ${id} was renamed.`, "PATCH", `/vpcs/${id}`, {
            title: `Rename VPC ${nameOf(value.name)}`,
            submit: "Rename VPC",
            fields: [text("name", "Name", value.name)],
        });
    }

    setStatus({ kind, id, value }: Resource<"services" | "replicaSets">): void {
        this.show(
            `The status of ${id} was set.`,
            "PUT",
            `/${kind}/${id}/status`,
            {
                title: `Set the status of ${nameOf(value.name)}`,
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

    takeSnapshot({ id }: Resource<"services">): void {
        void this.run(`A snapshot of service ${id} was taken.`, "POST", `/services/${id}/snapshot`);
    }

    delete({ kind, id, value }: Resource<Kind>): void {
        const { noun } = kindFacts[kind];
        const name = "name" in value ? nameOf(value.name) : id;
        this.show(`The ${noun} ${name} was deleted.`, "DELETE", `/${kind}/${id}`, {
            title: `Delete ${noun} ${name}?`,
            text: "The deletion takes effect immediately and outside the program. It includes read replica sets and peerings.",
            submit: `Delete ${noun}`,
            isDangerous: true,
        });
    }

    reset(): void {
        this.show("The emulator was reset.", "POST", "/reset", {
            title: "Reset the emulator?",
            text: "Deletes all resources, clears the journal, and restores the initial faults and durations.",
            submit: "Reset emulator",
            isDangerous: true,
        });
    }

    private async control(method: string, path: string, body?: unknown): Promise<void> {
        await this.connection.ask(method, `/_emulator${path}`, body);
    }

    private show(
        done: string,
        method: string,
        path: string,
        form: Omit<Parameters<typeof showForm>[0], "run">,
        bodyOf: (changes: FormValues) => unknown = (changes) => changes,
    ): void {
        const hasBody = form.fields !== undefined;
        void showForm({
            ...form,
            run: async (changes) => {
                await this.control(method, path, hasBody ? bodyOf(changes) : undefined);
                this.notify(done);
            },
        });
    }
}

/** The statuses that a user can choose. */
const statuses = {
    services: ["READY", "UNSTABLE", "UPGRADING", "OPTIMIZING", "CONFIGURING", "PAUSED"],
    replicaSets: ["active", "resizing", "error"],
} as const;

const modificationText =
    "The change takes effect immediately and outside the program. The next refresh detects it as drift.";

interface CurrentSize {
    isShared: boolean;
    cpuMillis: number | undefined;
    memoryGbs: number | undefined;
}

/** The body of the control for the changed fields of a service. The size is one value, and null means no VPC. */
function servicePatch(
    { shared, cpuMillis, memoryGbs, vpcId, ...rest }: FormValues,
    current: CurrentSize,
): Record<string, unknown> {
    const isShared = typeof shared === "boolean" ? shared : current.isShared;
    const size = { cpuMillis: cpuMillis ?? current.cpuMillis, memoryGbs: memoryGbs ?? current.memoryGbs };
    const isResized = shared !== undefined || (!isShared && (cpuMillis !== undefined || memoryGbs !== undefined));
    return {
        ...rest,
        ...(isResized && { size: isShared ? "shared" : size }),
        ...(vpcId !== undefined && { vpcId: vpcId === "" ? null : vpcId }),
    };
}

const text = (name: string, label: string, value: string): FormField => ({ name, label, type: "text", value });
const numeric = (name: string, label: string, value: number | ""): FormField => ({
    name,
    label,
    type: "number",
    value,
});
const flag = (name: string, label: string, value: boolean): FormField => ({ name, label, type: "checkbox", value });

function environment(value = ""): FormField {
    const known = ["DEV", "PROD"];
    const choices = known.includes(value) ? known : [value, ...known];
    return { ...text("environment", "Environment", value), choices: choices.map((one) => [one, one] as const) };
}
