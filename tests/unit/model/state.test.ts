import { emptyRecord, sent } from "../../../provider/model/state";

test("a request without values leaves nothing unconfirmed, and nothing uncertain", () => {
    expect(sent(emptyRecord)).toEqual(emptyRecord);
    const unconfirmed = [{ property: "name", value: "orders" }];
    expect(sent(emptyRecord, { name: "orders" })).toEqual({ ...emptyRecord, unconfirmed });
});
