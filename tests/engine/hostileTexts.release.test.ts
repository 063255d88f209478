import { Peering, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type EngineRun } from "../support/engine";

// What only the engine shows: how it prints texts of the API next to its own.

const hostile = "h\u001b[2J\u009b31m\r\n::error::injected\n##[error]\u202e";

/** Characters that control a terminal or the order of text, without the indents and the line breaks of Pulumi. */
const control = /[\p{Cc}\u202e]/u;
/** What starts a command in the log of a pipeline. */
const commands = /^\s*::error|##\[error\]/m;

const isHarmful = (text: string): boolean => control.test(text.replace(/[\n\t]/g, "")) || commands.test(text);

/** The harmful texts of a run: what it reports for resources before the engine formats it, and its output. */
const harmfulIn = ({ output, errors, messages, statusLines }: EngineRun): string[] =>
    [...errors, ...Object.values(messages).flat(), ...Object.values(statusLines).flat(), output].filter(isHarmful);

test("text from the API does not reach Pulumi's output unchanged", async () => {
    const harmful: Record<string, readonly string[]> = {};
    let isRejected = false;
    const stack = await startStack({
        peerings: { fail: hostile },
        intercept: async ({ operationId }, carryOut) => {
            if (isRejected && operationId === "setEnvironment") {
                return {
                    status: 400,
                    headers: { "content-type": "application/json" },
                    body: JSON.stringify({ code: hostile, message: hostile }),
                };
            }
            const response = await carryOut();
            return { ...response, body: response.body.replaceAll('"stranger"', JSON.stringify(hostile)) };
        },
    });
    const program = (environment: "DEV" | "PROD") => () => {
        const { vpcId } = new Vpc("network", { name: "network", cidr: "10.0.0.0/16", regionCode: "us-east-1" });
        new Service("orders", { name: "orders", environment });
        return { vpcId };
    };
    await stack.up(program("DEV"));
    const { services } = stack.emulator.snapshot();
    const id = services[0]?.service_id ?? "";

    // An error of the API.
    isRejected = true;
    const refused = await failed(stack.up(program("PROD")));
    expect(refused.output).toContain("::error::injected");
    harmful["an error of the API"] = harmfulIn(refused);
    isRejected = false;

    // A name that somebody else has set, in a plan and in the error of an existing name.
    stack.emulator.updateService(id, { name: "stranger" });
    harmful["a refresh"] = harmfulIn(await stack.refresh());
    const renamed = await stack.preview(program("PROD"));
    expect(renamed.output).toContain("injected");
    expect(renamed.messages.orders?.join("\n")).toContain("injected");
    harmful["a preview"] = harmfulIn(renamed);

    // The reason of a failed peering.
    const peered = await failed(
        stack.up(() => {
            const { vpcId } = program("DEV")();
            const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
            new Peering("office", { vpcId, ...peer });
        }),
    );
    expect(peered.errors.join()).toContain("injected");
    harmful["a failed peering"] = harmfulIn(peered);

    expect(Object.entries(harmful).filter(([, texts]) => texts.length > 0)).toEqual([]);
});
