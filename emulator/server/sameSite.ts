import { forbidden } from "../errors";

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Rejects a request with 403 if a page of another website may have sent it. `Host` must be a loopback address, which prevents
 * DNS rebinding. `Origin` and `Sec-Fetch-Site`, which browsers send, must name this server. Other programs do not send them,
 * and a request without a socket has no `Host`.
 */
export function refuseOtherSites(headers: Readonly<Record<string, string>>): void {
    const { host, origin, "sec-fetch-site": site } = headers;
    if (host === undefined) {
        return;
    }
    if (!loopbackHost.test(host)) {
        throw forbidden(
            `The emulator accepts only requests to 127.0.0.1, localhost and [::1], not to ${JSON.stringify(host)}.`,
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
}
