// Generated from provider/resources by `npm run generate`.

import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";

export type { VpcArgs, PeeringArgs, PeeringActivationArgs, ServiceArgs, ReadReplicaSetArgs } from "../resources.gen";
export type { Size } from "../../../provider/inputs/size";
export type { Fork } from "../service";

/** {@link dynamic.Vpc}, served by the plugin. */
export class Vpc extends dynamic.Vpc {
    static override readonly host = nativeHost;
}

/** {@link dynamic.Peering}, served by the plugin. */
export class Peering<Word extends string = string> extends dynamic.Peering<Word> {
    static override readonly host = nativeHost;
}

/** {@link dynamic.PeeringActivation}, served by the plugin. */
export class PeeringActivation extends dynamic.PeeringActivation {
    static override readonly host = nativeHost;
}

/** {@link dynamic.Service}, served by the plugin. */
export class Service<Word extends string = string> extends dynamic.Service<Word> {
    static override readonly host = nativeHost;
}

/** {@link dynamic.ReadReplicaSet}, served by the plugin. */
export class ReadReplicaSet<Word extends string = string> extends dynamic.ReadReplicaSet<Word> {
    static override readonly host = nativeHost;
}
