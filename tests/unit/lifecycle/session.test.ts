import type { AxiosAdapter } from "axios";
import { sessionWith } from "../../support/sessions";

it("a component reads the settings that its provider declares, and no others", () => {
    const session = sessionWith({ env: { CLOUDDB_BASE_URL: "https://from.environment/v1" } });
    const declared: Record<string, string> = { projectId: "p1", allowInsecure: "true", version: "0.1.0" };
    session.configure((key) => declared[key]);
    expect(session.stackConfig()).toEqual({ "clouddb:projectId": "p1", "clouddb:allowInsecure": "true" });
});

it("a row receives an unchanged status once, because a pipeline prints each one", () => {
    const shown: (readonly [string, string | undefined])[] = [];
    const engine = { showRow: (_: string | undefined, text: string, step?: string) => void shown.push([text, step]) };
    const { showRow, done } = sessionWith({ engine }).contextFor("delete", {}, 1);
    showRow("READY", "1/1 resize");
    done();
    showRow("checking");
    showRow("checking");
    showRow("READY", "1/1 resize");
    showRow("READY");
    done();
    expect(shown).toEqual([
        ["READY", "1/1 resize"],
        ["checking", undefined],
        ["READY", undefined],
        ["", undefined],
    ]);
});

it("a malformed entry of a list is one warning of the run, because no resource has the list", async () => {
    const warnings: unknown[] = [];
    const engine = { warn: (urn: string | undefined, text: unknown) => void warnings.push([urn, text]) };
    const tooDeep = `{"odd":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const adapter: AxiosAdapter = (config) =>
        Promise.resolve({ data: `[{},${tooDeep}]`, status: 200, statusText: "", headers: {}, config });
    const session = sessionWith({ engine, adapter });
    await session.currentClient().call("listProjects", {}, {});
    await session.currentClient().call("listProjects", {}, {});
    const warning = [undefined, expect.arrayContaining([expect.stringContaining("listProjects")])];
    expect(warnings).toEqual([warning, warning]);
});
