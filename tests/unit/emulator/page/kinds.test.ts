import { inputsOf, presentationOf } from "../../../../emulator/page/browser/kinds";

test("a kind without a row is presented as the fields of its model", () => {
    const { type, table, addresses, button, inputs } = presentationOf("alertChannels");
    expect({ type, table, button }).toEqual({
        type: "AlertChannel",
        table: "others",
        button: ["Delete", "deleteAlertChannel"],
    });
    const value = { id: "1", project_id: "p", name: "on-call", status: "active", max_per_hour: 10, filters: {} };
    expect(addresses(value, () => undefined)).toEqual([["10", "Max per hour"]]);
    expect(inputs(value)).toEqual({ name: "on-call", maxPerHour: 10 });
});

test("the row of a kind replaces parts of that presentation", () => {
    const { type, table, addresses } = presentationOf("vpcs");
    const value = { id: "1", project_id: "p", name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" };
    expect({ type, table }).toEqual({ type: "Vpc", table: "networks" });
    expect(addresses(value, () => undefined)).toEqual([["10.0.0.0/16", ""]]);
});

test("the inputs of a resource have the values that its operations set, with the names of inputs", () => {
    const operation = { id: "setWindow", isControl: false, method: "POST", path: "", properties: ["some_window"] };
    const value = { id: "1", project_id: "p", name: "db", some_window: { day: "MON", start_hour: 3 } };
    const inputs = inputsOf({ kind: "vpcs", value: value as never }, [operation]);
    expect(inputs).toMatchObject({ name: "db", someWindow: { day: "MON", start_hour: 3 } });
});
