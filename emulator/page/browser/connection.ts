import type { Message, Secret } from "../messages";

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
    onState: (state: "connecting" | "connected" | "lost") => void;
}

/** Asks the user for the token. `problem` is the reason why the previous one was rejected. */
type AskToken = (problem: string | undefined) => Promise<string>;

const unauthenticated = 401;
/** The key in the session storage, which the browser clears when the tab is closed. */
const sessionKey = "clouddb-session";
/** The emulator sends at least an empty line every ten seconds. */
const silenceMs = 25_000;
const firstRetryMs = 500;
const lastRetryMs = 4_000;

/** The session with the emulator and the stream of updates. Reconnects when the stream breaks. */
export class Connection {
    private session = keyOfAddress() ?? sessionStorage.getItem(sessionKey) ?? undefined;
    private stream: AbortController | undefined;

    constructor(private readonly events: ConnectionEvents) {}

    /** Reads updates while the tab is visible. A hidden tab causes no work in the emulator. */
    async run(askToken: AskToken): Promise<never> {
        let retryMs = firstRetryMs;
        let token: string | undefined;
        document.addEventListener("visibilitychange", () => this.stream?.abort());
        for (;;) {
            await untilVisible();
            try {
                this.session ??= await this.openSession(token);
                token = undefined;
                await this.read(() => (retryMs = firstRetryMs));
            } catch (error) {
                if (error instanceof Refused && error.status === unauthenticated) {
                    if (this.session === undefined) {
                        token = await askToken(token === undefined ? undefined : error.message);
                    }
                    this.session = undefined;
                    sessionStorage.removeItem(sessionKey);
                    continue;
                }
            }
            if (document.hidden) {
                continue;
            }
            this.events.onState("lost");
            await new Promise((resolve) => setTimeout(resolve, retryMs));
            retryMs = Math.min(retryMs * 2, lastRetryMs);
        }
    }

    /** Sends a request with the session and returns the JSON of its response. */
    async ask<Answer = undefined>(method: string, path: string, body?: unknown): Promise<Answer> {
        const response = await this.fetch(method, path, body);
        return (response.status === 204 ? undefined : await response.json()) as Answer;
    }

    private async openSession(token: string | undefined): Promise<string> {
        const { session } = await this.ask<Secret<"session">>("POST", "/_page/session", { token });
        sessionStorage.setItem(sessionKey, session);
        return session;
    }

    private async read(onFirst: () => void): Promise<void> {
        const stream = new AbortController();
        this.stream = stream;
        let silence = 0;
        const restartTimer = (): void => {
            clearTimeout(silence);
            silence = window.setTimeout(() => stream.abort(), silenceMs);
        };
        try {
            restartTimer();
            const response = await this.fetch("GET", "/_page/news", undefined, stream.signal);
            const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader();
            let text = "";
            for (;;) {
                const { done, value } = (await lines?.read()) ?? { done: true };
                if (done) {
                    return;
                }
                restartTimer();
                const parts = (text + value).split("\n");
                text = parts.pop() ?? "";
                for (const part of parts.filter(Boolean)) {
                    this.events.onMessage(JSON.parse(part) as Message);
                    this.events.onState("connected");
                    onFirst();
                }
            }
        } finally {
            clearTimeout(silence);
        }
    }

    private async fetch(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
        const response = await fetch(path, {
            method,
            headers: {
                ...(this.session !== undefined && { authorization: `Bearer ${this.session}` }),
                ...(body !== undefined && { "content-type": "application/json" }),
            },
            body: body === undefined ? null : JSON.stringify(body),
            signal: signal ?? null,
            cache: "no-store",
            credentials: "omit",
            redirect: "error",
        });
        if (response.ok) {
            return response;
        }
        const { message } = (await response.json().catch(() => ({}))) as { message?: string };
        throw new Refused(response.status, message ?? `The emulator returned status ${response.status}.`);
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
