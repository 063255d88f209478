import { EngineCalls, lifecycles } from "../../support/lifecycles";
import { sessionsOn } from "../../support/hosts";
import { simulate } from "../../support/simulation";

const urnOf = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;

const source = { environment: "PROD", replicaCount: 1, sslMode: "verify-full", password: "a-long-password" };

/** The texts of the preview of a fork with these inputs, in a program with its source. */
async function previewOf(declared: object) {
    const world = await simulate();
    const { startSession } = sessionsOn(world, { CLOUDDB_DELETION_PROTECTION: "false" });
    const run = () => new EngineCalls(lifecycles.Service, startSession());
    const checked = (services: ReturnType<typeof run>, name: string, inputs: object, state: object = {}) => {
        const result = services.check({ __urn: urnOf(name), ...inputs }, state as never);
        expect(result.problems).toEqual([]);
        return result.inputs;
    };
    const first = run();
    const { id, state } = await first.create(checked(first, "orders", source));
    const preview = run();
    preview.diff(id, state, checked(preview, "orders", source, state));
    const fork = { strategy: "LAST_SNAPSHOT", serviceId: id };
    const notices = await preview.previewCreation(checked(preview, "copy", { fork, ...declared }));
    return notices.map(({ text }) => [text].flat().join("\n"));
}

it("the preview of a fork names the inputs of its source that it does not declare, without their values", async () => {
    const [warning, ...plan] = await previewOf({ sslMode: "require" });
    expect(warning).toBe(
        'it copies the data of "orders", not its inputs: it does not declare replicaCount, environment, password. ' +
            'Declare them if it takes the place of "orders"',
    );
    expect(plan).toEqual([expect.stringContaining("fork ")]);
});

it("a fork that declares the same inputs has no such line", async () => {
    const texts = await previewOf({ ...source, environment: "DEV" });
    expect(texts.join("\n")).not.toContain("does not declare");
});

describe("a fork of a service that is not in the program", () => {
    /** The lines of the preview and of the creation of a fork with these inputs, by the id of its source. */
    async function linesOfFork(declared: object, unreadableMs = 0) {
        const world = await simulate();
        const { lines, startSession } = sessionsOn(world, { CLOUDDB_DELETION_PROTECTION: "false" });
        const run = () => new EngineCalls(lifecycles.Service, startSession());
        const other = run();
        const { id } = await other.create(other.check({ __urn: urnOf("orders"), ...source }, {}).inputs);
        const services = run();
        const fork = { strategy: "LAST_SNAPSHOT", serviceId: id };
        const { inputs } = services.check({ __urn: urnOf("copy"), fork, ...declared }, {});
        const preview = await services.previewCreation(inputs);
        lines.splice(0);
        const until = world.clock.now() + unreadableMs;
        world.fault.at("getService", (_, carryOut) =>
            world.clock.now() < until ? Promise.resolve({ status: 503, headers: {}, body: "" }) : carryOut(),
        );
        await services.create(inputs);
        return { id, preview: preview.map(({ text }) => [text].flat().join("\n")), lines: [...lines] };
    }

    it("has no difference in its preview, which reads nothing, and each one in its creation", async () => {
        const { id, preview, lines } = await linesOfFork({ connectionPooler: true });
        expect(preview).toEqual([expect.stringContaining("fork ")]);
        expect(lines).toEqual([
            `it copies the data of service ${id}, not its inputs: that one has replicaCount 1, environment "PROD". Declare them if it takes its place`,
        ]);
    });

    it("is created without these lines if the source cannot be read for some seconds", async () => {
        const { lines } = await linesOfFork({ connectionPooler: true }, 20_000);
        expect(lines.join("\n")).not.toContain("it copies the data");
    });

    it("has no such line if it declares what differs", async () => {
        const { lines } = await linesOfFork({ replicaCount: 0, environment: "PROD" });
        expect(lines).toEqual([]);
    });
});
