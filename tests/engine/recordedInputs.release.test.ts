import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, host, startStack, workDir } from "../support/engine";

// What only the engine shows: how it stores inputs that the program no longer declares. It does not know that they were secret.

const password = "canary-password-1";

const program = (args: ServiceArgs) => () => {
    const { initialPassword, connectionString } = new Service("orders", { regionCode: "us-east-1", ...args });
    return { initialPassword, connectionString };
};

test("a refresh writes a removed password nowhere in plain text, neither after an up nor as the first use of a state of version 0.1.0", async () => {
    const stack = await startStack();
    await stack.up(program({ password }));
    expect((await stack.up(program({}))).operations).toEqual({ orders: "update" });
    await stack.refresh();

    stack.calls();
    await stack.up(program({ password }));
    expect(stack.calls()).toEqual([]);
    // In a state of version 0.1.0, the list of inputs still contains the removed input.
    const stale = JSON.parse(await stack.exported()) as {
        deployment: { resources: { inputs?: Record<string, unknown> }[] };
    };
    for (const { inputs } of stale.deployment.resources) {
        delete inputs?.password;
    }
    const file = join(workDir(), "stale.json");
    writeFileSync(file, JSON.stringify(stale));
    await stack.pulumi("stack", "import", "--file", file);
    await stack.refresh();
    await stack.preview(program({}), { diff: true });
    await stack.up();

    // The files are the state, its backups and the history.
    const places = { files: stack.files().join("\n"), exported: await stack.exported(), printed: stack.printed() };
    const { initialPassword } = (await stack.outputs()) as { initialPassword: string };
    expect(initialPassword).toMatch(/\S{8}/);
    expect(places.printed).toContain("orders");
    const leaks = Object.entries(places).filter(([, text]) =>
        [password, initialPassword].some((secret) => text.includes(secret)),
    );
    expect(leaks.map(([place]) => place)).toEqual([]);
});

test("a customTimeouts.delete that was added later had no effect on the next destroy", async () => {
    const stack = await startStack();
    const program = (opts: { customTimeouts?: { delete: string } }) => () => {
        new Service("orders", { regionCode: "us-east-1" }, opts);
    };
    await stack.up(program({}));
    stack.calls();
    const { operations } = await stack.up(program({ customTimeouts: { delete: "1ms" } }));
    // The engine stores the option, and passes it to the plugin. A dynamic provider has to store it itself.
    expect(operations).toEqual({ orders: host === "native" ? "same" : "update" });
    expect(stack.calls()).toEqual([]);
    const { errors } = await failed(stack.destroy());
    expect(errors.join("\n")).toContain("customTimeouts.delete");
});
