import type * as childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Watcher } from "../../../emulator/postgres/watcher";
import { newFolder } from "../../support/folder";

let mockSpawn: () => unknown;

jest.mock("node:child_process", () => ({
    ...jest.requireActual<typeof childProcess>("node:child_process"),
    spawn: () => mockSpawn(),
}));

function start(spawn: typeof mockSpawn) {
    mockSpawn = spawn;
    const run = join(newFolder(), "run");
    const data = join(run, "data");
    mkdirSync(data, { recursive: true });
    const reports: string[] = [];
    const watcher = new Watcher({ run, data, isKept: false }, (line) => reports.push(line));
    return { run, reports, watcher };
}

it("an emulator without a shell works, reports that a kill leaves its servers, and removes its folder at its end", async () => {
    const { spawn } = jest.requireActual<typeof childProcess>("node:child_process");
    const { run, reports, watcher } = start(() => spawn("/an/image/without/sh"));
    await new Promise(setImmediate);
    expect(reports).toEqual([expect.stringMatching(/ENOENT.*servers/)]);
    await watcher.finish();
    expect(existsSync(run)).toBe(false);
});

/** A shell that ends when its input does. */
class Shell extends EventEmitter {
    readonly pid = 1;
    exitCode: number | null = null;
    readonly signalCode = null;
    readonly stdin = Object.assign(new PassThrough().resume(), { unref: () => undefined });
    readonly ref = () => undefined;
    readonly unref = () => undefined;

    constructor() {
        super();
        this.stdin.on("end", () => this.end());
    }

    end(): void {
        this.exitCode = 0;
        this.emit("exit");
    }
}

it("another shell follows one that was killed, after a pause, and none follows at the end of the emulator", async () => {
    jest.useFakeTimers();
    const shells: Shell[] = [];
    const { watcher } = start(() => shells[shells.push(new Shell()) - 1]);
    shells[0]?.end();
    expect(shells).toHaveLength(1);
    jest.runOnlyPendingTimers();
    expect(shells).toHaveLength(2);
    jest.useRealTimers();
    await watcher.finish();
    expect(shells.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
});
