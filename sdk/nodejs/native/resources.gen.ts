// Generated from provider/resources by `npm run generate`.

import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";

export type {
    VpcArgs,
    PeeringArgs,
    PeeringActivationArgs,
    ServiceArgs,
    ReadReplicaSetArgs,
    Size,
    Fork,
} from "../resources.gen";

/** {@link dynamic.Vpc}, served by the plugin. */
export class Vpc extends dynamic.Vpc {
    static override readonly host = nativeHost;
}

/** {@link dynamic.Peering}, served by the plugin. */
export class Peering extends dynamic.Peering {
    static override readonly host = nativeHost;
}

/** {@link dynamic.PeeringActivation}, served by the plugin. */
export class PeeringActivation extends dynamic.PeeringActivation {
    static override readonly host = nativeHost;
}

/** {@link dynamic.Service}, served by the plugin. */
export class Service extends dynamic.Service {
    static override readonly host = nativeHost;
}

/** {@link dynamic.ReadReplicaSet}, served by the plugin. */
export class ReadReplicaSet extends dynamic.ReadReplicaSet {
    static override readonly host = nativeHost;
}
