import { parseTimeout } from "../../provider/base/time";
import {
    CheckRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    ReadRequest,
    UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import { DynamicProvider } from "../../provider/hosts/dynamic/dynamicProvider";
import { NativeResource } from "../../provider/hosts/native/nativeResource";
import { pack } from "../../provider/hosts/native/values";
import { PartialFailure } from "../../provider/lifecycle/errors";
import type { Session } from "../../provider/lifecycle/session";
import type { ResourceType } from "../../provider/resources";
import { untypedLifecycles } from "./lifecycles";
import { marked, properties, returned, type Properties } from "./properties";

export type HostName = "dynamic" | "native";

/** The types of the resources in URNs, without their names. */
export const typeTokens: Readonly<Record<HostName, string>> = {
    dynamic: "pulumi-nodejs:dynamic/clouddb:",
    native: "clouddb:index:",
};

export type Timeouts = Readonly<Partial<Record<"create" | "update" | "delete", string>>>;

/** A call of the engine to a provider. Which properties it has depends on the method. */
export interface Call {
    readonly urn: string;
    readonly id?: string;
    readonly olds?: Properties;
    readonly news?: Properties;
    /** The inputs in the state, of a read. An import has none, and a `.get` may have empty ones. The dynamic host does not receive them. */
    readonly inputs?: Properties;
    readonly timeouts?: Timeouts | undefined;
    /** Whether a creation or an update is one of a preview. The dynamic host has none. */
    readonly isPreview?: boolean;
}

export interface Result {
    readonly id: string;
    readonly outputs: Properties;
    /** The failure of an operation that left the resource. */
    readonly error?: Error;
}

/** The methods of a provider process, with plain properties. */
export interface Calls {
    /** The checked inputs. Throws an error with the reasons if they are rejected. */
    check: (call: Call) => Promise<Properties>;
    diff: (call: Call) => Promise<{ changes: boolean; replaces: boolean; deleteBeforeReplace: boolean }>;
    create: (call: Call) => Promise<Result>;
    update: (call: Call) => Promise<Result>;
    /** Undefined if the resource is gone. */
    read: (call: Call) => Promise<(Result & { readonly inputs: Properties | undefined }) | undefined>;
    delete: (call: Call) => Promise<void>;
}

export class CheckFailed extends Error {}

/** The methods of one resource type in a provider process. The program lists some outputs as additional secrets. */
export function callsOf(
    host: HostName,
    type: ResourceType,
    session: Session,
    additionalSecrets: readonly string[] = [],
): Calls {
    return (host === "native" ? nativeCalls : dynamicCalls)(type, session, additionalSecrets);
}

/** The dynamic host receives plain values and no URN. It encrypts what was secret in the request. */
function dynamicCalls(type: ResourceType, session: Session, additionalSecrets: readonly string[]): Calls {
    const provider = new DynamicProvider(untypedLifecycles[type].resource, session);
    const outputs = (outs: unknown, sent: Properties) =>
        returned({ ...(outs as object), __provider: sent.values.__provider }, sent, additionalSecrets);
    type Rejection = Error & { id?: string; properties?: object };
    const partly = (error: Rejection, sent: Properties): Result => {
        const { id, properties: partial } = error;
        if (id === undefined) {
            throw error;
        }
        return { id, outputs: outputs(partial, sent), error };
    };
    return {
        check: async ({ olds, news = none }) => {
            const { inputs, failures = [] } = await provider.check(olds?.values ?? {}, news.values);
            rejectFor(failures.map(({ reason }) => reason));
            return returned({ ...(inputs as object), __provider: news.values.__provider }, news);
        },
        diff: async ({ id = "", olds = none, news = none }) => {
            const { changes, replaces = [], deleteBeforeReplace } = await provider.diff(id, olds.values, news.values);
            return {
                changes: changes === true,
                replaces: replaces.length > 0,
                deleteBeforeReplace: deleteBeforeReplace === true,
            };
        },
        create: ({ news = none }) =>
            provider.create(news.values).then(
                ({ id, outs }) => ({ id, outputs: outputs(outs, news) }),
                (error: unknown) => partly(error as Rejection, news),
            ),
        update: ({ id = "", olds = none, news = none }) =>
            provider.update(id, olds.values, news.values).then(
                ({ outs }) => ({ id, outputs: outputs(outs, news) }),
                (error: unknown) => partly(error as Rejection, news),
            ),
        read: async ({ id = "", olds = none }) => {
            const seen = await provider.read(id, { ...olds.values });
            return seen.id === undefined || seen.id === ""
                ? undefined
                : {
                      id: seen.id,
                      outputs: outputs(seen.props, olds),
                      inputs: seen.inputs && returned({ ...seen.inputs, __provider: olds.values.__provider }, olds),
                  };
        },
        delete: ({ id = "", olds = none }) => provider.delete(id, { ...olds.values }),
    };
}

/** The plugin receives URNs, timeouts and marked secrets, and marks the secrets that it returns. */
function nativeCalls(type: ResourceType, session: Session, additionalSecrets: readonly string[]): Calls {
    const resource = new NativeResource(untypedLifecycles[type].resource, session);
    const outputs = (packed: Struct | undefined, inputs: Properties) => {
        const values = packed?.toJavaScript() ?? {};
        return returned(values, properties({}), [...inputs.secrets, ...additionalSecrets]);
    };
    const partly = (error: unknown, inputs: Properties): Result => {
        if (!(error instanceof PartialFailure)) {
            throw error;
        }
        return {
            id: error.id,
            outputs: outputs((error as unknown as { readonly properties: Struct }).properties, inputs),
            error,
        };
    };
    return {
        check: ({ urn, olds = none, news = none }) => {
            const request = new CheckRequest().setUrn(urn).setOlds(packed(olds)).setNews(packed(news));
            const response = resource.check(request);
            rejectFor(response.getFailuresList().map((failure) => failure.getReason()));
            return Promise.resolve(returned(response.getInputs()?.toJavaScript() ?? {}, properties({})));
        },
        diff: async ({ urn, id = "", olds = none, news = none }) => {
            const request = new DiffRequest().setUrn(urn).setId(id).setOlds(packed(olds)).setNews(packed(news));
            const response = await Promise.resolve(resource.diff(request));
            return {
                changes: response.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
                replaces: response.getReplacesList().length > 0,
                deleteBeforeReplace: response.getDeletebeforereplace(),
            };
        },
        create: ({ urn, news = none, timeouts, isPreview = false }) => {
            const request = new CreateRequest()
                .setUrn(urn)
                .setProperties(packed(news))
                .setPreview(isPreview)
                .setTimeout(secondsOf(timeouts?.create));
            return resource.create(request).then(
                (response) => ({ id: response.getId(), outputs: outputs(response.getProperties(), news) }),
                (error: unknown) => partly(error, news),
            );
        },
        update: ({ urn, id = "", olds = none, news = none, timeouts, isPreview = false }) => {
            const request = new UpdateRequest()
                .setUrn(urn)
                .setId(id)
                .setOlds(packed(olds))
                .setNews(packed(news))
                .setPreview(isPreview)
                .setTimeout(secondsOf(timeouts?.update));
            return resource.update(request).then(
                (response) => ({ id, outputs: outputs(response.getProperties(), news) }),
                (error: unknown) => partly(error, news),
            );
        },
        read: async ({ urn, id = "", olds = none, inputs }) => {
            const request = new ReadRequest()
                .setUrn(urn)
                .setId(id)
                .setInputs(inputs && packed(inputs));
            const response = await resource.read(request.setProperties(packed(olds)));
            return response.getId() === ""
                ? undefined
                : {
                      id: response.getId(),
                      outputs: outputs(response.getProperties(), properties({})),
                      inputs: returned(response.getInputs()?.toJavaScript() ?? {}, properties({})),
                  };
        },
        delete: async ({ urn, id = "", olds = none, timeouts }) => {
            await resource.delete(
                new DeleteRequest()
                    .setUrn(urn)
                    .setId(id)
                    .setProperties(packed(olds))
                    .setTimeout(secondsOf(timeouts?.delete)),
            );
        },
    };
}

const none: Properties = properties({});

const packed = (some: Properties): Struct => pack(marked(some));

const secondsOf = (timeout: string | undefined): number => (parseTimeout(timeout ?? "") ?? 0) / 1000;

function rejectFor(reasons: readonly string[]): void {
    if (reasons.length > 0) {
        throw new CheckFailed(reasons.join("\n"));
    }
}
