import type { AxiosAdapter } from "axios";
import type { Clock } from "../../provider/api/clock";
import { connectEngine } from "../../provider/hosts/engine";
import { Session } from "../../provider/lifecycle/session";
import type { Engine } from "../../provider/model/engine";
import { projectId } from "./fixtures";
import { TestClock } from "./virtualClock";

interface SessionParts {
    readonly env?: Readonly<Record<string, string>>;
    readonly clock?: Clock;
    readonly adapter?: AxiosAdapter;
    readonly engine?: Partial<Engine>;
}

/** The environment of a provider whose API is the one of the adapter. */
const completeEnv = {
    CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1",
    CLOUDDB_ACCESS_TOKEN: "token",
    CLOUDDB_PROJECT_ID: projectId,
};

const unreachable: AxiosAdapter = () => Promise.reject(new Error("there is no network"));

/** A session that prints nothing and cannot reach the API, apart from what these parts change. */
export function sessionWith(parts: SessionParts = {}): Session {
    const { env = completeEnv, clock = TestClock.automatic(), adapter = unreachable, engine } = parts;
    return new Session({ ...connectEngine(undefined), ...engine }, env, { clock, random: () => 1, adapter });
}
