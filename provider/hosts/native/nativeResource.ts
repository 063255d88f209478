import type { Timeouts } from "../../base/time";
import {
    CheckFailure,
    CheckRequest,
    CheckResponse,
    CreateResponse,
    DiffResponse,
    ReadResponse,
    UpdateResponse,
    type CreateRequest,
    type DeleteRequest,
    type DiffRequest,
    type ReadRequest,
    type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import { PartialFailure } from "../../lifecycle/errors";
import { check } from "../../lifecycle/check";
import { create, previewCreation } from "../../lifecycle/create";
import { deleteResource } from "../../lifecycle/delete";
import { diff } from "../../lifecycle/diff";
import { settingError } from "../../api/settings";
import type { Managed } from "../../lifecycle/managed";
import type { Session } from "../../lifecycle/session";
import { print } from "../../model/engine";
import { get, importResource, protectionByDefault, read } from "../../lifecycle/read";
import { update } from "../../lifecycle/update";
import { kinds } from "../../resources/index";
import { needsName } from "../../model/identity";
import { predictCreation, predictUpdate } from "./prediction";
import { withoutHidden, type Declared, type HiddenInputs, type Resource, type State } from "../../model/resource";
import { decodeState, encodeState, encodeValues, hasRecord, markSecrets, type Values } from "../codec";
import { providerKey, providerReference } from "../dynamic/reference";
import type { Notice } from "../../base/message";
import { detailedDiff } from "./detailedDiff";
import { pack, unpack } from "./values";

/** What a check and a diff found. Only the creation or the update that follows tells whether it is a preview. */
interface Pending {
    readonly check: readonly Notice[];
    /** Empty unless the diff replaces or updates the resource. */
    readonly diff: readonly Notice[];
    /** Whether unknown values decide if the resource is replaced. */
    readonly mayReplace: boolean;
}

/** One resource type of the plugin. Each method unpacks a request, calls the resource host and packs the response. */
export class NativeResource {
    private readonly managed: Managed;
    private readonly pending = new Map<string, Pending>();
    /** The names that the engine proposes for the resources that it may create (`pulumi:autonaming`). They are used unchanged. */
    private readonly names = new Map<string, string>();

    constructor(
        private readonly resource: Resource,
        private readonly session: Session,
        /** The names of the settings that are secret. An input or output of the same name is a default, and secret too. */
        private readonly secretSettings: readonly string[] = [],
    ) {
        this.managed = { resource, session, kinds };
    }

    check(request: CheckRequest): CheckResponse {
        const urn = request.getUrn();
        const olds = unpack(request.getOlds()).values;
        const hasOldInputs = Object.keys(olds).length > 0;
        // A resource keeps the name that it was created with.
        const naming = hasOldInputs ? undefined : request.getAutonaming();
        const isDisabled = naming?.getMode() === CheckRequest.AutonamingOptions.Mode.DISABLE;
        this.names.delete(urn);
        if (naming !== undefined && !isDisabled) {
            this.names.set(urn, naming.getProposedName());
        }
        const declared = {
            ...this.declared(request.getNews(), urn),
            // Go and YAML pass null for an output without a value, which a preview may have shown as an adoption.
            ...(unpack(request.getNews()).stored.existingId === null ? { existingId: "" } : {}),
        };
        const { inputs, problems, notices } = check(this.managed, declared, olds);
        // A replacement checks again, without the state.
        const { diff = [], mayReplace = false } = (hasOldInputs ? undefined : this.pending.get(urn)) ?? {};
        this.pending.set(urn, { check: notices, diff, mayReplace });
        const missing = isDisabled && needsName(this.resource, inputs) ? [nameRequired] : [];
        // Each reason names its property. With a property, Pulumi would print its value, even a secret one.
        const failures = [...problems, ...missing].map((reason) => new CheckFailure().setReason(reason));
        return new CheckResponse().setInputs(this.packInputs(inputs, request.getNews())).setFailuresList(failures);
    }

    diff(request: DiffRequest): DiffResponse {
        const urn = request.getUrn();
        const state = this.state(request.getOlds(), urn);
        const declared = this.declared(request.getNews(), urn, state.record.timeouts);
        const difference = diff(this.managed, request.getId(), state, declared);
        const { plan, changes, deleteBeforeReplace, mayReplace, notices } = difference;
        const checked = this.pending.get(urn);
        // A diff without a check before it: the engine deletes a peering together with its VPC, and checks it afterwards.
        if (checked !== undefined) {
            this.pending.set(urn, { check: checked.check, diff: notices, mayReplace });
        }
        const inputNames = Object.keys(this.resource.fields);
        const response = new DiffResponse();
        response.setChanges(changes ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
        response.setReplacesList(plan.replace.map(({ property }) => property));
        response.setDeletebeforereplace(deleteBeforeReplace);
        const detailed = detailedDiff(inputNames, state, declared, plan);
        response.setDiffsList([...detailed.keys()]);
        response.setHasdetaileddiff(detailed.size > 0);
        detailed.forEach((change, name) => response.getDetaileddiffMap().set(name, change));
        return response;
    }

    async create(request: CreateRequest): Promise<CreateResponse> {
        const urn = request.getUrn();
        const inputs = this.declared(request.getProperties(), urn);
        if (request.getPreview()) {
            const mayBeUpdate = this.pending.get(urn)?.mayReplace;
            this.printPending(urn);
            print(this.session.engine, urn, await previewCreation(this.managed, inputs));
            const outputs = predictCreation(this.resource, inputs, mayBeUpdate);
            const properties = this.pack(encodeValues(this.resource, outputs), request.getProperties());
            return new CreateResponse().setProperties(properties);
        }
        const timeouts = timeoutsOf("create", request.getTimeout());
        const { id, state } = await this.storing(create(this.managed, inputs, timeouts));
        return new CreateResponse().setId(id).setProperties(this.packState(state));
    }

    async update(request: UpdateRequest): Promise<UpdateResponse> {
        const urn = request.getUrn();
        const state = this.state(request.getOlds(), urn);
        const inputs = this.declared(request.getNews(), urn, state.record.timeouts);
        if (request.getPreview()) {
            this.printPending(urn);
            return new UpdateResponse().setProperties(this.packState(predictUpdate(this.resource, state, inputs)));
        }
        const timeouts = timeoutsOf("update", request.getTimeout());
        const updated = await this.storing(update(this.managed, request.getId(), state, inputs, timeouts));
        return new UpdateResponse().setProperties(this.packState(updated.state));
    }

    async read(request: ReadRequest): Promise<ReadResponse> {
        const urn = request.getUrn();
        const id = request.getId();
        const { __declared: declared } = unpack(request.getInputs()).values;
        const { values, stored } = unpack(request.getProperties());
        const { __program: program, ...known } = values as Values & HiddenInputs;
        const isGet = program?.isGet === true;
        const timeouts = timeoutsOf("read", request.getTimeout());
        if (hasRecord(known) || (!isGet && Object.keys(known).length > 0)) {
            const state = decodeState(this.resource, stored, urn);
            const result = await read(this.managed, id, state, timeouts);
            return result === undefined
                ? new ReadResponse()
                : new ReadResponse()
                      .setId(id)
                      .setProperties(this.packState(result.state, request.getProperties()))
                      .setInputs(this.packInputs({ ...result.inputs, __declared: declared }, request.getInputs()));
        }
        const { projectId } = this.declared(request.getInputs(), urn);
        const requested = { __urn: urn, __timeouts: timeouts, ...(typeof projectId === "string" ? { projectId } : {}) };
        // The engine passes inputs for a `.get` in any language, also if there are none, but none for an import.
        const reads = isGet || request.hasInputs() ? get : importResource;
        const result = await reads(this.managed, id, requested, program?.isPreview === true);
        return new ReadResponse()
            .setId(id)
            .setProperties(this.packState(result.state))
            .setInputs(this.packInputs(this.withoutDefaults(result.inputs), request.getInputs()));
    }

    async delete(request: DeleteRequest): Promise<Empty> {
        const [id, urn] = [request.getId(), request.getUrn()];
        const state = this.state(request.getProperties(), urn);
        await deleteResource(this.managed, id, state, timeoutsOf("delete", request.getTimeout()));
        return new Empty();
    }

    /** The inputs of a request, with the hidden inputs that follow from it. */
    private declared(packed: Struct | undefined, urn: string, timeouts?: Timeouts): Declared {
        const { values } = unpack(packed);
        return { ...values, __urn: urn, __generatedName: this.names.get(urn), __timeouts: timeouts };
    }

    private state(packed: Struct | undefined, urn: string): State {
        return decodeState(this.resource, unpack(packed).stored, urn);
    }

    private packInputs(inputs: object, requested: Struct | undefined): Struct {
        const { __declared } = inputs as HiddenInputs;
        return this.pack(encodeValues(this.resource, { ...withoutHidden(inputs), __declared }), requested);
    }

    /** Packs a state. The dynamic host, to which a stack may return, needs the reference to its provider. */
    private packState(state: State, requested?: Struct): Struct {
        const reference = providerReference(this.resource.type);
        return this.pack({ ...encodeState(this.resource, state), [providerKey]: reference }, requested);
    }

    /**
     * Packs properties. Each one that is secret in the request stays secret, as with a provider that does not accept secrets:
     * the engine demands that a plugin with a component accepts them. The engine itself marks the outputs of an operation.
     */
    private pack(values: Values, requested: Struct | undefined): Struct {
        const secrets = [...this.secretSettings, ...unpack(requested).secrets];
        return pack(markSecrets(values, secrets));
    }

    /** An imported program does not declare what its configuration already has. */
    private withoutDefaults({ projectId, deletionProtection, ...inputs }: Values): Values {
        const isDefault =
            settingError(() => this.session.projectId()) === undefined && projectId === this.session.projectId();
        return {
            ...(isDefault ? {} : { projectId }),
            ...(deletionProtection === protectionByDefault(this.managed) ? {} : { deletionProtection }),
            ...inputs,
        };
    }

    private printPending(urn: string): void {
        const { check = [], diff = [] } = this.pending.get(urn) ?? {};
        this.pending.delete(urn);
        print(this.session.engine, urn, [...check, ...diff]);
    }

    /** If the work fails after the resource exists, the failure keeps the known state. */
    private storing<T>(work: Promise<T>): Promise<T> {
        return work.catch((error: unknown) => {
            throw error instanceof PartialFailure
                ? Object.assign(error, { properties: this.packState(error.state) })
                : error;
        });
    }
}

const nameRequired = "name is missing, and pulumi:autonaming is disabled for this resource; set a name";

/**
 * The timeout of a request, in seconds; 0 if the program sets none. Those that the dynamic host has recorded, and that the
 * program may have removed, then do not count.
 */
function timeoutsOf(operation: keyof Timeouts, seconds = 0): Timeouts {
    return seconds > 0 ? { [operation]: `${Math.ceil(seconds * 1_000)}ms` } : {};
}
