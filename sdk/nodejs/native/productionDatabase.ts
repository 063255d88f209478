import * as dynamic from "../index";
import { ReadReplicaSet, Service } from "./resources.gen";

/** {@link dynamic.ProductionDatabase}, with resources that the plugin serves. */
export class ProductionDatabase extends dynamic.ProductionDatabase {
    protected static override readonly resources = { Service, ReadReplicaSet };
}
