import { virtualClock } from "../../../emulator";
import { handlers, kinds } from "../../../emulator/kinds";
import { services, serviceView } from "../../../emulator/kinds/services";
import { settle } from "../../../emulator/options";
import { inputsOf } from "../../../emulator/page/browser/kinds";
import type { Wire } from "../../../emulator/wire";
import { driftOf, noteChange } from "../../../emulator/world/drift";
import { findAny } from "../../../emulator/world/find";
import type { Call } from "../../../emulator/world/handler";
import { handlersOf, says, type Settings } from "../../../emulator/world/settings";
import type { ServiceRecord } from "../../../emulator/world/state";
import { emptyWorld, World } from "../../../emulator/world/world";
import { longMs } from "../../support/emulator";

describe("an operation that sets a property of the model to its body, or the properties of its body", () => {
    const start = (lasts?: () => number) => {
        const settings = {
            attachToVPC: {
                takes: ["READY"],
                property: "vpc_endpoint",
                ...(lasts && { lasts, through: "UPGRADING" as const }),
                answer: says("It is set."),
            },
            renameService: { takes: ["READY"], answer: (service) => serviceView(service) },
        } satisfies Settings<ServiceRecord, Wire["Service"], Wire["KnownServiceStatus"]>;
        const clock = virtualClock();
        const { rules } = settle({});
        const world = new World(kinds, rules, clock, emptyWorld([{ id: "emulator01", name: "Emulator" }], 1));
        const params = { project_id: "emulator01" };
        const creation = { world, params, body: { name: "db" } } as Call<"createService">;
        const { service_id } = handlers.createService(creation);
        const { attachToVPC, renameService } = handlersOf(services, settings);
        const to = { world, params: { ...params, service_id } };
        const set = (vpc_id: string) => attachToVPC({ ...to, body: { vpc_id } } as Call<"attachToVPC">);
        const rename = (name: string) => renameService({ ...to, body: { name } } as Call<"renameService">);
        return { clock, record: () => findAny(world, services, service_id), rename, set };
    };

    it("is rejected in the other statuses, and its body then is the property, at once", () => {
        const { clock, record, set } = start();
        expect(() => set("1")).toThrow("QUEUED");
        clock.advance(longMs);
        expect(serviceView(record())).not.toHaveProperty("vpc_endpoint");
        expect(set("1")).toEqual({ message: "It is set." });
        expect(serviceView(record())).toMatchObject({ status: "READY", vpc_endpoint: { vpc_id: "1" } });
    });

    it.each<[string, (() => number) | undefined]>([
        ["at once", undefined],
        ["later", () => 1_000],
    ])("is drift if the program has not sent it and it takes effect %s", (_when, lasts) => {
        const { clock, record, set } = start(lasts);
        clock.advance(longMs);
        record();
        set("1");
        clock.advance(longMs);
        noteChange(record(), false, () => set("2"));
        expect(driftOf(record())).toEqual([
            { property: "vpc_endpoint", declared: { vpc_id: "1" }, now: { vpc_id: "2" } },
        ]);
    });

    it("goes through its own status, and keeps what another operation has set", () => {
        const { clock, record, rename, set } = start(() => 1_000);
        clock.advance(longMs);
        record();
        rename("other");
        expect(record().properties).toEqual({ name: "other" });
        set("1");
        clock.advance(999);
        expect(record()).toMatchObject({ status: "UPGRADING", properties: { name: "other" } });
        clock.advance(longMs);
        expect(record()).toMatchObject({
            status: "READY",
            properties: { name: "other", vpc_endpoint: { vpc_id: "1" } },
        });
    });

    it("has its value on the page", () => {
        const operation = { id: "setWindow", isControl: false, method: "POST", path: "", properties: ["some_window"] };
        const window = { day: "MON", start_hour: 3 };
        const value = { ...serviceView(start().record()), some_window: window, project_id: "emulator01" };
        expect(inputsOf({ kind: "services", value }, [operation])).toMatchObject({ name: "db", someWindow: window });
    });
});
