import type { Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { withToken } from "./client";

/** A client that calls the emulator without Pulumi. */
export function clientOf({ url, token }: Emulator): Client {
    return new Client(withToken(url, token));
}
