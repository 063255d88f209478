/**
 * `npm run figures:emulator [-- [--rounds COUNT] CLONE...]`: measures the time and memory of the emulator without
 * PostgreSQL, and compares it with other clones, which must be built. Alternates between the clones and prints medians
 * of 9 rounds. Linux only.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { repositoryRoot } from "./lib/repository.mjs";

const serviceCount = 50;
const readCount = 1_000;
const token = "figures-token";

const lines = [
    ["time from the command to LISTENING", ({ startMs }) => startMs, "ms"],
    ["memory (RSS) after the start", ({ startMegabytes }) => startMegabytes, "MB"],
    [`a GET of ${serviceCount} services over HTTP`, ({ readMs }) => readMs, "ms"],
    [`memory (RSS) after ${readCount} of these GETs`, ({ usedMegabytes }) => usedMegabytes, "MB"],
];

export async function run(args) {
    const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { rounds: { type: "string", default: "9" } },
    });
    const roundCount = Number(values.rounds);
    const clones = [repositoryRoot, ...positionals.map((folder) => resolve(folder))];
    const figures = new Map(clones.map((clone) => [clone, []]));
    for (let round = 0; round < roundCount; round++) {
        for (const clone of clones) {
            figures.get(clone)?.push(await measure(clone));
        }
    }
    const column = Math.max(...clones.map((clone) => basename(clone).length), 9);
    console.log(`${clones.map((clone) => basename(clone).padStart(column)).join("  ")}  medians of ${roundCount}`);
    for (const [name, of, unit] of lines) {
        const cells = clones.map((clone) => `${median(figures.get(clone)?.map(of) ?? []).toFixed(1)} ${unit}`);
        console.log(`${cells.map((cell) => cell.padStart(column)).join("  ")}  ${name}`);
    }
}

async function measure(clone) {
    const command = join(clone, "dist", "emulator", "cli.js");
    const begin = performance.now();
    const child = spawn(process.execPath, [command, "--token", token, "--speed", "1000"], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((done) => child.once("exit", done));
    try {
        const url = await listening(child.stdout);
        const startMs = performance.now() - begin;
        const startMegabytes = megabytesOf(child.pid);
        const services = `${url}/projects/emulator01/services`;
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        for (let count = 0; count < serviceCount; count++) {
            await (await fetch(services, { method: "POST", headers, body: '{"name":"orders"}' })).text();
        }
        const firstRead = performance.now();
        for (let count = 0; count < readCount; count++) {
            await (await fetch(services, { headers })).text();
        }
        const readMs = (performance.now() - firstRead) / readCount;
        return { startMs, startMegabytes, readMs, usedMegabytes: megabytesOf(child.pid) };
    } finally {
        child.kill();
        await ended;
    }
}

async function listening(output) {
    for await (const line of createInterface({ input: output })) {
        const [, url] = /^LISTENING (\S+)$/.exec(line) ?? [];
        if (url !== undefined) {
            return url;
        }
    }
    throw new Error("The emulator ended before it printed LISTENING.");
}

function megabytesOf(pid) {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function median(values) {
    return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
