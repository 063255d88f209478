import { recordedChanges } from "./metadata";
import type { CommonInputs, Creation, Identity, Path, Resource, Observation } from "./resource";
import { replacements, valueOf } from "../inputs/fields";

type Defaulted<Group, Keys extends keyof Group> = Omit<Group, Keys> & Partial<Pick<Group, Keys>>;

/** A resource whose common members may be omitted. */
export type ResourceDefinition<
    Inputs extends CommonInputs,
    Observed extends object,
    Item,
    Parent extends Path,
    Own extends Parent,
> = Omit<Resource<Inputs, Observed, Item, Parent, Own>, "validate" | "plan" | "identity" | "observation" | "creation"> &
    Partial<Pick<Resource<Inputs, Observed, Item>, "validate" | "plan">> & {
        readonly identity: Defaulted<Identity<Inputs, Item, Parent, Own>, "adoptedId" | "nameOf" | "unique">;
        readonly observation: Defaulted<
            Observation<Inputs, Observed, Item, Parent, Own>,
            "stickyOutputs" | "isDeleting"
        >;
        readonly creation: Defaulted<Creation<Inputs, Observed, Item, Parent>, "adoptionRefusal">;
    };

/** By default, every change replaces the resource, ids are used as they are, and every existing resource can be adopted. */
export function defineResource<
    Inputs extends CommonInputs,
    Observed extends object,
    Item,
    Parent extends Path,
    Own extends Parent,
>(definition: ResourceDefinition<Inputs, Observed, Item, Parent, Own>): Resource<Inputs, Observed, Item> {
    const { fields, identity, observation, creation } = definition;
    const resource: Resource<Inputs, Observed, Item, Parent, Own> = {
        validate: () => ({ problems: [], warnings: [] }),
        plan: (known, declared) => ({
            replace: replacements(fields, known, declared),
            steps: [],
            record: recordedChanges(known, declared, fields),
        }),
        ...definition,
        identity: { adoptedId: (existingId) => existingId, nameOf: declaredName, unique: () => [], ...identity },
        observation: { stickyOutputs: [], isDeleting: () => false, ...observation },
        creation: { adoptionRefusal: () => undefined, ...creation },
    };
    // The lifecycle passes each path back to the resource that made it.
    return resource as unknown as Resource<Inputs, Observed, Item>;
}

function declaredName(inputs: object): string | undefined {
    const name = valueOf(inputs, "name");
    return typeof name === "string" ? name : undefined;
}
