import type { OperationContext } from "../../provider/contract/operation";
import { describeAdoption } from "../../provider/lifecycle/adopt";
import { check, type Unchecked } from "../../provider/lifecycle/check";
import { create, createResource, previewCreation } from "../../provider/lifecycle/create";
import { deleteResource, removeResource } from "../../provider/lifecycle/delete";
import { diff } from "../../provider/lifecycle/diff";
import { manage, type Managed } from "../../provider/lifecycle/managed";
import { describeCreation, planFor } from "../../provider/lifecycle/plan";
import { importResource, importState, read, readState, type Seen } from "../../provider/lifecycle/read";
import type {
    Checked,
    Declared,
    Kind,
    Plan,
    Resource,
    State,
    StateMetadata,
    Stored,
} from "../../provider/contract/resource";
import type { Session } from "../../provider/lifecycle/session";
import { update, updateResource } from "../../provider/lifecycle/update";
import { kinds, untypedResources, type resources, type ResourceType } from "../../provider/resources";

/** A resource as a read found it. */
interface Found<K extends Kind> extends Seen {
    readonly state: State<K>;
}

/** The operations on one kind of resource, without the engine. */
export class Lifecycle<K extends Kind> {
    constructor(readonly resource: Resource) {}

    plan(state: State<K>, declared: Declared<K>): Plan {
        return planFor(this.resource, state, declared as Declared);
    }

    describeCreation(declared: Declared<K>): readonly string[] {
        return describeCreation(this.resource, declared as Declared);
    }

    describeAdoption(id: string, declared: Checked<K>, context: OperationContext) {
        return describeAdoption(this.resource, id, declared, context);
    }

    create(inputs: Checked<K>, context: OperationContext): Promise<Stored<K>> {
        return createResource(this.resource, inputs, context) as Promise<Stored<K>>;
    }

    update(id: string, state: State<K>, inputs: Checked<K>, context: OperationContext): Promise<State<K>> {
        return updateResource(this.resource, id, state, inputs, context);
    }

    read(id: string, state: StateMetadata, context: OperationContext): Promise<Found<K> | undefined> {
        return readState(this.resource, id, state, context);
    }

    import(
        id: string,
        given: Pick<StateMetadata, "projectId" | "deletionProtection" | "__urn">,
        context: OperationContext,
    ): Promise<Found<K> | undefined> {
        return importState(this.resource, id, given, context);
    }

    remove(id: string, state: State<K>, context: OperationContext): Promise<void> {
        return removeResource({ resource: this.resource, kinds }, id, state, context);
    }
}

/** The calls of the engine for one kind of resource. */
export class EngineCalls<K extends Kind> {
    private readonly managed: Managed;

    constructor({ resource }: Lifecycle<K>, session: Session) {
        this.managed = manage(resource, session, kinds);
    }

    check(inputs: Unchecked, olds: object) {
        const checked = check(this.managed, inputs, olds as Unchecked);
        return { ...checked, inputs: checked.inputs as Declared<K> };
    }

    diff(id: string, state: State<K>, declared: Declared<K>) {
        return diff(this.managed, id, state, declared as Declared);
    }

    create(declared: Declared<K>): Promise<Stored<K>> {
        return create(this.managed, declared as Declared) as Promise<Stored<K>>;
    }

    update(id: string, state: State<K>, declared: Declared<K>): Promise<Stored<K>> {
        return update(this.managed, id, state, declared as Declared) as Promise<Stored<K>>;
    }

    previewCreation(declared: Declared<K>) {
        return previewCreation(this.managed, declared as Declared);
    }

    read(id: string, state: State<K>): Promise<Found<K> | undefined> {
        return read(this.managed, id, state);
    }

    import(id: string, given: Partial<StateMetadata>, isPreview: boolean): Promise<Found<K>> {
        return importResource(this.managed, id, given, isPreview);
    }

    delete(id: string, state: State<K>): Promise<void> {
        return deleteResource(this.managed, id, state);
    }
}

type Lifecycles = {
    readonly [Type in ResourceType]: (typeof resources)[Type] extends Resource<infer K> ? Lifecycle<K> : never;
};

/** For tests that handle all kinds alike. */
export const untypedLifecycles = Object.fromEntries(
    Object.entries(untypedResources).map(([type, resource]) => [type, new Lifecycle(resource)]),
) as Readonly<Record<ResourceType, Lifecycle<Kind>>>;

export const lifecycles = untypedLifecycles as unknown as Lifecycles;
