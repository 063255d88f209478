import { setMaxListeners } from "node:events";
import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../../emulator";
import type { Clock } from "../../../provider/api/clock";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { connectEngine } from "../../../provider/hosts/engine";
import { Session } from "../../../provider/hosts/session";
import type { Text } from "../../../provider/inputs/printable";
import { lifecycles } from "../../../provider/resources";
import type { ResourceType } from "../../../provider/resources";
import type { CommonInputs } from "../../../provider/lifecycle/resource";
import type { Lifecycle } from "../../../provider/lifecycle/lifecycle";

/** When a provider dies, together with the engine. */
export interface Death {
    /** The number of the API call, counted from 1. */
    call: number;
    /** `after`: the API processes the call. `before`: it does not receive the call. */
    when: "before" | "after";
}

/** The provider of one kind of resource, as the engine calls it. */
export type Host = DynamicProvider<CommonInputs, object, unknown>;

/** A provider process that may die. */
export interface Provider {
    readonly isDead: () => boolean;
    readonly host: (type: ResourceType) => Host;
    /** The result of the work, or undefined as soon as the provider is dead. */
    readonly whileAlive: <T>(work: Promise<T>) => Promise<T | undefined>;
    /** Its complete output. */
    readonly printed: string[];
    /** The warnings in its output. */
    readonly warnings: string[];
}

/** Starts a provider that dies at a call, or never. After its death it returns nothing and sends nothing. */
export function startProvider(emulator: Emulator, clock: Clock, send: AxiosAdapter, death?: Death): Provider {
    const life = new AbortController();
    // Each call adds a listener.
    setMaxListeners(0, life.signal);
    const died = new Promise<undefined>((resolve) => {
        life.signal.addEventListener("abort", () => resolve(undefined));
    });
    let calls = 0;
    const adapter: AxiosAdapter = async (config) => {
        life.signal.throwIfAborted();
        calls += 1;
        if (calls !== death?.call) {
            const response = await send(config);
            life.signal.throwIfAborted();
            return response;
        }
        // A failure of this call makes no difference.
        if (death.when === "after") {
            await send(config).catch(() => undefined);
        }
        life.abort();
        throw new Error("The provider was killed.");
    };
    const printed: string[] = [];
    const warnings: string[] = [];
    const print = (_: string | undefined, text: Text) => void printed.push([text].flat().join("\n"));
    const warn = (urn: string | undefined, text: Text) => {
        print(urn, text);
        warnings.push([text].flat().join("\n"));
    };
    const env = {
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: emulator.projectId,
        CLOUDDB_ACCESS_TOKEN: emulator.token,
    };
    const engine = { ...connectEngine(undefined), info: print, status: print, warn, gone: life.signal };
    const session = new Session(engine, env, { clock, random: () => 0.5, adapter });
    session.configure(() => undefined);
    const hosts = new Map<ResourceType, Host>();
    return {
        isDead: () => life.signal.aborted,
        host: (type) => {
            const lifecycle = lifecycles[type] as unknown as Lifecycle<CommonInputs, object, unknown>;
            const host = hosts.get(type) ?? new DynamicProvider(lifecycle, session);
            hosts.set(type, host);
            return host;
        },
        whileAlive: (work) => Promise.race([died, work]),
        printed,
        warnings,
    };
}
