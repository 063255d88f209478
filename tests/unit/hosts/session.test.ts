import { connectEngine } from "../../../provider/hosts/engine";
import { Session } from "../../../provider/lifecycle/session";

it("a component reads the settings that its provider declares, and no others", () => {
    const session = new Session(connectEngine(undefined), { CLOUDDB_BASE_URL: "https://from.environment/v1" });
    const declared: Record<string, string> = { projectId: "p1", allowInsecure: "true", version: "0.1.0" };
    session.configure((key) => declared[key]);
    expect(session.stackConfig()).toEqual({ "clouddb:projectId": "p1", "clouddb:allowInsecure": "true" });
});
