import { Service } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

afterAll(removeStacks);

const limitMs = 120_000;
const noStep = { orders: "same", copy: "same" };

describe("changed names of a service and its fork", () => {
    let stack: TestStack;
    const program = (end: string, more: () => unknown = () => undefined) => {
        return () => {
            const { serviceId } = new Service("orders", { name: `orders${end}` });
            new Service("copy", { name: `copy${end}`, fork: { serviceId, strategy: "NOW" } });
            more();
        };
    };
    const ids = () => stack.emulator.snapshot().services.map(({ service_id: id, name }) => [id, name]);

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program(""));
        stack.calls();
    }, limitMs);

    test(
        "renaming a service or its fork is one step in place, in the preview and in the update",
        async () => {
            const before = ids();
            const { operations, messages } = await stack.preview(program("-2"));
            expect(operations).toEqual({ orders: "update", copy: "update" });
            expect(messages).toEqual({
                orders: ['1 rename "orders" -> "orders-2"'],
                copy: ['1 rename "copy" -> "copy-2"'],
            });
            expect(stack.calls()).toEqual([]);

            await stack.up();
            expect(stack.calls()).toEqual(["renameService", "renameService"]);
            expect(ids()).toEqual(before.map(([id, name]) => [id, `${name}-2`]));
            expect((await stack.preview()).operations).toEqual(noStep);
        },
        limitMs,
    );

    test(
        "a new service can have the old name of a renamed service, without a warning about duplicates",
        async () => {
            const { operations, messages } = await stack.up(
                program("-3", () => new Service("new", { name: "orders-2" })),
            );
            expect(operations).toEqual({ orders: "update", copy: "update", new: "create" });
            expect(JSON.stringify(messages)).not.toMatch(/exists|same name/);
        },
        limitMs,
    );
});

describe("an API that cannot rename a service", () => {
    let stack: TestStack;
    let id: string;
    const program = (args: ServiceArgs) => () => new Service("orders", { name: "orders", ...args });
    const refusal =
        'Service "orders" would be replaced by a new, empty one (name "orders" -> "bills"), and its data would be lost. ' +
        "An earlier run found that the API cannot rename a service.";

    beforeAll(async () => {
        stack = await startStack({ without: ["renameService"] });
        await stack.up(program({}));
        ({ id } = await stack.state("orders"));
        stack.calls();
    }, limitMs);

    test(
        "a rename fails with the operation and the remedy on an API without renames, and later previews fail too",
        async () => {
            const { errors } = await failed(stack.up(program({ name: "bills", environment: "PROD" })));
            expect(errors[0]).toContain("the API does not have the operation renameService (it returned 404");
            expect(errors[0]).toContain('Declare name: "orders" again, or set allowReplace: true');
            expect(stack.emulator.snapshot().services).toMatchObject([
                { service_id: id, name: "orders", metadata: { environment: "DEV" } },
            ]);
            expect((await failed(stack.preview())).errors[0]).toContain(refusal);
            expect((await stack.refresh()).operations).toEqual({ orders: "same" });
            expect((await failed(stack.preview())).errors[0]).toContain(refusal);
        },
        limitMs,
    );

    test(
        "a service on an API that cannot rename it is replaced only with allowReplace, which the preview shows first",
        async () => {
            const { operations, messages } = await stack.preview(program({ name: "bills", allowReplace: true }));
            expect(operations).toEqual({ orders: "replace" });
            expect(messages.orders).toEqual([
                `is replaced (name "orders" -> "bills"): the old service ${id} is deleted and its data is lost`,
                '1 create service "bills": DEV',
            ]);
            await stack.up();
            const { services } = stack.emulator.snapshot();
            expect(services).toMatchObject([{ name: "bills" }]);
            expect(services[0]?.service_id).not.toBe(id);
            expect((await stack.up()).operations).toEqual({ orders: "same" });
        },
        limitMs,
    );
});
