import type { Emulator } from "../../emulator";
import { secretNames } from "../../provider/model/outputs";
import { service } from "../../provider/resources/service/service";

/** The outputs that are or contain a password which is in force. The initial password is the one that the creation returned. */
const secrets = secretNames(service).filter((name) => name !== "initialPassword");

/** The names of the outputs with a password that the service rejects. */
export function rejectedOutputs(
    emulator: Pick<Emulator, "passwordMatches">,
    serviceId: string,
    outputs: object,
): string[] {
    return secrets.filter((name) => {
        const password = passwordIn(name, (outputs as Readonly<Record<string, unknown>>)[name]);
        return password !== undefined && !emulator.passwordMatches(serviceId, password);
    });
}

/** The password in an output, if it has one. */
export function passwordIn(name: string, value: unknown): string | undefined {
    if (typeof value !== "string" || value === "") {
        return undefined;
    }
    return name.endsWith("String") ? decodeURIComponent(new URL(value).password) || undefined : value;
}
