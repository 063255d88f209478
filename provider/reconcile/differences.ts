import { same, show, valueOf } from "../inputs/fields";

/** The declared properties whose value differs from the observed one, for a message: `replicaCount is 1, declared 2`. */
export function differences(declared: object, observed: object): readonly string[] {
    return Object.entries<unknown>({ ...declared })
        .filter(([name, value]) => !same(value, valueOf(observed, name)))
        .map(([name, value]) => `${name} is ${show(valueOf(observed, name))}, declared ${show(value)}`);
}
