import { inCanonicalForm } from "../../provider/base/fields";
import type { Context } from "../../provider/model/context";
import type { Ledger } from "../../provider/model/ledger";
import { check } from "../../provider/lifecycle/check";
import { create, previewCreation } from "../../provider/lifecycle/create";
import { deleteResource } from "../../provider/lifecycle/delete";
import { diff } from "../../provider/lifecycle/diff";
import { decodeState, encodeState } from "../../provider/hosts/codec";
import { connectEngine } from "../../provider/hosts/engine";
import type { Managed } from "../../provider/lifecycle/managed";
import { Session } from "../../provider/lifecycle/session";
import { describeCreation, planFor } from "../../provider/lifecycle/plan";
import { importResource, read, type ReadRequest } from "../../provider/lifecycle/read";
import type { Declared, Kind, Plan, Resource, State, Stored } from "../../provider/model/resource";
import { update } from "../../provider/lifecycle/update";
import { kinds, untypedResources, type resources, type ResourceType } from "../../provider/resources";
import { properties, returned } from "./properties";

type Found<K extends Kind> = Awaited<ReturnType<typeof importResource>> & { readonly state: State<K> };

/**
 * The operations on one kind of resource, without the engine. Each state passes through the codec of the hosts: it is stored
 * with marks on the secrets, and the provider receives it without them.
 */
export class Lifecycle<K extends Kind> {
    constructor(
        readonly resource: Resource,
        private readonly session = new Session(connectEngine(undefined)),
    ) {}

    /** The operations in a process of the provider, as the engine calls them: without a context. */
    in(session: Session): Lifecycle<K> {
        return new Lifecycle(this.resource, session);
    }

    plan(state: State<K>, declared: Declared<K>): Plan {
        return planFor(this.resource, this.stored(state), this.completed(declared));
    }

    describeCreation(declared: Declared<K>): readonly string[] {
        return describeCreation(this.resource, this.completed(declared));
    }

    check(inputs: Readonly<Record<string, unknown>>, olds: object) {
        const checked = check(this.managed(), inputs, olds as typeof inputs);
        return { ...checked, inputs: checked.inputs as Declared<K> };
    }

    diff(id: string, state: State<K>, declared: Declared<K>) {
        return diff(this.managed(), id, this.stored(state), this.completed(declared));
    }

    create(declared: Declared<K>, context?: Context): Promise<Stored<K>> {
        return create(this.managed(context), this.completed(declared)) as Promise<Stored<K>>;
    }

    async update(id: string, state: State<K>, declared: Declared<K>, context?: Context): Promise<State<K>> {
        const updated = await update(this.managed(context), id, this.stored(state), this.completed(declared));
        return updated.state;
    }

    previewCreation(declared: Declared<K>, context?: Context) {
        return previewCreation(this.managed(context), this.completed(declared));
    }

    read(id: string, state: State<K>, context?: Context): Promise<Found<K> | undefined> {
        return read(this.managed(context), id, this.stored(state));
    }

    import(id: string, given: ReadRequest, context?: Context): Promise<Found<K>> {
        return importResource(this.managed(context), id, given, false);
    }

    delete(id: string, state: State<K>, context?: Context): Promise<void> {
        return deleteResource(this.managed(context), id, this.stored(state));
    }

    /** Inputs as a check returns them. */
    completed(declared: Declared<K>): Declared {
        return inCanonicalForm(declared, this.resource.fields) as Declared;
    }

    /** A state as the next run receives it. */
    private stored(state: State<K>): State<K> {
        const { values } = returned(encodeState(this.resource, state), properties({}));
        return decodeState(this.resource, values);
    }

    private managed(context?: Context): Managed {
        return {
            resource: this.resource,
            session: context === undefined ? this.session : new SessionWithContext(context),
            kinds,
        };
    }
}

/** A session without an engine, whose operations have the context of the test. */
class SessionWithContext extends Session {
    override readonly ledger: Ledger;

    constructor(private readonly context: Context) {
        super({
            ...connectEngine(undefined),
            info: (_, text) => context.info(text),
            warn: (_, text) => context.warn(text),
            showRow: (_, text, step) => context.showRow(text, step),
        });
        this.ledger = context.ledger;
    }

    override contextFor(): Context {
        return this.context;
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
