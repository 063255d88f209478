import { functionContext } from "../../../provider/hosts/native/server";
import type { AxiosAdapter } from "axios";
import { DeadlineError } from "../../../provider/api/callErrors";
import { callFunction } from "../../../provider/functions/function";
import { functions } from "../../../provider/functions/index";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { lifecycles } from "../../support/lifecycles";
import { failureOf } from "../../support/client";
import { service } from "../../support/fixtures";
import { sessionWith } from "../../support/sessions";
import { TestClock } from "../../support/virtualClock";

const previewMs = 5_000;

type Api = "never answers" | "limits requests";

/** A session with such an API. */
function start(api: Api) {
    const clock = TestClock.automatic();
    const adapter: AxiosAdapter = (config) =>
        api === "limits requests"
            ? Promise.resolve({ data: "", status: 429, statusText: "", headers: {}, config })
            : new Promise(() => undefined);
    const printed: string[] = [];
    const print = (_: string | undefined, text: string) => void printed.push(text);
    const session = sessionWith({ clock, adapter, engine: { info: print, warn: print, status: print } });
    const beganAt = clock.now();
    return { session, printed, tookMs: () => clock.now() - beganAt };
}

describe.each(["never answers", "limits requests"] as const)("a preview whose API %s", (api) => {
    it("the read of a .get fails within 5 s", async () => {
        const { session, tookMs } = start(api);
        const provider = new DynamicProvider(lifecycles.Service.resource, session);
        await expect(provider.read("service001", { __program: { isPreview: true } })).rejects.toThrow(/getService/);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });

    it("a function fails within 5 s, with all its requests", async () => {
        const { session, tookMs } = start(api);
        const call = callFunction("getVpcs", functions.getVpcs, {}, functionContext(session, true));
        await failureOf(call, DeadlineError);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });

    it("the preview of an adoption says within 5 s that the steps are not known", async () => {
        const { session, printed, tookMs } = start(api);
        const provider = new DynamicProvider(lifecycles.Service.resource, session);
        const news = { ...service({ existingId: "service001" }), __program: { isPreview: true } };
        const { failures } = await provider.check({}, news);
        expect(failures).toEqual([]);
        expect(printed).not.toEqual([]);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });
});
