// Generated from provider/resources by `npm run generate`.

import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";
import { isOfType } from "../isOfType";

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

    /** Whether an object is a `Vpc` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Vpc {
        return isOfType(object, Vpc);
    }
}

/** {@link dynamic.Peering}, served by the plugin. */
export class Peering extends dynamic.Peering {
    static override readonly host = nativeHost;

    /** Whether an object is a `Peering` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Peering {
        return isOfType(object, Peering);
    }
}

/** {@link dynamic.PeeringActivation}, served by the plugin. */
export class PeeringActivation extends dynamic.PeeringActivation {
    static override readonly host = nativeHost;

    /** Whether an object is a `PeeringActivation` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is PeeringActivation {
        return isOfType(object, PeeringActivation);
    }
}

/** {@link dynamic.Service}, served by the plugin. */
export class Service extends dynamic.Service {
    static override readonly host = nativeHost;

    /** Whether an object is a `Service` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is Service {
        return isOfType(object, Service);
    }
}

/** {@link dynamic.ReadReplicaSet}, served by the plugin. */
export class ReadReplicaSet extends dynamic.ReadReplicaSet {
    static override readonly host = nativeHost;

    /** Whether an object is a `ReadReplicaSet` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is ReadReplicaSet {
        return isOfType(object, ReadReplicaSet);
    }
}
