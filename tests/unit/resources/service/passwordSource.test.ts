import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Interceptor } from "../../../../emulator";
import { partsOf } from "../../../../provider/api/callErrors";
import { lifecycles } from "../../../support/lifecycles";
import type { ServiceInputs } from "../../../../provider/resources/service/inputs";
import { failure, linesOf, loseResponse, refuse, service } from "../../../support/fixtures";
import { simulate, type Simulation } from "../../../support/simulation";
import { newFolder } from "../../../support/folder";

const { Service } = lifecycles;
type State = Awaited<ReturnType<typeof Service.create>>["state"];

const folder = newFolder();
const passwordFile = join(folder, "orders.txt");
const passwordVariable = "CLOUDDB_TEST_ORDERS_PASSWORD";
const [inFile, inVariable] = ["canary-in-the-file", "canary-in-the-variable"];
const fromFile = (passwordVersion = 1): ServiceInputs => ({ passwordFile, passwordVersion });
const fromVariable = (passwordVersion = 1): ServiceInputs => ({ passwordVariable, passwordVersion });

beforeEach(() => change(`${inFile}\n`, inVariable));
afterEach(() => {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
    delete process.env[passwordVariable];
});

/** Changes the password in each place. */
const change = (inPlaceOfFile: string, inPlaceOfVariable = inPlaceOfFile): void => {
    writeFileSync(passwordFile, inPlaceOfFile);
    process.env[passwordVariable] = inPlaceOfVariable;
};

/** A simulation that knows each initial password that the API returned. */
async function start() {
    const initial: string[] = [];
    const intercept: Interceptor = async (_, carryOut) => {
        const response = await carryOut();
        const made = /"initial_password":"([^"]+)"/.exec(response.body)?.[1];
        return (initial.push(...(made === undefined ? [] : [made])), response);
    };
    const world = await simulate({ intercept });
    const texts: string[] = [];
    return {
        world,
        initial,
        /** Adds a state or a message to what must not contain a password. */
        record: (...values: unknown[]) =>
            void texts.push(...values.map((one) => (one instanceof Error ? one.message : JSON.stringify(one)))),
        /** Everything that a run leaves: states and messages, output, and the journal and the objects of the emulator. */
        left: () =>
            [
                ...texts,
                ...[world.statusLines, world.infos, world.warnings].flat(),
                JSON.stringify(world.emulator.journal()),
                JSON.stringify(world.emulator.snapshot()),
            ].join("\n"),
    };
}

function expectNoPassword({ left, initial }: Awaited<ReturnType<typeof start>>): void {
    expect(left()).toContain("orders");
    expect([inFile, inVariable, ...initial].filter((secret) => left().includes(secret))).toEqual([]);
}

/** The names of the outputs that contain a password. */
const passwordsIn = (state: object) =>
    ["password", "initialPassword", "currentPassword"].filter(
        (name) => ((state as Record<string, unknown>)[name] ?? "") !== "",
    );

const passwordIs = ({ emulator }: Simulation, id: string, password: string) => emulator.passwordMatches(id, password);

describe.each([
    ["a file", fromFile, inFile],
    ["an environment variable", fromVariable, inVariable],
])("a password in %s", (_, declared, password) => {
    it("is set during the creation, and no state, message or log contains it or the initial one", async () => {
        const run = await start();
        const { id, state } = await Service.create(service(declared()), run.world.run());
        run.record(state);
        expect(run.initial).toHaveLength(1);
        expect(passwordIs(run.world, id, password)).toBe(true);
        expect(passwordsIn(state)).toEqual([]);
        expect(state).toHaveProperty("connectionString", expect.stringMatching(/^postgres:\/\/tsdbadmin@/));
        const seen = await Service.read(id, state, run.world.run());
        expect(seen?.state).toEqual(state);
        expect(seen?.inputs).toMatchObject(declared());
        expect(linesOf(Service.plan(state, service(declared())))).toEqual([]);
        expectNoPassword(run);
    });

    it("is set during the creation of a fork and of an adoption", async () => {
        const run = await start();
        const parent = await Service.create(service({ password: "the-first-password" }), run.world.run());
        const fork = { serviceId: parent.id, strategy: "NOW" } as const;
        const copy = await Service.create(service({ name: "copy", fork, ...declared() }), run.world.run());
        const adopted = await Service.create(service({ existingId: parent.id, ...declared() }), run.world.run());
        run.record(copy.state, adopted.state);
        for (const { id, state } of [copy, adopted]) {
            expect(passwordIs(run.world, id, password)).toBe(true);
            expect(passwordsIn(state)).toEqual([]);
        }
        expectNoPassword(run);
    });

    it("replaces the initial one, of which nothing is left", async () => {
        const run = await start();
        const { id, state } = await Service.create(service({ name: "orders" }), run.world.run());
        const outside = await Service.update(id, state, service({ name: "orders", ...declared() }), run.world.run());
        run.record(outside);
        expect(passwordsIn(outside)).toEqual([]);
        expectNoPassword(run);
    });

    it("is set again if it was removed and is declared again with its old version, also after a failure", async () => {
        const run = await start();
        const { id, state } = await Service.create(service(declared()), run.world.run());
        const removed = await Service.update(id, state, service(), run.world.run());
        change("another-password");
        expect(Service.plan(removed, service(declared())).steps).toHaveLength(1);
        run.world.fault.at("updatePassword", refuse);
        const failed = await failure(Service.update(id, removed, service(declared()), run.world.run()));
        run.world.fault.over();
        const updated = await Service.update(id, failed.state as State, service(declared()), run.world.run());
        expect(passwordIs(run.world, id, "another-password")).toBe(true);
        expect(linesOf(Service.plan(updated, service(declared())))).toEqual([]);
    });

    it("is forgotten by a run that removes it and fails before it reads the service", async () => {
        const { world } = await start();
        const { id, state } = await Service.create(service(declared()), world.run());
        world.fault.at("getService", refuse);
        const removal = Service.update(id, state, service({ environment: "PROD" }), world.run());
        const failed = (await failure(removal)).state as State;
        expect(Service.plan(failed, service(declared())).steps).toHaveLength(1);
    });

    it("is sent again if the response to another version is lost, although the program is reverted", async () => {
        const run = await start();
        const { id, state } = await Service.create(service(declared(1)), run.world.run());
        run.world.fault.at("updatePassword", loseResponse);
        change("another-password");
        const update = Service.update(id, state, service(declared(2)), run.world.run({ timeMs: 60_000 }));
        const failed = await failure(update);
        run.world.fault.over();
        change(inFile, inVariable);
        expect(Service.plan(failed.state as State, service(declared(1))).steps).toHaveLength(1);
        await Service.update(id, failed.state as State, service(declared(1)), run.world.run());
        run.record(failed, failed.state);
        expect(passwordIs(run.world, id, password)).toBe(true);
        expect(run.left()).not.toContain("another-password");
        expectNoPassword(run);
    });
});

describe("a password that cannot be read", () => {
    const missingFile = join(folder, "missing.txt");
    const subfolder = join(folder, "folder");
    mkdirSync(subfolder);
    const written = (text: string, encoding: BufferEncoding = "utf8") => {
        writeFileSync(passwordFile, text, encoding);
        return fromFile();
    };
    const set = (text: string) => ((process.env[passwordVariable] = text), fromVariable());
    const inputs: readonly (readonly [string, () => ServiceInputs])[] = [
        ["a missing file", () => ({ passwordFile: missingFile, passwordVersion: 1 })],
        ["a folder", () => ({ passwordFile: subfolder, passwordVersion: 1 })],
        ["an empty file", () => written("\n")],
        ["a file with only spaces", () => written("          \n")],
        ["a file with two lines", () => written("canary-one\ncanary-two")],
        ["a file in Latin-1", () => written("canary-sch\u00fctzen", "latin1")],
        ["a file in UTF-16", () => written("canary-in-utf16", "utf16le")],
        ["a variable in another encoding, whose bytes Node.js has replaced", () => set("canary-sch\ufffdtzen")],
        ["a missing variable", () => ({ passwordVariable: "CLOUDDB_TEST_MISSING", passwordVersion: 1 })],
        ["an empty variable", () => set("")],
    ];

    it.each(inputs)("fails before any request, and names its place: %s", async (_, given) => {
        const run = await start();
        const { id, state } = await Service.create(service({ password: "the-first-password" }), run.world.run());
        run.world.emulator.clearJournal();
        const declared = given();
        const attempts = [
            () => Service.create(service({ name: "new", ...declared }), run.world.run()),
            () => Service.create(service({ existingId: id, ...declared }), run.world.run()),
            () => Service.update(id, state, service({ environment: "PROD", ...declared }), run.world.run()),
        ];
        for (const attempt of attempts) {
            const error: unknown = await attempt().catch((caught: unknown) => caught);
            expect(partsOf(error).what).toContain(Object.keys(declared)[0]);
            expect((error as Error).message).not.toContain("canary");
        }
        expect(run.world.emulator.journal()).toEqual([]);
    });

    it("is not one with a byte order mark, which is not part of the password", async () => {
        const { world } = await start();
        writeFileSync(passwordFile, "\ufeffsch\u00fctzen-1\r\n");
        const { id } = await Service.create(service(fromFile()), world.run());
        expect(passwordIs(world, id, "sch\u00fctzen-1")).toBe(true);
        process.env[passwordVariable] = "\ufeffsch\u00fctzen-2";
        const other = await Service.create(service({ name: "other", ...fromVariable() }), world.run());
        expect(passwordIs(world, other.id, "sch\u00fctzen-2")).toBe(true);
    });

    it("prevents no preview and no update that does not need it", async () => {
        const { world } = await start();
        const { id, state } = await Service.create(service(fromFile()), world.run());
        rmSync(passwordFile);
        const declared = service({ ...fromFile(), environment: "PROD" });
        expect(Service.describeCreation(declared)).toContainEqual(
            expect.stringContaining(JSON.stringify(passwordFile)),
        );
        expect(await Service.update(id, state, declared, world.run())).toMatchObject({ environment: "PROD" });
    });

    it("keeps a creation that can be completed if the file disappears meanwhile", async () => {
        const run = await start();
        run.world.fault.at("createService", (_, carryOut) => {
            rmSync(passwordFile);
            return carryOut();
        });
        const failed = await failure(Service.create(service(fromFile()), run.world.run()));
        expect(failed.message).toContain("passwordFile");
        expect(passwordsIn(failed.state)).toEqual([]);
        writeFileSync(passwordFile, inFile);
        await Service.update(failed.id, failed.state as State, service(fromFile()), run.world.run());
        expect(passwordIs(run.world, failed.id, inFile)).toBe(true);
        run.record(failed, failed.state);
        expectNoPassword(run);
    });
});
