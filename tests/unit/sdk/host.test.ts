import type { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentClient } from "../../../sdk/nodejs/functions/session";
import { dynamicHost } from "../../../sdk/nodejs/host";
import { mockEngine } from "../../support/mocks";
import { newFolder } from "../../support/folder";

beforeEach(() => mockEngine());
afterEach(() => {
    jest.restoreAllMocks();
    delete process.env.CLOUDDB_BASE_URL;
    delete process.env.CLOUDDB_ACCESS_TOKEN_FILE;
});

/** What a class passes to the engine for a resource of a program in this folder. */
function declaredIn(folder: string): unknown {
    jest.spyOn(process, "cwd").mockReturnValue(folder);
    return dynamicHost.hiddenInputs("Service", "orders", {}, {}).__provider;
}

/** The folder of a program with this package. */
function withPackage(): string {
    const folder = newFolder();
    const installed = join(folder, "node_modules", "pulumi-clouddb");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), '{ "name": "pulumi-clouddb", "version": "0.2.0" }');
    writeFileSync(join(installed, "provider.js"), "");
    return folder;
}

test("a program whose folder does not have the package, as when only a library of its workspace has it, learns where to install it", () => {
    const folder = newFolder();
    expect(() => declaredIn(folder)).toThrow(`Service "orders" needs the package pulumi-clouddb in the program folder`);
    expect(() => declaredIn(folder)).toThrow(folder);
    expect(declaredIn(withPackage())).toContain("pulumi-clouddb/provider");
});

/** Calls this as Pulumi calls an inline program, of the Automation API. */
function inline<T>(program: () => T): T {
    const { asyncLocalStorage, globalStore } = globalThis as unknown as {
        readonly asyncLocalStorage: AsyncLocalStorage<unknown>;
        readonly globalStore: unknown;
    };
    return asyncLocalStorage.run(globalStore, program);
}

test("the work folder of an inline program, which its process does not know, is not checked", () => {
    expect(inline(() => declaredIn(newFolder()))).toContain("pulumi-clouddb/provider");
});

test("a function of an inline program that does not find a token file says in which folder it has looked", () => {
    process.env.CLOUDDB_BASE_URL = "http://127.0.0.1:1/v1";
    process.env.CLOUDDB_ACCESS_TOKEN_FILE = "no/such/token";
    const missing = join(process.cwd(), "no", "such", "token");
    expect(currentClient).toThrow(`The file ${missing} (CLOUDDB_ACCESS_TOKEN_FILE) does not exist`);
    expect(currentClient).not.toThrow("Inline program");
    expect(() => inline(currentClient)).toThrow(missing);
    expect(() => inline(currentClient)).toThrow(/Inline program: .* folder of the process.* use an absolute one/);
});

test("a read timeout, which a dynamic provider does not have, is not stored", () => {
    const options = { customTimeouts: { create: "1h", read: "1m" } };
    expect(inline(() => dynamicHost.hiddenInputs("Service", "orders", {}, options)).__timeouts).toEqual({
        create: "1h",
    });
    expect(inline(() => dynamicHost.hiddenInputs("Service", "orders", {}, {}))).not.toHaveProperty("__timeouts");
});
