import { computed } from "../../../provider/base/fields";
import { nameOf, ownIdOf } from "../../../provider/model/identity";
import { untypedResources } from "../../../provider/resources";

const { Peering, Service } = untypedResources;

it("an entry without a readable id has none", () => {
    expect(ownIdOf(Service, { service_id: null })).toBeNull();
    expect(ownIdOf(Peering, {})).toBeUndefined();
});

it("a name that is not known yet is none", () => {
    expect(nameOf(Service, { name: "orders" } as never)).toBe("orders");
    expect(nameOf(Service, { name: computed } as never)).toBeUndefined();
});
