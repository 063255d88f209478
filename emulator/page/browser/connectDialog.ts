import type { Credentials, Resource } from "../messages";
import type { Connection } from "./connection";
import { make } from "./dom";
import { address } from "./format";
import { open } from "./formDialog";

interface Target {
    label: string;
    host: string;
    port: number;
}

let dialogs = 0;

/**
 * Shows how to connect to a service or read replica set. It requests the password only when the user clicks the button. The
 * document does not contain it after the dialog is closed.
 */
export function showConnection(connection: Connection, resource: Resource<"services" | "replicaSets">): void {
    const { value } = resource;
    const id = `connect${++dialogs}`;
    const targets = targetsOf(resource);
    const error = make("p", { className: "problem", attributes: { role: "alert" } });
    const secrets = make("div", { className: "secrets", attributes: { "aria-live": "polite" } });
    const reveal = make("button", { type: "button", className: "primary", textContent: "Show password" });
    const close = make("button", { type: "button", textContent: "Close" });
    const dialog = make(
        "dialog",
        { className: "wide", attributes: { "aria-labelledby": id } },
        make("h2", { id, textContent: `Connect to ${value.name}` }),
        targets.length === 0
            ? make("p", { textContent: "There is no address yet." })
            : make("dl", {}, ...targets.flatMap(({ label, host, port }) => term(label, address({ host, port })))),
        secrets,
        error,
        make("div", { className: "buttons" }, close, reveal),
    );
    close.addEventListener("click", () => dialog.close());
    reveal.addEventListener("click", () => {
        error.textContent = "";
        connection.ask<Credentials>("POST", `/_page/services/${value.service_id}/credentials`).then(
            (credentials) => {
                secrets.replaceChildren(make("dl", {}, ...secretTerms(credentials, targets)));
                close.focus();
                reveal.remove();
            },
            (reason: unknown) => (error.textContent = (reason as Error).message),
        );
    });
    void open(dialog);
}

function targetsOf({ kind, value }: Resource<"services" | "replicaSets">): Target[] {
    const candidates: [string, { host?: string; port?: number } | undefined][] = [
        ["Endpoint", value.endpoint],
        ["Connection pooler", value.connection_pooler?.endpoint],
        ["VPC endpoint", kind === "services" ? value.vpc_endpoint : undefined],
    ];
    return candidates.flatMap(([label, { host, port } = {}]) =>
        host !== undefined && port !== undefined ? [{ label, host, port }] : [],
    );
}

function secretTerms({ user, database, password }: Credentials, targets: readonly Target[]): HTMLElement[] {
    const url = ({ host, port }: Target): string =>
        `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=require`;
    return [
        ...term("User", user),
        ...term("Database", database),
        ...term("Initial password", password, true),
        ...targets.flatMap((target) => term(`Connection string (${target.label})`, url(target), true)),
    ];
}

function term(label: string, value: string, canCopy = false): HTMLElement[] {
    const text = make("code", { textContent: value });
    if (!canCopy) {
        return [make("dt", { textContent: label }), make("dd", {}, text)];
    }
    const copy = make("button", { type: "button", textContent: "Copy", attributes: { "aria-label": `Copy ${label}` } });
    copy.addEventListener("click", () => {
        navigator.clipboard.writeText(value).then(
            () => (copy.textContent = "Copied"),
            () => (copy.textContent = "Copy failed"),
        );
    });
    return [make("dt", { textContent: label }), make("dd", {}, text, copy)];
}
