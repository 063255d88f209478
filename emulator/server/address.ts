/** Whether a host of a URL, in lower case, is this computer. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** The host in the URL of a server that listens on this address: its own computer, if it is every address. */
export const hostAt = (address: string): string => inUrl({ "0.0.0.0": "127.0.0.1", "::": "::1" }[address] ?? address);

/** Whether other computers cannot reach a server that listens on this address. */
export const isLocal = (address: string): boolean => isLoopback(inUrl(address));
