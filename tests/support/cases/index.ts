import { unknown, valueOf } from "../../../provider/base/fields";
import { defaultsIn, type Setting } from "../../../provider/model/outputs";
import { untypedResources, type ResourceType } from "../../../provider/resources";
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

/** The test cases of the properties of a kind, by the names of the properties, with what their rows say. */
export const propertiesOf = (type: ResourceType): (readonly [string, PropertyCase<unknown>])[] =>
    Object.entries(untypedKinds[type].properties as Readonly<Record<string, PropertyCase<unknown>>>).map(
        ([name, one]) => {
            const row = valueOf(untypedResources[type].outputs, name) as Partial<Setting<unknown>> | undefined;
            return [name, { ...(row?.needs === "running" && { needsRunning: true }), ...one }];
        },
    );

/** What the removal of each input restores in a program with these others. The value of an input without one stays. */
export const defaultsOf = (type: ResourceType, inputs: Values = {}): Values =>
    Object.fromEntries(
        Object.entries(defaultsIn(untypedResources[type].outputs, inputs)).filter(([, value]) => value !== unknown),
    );

/** The preview line of each operation that changes something. */
export const announcements: Announcements = Object.assign(
    {},
    ...Object.values(untypedKinds).map(({ creations }) => creations),
    ...(Object.keys(kindCases) as ResourceType[]).flatMap((type) =>
        propertiesOf(type).map(([, { announced = {} }]) => announced),
    ),
) as Announcements;
