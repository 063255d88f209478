import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Interceptor } from "../../emulator";
import { Service } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";

// What only the engine shows: what it stores when its processes end during a creation.

/** A process that this test has started, directly or not. */
interface Descendant {
    readonly id: number;
    readonly command: string;
}

async function descendants(): Promise<readonly Descendant[]> {
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
    const all = stdout.split("\n").flatMap((line) => {
        const [, id, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
        return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), command }];
    });
    const below = (parent: number): Descendant[] =>
        all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.id)]);
    return below(process.pid).filter(({ command }) => !command.startsWith("ps "));
}

const isProvider = ({ command }: Descendant) => /dynamic-provider|pulumi-resource-/.test(command);

/** The response to the creation arrives after the signal, later than the end of a wait. */
const slowly =
    (onCreation: () => Promise<void>): Interceptor =>
    async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        if (operationId === "createService") {
            await onCreation();
            await sleep(4_000);
        }
        return answer;
    };

test.each([
    ["SIGTERM", "the provider"],
    ["SIGINT", "all processes of the run"],
] as const)(
    "%s to %s during a creation keeps the id and the password, and the next run completes",
    async (signal, who) => {
        const signalled: string[] = [];
        const stack = await startStack({
            durations: { create: 50_000 },
            intercept: slowly(async () => {
                for (const one of await descendants()) {
                    if (who !== "the provider" || isProvider(one)) {
                        process.kill(one.id, signal);
                        signalled.push(one.command);
                    }
                }
            }),
        });
        const program = () => ({ password: new Service("orders").initialPassword });
        await failed(stack.up(program));
        expect(signalled.length).toBeGreaterThan(0);

        const [created] = stack.emulator.snapshot().services;
        expect((await stack.state("orders")).id).toBe(created?.service_id);
        stack.calls();
        expect((await stack.up()).operations).toEqual({ orders: "update" });
        expect(stack.calls()).toEqual([]);
        expect(stack.emulator.snapshot().services).toHaveLength(1);
        const { password } = await stack.outputs();
        expect(stack.emulator.passwordMatches(created?.service_id ?? "", String(password))).toBe(true);
    },
);
