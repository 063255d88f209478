import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
    projectFileFor,
    resourcesIn,
    secretsProvider,
    typeToken,
    workDir,
    type StateResource,
} from "../../support/engine";
import { openProject, type TestProject } from "../../support/project";
import { program, stackName, type Declaration, type Existing, type Variant } from "./program";

/** Every operation of the emulator completes before the first poll. */
const speed = 1_000;

/** A project with its stack and its emulator, which can be copied. */
export interface Sandbox extends TestProject {
    readonly world: string;
    readonly backend: string;
    readonly declare: (declaration: Declaration, existing?: Existing, variant?: Variant) => void;
    /** Restores Pulumi's backup if Pulumi was killed while it wrote the state. */
    readonly restoreState: () => void;
    /** The resources in the state. Undefined while it cannot be read. */
    readonly resources: () => readonly Partial<StateResource>[] | undefined;
}

/** Creates a sandbox with an empty stack, or copies one whose emulator is closed. The API of a copy has the same dialect. */
export async function openSandbox(from?: Sandbox, dialect = from?.emulator.dialect ?? ""): Promise<Sandbox> {
    const world = join(workDir(), "world.json");
    if (from !== undefined) {
        cpSync(from.world, world);
    }
    const fill = (folder: string) => {
        if (from !== undefined) {
            cpSync(from.folder, folder, { recursive: true });
            cpSync(from.backend, join(folder, "..", "state"), { recursive: true });
            return;
        }
        writeFileSync(join(folder, "Pulumi.yaml"), projectFileFor("crash"));
        writeFileSync(join(folder, "package.json"), '{ "private": true, "main": "index.js" }\n');
        writeFileSync(join(folder, "index.js"), program);
    };
    const project = await openProject(fill, { speed, seed: 1, stateFile: world, dialect });
    project.env({ PULUMI_STACK: stackName });
    if (from === undefined) {
        await project.pulumi("stack", "init", stackName, "--secrets-provider", secretsProvider);
    }
    const backend = join(project.folder, "..", "state");
    const state = join(backend, ".pulumi", "stacks", "crash", `${stackName}.json`);
    return {
        ...project,
        world,
        backend,
        declare: (declaration, existing = {}, variant = {}) =>
            writeFileSync(
                join(project.folder, "declared.json"),
                JSON.stringify({ program: declaration, existing, ...variant }),
            ),
        restoreState: () => {
            for (const end of ["", ".attrs"]) {
                const [file, backup] = [`${state}${end}`, `${state}.bak${end}`];
                if (existsSync(backup) && (!existsSync(file) || statSync(file).size === 0)) {
                    cpSync(backup, file);
                }
            }
        },
        resources: () => {
            try {
                return resourcesIn(readFileSync(state, "utf8"));
            } catch {
                return undefined;
            }
        },
    };
}

export type ServiceEntry = NonNullable<ReturnType<typeof servicesIn>>[number];
export const servicesIn = (sandbox: Sandbox) =>
    sandbox
        .resources()
        ?.filter(({ type }) => type === typeToken("Service"))
        .map(({ id = "", outputs = {} }) => ({ id, deletionProtection: outputs.deletionProtection }));
