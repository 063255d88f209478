import * as dynamic from "../index";
import { ReadReplicaSet, Service } from "./resources.gen";

/** {@link dynamic.ProductionDatabase}, with resources that the plugin serves. */
export class ProductionDatabase<
    Replicas extends string = string,
    Word extends string = string,
> extends dynamic.ProductionDatabase<Replicas, Word> {
    protected static override readonly resources = { Service, ReadReplicaSet };
}
