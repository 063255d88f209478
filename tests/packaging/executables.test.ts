import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "../support/command";
import { newFolder } from "../support/folder";
import { root } from "../support/documents";
import { buildArchives } from "../languages/withoutNode";

// The executables of other platforms, which do not run here.

let archives: Record<string, string> = {};

beforeAll(async () => {
    archives = await buildArchives();
});

const platforms = [
    { platform: "linux-amd64", format: "ELF", machine: 62 },
    { platform: "linux-arm64", format: "ELF", machine: 183 },
    { platform: "windows-amd64", format: "PE", machine: 0x8664 },
    // Windows on Arm runs programs for amd64.
    { platform: "windows-arm64", format: "PE", machine: 0x8664 },
    { platform: "darwin-amd64", format: "Mach-O", machine: 0x1000007 },
    { platform: "darwin-arm64", format: "Mach-O", machine: 0x100000c },
] as const;

/** Node.js replaces the last digit in an executable that contains a program. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";

test.each(platforms)(
    "the executable for $platform is a program for it, with the plugin in it",
    ({ platform, ...kind }) => {
        const program = executableIn(archives[platform] ?? "");
        expect(kindOf(program)).toEqual(kind);
        expect(program.includes(`${fuse}1`)).toBe(true);
        expect(program.includes(`${fuse}0`)).toBe(false);
    },
);

test.each(["darwin-amd64", "darwin-arm64"])(
    "the executable for %s has no signature, and ends where codesign adds one",
    (platform) => {
        const program = executableIn(archives[platform] ?? "");
        const commands = loadCommandsOf(program);
        expect(commands.filter(({ command }) => command === loadCommand.codeSignature)).toEqual([]);
        const segments = commands.filter(({ command }) => command === loadCommand.segment);
        expect(segments.map(({ name }) => name)).toEqual(expect.arrayContaining(["NODE_SEA", "__LINKEDIT"]));
        expect(segments.at(-1)).toMatchObject({ name: "__LINKEDIT", end: program.length });
    },
);

test.each([
    { identity: "", sign: "--force --sign - EXECUTABLE" },
    {
        identity: "Developer ID Application: Us",
        sign: `--force --sign Developer ID Application: Us --options runtime --timestamp --entitlements ${root}/scripts/standalone/entitlements.plist EXECUTABLE`,
    },
])(
    "both executables for macOS are signed with the identity “$identity”, and the checksums updated",
    async ({ identity, sign }) => {
        const folder = newFolder();
        const [release, tools] = [join(folder, "release"), join(folder, "tools")];
        [release, tools].forEach((one) => mkdirSync(one));
        const names = ["darwin-amd64", "darwin-arm64", "linux-amd64"].map((platform) => {
            const file = archives[platform] ?? "";
            copyFileSync(file, join(release, basename(file)));
            return basename(file);
        });
        const unsigned = names.map((name) => contentsOf(join(release, name)));
        // Signs by appending a word.
        const codesign = `#!/bin/sh\necho "$*" >> ${folder}/calls\nfor last; do :; done\ncase $1 in --force) echo signed >> "$last";; esac\n`;
        writeFileSync(join(tools, "codesign"), codesign);
        chmodSync(join(tools, "codesign"), 0o755);

        const env = { ...process.env, PATH: `${tools}:${process.env.PATH ?? ""}`, CODESIGN_IDENTITY: identity };
        await run(process.execPath, [join(root, "scripts", "run.mjs"), "sign", release], { cwd: root, env });

        const calls = readFileSync(join(folder, "calls"), "utf8").replace(
            /\S+\/pulumi-resource-clouddb/g,
            "EXECUTABLE",
        );
        const both = [sign, "--verify --strict EXECUTABLE"];
        expect(calls.trim().split("\n")).toEqual([...both, ...both]);
        const signed = names.map((name) => contentsOf(join(release, name)));
        expect(signed).toEqual(unsigned);
        expect(names.map((name) => executableIn(join(release, name)).subarray(-7).toString() === "signed\n")).toEqual([
            true,
            true,
            false,
        ]);
        execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: release });
    },
);

/** The names and modes of the files of an archive. */
const contentsOf = (archive: string): string[] =>
    execFileSync("tar", ["-tvzf", archive], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.replace(/^(\S+).*?(\S+)$/, "$1 $2"));

function executableIn(archive: string): Buffer {
    const name = `pulumi-resource-clouddb${archive.includes("-windows-") ? ".exe" : ""}`;
    return execFileSync("tar", ["-xzOf", archive, name], { maxBuffer: Infinity });
}

function kindOf(program: Buffer): { format: string; machine: number } {
    if (program.subarray(0, 4).equals(Buffer.from("\x7fELF", "latin1"))) {
        return { format: "ELF", machine: program.readUInt16LE(18) };
    }
    if (program.readUInt32LE(0) === 0xfeedfacf) {
        return { format: "Mach-O", machine: program.readUInt32LE(4) };
    }
    const header = program.readUInt32LE(0x3c);
    return {
        format: program.subarray(header, header + 4).toString("latin1") === "PE\0\0" ? "PE" : "unknown",
        machine: program.readUInt16LE(header + 4),
    };
}

/** The numbers of load commands, which describe the parts of a Mach-O file. */
const loadCommand = { segment: 0x19, codeSignature: 0x1d } as const;

function loadCommandsOf(program: Buffer): { command: number; name: string; end: number }[] {
    let offset = 32;
    return Array.from({ length: program.readUInt32LE(16) }, () => {
        const [command, size] = [program.readUInt32LE(offset), program.readUInt32LE(offset + 4)];
        const isSegment = command === loadCommand.segment;
        const name = isSegment ? program.toString("latin1", offset + 8, offset + 24).replace(/\0.*$/, "") : "";
        const [from, length] = isSegment
            ? [program.readBigUInt64LE(offset + 40), program.readBigUInt64LE(offset + 48)]
            : [0n, 0n];
        offset += size;
        return { command, name, end: Number(from + length) };
    });
}
