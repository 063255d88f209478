/** Runs the commands of the README section for new users. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pulumiEnvironment } from "../lib/environment.mjs";
import { repositoryRoot } from "../lib/repository.mjs";
import { run } from "./run.mjs";

const sectionHeading = "## Start a project";
const maxCommands = 10;
const documentedPort = "8080";

export async function tryReadme({ folder, tarball, enginePath }) {
    const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");
    const section = readme.split(`${sectionHeading}\n`)[1]?.split(/^## /m)[0] ?? "";
    const [program] = blocksOf(readme, "ts");
    const commands = blocksOf(section, "sh").flatMap((block) => block.split("\n"));
    if (!program || commands.length === 0) {
        throw new Error(`The README has no program or no ${sectionHeading}`);
    }
    if (commands.length > maxCommands) {
        throw new Error(`The README needs ${commands.length} commands`);
    }

    const project = join(folder, "shop");
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "index.ts"), program);
    const port = await freePort();
    const lines = commands.map((command) =>
        command
            .replace("npm install pulumi-clouddb", `npm install ${tarball.file}`)
            .replace(documentedPort, String(port))
            // In the README this runs in another terminal.
            .replace(/^npx clouddb-emulator .*$/, "$& & emulator=$!"),
    );
    const script = [
        // Job control gives each background job its own process group: npx does not pass signals on.
        "set -em",
        "trap 'kill -- -$emulator' EXIT",
        ...lines,
        'curl -sS --fail -H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN" ${CLOUDDB_BASE_URL%/v1}/_emulator/state >&3',
    ];
    const own = pulumiEnvironment({ path: enginePath, home: join(folder, "home") });
    const env = { ...own, PULUMI_SKIP_CONFIRMATIONS: "true" };
    const file = join(folder, "state.json");
    await run(["bash", "-c", `exec 3>"$0"\n${script.join("\n")}`, file], { cwd: project, env });
    const statuses = JSON.parse(readFileSync(file, "utf8")).services.map(({ status }) => status);
    if (statuses.join() !== "READY") {
        throw new Error(`The README created services with status ${statuses}, not one READY`);
    }
    return `${commands.length} commands to a service`;
}

const blocksOf = (text, language) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, "gm"))].map(([, block]) => block);

function freePort() {
    return new Promise((resolve, reject) => {
        const server = createServer().once("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}
