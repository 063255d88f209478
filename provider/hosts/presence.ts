import { connect, type Socket } from "node:net";
import type { Clock } from "../api/clock";

/** The pause between two attempts to connect. */
const reconnectMs = 300;
/** A process counts as gone after this many consecutive refused connections. */
const maxRefusals = 3;

/**
 * Resolves when no process listens at this address any longer. It keeps no connection open, because the engine waits for
 * open connections before it exits. Only refused connections count, because a process that is slow, paused or idle, or
 * that closes a connection, still listens.
 */
export async function whenGone(address: string, clock: Pick<Clock, "sleep">): Promise<void> {
    const colon = address.lastIndexOf(":");
    const host = address.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
    const port = Number(address.slice(colon + 1));
    let refusals = 0;
    for (;;) {
        refusals = (await refusesConnection(connect(port, host))) ? refusals + 1 : 0;
        if (refusals === maxRefusals) {
            return;
        }
        await clock.sleep(reconnectMs);
    }
}

/** Closes the connection at once. True if it was refused, false if it was open or failed in another way. */
function refusesConnection(socket: Socket): Promise<boolean> {
    return new Promise((resolve) => {
        let refused = false;
        socket.on("error", ({ code }: NodeJS.ErrnoException) => {
            refused = code === "ECONNREFUSED";
        });
        socket.on("connect", () => {
            socket.destroy();
        });
        socket.on("close", () => {
            resolve(refused);
        });
        socket.unref();
    });
}
