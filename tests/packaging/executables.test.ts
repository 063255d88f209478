import { execFileSync } from "node:child_process";
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
