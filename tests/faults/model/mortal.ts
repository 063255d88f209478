import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../../emulator";
import type { Clock } from "../../../provider/api/clock";
import type { Run } from "../../../provider/resources/run";
import { inProcess, startProvider } from "../../support/simulation";

/** When a provider dies, together with the engine. */
export interface Death {
    /** At which of its calls of the service, counted from 1. */
    call: number;
    /** Whether the call still reaches the service. */
    when: "before" | "after";
}

/** A provider process that may die. */
export interface Mortal {
    readonly isDead: () => boolean;
    run: (parts?: { replacing: string }) => Run;
    /** What the work comes to; undefined as soon as the provider is dead. */
    whileAlive: <T>(work: Promise<T>) => Promise<T | undefined>;
}

/** Long enough where nothing goes wrong, and less than some faults last. */
const timeMs = 60_000;

/** Starts a provider that dies at a call, or never: after its death nothing comes from it and nothing goes to it. */
export function mortalProvider(emulator: Emulator, clock: Clock, death?: Death): Mortal {
    const carry = inProcess(emulator);
    // What is left of it ends without a word.
    const life = new AbortController();
    const died = new Promise<undefined>((resolve) => {
        life.signal.addEventListener("abort", () => resolve(undefined));
    });
    let calls = 0;
    const adapter: AxiosAdapter = async (config) => {
        life.signal.throwIfAborted();
        calls += 1;
        if (calls !== death?.call) {
            const answer = await carry(config);
            life.signal.throwIfAborted();
            return answer;
        }
        // Whether it is broken on the way back does not matter any more.
        if (death.when === "after") await carry(config).catch(() => undefined);
        life.abort();
        throw new Error("The provider was killed.");
    };
    const provider = startProvider(emulator, clock, undefined, adapter);
    return {
        isDead: () => life.signal.aborted,
        run: (parts) => ({ ...provider.run({ timeMs, ...parts }), signal: life.signal }),
        whileAlive: (work) => Promise.race([died, work]),
    };
}
