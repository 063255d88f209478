import { unknownText } from "../../../../provider/hosts/codec";
import { DynamicProvider, hideReportedErrors } from "../../../../provider/hosts/dynamic/dynamicProvider";
import { lifecycles } from "../../../support/lifecycles";
import { peering, service } from "../../../support/fixtures";
import { sessionsOn } from "../../../support/hosts";
import { properties, returned } from "../../../support/properties";
import { simulate } from "../../../support/simulation";

/** The provider of services in a separate process, with an emulator. */
async function start() {
    const { lines, statuses, startSession } = sessionsOn(await simulate());
    const startProvider = () => new DynamicProvider(lifecycles.Service.resource, startSession());
    /** A service, with the outputs as Pulumi's host passes them. */
    const create = async (news: object) => {
        const { id, outs = {} } = await startProvider().create({ ...news });
        return { id, outs: { ...returned(outs, properties({})).values } };
    };
    return { lines, statuses, startProvider, startSession, create };
}

it("only the status of a password change tells what to do if the run is killed", async () => {
    const { lines, statuses, startProvider, create } = await start();
    const { id, outs } = await create(service({ name: "orders", password: "first-password" }));
    statuses.splice(0);
    await startProvider().update(id, outs, service({ name: "orders", password: "second-password" }));
    const remedy = "If this run is killed, run `pulumi up` with this password again before you change or revert it.";
    expect(statuses[0]).toBe(`sending the request. ${remedy}`);
    expect(statuses.at(-1)).toBe("done");
    expect(lines).toEqual([]);
});

it("creation, adoption and deletion print no permanent line, and end with an empty status: the engine says that they are complete", async () => {
    const { lines, statuses, startProvider, create } = await start();
    const { id, outs } = await create(service({ name: "orders" }));
    expect(statuses.at(-1)).toBe("");
    await startProvider().create(service({ existingId: id }));
    expect(lines).toEqual([]);
    statuses.splice(0);
    await startProvider().delete(id, outs);
    expect(statuses.length).toBeGreaterThan(1);
    expect(statuses.at(-1)).toBe("");
});

it("a preview shows the adoption of a peering whose VPC is unknown, and fails its check for one that does not exist", async () => {
    const { startSession } = await start();
    const provider = new DynamicProvider(lifecycles.Peering.resource, startSession());
    const adopted = { ...peering(unknownText), existingId: "7", __program: { isPreview: true } };
    expect(await provider.check({}, adopted)).toMatchObject({ failures: [] });
    const [{ reason } = {}] = (await provider.check({}, { ...adopted, vpcId: "41" })).failures ?? [];
    expect(reason).toContain('existingId "7" cannot be adopted');
});

it.each(["regionCode", "addons", "fork", "projectId"])(
    "a preview shows an unknown %s as a possible replacement and does not fail",
    async (field) => {
        const { lines, startProvider, create } = await start();
        const urn = { __urn: "urn:pulumi:dev::shop::Thing::orders" };
        const { id, outs } = await create({ ...service({ name: "orders" }), ...urn });
        const provider = startProvider();
        const news = { ...service({ name: "orders" }), ...urn, __program: { isPreview: true }, [field]: unknownText };
        const { inputs = {} } = await provider.check(outs, news);
        await expect(provider.diff(id, outs, inputs)).resolves.toMatchObject({ replaces: [field] });
        expect(lines.filter((line) => line.includes(field))).toHaveLength(1);
    },
);

it("an update does not repeat the lines of its preview", async () => {
    const { lines, startProvider, create } = await start();
    const { id, outs } = await create(service({ cpuMillis: 500 }));
    const linesOf = async (program: object) => {
        const provider = startProvider();
        const { inputs = {} } = await provider.check(outs, { ...service({ cpuMillis: 1000 }), ...program });
        await expect(provider.diff(id, outs, inputs)).resolves.toMatchObject({ changes: true });
        return lines.splice(0);
    };
    expect(await linesOf({ __program: { isPreview: true } })).toContainEqual(expect.stringContaining("1000"));
    expect(await linesOf({})).toEqual([]);
});

it("the process prints no error that the engine shows under its resource, and each other one", async () => {
    const { startProvider } = await start();
    const adoption = startProvider().create(service({ existingId: "missing" }));
    const error: unknown = await adoption.catch((caught: unknown) => caught);
    const { message, stack } = error as Error;
    expect(message).toContain("missing");
    const printed = jest.fn();
    const console = { error: printed };
    hideReportedErrors(console);
    // The text that Pulumi's host prints.
    console.error(`${String(error)}: ${stack}`);
    console.error("another error");
    console.error({ text: "not a text" });
    expect(printed.mock.calls).toEqual([["another error"], [{ text: "not a text" }]]);
});
