import { DeleteRequest, ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import { providerKey, providerReference } from "../../../provider/hosts/dynamic/reference";
import { engineUrnKey, passRequestUrns, withUrnOfDeletion } from "../../../provider/hosts/dynamic/requestUrns";
import { pack } from "../../../provider/hosts/native/values";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::main";
const outputs = { [providerKey]: providerReference("Service"), __urn: "of the last update", name: "orders" };

/** Stands for the loaded copy of Pulumi's messages. */
class Deletion extends DeleteRequest {}
class Reading extends ReadRequest {}
passRequestUrns({
    "/app/node_modules/@pulumi/pulumi/proto/provider_pb.js": {
        exports: { DeleteRequest: Deletion, ReadRequest: Reading },
    } as NodeJS.Module,
    "/app/node_modules/other/proto/provider_pb.js": { exports: {} } as NodeJS.Module,
});

it("the properties of a read of this package have its URN", () => {
    const request = new Reading();
    request.setUrn(urn);
    request.setProperties(pack(outputs, false));
    expect(request.getProperties()?.toJavaScript()).toEqual({ ...outputs, [engineUrnKey]: urn });
    expect(request.getProperties()?.toJavaScript()).toEqual({ ...outputs, [engineUrnKey]: urn });
});

it.each([{ [providerKey]: "exports.handler = () => ({})" }, {}])(
    "the properties of the reads of other packages stay as they are: %j",
    (properties) => {
        const request = new Reading();
        request.setUrn(urn);
        request.setProperties(pack(properties, false));
        expect(request.getProperties()?.toJavaScript()).toEqual(properties);
    },
);

it("a read without properties has none", () => {
    expect(new Reading().getProperties()).toBeUndefined();
});

it("a deletion has its URN although its properties were read before the provider was loaded, and no other deletion has it", async () => {
    const deleted: unknown[] = [];
    const provider = withUrnOfDeletion({
        delete: (id: string, props: object) => {
            deleted.push([id, props]);
            return Promise.resolve();
        },
    });
    const request = new Deletion();
    request.setUrn(urn);
    request.setId("a");
    await provider.delete(request.getId(), outputs);
    await provider.delete("b", outputs);
    expect(deleted).toEqual([
        ["a", { ...outputs, [engineUrnKey]: urn }],
        ["b", outputs],
    ]);
});
