import { ownIdOf } from "../../../provider/model/identity";
import { untypedResources } from "../../../provider/resources";

const { Peering, Service } = untypedResources;

it("an entry without a readable id has none", () => {
    expect(ownIdOf(Service, { service_id: null })).toBeNull();
    expect(ownIdOf(Peering, {})).toBeUndefined();
});
