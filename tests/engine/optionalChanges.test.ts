import { ReadReplicaSet, Service, type ReadReplicaSetArgs, type ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, type TestStack } from "../support/engine";

const limitMs = 120_000;

afterAll(removeStacks);

describe("changes that the API does not support", () => {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack({ strictResize: true });
    }, limitMs);

    const orders = (args: ServiceArgs = {}) => new Service("orders", { name: "orders", cpuMillis: 500, ...args });

    test(
        "another number of nodes: the preview names the doubt, the update fails, and only allowReplace replaces the set",
        async () => {
            const program = (args: Partial<ReadReplicaSetArgs>) => () => {
                const { serviceId } = orders();
                new ReadReplicaSet("reports", { serviceId, name: "reports", cpuMillis: 500, ...args });
            };
            await stack.up(program({}));
            const { id } = await stack.state("reports");
            stack.calls();

            const { messages } = await stack.preview(program({ nodes: 2 }));
            expect(messages.reports?.join("\n")).toContain(
                "resize 1 x 500m/2GB -> 2 x 500m/2GB (the API may not support this)",
            );
            const { errors } = await failed(stack.up(program({ nodes: 2 })));
            expect(errors.join("\n")).toContain("Declare nodes: 1 again, or set allowReplace: true.");
            expect((await stack.preview(program({ nodes: 2 }))).operations.reports).toBe("update");
            expect((await failed(stack.up(program({ nodes: 2 })))).errors.join("\n")).toContain(
                "set allowReplace: true. The next `pulumi up` then replaces the set, and its endpoint changes.",
            );
            stack.calls();
            expect((await stack.state("reports")).id).toBe(id);

            const allowing = program({ nodes: 2, allowReplace: true });
            expect((await stack.preview(allowing)).operations.reports).toMatch(/replace/);
            await stack.up(allowing);
            expect(stack.calls()).toEqual(["createReplicaSet", "deleteReplicaSet"]);
            expect((await stack.state("reports")).outputs).toMatchObject({ nodes: 2, name: "reports" });
            expect((await stack.up(program({ nodes: 2 }))).operations.orders).toBe("same");
            expect((await stack.up(program({ nodes: 2 }))).operations.reports).toBe("same");
        },
        limitMs,
    );

    test(
        "a resize to shared: the update fails and changes nothing, and the former size needs no request",
        async () => {
            const shared = () => void orders({ cpuMillis: "shared", allowReplace: true });
            const dedicated = () => void orders({ allowReplace: true });
            await stack.up(dedicated);
            const { errors } = await failed(stack.up(shared));
            expect(errors.join("\n")).toContain(
                "Declare cpuMillis: 500 and memoryGbs: 2 again, or declare another service",
            );
            const { id } = await stack.state("orders");
            await failed(stack.up(shared));
            expect((await stack.state("orders")).id).toBe(id);
            stack.calls();
            await stack.up(dedicated);
            expect(stack.calls()).toEqual([]);
            expect((await stack.up(dedicated)).operations.orders).toBe("same");
        },
        limitMs,
    );
});
