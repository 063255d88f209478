import { isIP } from "node:net";
import { forbidden } from "../errors";
import type { Settings } from "../options";
import { isLocal, isLoopback } from "./address";

/** Rejects a request with 403, by its headers, which have names in lower case. */
export type SiteGuard = (headers: Readonly<Record<string, string>>) => void;

/**
 * Rejects a request that a page of another website may have sent. `Host` must be an address or an allowed name, which prevents
 * DNS rebinding. `Origin` and `Sec-Fetch-Site`, which browsers send, must name this server. Other programs do not send them,
 * and a request without a socket has no `Host`.
 */
export function siteGuard({ host: listensOn, allowedHosts }: Pick<Settings, "host" | "allowedHosts">): SiteGuard {
    const isAllowed = (host: string): boolean => {
        const [, name = ""] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/.exec(host) ?? [];
        const isAddress = isIP(name.replace(/^\[|\]$/g, "")) > 0;
        return (
            isLoopback(name) ||
            (isAddress && !isLocal(listensOn)) ||
            allowedHosts.some((one) => name === one || (one.startsWith(".") && `.${name}`.endsWith(one)))
        );
    };
    return ({ host, origin, "sec-fetch-site": site }) => {
        if (host === undefined) {
            return;
        }
        if (!isAllowed(host.toLowerCase())) {
            throw forbidden(
                `The emulator accepts only requests to its addresses, localhost and allowedHosts, not to ${JSON.stringify(host)}.`,
            );
        }
        const isSame =
            (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
            (site === undefined || site === "same-origin" || site === "none");
        if (!isSame) {
            throw forbidden(
                `The emulator rejects requests from other websites. Enter the address http://${host}/ in the browser.`,
            );
        }
    };
}
