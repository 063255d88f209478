import { json, serve } from "./loopback";

const prefix = "vault:v1:";

/**
 * Starts a server with the transit API of Vault, and returns the environment in which Pulumi uses it. It keeps the key of
 * each stack, with which Pulumi encrypts secrets. Deriving this key from a passphrase takes a fifth of a second of CPU
 * time in each Pulumi command.
 */
export async function startVault(): Promise<Record<string, string>> {
    const { host } = await serve((response, { url, body }) => {
        const { plaintext = "", ciphertext = "" } = JSON.parse(body) as { plaintext?: string; ciphertext?: string };
        const isEncryption = url.includes("/encrypt/");
        const data = isEncryption
            ? { ciphertext: `${prefix}${plaintext}` }
            : { plaintext: ciphertext.slice(prefix.length) };
        // Pulumi must not reuse a connection that this server closes at the same time.
        json(response, 200, { data }, { connection: "close" });
    });
    return { VAULT_SERVER_URL: `http://${host}`, VAULT_SERVER_TOKEN: "a token of the tests" };
}
