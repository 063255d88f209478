import { planComment } from "../../cli/planComment/comment";
import { parsePreview } from "../../cli/planComment/preview";
import { refusedCases } from "../support/documents";
import { deployed, failureOf, onlyNetwork, programOf, shop, test, urn } from "./shop";

// Each row of the table of docs/protection.md in YAML, from the state that it describes to the end of its steps: a service in
// a network with a peering, with a replica set and outputs that use it. Nothing but the provider refuses.

const rows = new Map(refusedCases.map(([name, line = "", steps = ""]) => [name, { line, steps }]));
const lines: Readonly<Record<string, string>> = {
    "not deleted": "is not deleted: its entry in the state has deletionProtection: true",
    "would replace": "is protected, and this run would replace it",
    exists: "already exists: ",
};

const unprotected = ", deletionProtection: false";
const first = "deleteBeforeReplace: true";

/** The stack of a row, with a service that has the default protection. */
async function stackFor(row: string, text = shop("orders")) {
    const { line, steps } = rows.get(row) ?? { line: "", steps: "" };
    const stack = await deployed(text);
    const { project, ids } = stack;
    const [old = ""] = ids();
    return {
        ...stack,
        old,
        steps,
        /** The stack has one other database in its place, and nothing else to do. */
        settledAsAnother: async () => {
            const [id = "", ...others] = ids();
            expect(others).toEqual([]);
            expect(id).not.toBe(old);
            await stack.settled(id);
        },
        /** Runs a command as a person does who confirms it. */
        shell: (command: string) => project.shell(`export PULUMI_SKIP_CONFIRMATIONS=true\n${command}`),
        write: (next: string) => {
            project.write("Pulumi.yaml", next);
        },
        /** A run fails with one of the lines of the row. A message of its own contains this text. */
        refused: async (command: Promise<string>, own = "") => {
            const failure = await failureOf(command);
            const parts = line.split(", ").map((one) => (one === "own" ? own : (lines[one] ?? "")));
            expect(parts.filter((part) => part !== "").some((part) => failure.includes(part))).toBe(true);
            return failure;
        },
    };
}

/** A test of a row with its stack. */
const row = (name: string, run: (stack: Awaited<ReturnType<typeof stackFor>>) => Promise<void>, text?: string) =>
    test(name, async () => run(await stackFor(name, text)));

/** A command in the steps of a row, with these values. */
function commandIn(steps: string, begin: string, values: Readonly<Record<string, string>>): string {
    const [, command = ""] = new RegExp(`\`(${begin}[^\`]*)\``).exec(steps) ?? [];
    return command.replace(/\b(URN|STACK|ID)\b/g, (name) => values[name] ?? name);
}

row("removed from the program", async ({ up, refused, ids }) => {
    await refused(up(onlyNetwork));
    await up(shop("orders", { property: unprotected }));
    await up(onlyNetwork);
    expect(ids()).toEqual([]);
});

test.each([
    ["`destroy`, and the program declares it", shop("orders")],
    ["`destroy`, and the program has no such entry", onlyNetwork],
])("%s", async (row, program) => {
    const { project, write, up, refused, ids } = await stackFor(row);
    write(program);
    await refused(project.pulumi("destroy", "--yes"));
    await up(shop("orders", { property: unprotected }));
    await project.pulumi("destroy", "--yes");
    expect(ids()).toEqual([]);
});

row("renamed", async ({ up, old, settled }) => {
    await up(shop("main", { option: `aliases: ['${urn}']` }));
    await settled(old);
});

row("new parent, or into a component", async ({ up, old, settled }) => {
    await up(shop("orders", { option: `parent: "\${network}", aliases: ['${urn}']` }));
    await settled(old);
});

row("into another stack", async ({ shell, project, up, refused, old, settled, steps, write, emulator }) => {
    await refused(up(onlyNetwork));
    await up(shop("orders"));
    await project.pulumi("stack", "init", "other");
    await project.pulumi("stack", "select", "test");
    const readers = urn.replace("Service::orders", "ReadReplicaSet::readers");
    const command = commandIn(steps, "pulumi state move", { URN: `'${urn}' '${readers}' --yes` });
    await shell(command.replace("STACK", "test").replace("STACK", "other"));
    write(onlyNetwork);
    await project.pulumi("preview", "--expect-no-changes");
    await project.pulumi("stack", "select", "other");
    const [network] = emulator.snapshot().vpcs;
    const alone = shop("orders", { property: `, vpcId: "${network?.id ?? ""}"`, isOutside: true });
    write(alone.replace(/  network:[^]*?(?=  orders:)/, ""));
    await up();
    await settled(old);
});

row("renamed or moved, and both databases exist", async ({ project, write, up, refused, old, settled, ids }) => {
    write(shop("main"));
    const comment = planComment(parsePreview(await project.pulumi("preview", "--json")));
    expect(comment).toMatch(/`orders`.*\*\*protected\*\*.*`main`/);
    await refused(up());
    expect(ids()).toHaveLength(2);
    await refused(up());
    const second = `  main: { type: clouddb:Service, properties: { cpuMillis: 500, memoryGbs: 2${unprotected} } }\n`;
    await up(shop("orders", { also: second }));
    await up(shop("orders"));
    expect(ids()).toEqual([old]);
    await up(shop("main", { option: `aliases: ['${urn}']` }));
    await settled(old);
});

row("a changed input replaces it", async ({ up, refused, old, settled, settledAsAnother }) => {
    await refused(up(shop("orders", { property: ", addons: [ai]" })));
    await up(shop("orders"));
    await settled(old);
    await up(shop("orders", { property: unprotected }));
    await up(shop("orders", { property: `${unprotected}, addons: [ai]` }));
    await up(shop("orders", { property: ", addons: [ai]" }));
    await settledAsAnother();
});

row("`--replace`, `replaceOnChanges`, `replaceWith`", async ({ up, refused, old, settled, settledAsAnother }) => {
    await refused(up(shop("orders", { option: first }), "--replace", urn));
    await up();
    await settled(old);
    await up(shop("orders", { property: unprotected, option: first }));
    await up(undefined, "--replace", urn);
    await up(shop("orders"));
    await settledAsAnother();
});

row("what it uses is deleted first, such as a VPC", async ({ up, refused, old, settled }) => {
    const wider = (parts: object) => shop("orders", parts).replace("10.0.0.0/21", "10.0.0.0/20");
    await refused(up(wider({})), "Make this change in two runs.");
    await up(shop("orders"));
    await settled(old);
    await up(shop("orders", { isOutside: true }));
    await up(wider({}));
    await settled(old);
});

row("tainted", async ({ shell, project, up, refused, old, settled, steps, ids }) => {
    await project.pulumi("state", "taint", urn, "--yes");
    await refused(up());
    await shell(commandIn(steps, "pulumi state untaint", { URN: `'${urn}'` }));
    await up(undefined, "--expect-no-changes");
    await settled(old);
    await up(shop("orders", { property: unprotected, option: first }));
    await up(undefined, "--replace", urn);
    await up(shop("orders"));
    expect(ids()).not.toContain(old);
});

row(
    "replaced without `deleteBeforeReplace`",
    async ({ up, refused, settledAsAnother }) => {
        await refused(up(undefined, "--replace", urn));
        await up(shop("orders", { property: unprotected, option: first }), "--replace", urn);
        await settledAsAnother();
    },
    shop("orders", { property: unprotected }),
);

describe("pending deletion: its replacement exists", () => {
    const unnamed = "cpuMillis: 500, memoryGbs: 2";
    const adopting = (id: string, more = "") =>
        `  kept: { type: clouddb:Service, properties: { ${unnamed}, existingId: ${id}, password: another-password${more} } }\n`;

    const replaced = async () => {
        const stack = await stackFor("pending deletion: its replacement exists");
        await stack.project.pulumi("config", "set", "--path", "pulumi:autonaming.pattern", "${name}-${hex(4)}");
        await stack.refused(stack.up(shop("orders"), "--replace", urn));
        const [made = ""] = stack.ids().filter((id) => id !== stack.old);
        expect(await stack.refused(stack.up())).toContain(`(${stack.old}) is not deleted`);
        return { ...stack, made };
    };

    test("the new one stays", async () => {
        const { up, old, made, settled, ids } = await replaced();
        await up(shop("orders", { also: adopting(old, unprotected) }));
        await up(shop("orders"));
        expect(ids()).toEqual([made]);
        await settled(made);
    });

    test("the old one stays", async () => {
        const { up, old, settled, ids } = await replaced();
        const using = (program: string) => program.replaceAll("${orders.", "${kept.");
        await up(using(shop("orders", { property: unprotected, also: adopting(old) })));
        const kept = { property: `, existingId: ${old}, password: another-password` };
        await up(shop("kept", kept));
        expect(ids()).toEqual([old]);
        await settled(old);
    });
});

row("`existingId` of another entry of the stack", async ({ up, refused, old, settled, ids }) => {
    const second = `  main:
    type: clouddb:Service
    properties: { existingId: ${old} }
    options: { dependsOn: ["\${orders}"] }
`;
    await refused(up(shop("orders", { also: second })), '"orders" of this program manages it');
    await up(shop("orders"));
    await up(shop("main", { option: `aliases: ['${urn}']` }));
    expect(ids()).toEqual([old]);
    await settled(old);
});

row("adopted by another entry", async ({ up, old, settled, ids }) => {
    await up(shop("main", { property: `, existingId: ${old}, password: another-password` }));
    expect(ids()).toEqual([old]);
    await settled(old);
});

row("deleted outside of Pulumi", async ({ emulator, up, old, settled, settledAsAnother, ids }) => {
    emulator.deleteService(old);
    await up(undefined, "--refresh");
    await settledAsAnother();

    // The support of the platform has restored it under another id.
    emulator.deleteService(ids()[0] ?? "");
    const restored = await emulator.createService({ cpu_millis: "500", memory_gbs: "2" });
    await up(shop("orders", { property: `, existingId: ${restored.id}, password: another-password` }), "--refresh");
    expect(ids()).toEqual([restored.id]);
    await settled(restored.id);
});

test("`snapshot integrity failure` after a destroy", async () => {
    const program = shop("orders", { option: "protect: true", isOutside: true });
    const { shell, project, write, old, settled, up } = await stackFor(
        "`snapshot integrity failure` after a destroy",
        program,
    );
    write(onlyNetwork);
    await failureOf(project.pulumi("destroy", "--yes", "--skip-preview", "--run-program"));
    await shell(
        "cd ../state/.pulumi && cp $(ls -t backups/protection/test/*.json | head -1) stacks/protection/test.json",
    );
    await up(program, "--refresh");
    await settled(old);
});

row("not found, and the project looks empty", async ({ shell, emulator, project, up, settled, ids, refused }) => {
    emulator.reset();
    emulator.clearJournal();
    const empty = "at all to this token. The state is kept.";
    const refusal = await refused(project.pulumi("refresh", "--yes"), empty);
    expect(refusal).toContain(empty);
    await up(shop("orders", { property: unprotected }));
    const commands = [...refusal.matchAll(/If it was really deleted: .*`(pulumi refresh --target [^`]+)`/g)];
    expect(commands).toHaveLength(4);
    for (const [, command = ""] of commands) {
        await shell(`${command} --yes`);
    }
    await up(shop("orders"));
    expect(emulator.journal().filter(({ operationId }) => operationId === "createService")).toHaveLength(1);
    await settled(ids()[0] ?? "");
});

row("keep the database, but stop managing it", async ({ project, up, refused, old, ids }) => {
    await refused(up(onlyNetwork));
    await up(shop("orders", { option: "retainOnDelete: true" }));
    await up(onlyNetwork);
    await project.pulumi("preview", "--expect-no-changes");
    expect(ids()).toEqual([old]);
});

row("`pulumi state delete`, or an interrupted run", async ({ project, up, refused, old, settled, ids }) => {
    await project.pulumi("state", "delete", "--force", "--target-dependents", urn, "--yes");
    await refused(up());
    const property = `, existingId: ${old}, password: another-password`;
    const refusal = await refused(up(shop("orders", { property })));
    const [, ofReaders = ""] =
        /Left by an interrupted run, or removed from the state: adopt it with (existingId: "\S+")/.exec(refusal) ?? [];
    await up(shop("orders", { property, ofReaders: `, ${ofReaders}` }));
    await settled(old);
    await up(shop("orders", { property: ", password: another-password" }), "--expect-no-changes");
    await settled(old);
    expect(ids()).toEqual([old]);
});

row(
    "somebody else's, a renamed stack, a second backend",
    async ({ project, refused, up, ids }) => {
        await project.pulumi("stack", "init", "other");
        const named = (name: string) =>
            programOf(
                `  orders: { type: clouddb:Service, properties: { cpuMillis: 500, memoryGbs: 2, name: ${name} } }\n`,
            );
        await refused(up(named("orders")));
        await up(named("another"));
        expect(ids()).toHaveLength(2);
    },
    shop("orders", { property: ", name: orders" }),
);
