import { Callers } from "../callers";
import { conflict, ConnectionReset, unauthenticated, unsupportedMediaType } from "../errors";
import { apiRoot } from "../contract";
import { answer, lowerCased, refusalsAnswered, type Surroundings } from "../pipeline";
import { jsonResponse, type EmulatorRequest, type EmulatorResponse } from "../exchange";
import { services } from "../kinds/services";
import { redactBody } from "../redact";
import { parseBody, Routes } from "../routes";
import { needed, secret, text, value, type ValuesOf } from "../schema";
import { newSecret } from "../secureRandom";
import type { SiteGuard } from "../server/sameSite";
import { findAny } from "../world/find";
import { passwordMatches } from "../world/password";
import { assets, readAsset } from "./assets";
import { messageOf, type FeedSource } from "./feed";
import { pageAgent, type ApiResult, type Secret } from "./messages";

/** The path of the page's files and of the data that its script reads. */
const pageRoot = "/_page";
/** For a program that waits until the emulator is ready. */
const healthPath = "/health";

/** The headers of every response from the page. `require-trusted-types-for` ensures that the script never parses text as HTML. */
const pageHeaders: Readonly<Record<string, string>> = {
    "cache-control": "no-store",
    "content-security-policy": [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
};

export interface PageOptions extends FeedSource, Surroundings {
    /** The token that a user has to enter. Undefined: every user of this computer can use the page. */
    token: string | undefined;
    /** The token of the API. */
    apiToken: string;
    refuseOtherSites: SiteGuard;
}

type Answer = (request: EmulatorRequest, id: string) => EmulatorResponse | Promise<EmulatorResponse>;

interface Route {
    answer: Answer;
    needsSession: boolean;
}

const apiCall = {
    method: needed(text),
    path: needed(text),
    body: value<unknown>("any value", "unknown", () => true),
};
const sessionInput = { token: secret(text) };

/** The web page of an emulator: its files, the state of the emulator, and the data that it shows on request. */
export class Page {
    /**
     * The key that the page sends instead of the token. It is valid until the emulator stops. It is not a cookie, because
     * browsers send cookies to every port of this computer.
     */
    readonly session = newSecret(32);
    private readonly sessions = new Callers([{ token: this.session }]);
    private readonly tokens: Callers | undefined;
    private readonly routes: Routes<Route>;

    constructor(private readonly options: PageOptions) {
        this.tokens = options.token === undefined ? undefined : new Callers([{ token: options.token }]);
        const free = (answer: Answer): Route => ({ answer, needsSession: false });
        const guarded = (answer: Answer): Route => ({ answer, needsSession: true });
        const read = (path: string, answer: Answer): [string, Route][] =>
            ["GET", "HEAD"].map((method) => [`${method} ${path}`, free(answer)]);
        this.routes = new Routes<Route>([
            ...[...assets].flatMap(([path, asset]) =>
                read(path, () => ({ status: 200, headers: { "content-type": asset.type }, body: readAsset(asset) })),
            ),
            ...read(healthPath, () => jsonResponse(200, { status: "ok" })),
            [`POST ${pageRoot}/session`, free((request) => this.openSession(request))],
            [`GET ${pageRoot}/news`, guarded(() => jsonResponse(200, messageOf(options)))],
            [`POST ${pageRoot}/call`, guarded(({ body }) => this.call(parseBody(body, apiCall)))],
            [`POST ${pageRoot}/services/*/credentials`, guarded((_, id) => this.credentials(id))],
        ]);
    }

    /** The address of the page. Without a token to enter, it needs no key. The part after # never leaves the browser. */
    addressAt(url: string): string {
        return this.tokens ? `${url}#key=${this.session}` : url;
    }

    /** Whether a path belongs to the page. */
    has(path: string): boolean {
        const [withoutQuery = ""] = path.split("?");
        const isBelow = withoutQuery === pageRoot || withoutQuery.startsWith(`${pageRoot}/`);
        return isBelow || assets.has(withoutQuery) || withoutQuery === healthPath;
    }

    async answer(request: EmulatorRequest): Promise<EmulatorResponse> {
        const response: EmulatorResponse = await refusalsAnswered(this.options, () =>
            Promise.resolve().then(() => this.route(request)),
        );
        const headers = { ...response.headers, ...pageHeaders };
        // This header would make the browser show its own login dialog.
        delete headers["www-authenticate"];
        return { ...response, headers };
    }

    private route(request: EmulatorRequest): EmulatorResponse | Promise<EmulatorResponse> {
        const headers = lowerCased(request.headers);
        this.options.refuseOtherSites(headers);
        const found = this.routes.match(request.method, request.path);
        if (!found) {
            throw this.routes.refusal(request.path, `The emulator has no page at ${request.path}.`);
        }
        if (found.target.needsSession) {
            this.sessions.identify(headers.authorization);
        }
        return found.target.answer(request, found.ids.id ?? "");
    }

    private openSession({ headers, body }: EmulatorRequest): EmulatorResponse {
        // A page of another website cannot send this type without a CORS preflight, which fails.
        if (!/^application\/json\b/i.test(lowerCased(headers)["content-type"] ?? "")) {
            throw unsupportedMediaType("The body must be sent as application/json.");
        }
        const { token } = parseBody(body, sessionInput);
        if (this.tokens && token === undefined) {
            throw unauthenticated("Enter the token of the emulator.");
        }
        this.tokens?.identify(`Bearer ${token ?? ""}`);
        return jsonResponse(200, { session: this.session } satisfies Secret<"session">);
    }

    /** Calls the API as the first caller. The journal shows the request, and faults hit it. */
    private async call({ method, path, body }: ValuesOf<typeof apiCall>): Promise<EmulatorResponse> {
        const request = {
            method,
            path: `${apiRoot}${path}`,
            headers: {
                authorization: `Bearer ${this.options.apiToken}`,
                "user-agent": pageAgent,
                ...(body !== undefined && { "content-type": "application/json" }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        };
        const result = (of: ApiResult): EmulatorResponse => jsonResponse(200, of);
        try {
            const response = await answer({ ...this.options, isByHand: true }, request);
            return result({ status: response.status, body: redactBody(response.body, false) });
        } catch (error) {
            if (error instanceof ConnectionReset) {
                return result({ status: undefined });
            }
            throw error;
        }
    }

    private credentials(id: string): EmulatorResponse {
        const { password: current } = findAny(this.options.world, services, id);
        const password = this.options.world.initialPasswords.get(id);
        if (password === undefined) {
            throw conflict(
                `The password of service ${id} is unknown because the emulator was restarted after its creation.`,
            );
        }
        if (!passwordMatches(current, password)) {
            throw conflict(`The password of service ${id} was changed. The emulator does not store the new password.`);
        }
        return jsonResponse(200, { password } satisfies Secret<"password">);
    }
}
