import type { OperationId } from "../../../provider/api/contract";
import { defaultsIn, type Setter } from "../../../provider/model/outputs";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { symbols, type KindCase } from "./kind";
import { peering, peeringActivation } from "./peering";
import { changeOf, type Announcements, type PropertyCase, type Values } from "./property";
import { readReplicaSet } from "./readReplicaSet";
import { service } from "./service";
import { vpc } from "./vpc";

export { changeOf, symbols };

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

/** Whether the API rejects an operation while a service is paused: the row of a property that it sets says so, or its exercise. */
export const needsRunning = (id: OperationId): boolean =>
    resourceTypes.some((type) => {
        const rows = untypedResources[type].outputs as Readonly<Record<string, Pick<Setter<unknown>, "needs">>>;
        const isInRow = ([name, { announced = {} }]: readonly [string, PropertyCase<unknown>]) =>
            id in announced && rows[name]?.needs === "running";
        return untypedKinds[type].exercises[id]?.needsRunning ?? propertiesOf(type).some(isInRow);
    });

/** What the removal of each input restores. The value of an input without one stays. */
export const defaultsOf = (type: ResourceType): Values => defaultsIn(untypedResources[type].outputs);

/** The preview line of each operation that changes something. */
export const announcements: Announcements = Object.assign(
    {},
    ...Object.values(untypedKinds).map(({ creations }) => creations),
    ...(Object.keys(kindCases) as ResourceType[]).flatMap((type) =>
        propertiesOf(type).map(([, { announced = {} }]) => announced),
    ),
) as Announcements;
