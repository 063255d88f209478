import { deadUrl } from "./loopback";

/** Runs the lines of another terminal in the background. The next line waits for them, as a user would. */
export const inOtherTerminal = (lines: string): string =>
    lines.replace(
        /^((?:CLOUDDB_\w+=\S+ )*npx --no-install clouddb-emulator|npm run emulator|\S+\/pulumi-resource-clouddb emulator) (?!.*--help).*$/gm,
        // `pulumi new` needs an empty folder.
        "log=$(mktemp); $& > $log & until grep -q LISTENING $log; do sleep 0.1; done",
    );

export const freePort = async (): Promise<number> => Number(new URL(await deadUrl()).port);
