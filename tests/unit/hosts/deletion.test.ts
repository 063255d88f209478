import type { EmulatorOptions } from "../../../emulator";
import type { Stored } from "../../../provider/contract/resource";
import { unknown } from "../../../provider/inputs/unknown";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
import type { ServiceKind } from "../../../provider/resources/service/plan";
import { failure, faults, operations, refuse } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { closeSimulations, simulate } from "../../support/simulation";

// What a run deletes and replaces. The default protects every service.

afterEach(closeSimulations);

type Values = Readonly<Record<string, unknown>>;
type Entry = Stored<ServiceKind>;
type Host = EngineCalls<ServiceKind>;

const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
const declare = (name: string, change: Values = {}): Values => ({ __urn: urn(name), name, ...change });
const unprotected = { deletionProtection: false };
const password = { password: "a-password" };

/** A stack with an emulator. Each call of `run` is another run of the engine, which starts the provider again. */
async function start(options: EmulatorOptions = {}) {
    const world = await simulate(options);
    const { lines, startSession } = sessionsOn(world);
    const run = () => {
        const session = startSession();
        return {
            services: new EngineCalls(lifecycles.Service, session),
            vpcs: new EngineCalls(lifecycles.Vpc, session),
        };
    };
    const ids = () => world.emulator.snapshot().services.map(({ service_id: id }) => id);
    return { world, lines, run, ids };
}

/** Checks the inputs of a resource. Fails for inputs that are rejected. */
function checked(host: Host, inputs: Values, state: object = {}) {
    const { inputs: declared, problems } = host.check(inputs, state as Values);
    if (problems.length > 0) {
        throw new Error(problems.join("\n"));
    }
    return declared;
}

/** An update of one resource, with the calls of the engine in its order. */
async function up(host: Host, inputs: Values, entry?: Entry): Promise<Entry> {
    const declared = checked(host, inputs, entry?.state);
    if (entry === undefined) {
        return host.create(declared);
    }
    const { changes } = host.diff(entry.id, entry.state, declared);
    return changes ? host.update(entry.id, entry.state, declared) : entry;
}

describe("a deletion looks only at the state", () => {
    it.each([
        [true, true],
        [undefined, true],
        [false, false],
    ])("of a service with deletionProtection %s: refused %s", async (deletionProtection, isRefused) => {
        const { world, run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders"));
        world.changes();
        const { services } = run();
        // What the program permits after the last update decides nothing.
        checked(services, declare("orders", unprotected), state);
        const deletion = services.delete(id, { ...state, deletionProtection });
        await (isRefused
            ? expect(deletion).rejects.toThrow(
                  `Service "orders" (${id}) is not deleted: its state has deletionProtection: true`,
              )
            : deletion);
        expect([ids(), operations(world)]).toEqual(isRefused ? [[id], []] : [[], ["deleteService"]]);
    });

    it.each([
        [true, true],
        [undefined, false],
        [false, false],
    ])("of a VPC with deletionProtection %s: refused %s", async (deletionProtection, isRefused) => {
        const { world, run } = await start();
        const { vpcs } = run();
        const inputs = { __urn: "urn::net", name: "net", cidr: "10.0.0.0/16", regionCode: "us-east-1" };
        const { id, state } = await vpcs.create(vpcs.check(inputs, {}).inputs);
        expect(state.deletionProtection).toBe(false);
        await run()
            .vpcs.delete(id, { ...state, deletionProtection })
            .catch(() => undefined);
        expect(world.emulator.snapshot().vpcs).toHaveLength(isRefused ? 1 : 0);
    });

    it("and names the resource that this run has created in its place", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders"));
        const { services } = run();
        const next = await up(services, declare("main"));
        await expect(services.delete(old.id, old.state)).rejects.toThrow(
            `\nRenamed or moved: \`pulumi state delete --force '${urn("main")}'\`, set the option aliases: ['${urn("orders")}']`,
        );
        const sameUrn = run().services;
        const successor = await up(sameUrn, declare("orders", { name: "second" }));
        await expect(sameUrn.delete(old.id, old.state)).rejects.toThrow(`, and ${successor.id} has taken its place.`);
        expect(ids()).toEqual([old.id, next.id, successor.id]);
    });
});

describe("an old entry of a service that the program adopts under another name", () => {
    it("is removed without a deletion once another resource manages the service", async () => {
        const { world, lines, run } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, ...password }));
        world.changes();
        const { services } = run();
        await up(services, declare("main", { name: "orders", existingId: old.id, ...password }));
        lines.splice(0);
        await services.delete(old.id, old.state);
        expect(lines).toEqual([`Service "orders" (${old.id}) is not deleted: "main" manages it`]);
        expect(operations(world)).toEqual(["updatePassword"]);
    });

    it("is recognized after the deletion of another service whose entry had the URN of the manager", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, ...password }));
        const other = await up(run().services, declare("other", unprotected));
        const { services } = run();
        await up(services, declare("orders", { ...unprotected, ...password }), old);
        await services.delete(other.id, { ...other.state, __urn: urn("orders") });
        await services.delete(old.id, { ...old.state, __urn: urn("former") });
        expect(ids()).toEqual([old.id]);
    });

    it("stays while only it has the password", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const adopted = await up(services, declare("main", { name: "orders", existingId: old.id }));
        await expect(services.delete(old.id, old.state)).rejects.toThrow('declare password for "main"');
        const next = run().services;
        await up(next, declare("main", { name: "orders", ...password }), adopted);
        await next.delete(old.id, old.state);
        expect(ids()).toEqual([old.id]);
    });

    it("stays until a run has completed the adoption, also if it failed halfway", async () => {
        const fault = faults();
        const { run, ids } = await start(fault.options);
        const old = await up(run().services, declare("orders", unprotected));
        const main = (change: Values = {}) => declare("main", { name: "orders", ...password, ...change });
        const expectPending = (host: Host) =>
            expect(host.delete(old.id, old.state)).rejects.toThrow(
                `Service "orders" (${old.id}) is not deleted: "main" adopts it, and no run has completed the adoption.`,
            );
        const excluded = run().services;
        checked(excluded, main({ existingId: old.id }));
        await expectPending(excluded);

        fault.at("updatePassword", refuse);
        const first = run().services;
        let failed = await failure(up(first, main({ existingId: old.id })));
        await expectPending(first);
        const next = run().services;
        const half = () => ({ id: old.id, state: failed.state as Entry["state"] });
        failed = await failure(up(next, main(), half()));
        await expectPending(next);

        fault.over();
        const last = run().services;
        await up(last, main(), half());
        await last.delete(old.id, old.state);
        expect(ids()).toEqual([old.id]);
    });
});

describe("an adoption that no run has completed", () => {
    it.each([unprotected, {}])("does not permit a deletion, whatever the state says: %j", async (protection) => {
        const fault = faults();
        const { lines, run, ids } = await start(fault.options);
        const { id: byHand } = await up(run().services, declare("made-by-hand"));
        fault.at("updatePassword", refuse);
        const adopting = declare("orders", { existingId: byHand, ...password, ...protection });
        const failed = await failure(up(run().services, adopting));
        const half = { id: byHand, state: failed.state as Entry["state"] };
        lines.splice(0);
        await run().services.delete(byHand, half.state);
        expect(lines).toEqual([
            `Service "orders" (${byHand}) is not deleted: no run has completed its adoption. It is now unmanaged`,
        ]);
        expect(ids()).toEqual([byHand]);
        const again = await failure(up(run().services, adopting, half));
        fault.over();
        const done = await up(run().services, adopting, { id: byHand, state: again.state as Entry["state"] });
        await run().services.delete(byHand, { ...done.state, ...unprotected });
        expect(ids()).toEqual([]);
    });

    it("is kept by a replacement, whose preview says so", async () => {
        const { run } = await start();
        const { id, state } = await up(run().services, declare("orders", { ...unprotected, regionCode: "us-east-1" }));
        const half = { ...state, __interrupted: "adoption" as const };
        const { services } = run();
        const moved = declare("orders", { ...unprotected, regionCode: "eu-west-1" });
        const { notices } = services.diff(id, half, checked(services, moved, half));
        expect(notices[0]?.text).toContain(`the old service ${id} is kept, because no run has completed its adoption`);
    });
});

describe("forks", () => {
    const fork = (serviceId: unknown) => declare("copy", { fork: { serviceId, strategy: "NOW" } });

    it("a service is not deleted before a declared fork of it has been created", async () => {
        const { run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        checked(services, fork(id));
        await expect(services.delete(id, state)).rejects.toThrow(
            `Service "orders" (${id}) is not deleted: "copy" copies its data`,
        );
        const copy = await up(services, fork(id));
        await services.delete(id, state);
        expect(ids()).toEqual([copy.id]);
    });

    const elsewhere = { ...unprotected, name: "other", regionCode: "eu-west-1" };

    /** A run that replaces a service with an empty one, up to the deletion of the old one. */
    async function replacing(services: Host, { id, state }: Entry, change: Values = elsewhere) {
        const moved = checked(services, declare("orders", change), state);
        services.diff(id, state, moved);
        return services.create(checked(services, declare("orders", change)));
    }

    it("a service that is deleted together with one that it uses is refused in the preview if the program now protects it", async () => {
        const { run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders", unprotected));
        // With the inputs of the last run.
        const together = {
            ...declare("orders", unprotected),
            projectId: state.projectId,
            regionCode: unknown,
        } as never;
        const preview = (change: Values) => {
            const { services } = run();
            services.diff(id, state, together);
            return services.check(declare("orders", { ...change, regionCode: unknown }), {});
        };
        expect(preview({ deletionProtection: true }).problems).toEqual([
            expect.stringContaining('Service "orders" is protected, and this run would replace it'),
        ]);
        const { problems, notices } = preview(unprotected);
        expect(problems).toEqual([]);
        expect(notices).toEqual([
            { severity: "warn", text: expect.stringContaining("is deleted, and its data will be lost") as string },
        ]);

        const { services } = run();
        services.diff(id, state, together);
        await services.delete(id, state);
        await up(services, declare("orders", { deletionProtection: true }));
        expect(ids()).not.toContain(id);
    });

    it.each(["a change", "replaceWith"])(
        "a fork of a service that %s replaces fails in the preview, and in a run without one",
        async (cause) => {
            const { run, ids } = await start();
            const old = await up(run().services, declare("orders", unprotected));
            const preview = run().services;
            const moved = checked(preview, declare("orders", elsewhere), old.state);
            if (cause === "a change") {
                preview.diff(old.id, old.state, moved);
            }
            preview.check(declare("orders", elsewhere), {});
            const id = cause === "a change" ? `"${old.id}"` : "the id of that resource";
            await expect(preview.previewCreation(checked(preview, fork(unknown)))).rejects.toThrow(
                `"copy" may copy "orders", which this run replaces, without its data.\nCopy the data first: set fork.serviceId of "copy" to ${id}`,
            );
            const { services } = run();
            const empty = await replacing(services, old);
            await expect(up(services, fork(empty.id))).rejects.toThrow(
                `"copy" would copy "orders", which this run replaces, without its data.\nCopy the data first: set fork.serviceId of "copy" to "${old.id}"`,
            );
            expect(ids()).toEqual([old.id, empty.id]);
        },
    );

    /** A run that leaves the old service, whose entry is pending deletion, and a new, empty one. */
    async function replaced() {
        const world = await start();
        const old = await up(world.run().services, declare("orders", unprotected));
        const empty = await replacing(world.run().services, old);
        const source = (change: Values = {}) => declare("orders", { ...elsewhere, ...change });
        /** The next run, which declares the new service. */
        const next = async (entry: Entry = empty, change: Values = {}) => {
            const { services } = world.run();
            return { services, entry: await up(services, source(change), entry) };
        };
        const refusal =
            `"copy" would copy "orders" (${empty.id}), which has taken the place of service ${old.id}, without its data.\n` +
            `Copy the data first: set fork.serviceId of "copy" to "${old.id}", not to an output`;
        return { ...world, old, empty, next, refusal };
    }

    it("the replacement of a service is not forked in any later run, also after an update, until the fork names the old one", async () => {
        const { ids, old, empty, next, refusal } = await replaced();
        const updated = await next(empty, { environment: "PROD" });
        for (const entry of [empty, updated.entry]) {
            const { services } = await next(entry, { environment: "PROD" });
            const copy = checked(services, fork(empty.id));
            await expect(services.previewCreation(copy)).rejects.toThrow(refusal);
            await expect(services.create(copy)).rejects.toThrow(refusal);
        }
        expect(ids()).toEqual([old.id, empty.id]);
        const { services } = await next();
        const copy = await up(services, fork(old.id));
        await services.delete(old.id, old.state);
        expect(ids()).toEqual([empty.id, copy.id]);
    });

    it("the replacement of a service is forked once the old one is gone, managed by another resource, or not that of its entry", async () => {
        const { run, ids, old, empty, next } = await replaced();
        const { services: managing } = await next();
        await up(managing, declare("kept", { name: "orders", existingId: old.id, ...password }));
        await up(managing, { ...fork(empty.id), name: "first" });
        // The last remedy of the message: the person has removed the entry of the new service, and adopts it again.
        const adopting = run().services;
        await up(adopting, declare("orders", { ...elsewhere, ...password, existingId: empty.id }));
        await up(adopting, { ...fork(empty.id), name: "second" });
        await run().services.delete(old.id, old.state);
        const { services } = await next();
        await up(services, { ...fork(empty.id), name: "third" });
        expect(ids()).toHaveLength(4);
    });

    describe("of a replacement whose old service is deleted first", () => {
        /** A run that deletes a service before it creates the empty one in its place. Its replacement is forced, or a change. */
        async function deletedFirst(isForced = false) {
            const world = await start();
            const old = await up(world.run().services, declare("orders", unprotected));
            const { services } = world.run();
            if (!isForced) {
                services.diff(old.id, old.state, checked(services, declare("orders", elsewhere), old.state));
            }
            const declared = checked(services, declare("orders", elsewhere));
            await services.delete(old.id, old.state);
            const empty = await services.create(declared);
            const warning = `it copies "orders" (${empty.id}), which took the place of service ${old.id}: the data of that one is gone, and not in this copy`;
            return { ...world, services, empty, warning };
        }

        it.each([
            ["a change", false],
            ["--replace", true],
        ])("is made with a warning in the run of %s, and in each later one", async (_, isForced) => {
            const { services, run, ids, lines, empty, warning } = await deletedFirst(isForced);
            lines.splice(0);
            const first = await up(services, fork(empty.id));
            expect(lines.join("\n")).toContain(warning);
            let entry = empty;
            for (const change of [{ environment: "PROD" }, {}]) {
                const next = run().services;
                entry = await up(next, declare("orders", { ...elsewhere, ...change }), entry);
                expect(await next.previewCreation(checked(next, { ...fork(empty.id), name: "second" }))).toContainEqual(
                    expect.objectContaining({ text: warning }),
                );
            }
            expect(ids()).toEqual([empty.id, first.id]);
        });
    });

    it("a replacement that is itself a fork has data, and is forked in later runs", async () => {
        const { run, ids } = await start();
        const source = await up(run().services, declare("source"));
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const declared = { ...unprotected, name: "other", fork: { serviceId: source.id, strategy: "NOW" } };
        const made = await replacing(services, old, declared);
        const next = run().services;
        await up(next, declare("orders", declared), made);
        await up(next, fork(made.id));
        expect(ids()).toHaveLength(4);
    });

    it("a replaced service is not deleted while its empty replacement has a fork, which --replace does not prevent, until the fork names it", async () => {
        const { ids, old, empty, next } = await replaced();
        const { services: again } = await next({ ...empty, state: { ...empty.state, __replaces: undefined } });
        const refusal = `Service "orders" (${old.id}) is not deleted: "copy" copies ${empty.id}, which has taken its place, without its data.\nCopy the data first: set fork.serviceId of "copy" to "${old.id}"`;
        const copy = checked(again, fork(empty.id));
        await expect(again.delete(old.id, old.state)).rejects.toThrow(refusal);
        await again.create(copy);
        await expect(again.delete(old.id, old.state)).rejects.toThrow(refusal);
        const { services: last } = await next();
        await up(last, { ...fork(old.id), name: "data" });
        await last.delete(old.id, old.state);
        expect(ids()).not.toContain(old.id);
    });
});

describe("a changed import option", () => {
    it("never deletes the resource that the state had, which was imported or not", async () => {
        const { lines, run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders", unprotected));
        const other = await up(run().services, declare("other", unprotected));
        const { services } = run();
        await services.import(other.id, { __urn: urn("orders") }, false);
        await expect(services.delete(id, state)).rejects.toThrow(
            `Service "orders" (${id}) is not deleted: the import option now names ${other.id}`,
        );
        lines.splice(0);
        await services.delete(id, { ...state, __imported: true });
        expect(lines).toEqual([expect.stringContaining(`it was only imported, and ${other.id} has taken its place`)]);
        expect(ids()).toEqual([id, other.id]);
    });

    it("never deletes it if the program also renames it by an alias", async () => {
        const { run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders", unprotected));
        const other = await up(run().services, declare("other", unprotected));
        const { services } = run();
        await services.import(other.id, { __urn: urn("shop") }, false);
        checked(services, { ...declare("shop", unprotected), __program: { aliases: [urn("orders")] } });
        await expect(services.delete(id, state)).rejects.toThrow(
            `Service "orders" (${id}) is not deleted: the import option now names ${other.id}`,
        );
        expect(ids()).toEqual([id, other.id]);
    });

    it("never deletes it in a later run either, after an update of the imported one", async () => {
        const { run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders", unprotected));
        const other = await up(run().services, declare("other", unprotected));
        const { state: seen } = await run().services.import(other.id, { __urn: urn("orders") }, false);
        const declared = declare("orders", { ...unprotected, name: "other" });
        const imported = await up(run().services, declared, { id: other.id, state: seen });
        const { services } = run();
        await up(services, declared, imported);
        await expect(services.delete(id, state)).rejects.toThrow(
            `Service "orders" (${id}) is not deleted: the import option now names ${other.id}`,
        );
        expect(ids()).toEqual([id, other.id]);
    });
});

describe("a replacement by a change", () => {
    const moved = { regionCode: "eu-west-1" };

    it.each([true, undefined])(
        "fails for a service whose state has deletionProtection %s, but not in a refresh, nor for an unknown value",
        async (deletionProtection) => {
            const { run } = await start();
            const created = await up(run().services, declare("orders", { regionCode: "us-east-1" }));
            const state = { ...created.state, deletionProtection };
            const diff = (host: Host, change: Values) =>
                host.diff(created.id, state, checked(host, declare("orders", change), state));
            expect(() => diff(run().services, { ...moved, ...unprotected })).toThrow(
                `Service "orders" (${created.id}) is protected, and this run would replace it (regionCode "us-east-1" -> "eu-west-1"): its data would be lost.`,
            );
            const possible = { regionCode: unknown };
            expect(diff(run().services, possible)).toMatchObject({
                plan: { replace: [] },
                notices: [{ text: expect.stringContaining("may be replaced") as string }],
            });
            const refreshed = run().services.diff(created.id, state, declare("orders", moved));
            expect(refreshed).toMatchObject({ plan: { replace: [] }, notices: [] });
        },
    );

    it("of an unprotected service is planned, with what happens to its data", async () => {
        const { run } = await start();
        const { id, state } = await up(run().services, declare("orders", { ...unprotected, regionCode: "us-east-1" }));
        const { services } = run();
        const { plan, notices } = services.diff(
            id,
            state,
            checked(services, declare("orders", { ...moved, ...unprotected }), state),
        );
        expect(plan.replace).toEqual([{ property: "regionCode", from: "us-east-1", to: "eu-west-1" }]);
        expect(notices[0]?.text).toBe(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${id} is deleted, and its data will be lost`,
        );
    });
});

describe("a replacement that replaceOnChanges requires, after a diff that requires none", () => {
    /** The check of the same inputs without the state, after a check and a diff with it. */
    async function forced(host: Host, { id, state }: Entry, inputs: Values) {
        const { deletionProtection } = state;
        await up(host, declare("orders", { ...inputs, deletionProtection, existingId: undefined }), { id, state });
        return checked(host, declare("orders", inputs));
    }

    it.each(["create first", "delete first"])("works in one run if the service is not protected: %s", async (order) => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const declared = await forced(services, old, unprotected);
        const create = () => services.create(declared);
        const remove = () => services.delete(old.id, old.state);
        const next = order === "create first" ? await create() : await remove().then(create);
        await (order === "create first" ? remove() : undefined);
        expect(ids()).toEqual([next.id]);
    });

    it("fails in the check if the state or the program protects the service, also without a diff", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders"));
        const refusal = 'Service "orders" is protected, and this run would replace it: its data would be lost.';
        await expect(forced(run().services, old, unprotected)).rejects.toThrow(refusal);
        const { services } = run();
        const permitted = { ...old.state, ...unprotected };
        checked(services, declare("orders"), permitted);
        expect(() => checked(services, declare("orders"))).toThrow(refusal);
        await expect(services.delete(old.id, permitted)).rejects.toThrow(
            `Service "orders" (${old.id}) is not deleted: the program has deletionProtection: true, and this run would replace it.\nKeep it: `,
        );
        await expect(run().services.delete(old.id, old.state)).rejects.toThrow(
            "its state has deletionProtection: true",
        );
        expect(ids()).toEqual([old.id]);
    });

    it("warns in the check, and where no check shows it, when the service is deleted", async () => {
        const { lines, run } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, finalFork: true }));
        const { services } = run();
        services.check(declare("orders", unprotected), old.state as unknown as Values);
        expect(services.check(declare("orders", unprotected), {}).notices).toEqual([
            {
                severity: "warn",
                text: "is replaced (--replace, a taint, replaceOnChanges, replaceWith, replacementTrigger, or what it uses is deleted first): the old service is deleted, and its data will remain in a last copy",
            },
        ]);
        const untold = run().services;
        checked(untold, declare("orders", unprotected));
        lines.splice(0);
        await untold.delete(old.id, { ...old.state, finalFork: false } as typeof old.state);
        expect(lines).toContain(
            `Service "orders" (${old.id}) is deleted, because this run replaces it: its data will be lost`,
        );
    });

    it("warns or fails in a preview that only knows the entry from the program: Pulumi deletes the service first", async () => {
        const { run } = await start();
        const withEntry = (deletionProtection: boolean, finalFork = false) => {
            const program = { __program: { entry: { urn: urn("orders"), deletionProtection, finalFork } } };
            return run().services.check({ ...declare("orders", unprotected), ...program }, {});
        };
        expect(withEntry(true).problems.join()).toContain(
            'Service "orders" is protected, and this run would replace it',
        );
        expect(withEntry(false).notices).toMatchObject([
            { text: expect.stringMatching(/and its data will be lost$/) as string },
        ]);
        expect(withEntry(false, true).notices).toMatchObject([
            { text: expect.stringMatching(/and its data will remain in a last copy$/) as string },
        ]);
        expect(run().services.check(declare("orders", unprotected), {})).toMatchObject({ problems: [], notices: [] });
    });

    it("warns when it is deleted also after a rename by an alias, but not for a new service with the former name", async () => {
        const { lines, run } = await start();
        const warning = (id: string) =>
            `Service "orders" (${id}) is deleted, because this run replaces it: its data will be lost`;
        const renamed = { ...declare("shop", unprotected), __program: { aliases: [urn("orders")] } };
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const shop = await services.create(checked(services, renamed));
        await services.delete(old.id, old.state);
        expect(lines).toContain(warning(old.id));
        const next = await up(run().services, declare("orders", unprotected));
        const last = run().services;
        last.diff(shop.id, shop.state, checked(last, renamed, shop.state));
        await last.delete(next.id, next.state);
        expect(lines).not.toContain(warning(next.id));
    });

    it("creates a protected service again that a refresh has found to be gone, although the stored state has it", async () => {
        const { world, run } = await start();
        const { id, state } = await up(run().services, declare("orders"));
        await up(run().services, declare("other"));
        world.emulator.deleteService(id);
        const { services } = run();
        expect(await services.read(id, state)).toBeUndefined();
        const program = { __program: { entry: { urn: urn("orders"), deletionProtection: true } } };
        expect(services.check({ ...declare("orders"), ...program }, {})).toMatchObject({ problems: [], notices: [] });
    });

    it("is refused for an entry with the old name if the program protects the service with that alias, and says what else it can be", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const renamed = { ...declare("shop"), __program: { aliases: [urn("orders")] } };
        const { id } = await services.create(checked(services, renamed));
        await expect(services.delete(old.id, old.state)).rejects.toThrow(
            new RegExp(
                `^Service "orders" \\(${old.id}\\) is not deleted: the program has deletionProtection: true, and ${id} has taken its place\\.\n` +
                    `[^]*\nIf ${old.id} was never "shop": remove that alias of "shop" and run \`pulumi up\``,
            ),
        );
        expect(ids()).toEqual([old.id, id]);
    });

    it("is not a replacement if the program adopts the service of the state, or may do so", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, ...password }));
        for (const existingId of [old.id, unknown]) {
            const { services } = run();
            await forced(services, old, { ...unprotected, ...password, existingId });
            await services.delete(old.id, old.state);
        }
        expect(ids()).toEqual([old.id]);
    });
});

describe("two resources of a program cannot manage one service", () => {
    it.each(["adopter first", "manager first"])("with %s", async (order) => {
        const { run } = await start();
        const orders = await up(run().services, declare("orders"));
        const { services } = run();
        const adopt = () => checked(services, declare("reports", { existingId: orders.id }));
        if (order === "adopter first") {
            adopt();
            await expect(up(services, declare("orders"), orders)).rejects.toThrow(
                'is managed by "orders" and by "reports"',
            );
        } else {
            await up(services, declare("orders"), orders);
            const text = '"orders" of this program manages it';
            await expect(services.previewCreation(adopt())).rejects.toThrow(text);
            await expect(services.create(adopt())).rejects.toThrow(text);
        }
    });

    it("with two entries in the state", async () => {
        const { run } = await start();
        const orders = await up(run().services, declare("orders"));
        const reports = await up(run().services, declare("reports", { existingId: orders.id }));
        const { services } = run();
        await up(services, declare("orders"), orders);
        await expect(up(services, declare("reports"), reports)).rejects.toThrow(
            `Service ${orders.id} is managed by "reports" and by "orders".\nKeep "reports": remove "orders" from the program`,
        );
    });
});

describe("a service that is deleted before its replacement is created", () => {
    it.each([
        ["the variable of its password is not set", { passwordVariable: "UNSET", passwordVersion: 1 }, "UNSET"],
        ["its VPC does not exist", { vpcId: "404" }, "vpcId"],
        ["the source of its fork does not exist", { fork: { serviceId: "gone", strategy: "NOW" } }, "fork.serviceId"],
    ])("is kept if %s", async (_, change, text) => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        // As with --replace, no check has the state.
        checked(services, declare("orders", { ...unprotected, ...change }));
        const deletion = services.delete(old.id, old.state);
        await expect(deletion).rejects.toThrow(
            `Service "orders" (${old.id}) is not deleted, because its replacement cannot be created: `,
        );
        await expect(deletion).rejects.toThrow(text);
        expect(ids()).toEqual([old.id]);
    });

    it("is kept if another service has the name of the replacement, and no advice is about the old one", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, regionCode: "us-east-1" }));
        const other = await up(run().services, declare("shop"));
        const { services } = run();
        checked(services, declare("orders", { ...unprotected, name: "shop" }));
        const message = await services.delete(old.id, old.state).then(
            () => "deleted",
            (error: unknown) => String(error),
        );
        expect(message).toContain(
            `Service "orders" (${old.id}) is not deleted, because its replacement cannot be created: `,
        );
        expect(message).toContain(`already exists: ${other.id}`);
        expect(ids()).toEqual([old.id, other.id]);
        const free = run().services;
        checked(free, declare("orders", unprotected));
        await free.delete(old.id, old.state);
        expect(ids()).toEqual([other.id]);
    });
});

describe("existingId after the creation", () => {
    it.each([
        ["names another service", {}, "differs from"],
        [
            "names the service that the change replaces",
            { regionCode: "eu-west-1" },
            "names the service that this change replaces",
        ],
    ])("fails if it %s", async (_, change, text) => {
        const { run } = await start();
        const { id, state } = await up(run().services, declare("orders", { ...unprotected, regionCode: "us-east-1" }));
        const { services } = run();
        const existingId = "regionCode" in change ? id : "anotherone";
        const declared = checked(services, declare("orders", { ...unprotected, existingId, ...change }), state);
        expect(() => services.diff(id, state, declared)).toThrow(text);
    });
});

describe("a refresh that does not find a service", () => {
    it.each([
        ["is protected, and the project seems to be empty", true, { isAlone: true, isRefused: true }],
        ["is protected, and the project has a VPC", true, { isAlone: false, isRefused: false }],
        ["is not protected", false, { isAlone: true, isRefused: false }],
    ])("which %s", async (_, deletionProtection, { isAlone, isRefused }) => {
        const { world, lines, run } = await start();
        const { id, state } = await up(run().services, declare("orders", { deletionProtection }));
        if (!isAlone) {
            const { vpcs } = run();
            await vpcs.create(
                vpcs.check({ __urn: "urn::net", name: "net", cidr: "10.0.0.0/16", regionCode: "us-east-1" }, {}).inputs,
            );
        }
        world.emulator.deleteService(id);
        const refreshed = run().services.read(id, state);
        await (isRefused
            ? expect(refreshed).rejects.toThrow(
                  `Service "orders" (${id}) was not found, and project "emulator01" shows no service`,
              )
            : expect(refreshed).resolves.toBeUndefined());
        const warning = `does not exist: a run whose program declares it creates a new one, without its data`;
        expect(lines.includes(`Service "orders" (${id}) ${warning}`)).toBe(!isRefused);
    });

    it("which is the second one of an empty project", async () => {
        const { world, run } = await start();
        const entries = [
            await up(run().services, declare("one", unprotected)),
            await up(run().services, declare("two", unprotected)),
        ];
        entries.forEach(({ id }) => world.emulator.deleteService(id));
        const { services } = run();
        const [one, two] = entries.map(
            ({ id, state }) =>
                () =>
                    services.read(id, state),
        );
        expect(await one?.()).toBeUndefined();
        await expect(two?.()).rejects.toThrow('project "emulator01" shows no service');
    });
});
