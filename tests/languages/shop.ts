import type { EmulatorOptions } from "../../emulator";
import { startFastEmulator } from "../support/engine";
import { Project, root, testWith } from "./language";

export const test = testWith("yaml");

/** A Pulumi.yaml with these resources, and with other lines. */
export const programOf = (resources: string, others = ""): string => `name: protection
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
resources:
${resources}${others}`;

export const urn = "urn:pulumi:test::protection::clouddb:index:Service::orders";

interface Parts {
    /** More properties of the service and of the replica set, each after a comma. */
    readonly property?: string;
    readonly ofReaders?: string;
    /** Options of the service. */
    readonly option?: string;
    /** More resources. */
    readonly also?: string;
    /** Without the network of the service. */
    readonly isOutside?: boolean;
}

const network = `  network:
    type: clouddb:Vpc
    properties: { cidr: 10.0.0.0/21, regionCode: us-east-1 }
  partner:
    type: clouddb:Peering
    properties: { vpcId: "\${network.vpcId}", peerAccountId: "1", peerRegionCode: us-east-1, peerVpcId: vpc-1 }
`;

/** A network with a peering. */
export const onlyNetwork = programOf(network);

/** A service in a network with a peering, with a replica set and outputs that use both. The name is that in the program. */
export function shop(
    name: string,
    { property = "", ofReaders = "", option = "", also = "", isOutside = false }: Parts = {},
): string {
    const vpcId = isOutside ? "" : ', vpcId: "${network.vpcId}"';
    return programOf(
        `${network}  ${name}:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2${vpcId}${property} }
    options: { ${option} }
  readers:
    type: clouddb:ReadReplicaSet
    properties:
      { serviceId: "\${${name}.serviceId}", password: "\${${name}.currentPassword}", cpuMillis: 500, memoryGbs: 2${ofReaders} }
${also}`,
        `outputs:
  url: \${${name}.connectionString}
  readersUrl: \${readers.connectionString}
`,
    );
}

/** A stack whose services have the default protection. */
export async function deployed(text = shop("orders"), options: EmulatorOptions = {}) {
    const emulator = await startFastEmulator(options);
    const project = await Project.create("yaml", emulator, { program: text, isProtected: true });
    await project.up();
    /** The ids of the services. */
    const ids = () => emulator.snapshot().services.map(({ service_id: id }) => id);
    return {
        emulator,
        project,
        ids,
        /** Runs `pulumi up`, with another program if there is one. */
        up: (next?: string, ...options: readonly string[]) => {
            if (next !== undefined) {
                project.write("Pulumi.yaml", next);
            }
            return project.pulumi("up", "--yes", ...options);
        },
        /** The stack has this database and nothing else to do, and its password is in force. */
        settled: async (id: string) => {
            await project.pulumi("preview", "--expect-no-changes");
            await project.pulumi("refresh", "--yes", "--expect-no-changes");
            const { url } = await project.outputs();
            expect(String(url)).toContain(id);
            expect(emulator.passwordMatches(id, decodeURIComponent(new URL(String(url)).password))).toBe(true);
        },
    };
}

/** The output of a command that fails. */
export async function failureOf(command: Promise<string>): Promise<string> {
    const error: unknown = await command.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    return String(error);
}

/** The output of a command that fails because the state forbids the deletion. */
export async function refusalOf(command: Promise<string>): Promise<string> {
    const failure = await failureOf(command);
    expect(failure).toContain("is not deleted: its entry in the state has deletionProtection: true");
    return failure;
}
