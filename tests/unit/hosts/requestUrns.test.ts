import { DeleteRequest, ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { providerKey, providerReference } from "../../../provider/hosts/dynamic/reference";
import { engineUrnKey, passRequestUrns } from "../../../provider/hosts/dynamic/requestUrns";
import { pack } from "../../../provider/hosts/native/values";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::main";

/** Stands for the loaded copy of Pulumi's messages. */
class Deletion extends DeleteRequest {}
class Reading extends ReadRequest {}
passRequestUrns({
    "/app/node_modules/@pulumi/pulumi/proto/provider_pb.js": {
        exports: { DeleteRequest: Deletion, ReadRequest: Reading },
    } as NodeJS.Module,
    "/app/node_modules/other/proto/provider_pb.js": { exports: {} } as NodeJS.Module,
});

it.each([new Deletion(), new Reading()])("the properties of a request of this package have its URN", (request) => {
    const outputs = { [providerKey]: providerReference("Service"), __urn: "of the last update", name: "orders" };
    request.setUrn(urn);
    request.setProperties(pack(outputs, false));
    expect(request.getProperties()?.toJavaScript()).toEqual({ ...outputs, [engineUrnKey]: urn });
    expect(request.getProperties()?.toJavaScript()).toEqual({ ...outputs, [engineUrnKey]: urn });
});

it.each([{ [providerKey]: "exports.handler = () => ({})" }, {}])(
    "the properties of the requests of other packages stay as they are: %j",
    (outputs) => {
        const request = new Deletion();
        request.setUrn(urn);
        request.setProperties(pack(outputs, false));
        expect(request.getProperties()?.toJavaScript()).toEqual(outputs);
    },
);

it("a request without properties has none", () => {
    expect(new Deletion().getProperties()).toBeUndefined();
});
