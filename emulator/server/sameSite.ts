import { forbidden } from "../errors";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Refuses with 403 a request that a page of another web site may have sent. `Host` must name this computer: the name of a site
 * that an attacker lets resolve to 127.0.0.1 (DNS rebinding) does not. What a browser says of the sender must name this server.
 * Other programs send neither `Origin` nor `Sec-Fetch-Site`; a request without a socket has no `Host`.
 */
export function refuseOtherSites(headers: Readonly<Record<string, string>>): void {
    const { host, origin, "sec-fetch-site": site } = headers;
    if (host === undefined) return;
    if (!LOOPBACK_HOST.test(host)) {
        throw forbidden(
            `The emulator answers requests to 127.0.0.1, localhost and [::1] only, not to ${JSON.stringify(host)}.`,
        );
    }
    const isSame =
        (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
        (site === undefined || site === "same-origin" || site === "none");
    if (!isSame) {
        throw forbidden(
            `The emulator refuses requests from other web sites. Open http://${host}/ by its address, not through a link.`,
        );
    }
}
