/** Whether the host is this computer. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
