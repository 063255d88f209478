import { startWorld } from "../../../support/emulator";
import { settled } from "../../../support/virtualClock";

const authorization = "Bearer emulator-token";

const post = async (effect: string, signal: AbortSignal | null = null) => {
    const { emulator, project } = await startWorld({ faults: [`createService:${effect}`] });
    const answer = fetch(`${emulator.url}${project}/services`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ name: "db" }),
        signal,
    });
    return { emulator, project, answer };
};

it("the connection breaks before the request is carried out, after it, or in the middle of the response", async () => {
    for (const [when, made] of [
        ["before", 0],
        ["after", 1],
    ] as const) {
        const { emulator, answer } = await post(`reset-${when}`);
        await expect(answer).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
        expect(emulator.snapshot().counts.services.made).toBe(made);
    }
    const { status, body } = await (await post("reset-middle")).answer;
    expect(status).toBe(202);
    await expect(new Response(body).text()).rejects.toThrow("terminated");
});

it("the connection breaks in the middle of a response without a body", async () => {
    const { emulator, project, vpc } = await startWorld({ faults: ["deleteVpc:reset-middle"] });
    const { id } = await vpc();
    const gone = fetch(`${emulator.url}${project}/vpcs/${id}`, { method: "DELETE", headers: { authorization } });
    await expect(gone).rejects.toThrow("fetch");
    expect(emulator.snapshot().vpcs).toEqual([]);
});

it.each([
    { effect: "unanswered", made: 0 },
    { effect: "unanswered,carriedOut", made: 1 },
])("a request has no response with the effect $effect, and $made services are created", async ({ effect, made }) => {
    const abort = new AbortController();
    const { emulator, answer } = await post(effect, abort.signal);
    while (emulator.journal().length === 0) {
        await settled();
    }
    await settled();
    abort.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(emulator.snapshot().counts.services.made).toBe(made);
});
