/** Environments of child processes. */
import { pathToFileURL } from "node:url";

/** The environment without the variables of `npm run`, and without the user's settings of Node, Pulumi and the provider. */
export function plainEnvironment(env = process.env) {
    const added = /^(npm_|INIT_CWD$|NODE$|NODE_PATH$|NODE_OPTIONS$|CLOUDDB_|PULUMI_)/i;
    return Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)));
}

/** The backend in this folder. Pulumi takes the path of Windows only as file://C:/Users/… */
const backendIn = (state) =>
    process.platform === "win32" ? `file://${state.replaceAll("\\", "/")}` : pathToFileURL(state).href;

/** An environment for Pulumi with separate folders, without the user's account. Local requests do not use the proxy. */
export function pulumiEnvironment({ path, home, state, passphrase }, env = process.env) {
    const noProxy = [env.no_proxy ?? env.NO_PROXY, "127.0.0.1,localhost"].filter(Boolean).join(",");
    return {
        ...plainEnvironment(env),
        PATH: path,
        PULUMI_HOME: home,
        ...(state && { PULUMI_BACKEND_URL: backendIn(state), PULUMI_CONFIG_PASSPHRASE: passphrase }),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        NO_PROXY: noProxy,
        no_proxy: noProxy,
    };
}
