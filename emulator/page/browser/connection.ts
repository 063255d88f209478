import { isRead, type Message, type Secret } from "../messages";

/** The emulator rejected a request. The message is that of the emulator. */
class Refused extends Error {
    override readonly name = "Refused";

    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
    }
}

interface ConnectionEvents {
    onMessage: (message: Message) => void;
    onState: (state: "connected" | "lost") => void;
}

/** Asks the user for the token. `problem` is the reason why the previous one was rejected. */
type AskToken = (problem: string | undefined) => Promise<string>;

const unauthenticated = 401;
/** The key in the session storage, which the browser clears when the tab is closed. */
const sessionKey = "clouddb-session";
/** The pause between two reads, so that other requests are not delayed. A successful change that the page sends ends the pause. */
const pauseMs = 300;
/** After this time without a response, the connection is lost. */
const silenceMs = 25_000;

/** The session with the emulator, whose state it reads again and again. */
export class Connection {
    private session = keyOfAddress() ?? sessionStorage.getItem(sessionKey) ?? undefined;
    private endPause = (): void => undefined;

    constructor(private readonly events: ConnectionEvents) {}

    /** Reads the state while the tab is visible. A hidden tab causes no work in the emulator. */
    async run(askToken: AskToken): Promise<never> {
        let token: string | undefined;
        for (;;) {
            await untilVisible();
            try {
                this.session ??= await this.openSession(token);
                token = undefined;
                this.events.onMessage(await this.ask<Message>("GET", "/_page/news"));
                this.events.onState("connected");
            } catch (error) {
                if (error instanceof Refused && error.status === unauthenticated) {
                    if (this.session === undefined) {
                        token = await askToken(token === undefined ? undefined : error.message);
                    }
                    this.session = undefined;
                    sessionStorage.removeItem(sessionKey);
                    continue;
                }
                this.events.onState("lost");
            }
            await new Promise<void>((resolve) => {
                this.endPause = resolve;
                setTimeout(resolve, pauseMs);
            });
        }
    }

    /** Sends a request with the session and returns the JSON of its response. */
    async ask<Answer = undefined>(method: string, path: string, body?: unknown): Promise<Answer> {
        const response = await fetch(path, {
            method,
            headers: {
                ...(this.session !== undefined && { authorization: `Bearer ${this.session}` }),
                ...(body !== undefined && { "content-type": "application/json" }),
            },
            body: body === undefined ? null : JSON.stringify(body),
            signal: AbortSignal.timeout(silenceMs),
            cache: "no-store",
            credentials: "omit",
            redirect: "error",
        });
        if (response.ok) {
            if (!isRead(method)) {
                this.endPause();
            }
            return (response.status === 204 ? undefined : await response.json()) as Answer;
        }
        const { message } = (await response.json().catch(() => ({}))) as { message?: string };
        throw new Refused(response.status, message ?? `The emulator returned status ${response.status}.`);
    }

    private async openSession(token: string | undefined): Promise<string> {
        const { session } = await this.ask<Secret<"session">>("POST", "/_page/session", { token });
        sessionStorage.setItem(sessionKey, session);
        return session;
    }
}

/** The key in the address that the emulator has printed. It is removed from the address, which others may see. */
function keyOfAddress(): string | undefined {
    const [, key] = /^#key=(.+)$/.exec(location.hash) ?? [];
    if (key !== undefined) {
        sessionStorage.setItem(sessionKey, key);
        history.replaceState(null, "", location.pathname);
    }
    return key;
}

function untilVisible(): Promise<void> {
    if (!document.hidden) {
        return Promise.resolve();
    }
    return new Promise((resolve) => {
        document.addEventListener("visibilitychange", () => resolve(), { once: true });
    });
}
