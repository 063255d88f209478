import type { Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import type { Clock } from "../../provider/api/clock";
import { Locks } from "../../provider/model/locks";
import type { Context } from "../../provider/model/context";
import { Ledger, type ResourceRef, type Row } from "../../provider/model/ledger";
import { linesOf, type Message } from "../../provider/base/message";
import { Lists } from "../../provider/observe/lists";
import { withToken } from "./client";
import { inProcess } from "./inProcess";

export interface RunParts {
    /** The milliseconds until its deadline. */
    timeMs?: number;
    replacing?: string | undefined;
    /** What the other resources of the program manage. */
    others?: readonly Row[];
}

/** The output of a run. */
type Output = Pick<Context, "showRow" | "info" | "warn">;

const ignored: Output = { showRow: () => undefined, info: () => undefined, warn: () => undefined };

/** A provider in this process, with the objects that all resources of a run share. It calls the emulator without a socket. */
export function startProvider(
    emulator: Emulator,
    clock: Clock,
    output: Partial<Output> = {},
    adapter = inProcess(emulator),
) {
    const parts = { clock, random: () => 0.5 };
    const warn = (message: Message) => output.warn?.(linesOf(message));
    const client = new Client(withToken(emulator.url, emulator.token), { ...parts, adapter, warn });
    const queue = new Locks();
    const lists = new Lists(clock, parts.random);
    return {
        client,
        run: ({ timeMs = 3_600_000, replacing, others = [] }: RunParts = {}): Context => ({
            client,
            ...parts,
            lists,
            locks: queue,
            beganAt: clock.now(),
            serverNow: () => client.serverClock.now(),
            deadlineAt: clock.now() + timeMs,
            timeoutSetting: "customTimeouts.update",
            signal: undefined,
            ...ignored,
            ...output,
            done: () => output.showRow?.(""),
            ledger: ledgerOf([
                {
                    urn: "urn::own",
                    ...(replacing && { replaces: { id: replacing, isDeletedFirst: true } }),
                },
                ...others,
            ]),
            urn: "urn::own",
        }),
    };
}

function ledgerOf(rows: readonly Row[]): Ledger {
    const ledger = new Ledger();
    rows.forEach((row) => ledger.note(row.urn, row));
    return ledger;
}

/** A resource of the program that manages this one, which this run or an earlier one has created. */
export const managing = (ref: ResourceRef, isNew = true): Pick<Row, "manages"> => ({ manages: { ...ref, isNew } });
