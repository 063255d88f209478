import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { packageName } from "../support/engine";
import { fromText, startProject, type TestProject } from "../support/project";

// What a person sees in a terminal: only the engine decides which part of a line fits.

const program = (args: object) => `
const { Service } = require(${JSON.stringify(packageName)});
new Service("orders", ${JSON.stringify(args)});
`;

const before = { name: "orders", cpuMillis: 500, replicaCount: 0 };
const after = { name: "orders", cpuMillis: 1000, replicaCount: 1, connectionPooler: true, environment: "PROD" };

/** The pictures that Pulumi draws during an update in a terminal of this width, as lines. */
async function framesOf(project: TestProject, columns: number): Promise<string[][]> {
    const command = `stty cols ${columns} rows 40; pulumi up --yes --skip-preview --stack test`;
    const terminal = spawn("script", ["-qec", command, "/dev/null"], {
        cwd: project.folder,
        // Pulumi asks other terminals for their colors, and waits for the answer.
        env: { ...project.environment(), TERM: "screen" },
    });
    let output = "";
    terminal.stdout.on("data", (data: Buffer) => (output += data.toString()));
    const [code] = (await once(terminal, "close")) as [number];
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) as string });
    const [moveUp, control] = [new RegExp("\u001b\\[\\d+A"), new RegExp("\u001b\\[[\\d;?]*[A-Za-z]", "g")];
    return output.split(moveUp).map((frame) => frame.replace(control, "").split(/[\r\n]+/));
}

const titles = [
    "1/4 resize 500m/2GB -> 1000m/4GB",
    "2/4 HA replicas none -> 1 async",
    "3/4 connection pooler on",
    "4/4 environment DEV -> PROD",
];

/** Linux has this command, which runs another one in a terminal. That of macOS has other options. */
const hasTerminal = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

(hasTerminal ? test : test.skip).each([80, 120])(
    "a terminal with %d columns shows the step of an update and its duration, and a wide one also the status",
    async (columns) => {
        // The steps last long enough for Pulumi to draw them.
        const project = await startProject(fromText(program(before)), {
            speed: 1,
            durations: { create: 100, resize: 2_000, setHA: 2_000 },
        });
        await project.pulumi("up", "--yes", "--skip-preview");
        project.write(program(after));
        const frames = await framesOf(project, columns);
        expect(frames.flat().filter((line) => line.length >= columns)).toEqual([]);
        // A dot after the duration moves.
        const running = frames.filter((lines) => lines.some((line) => /~ .* orders .*updating \(\d+s\)/.test(line)));
        for (const title of titles.slice(0, 2)) {
            const rows = running.flatMap((lines) => lines.filter((line) => line.includes(`─ ${title} `)));
            expect(rows).not.toEqual([]);
            const status = /orders +CONFIGURING, \d(\.\d)? s of 1 h/;
            expect(rows.some((line) => status.test(line))).toBe(columns > 80);
        }
        const [last = []] = frames.filter((lines) => lines.some((line) => line.includes(" updated ("))).slice(-1);
        expect(titles.filter((title) => !last.some((line) => line.includes(`─ ${title} `)))).toEqual([]);
    },
);
