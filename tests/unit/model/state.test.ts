import { effective, emptyRecord, sent } from "../../../provider/model/state";

test("a request without values leaves nothing unconfirmed, and nothing uncertain", () => {
    expect(sent(emptyRecord)).toEqual(emptyRecord);
    const unconfirmed = [{ property: "name", value: "orders" }];
    expect(sent(emptyRecord, { name: "orders" })).toEqual({ ...emptyRecord, unconfirmed });
});

test("a step in effect makes only its own values certain", () => {
    const record = sent(emptyRecord, {}, ["password", "initialPassword"]);
    expect(effective(record, ["password"]).uncertain).toEqual(["initialPassword"]);
    expect(effective(record, ["password", "initialPassword"]).uncertain).toBeUndefined();
});
