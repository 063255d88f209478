import type { ResourceType } from "../../../provider/resources";
import type { KindCase } from "./kind";
import { peering, peeringActivation } from "./peering";
import type { Announcements, PropertyCase, Values } from "./property";
import { readReplicaSet } from "./readReplicaSet";
import { service } from "./service";
import { vpc } from "./vpc";

export { symbols } from "./kind";
export { changeOf } from "./property";

/** The test cases of all kinds, in an order in which they can be created. A new kind does not compile without them. */
export const kindCases = {
    Vpc: vpc,
    Peering: peering,
    PeeringActivation: peeringActivation,
    Service: service,
    ReadReplicaSet: readReplicaSet,
} satisfies Readonly<Record<ResourceType, unknown>>;

/** The same test cases for code that handles all kinds alike. */
export const untypedKinds = kindCases as unknown as Readonly<Record<ResourceType, KindCase<object, unknown>>>;

/** The test cases of the properties of a kind, by the names of the properties. */
export const propertiesOf = (type: ResourceType) =>
    Object.entries(untypedKinds[type].properties) as (readonly [string, PropertyCase<unknown>])[];

/** The values of the inputs that a program does not declare, as far as the API does not choose them. */
export const defaultsOf = (type: ResourceType): Values =>
    Object.fromEntries(propertiesOf(type).flatMap(([name, one]) => (one.default ? [[name, one.default.value]] : [])));

/** The preview line of each operation that changes something. */
export const announcements: Announcements = Object.assign(
    {},
    ...Object.values(untypedKinds).map(({ creations }) => creations),
    ...(Object.keys(kindCases) as ResourceType[]).flatMap((type) =>
        propertiesOf(type).map(([, { announced = {} }]) => announced),
    ),
) as Announcements;
