import { sessionWith } from "../../support/sessions";

it("a component reads the settings that its provider declares, and no others", () => {
    const session = sessionWith({ env: { CLOUDDB_BASE_URL: "https://from.environment/v1" } });
    const declared: Record<string, string> = { projectId: "p1", allowInsecure: "true", version: "0.1.0" };
    session.configure((key) => declared[key]);
    expect(session.stackConfig()).toEqual({ "clouddb:projectId": "p1", "clouddb:allowInsecure": "true" });
});

it("a row receives an unchanged status once, because a pipeline prints each one", () => {
    const shown: (readonly [string, string | undefined])[] = [];
    const engine = { status: (_: string | undefined, text: string, step?: string) => void shown.push([text, step]) };
    const times = { create: 1, update: 1, delete: 1, usual: 1 };
    const { status, done } = sessionWith({ engine }).contextFor("delete", {}, times);
    status("READY", "1/1 resize");
    done();
    status("checking");
    status("checking");
    status("READY", "1/1 resize");
    status("READY");
    done();
    expect(shown).toEqual([
        ["READY", "1/1 resize"],
        ["checking", undefined],
        ["READY", undefined],
        ["", undefined],
    ]);
});
