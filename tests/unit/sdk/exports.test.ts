import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { Http } from "../../../provider/api/http";
import { resolveSettings } from "../../../provider/api/settings";
import { resourceTypes } from "../../../provider/resources";
import { untypedKinds } from "../../support/cases";
import type { Values } from "../../support/cases/property";
import { refsTo } from "../../support/cases/program";
import { withPassword, withToken } from "../../support/client";
import { mockEngine, valueIn, withEndpoint } from "../../support/mocks";

/** A part of every secret in this test. */
const canary = "canary";
const token = `${canary}-token`;
const password = `${canary}-password`;

/** What programs may export, store or print: the names of the classes, with instances that know secrets. */
const instances: Readonly<Record<string, (entry: typeof sdk | typeof native) => unknown>> = {
    ...Object.fromEntries(
        resourceTypes.map((type) => {
            const { inputs, properties, secrets = [] } = untypedKinds[type];
            const given = secrets.filter((name) => name in properties).map((name) => [name, password]);
            const args = {
                ...inputs(refsTo({ Vpc: "1", Peering: "1/1", Service: "s" }), 0),
                ...(Object.fromEntries(given) as Values),
            };
            return [type, (classes: typeof sdk | typeof native) => new classes[type]("it", args as never)];
        }),
    ),
    ProductionDatabase: ({ ProductionDatabase }) =>
        new ProductionDatabase("main", { cpuMillis: 500, password, readReplicas: { reports: {} } }),
    Provider: () => new native.Provider("own", { accessToken: token, projectId: "p", baseUrl: "https://h/v1" }),
    ApiError: () => failureOf({ status: 401, data: JSON.stringify({ code: token, message: token }) }),
    InvalidResponseError: () => failureOf({ status: 200, data: `<${token}>` }),
    ConnectionError: () => failureOf(undefined),
    ConfigError: () => caught(() => resolveSettings({ config: () => `https://user:${canary}@h`, env: {} })),
    FunctionError: () => new native.FunctionError({ what: "getProjects failed.", cause: new Error("UNKNOWN") }),
};

function caught(work: () => unknown): unknown {
    try {
        return work();
    } catch (error) {
        return error;
    }
}

/** The failure of a request with a token and a password. */
function failureOf(response: { status: number; data: string } | undefined): Promise<unknown> {
    const http = new Http(withToken("http://127.0.0.1:1/v1", token), (config) =>
        response === undefined
            ? Promise.reject(Object.assign(new Error(token), { config }))
            : Promise.resolve({ ...response, statusText: "", headers: {}, config }),
    );
    return http.send(withPassword(password)).catch((error: unknown) => error);
}

/** Where an export would store a secret in plain text, as Pulumi walks the values that a program exports. */
async function leaksIn(value: unknown, path = "", seen = new Set()): Promise<string[]> {
    if (typeof value === "string") {
        return value.includes(canary) ? [path] : [];
    }
    if (typeof value !== "object" || value === null || seen.has(value)) {
        return [];
    }
    seen.add(value);
    if (pulumi.Output.isInstance(value)) {
        return (await pulumi.isSecret(value)) ? [] : leaksIn(await valueIn(value), path, seen);
    }
    if (value instanceof Promise) {
        return leaksIn(await value, path, seen);
    }
    const members = Object.entries(value).map(([name, member]) => leaksIn(member, `${path}.${name}`, seen));
    return (await Promise.all(members)).flat();
}

/** The text of a value as JSON. Empty if it has none. */
function asJson(value: unknown): string {
    try {
        return JSON.stringify(value);
    } catch {
        return "";
    }
}

beforeEach(() => mockEngine({ stateOf: withEndpoint }));

const entries = { "pulumi-clouddb": sdk, "pulumi-clouddb/native": native };
const classes = Object.entries(entries).flatMap(([entry, exports]) =>
    Object.entries(exports)
        // An alias has the name of its class.
        .filter(
            ([name, value]: [string, unknown]) =>
                typeof value === "function" && /^[A-Z]/.test(name) && value.name === name,
        )
        .filter(([name]) => name !== "CloudDbError")
        .map(([name]) => [name, entry as keyof typeof entries] as const),
);

test.each(classes)(
    "an instance of %s of %s shows no secret, however a program exports or prints it",
    async (name, entry) => {
        const make = instances[name];
        // A new class needs an instance here.
        expect(make).toBeDefined();
        const instance = await make?.(entries[entry]);
        expect(instance).toBeInstanceOf(entries[entry][name as "Service"]);
        for (const exported of [instance, { nested: [instance] }, pulumi.output({ instance })]) {
            expect(await leaksIn(exported)).toEqual([]);
            expect(asJson(exported)).not.toContain(canary);
            expect(inspect(exported, { depth: 12, getters: true })).not.toContain(canary);
        }
    },
);

test("the entry point of the plugin exports every class and every function of the other one", () => {
    const isOwn = (name: string) => !name.endsWith("Error");
    const missing = Object.keys(sdk).filter((name) => isOwn(name) && !(name in native));
    expect(missing).toEqual([]);
});
