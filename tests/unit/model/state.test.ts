import { unconfirmed } from "../../../provider/model/state";

test("a request without values leaves nothing unconfirmed", () => {
    expect(unconfirmed({})).toBeUndefined();
    expect(unconfirmed({ name: "orders" })).toEqual([{ property: "name", value: "orders" }]);
});
