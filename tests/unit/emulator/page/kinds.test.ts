import { inputsOf, presentationOf, toneOf } from "../../../../emulator/page/browser/kinds";
import { resourceTypes } from "../../../../provider/resources";
import { untypedKinds } from "../../../support/cases";

test.each(resourceTypes)("the status of a %s that is as declared is a good one on the page, if it has one", (type) => {
    const status = untypedKinds[type].settled({});
    expect(status === undefined ? "good" : toneOf(status)).toBe("good");
});

test("a kind without a row is presented as the fields of its model", () => {
    const { table, addresses, button } = presentationOf("alertChannels");
    expect({ table, button }).toEqual({ table: "others", button: ["Delete", "deleteAlertChannel"] });
    expect(presentationOf("foreign-servers").button).toEqual(["Delete", "deleteForeignServer"]);
    const value = { id: "1", project_id: "p", name: "on-call", status: "active", max_per_hour: 10, filters: {} };
    expect(addresses(value, () => undefined)).toEqual([["10", "Max per hour"]]);
    expect(inputsOf({ kind: "alertChannels" as never, value: value as never })).toEqual({
        name: "on-call",
        maxPerHour: 10,
        filters: {},
    });
});

test("the row of a service shows what it uses, as far as it is known", () => {
    const { size } = presentationOf("services");
    const of = (metrics?: object) => size({ resources: [], metrics })[2];
    expect(of({ milli_cpu: 20, memory_mb: 400, storage_mb: 64 })).toBe("uses 0.02 CPU, 0.4 GB, 64 MB of storage");
    expect(of({ storage_mb: 0 })).toBe("uses 0 MB of storage");
    expect([of(), of({})]).toEqual(["", ""]);
});

test("the row of a kind replaces parts of that presentation", () => {
    const { table, addresses } = presentationOf("vpcs");
    const value = { id: "1", project_id: "p", name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" };
    expect(table).toBe("networks");
    expect(addresses(value, () => undefined)).toEqual([["10.0.0.0/16", ""]]);
});
