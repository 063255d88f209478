import { setMaxListeners } from "node:events";
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import {
    ConfigureResponse,
    GetMappingResponse,
    GetSchemaResponse,
    InvokeResponse,
    ProviderHandshakeResponse,
    type ConfigureRequest,
    type InvokeRequest,
    type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { CloudDbError } from "../../api/errors";
import { version } from "../../api/version.gen";
import { resourceTypes, untypedLifecycles, type ResourceType } from "../../resources/index";
import type { CommonInputs } from "../../lifecycle/resource";
import { callFunction, type ProviderFunction } from "../../functions/function";
import { functions } from "../../functions/index";
import { encodeOutputs } from "../codec";
import { withLines, type Engine } from "../engine";
import { Session } from "../session";
import { checkConfig, diffConfig } from "./config";
import { serviceError } from "./failure";
import { NativeResource } from "./resource";
import { pack, unpack } from "./values";

type AnyFunction = ProviderFunction<object, unknown>;
type AnyResource = NativeResource<CommonInputs, object, unknown>;

/** The user cancelled the update. What was sent stays in effect, and the state holds what is known. */
export class CancelledError extends CloudDbError {
    constructor() {
        super("The operation was cancelled. Run `pulumi up` again to resume it.");
    }
}

/** The plugin: the resources and functions of one configuration, behind Pulumi's resource provider protocol. */
export class NativeServer {
    private engine: Engine;
    private cancellation = new AbortController();
    private session: Session | undefined;
    private readonly calls = new Set<Promise<unknown>>();
    private resources: Partial<Record<ResourceType, AnyResource>> = {};

    constructor(
        private readonly schema: string,
        private readonly connect: (address: string | undefined) => Engine,
        address?: string,
    ) {
        this.engine = connect(address);
    }

    /** Ends all waits. Resolves when the calls in progress have ended. */
    async close(): Promise<void> {
        this.cancel();
        await Promise.all(this.calls);
    }

    /** The methods of the protocol. The others are unimplemented. */
    handlers(): UntypedServiceImplementation {
        return {
            handshake: unary((request: ProviderHandshakeRequest) => this.handshake(request)),
            attach: unary((request: PluginAttach) => this.attach(request)),
            getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
            getSchema: unary(() => new GetSchemaResponse().setSchema(this.schema)),
            getMapping: unary(() => new GetMappingResponse()),
            checkConfig: unary(checkConfig),
            diffConfig: unary(diffConfig),
            configure: unary((request: ConfigureRequest) => this.configure(request)),
            check: this.ofResource((resource, request) => resource.check(request as never)),
            diff: this.ofResource((resource, request) => resource.diff(request as never)),
            create: this.ofResource((resource, request) => resource.create(request as never)),
            update: this.ofResource((resource, request) => resource.update(request as never)),
            read: this.ofResource((resource, request) => resource.read(request as never)),
            delete: this.ofResource((resource, request) => resource.delete(request as never)),
            invoke: this.call((request: InvokeRequest) => this.invoke(request)),
            cancel: unary(() => this.cancel()),
        };
    }

    private handshake(request: ProviderHandshakeRequest): ProviderHandshakeResponse {
        this.engine = this.connect(request.getEngineAddress());
        const response = new ProviderHandshakeResponse();
        response.setAcceptSecrets(true);
        response.setSupportsAutonamingConfiguration(true);
        return response;
    }

    private attach(request: PluginAttach): Empty {
        this.engine = this.connect(request.getAddress());
        return new Empty();
    }

    /** Begins a session. With a plugin that serves several runs, the last configuration is in effect. */
    private configure(request: ConfigureRequest): ConfigureResponse {
        this.cancellation = new AbortController();
        const gone = AbortSignal.any([this.engine.gone, this.cancellation.signal]);
        // Each wait of a run listens to it.
        setMaxListeners(0, gone);
        const session = new Session({ ...this.engine, gone });
        this.session = session;
        const { values, secrets } = unpack(request.getArgs());
        session.configure((key) => textOf(values[key]), secrets);
        this.resources = Object.fromEntries(
            resourceTypes.map((type) => [
                type,
                new NativeResource(untypedLifecycles[type], session, request.getAcceptsecrets()),
            ]),
        );
        const response = new ConfigureResponse();
        response.setAcceptsecrets(true);
        response.setSupportspreview(true);
        response.setSupportsAutonamingConfiguration(true);
        return response;
    }

    private async invoke(request: InvokeRequest): Promise<InvokeResponse> {
        const token = request.getTok();
        const name = token.slice(token.lastIndexOf(":") + 1);
        const definition = (functions as Readonly<Record<string, AnyFunction | undefined>>)[name];
        if (definition === undefined || this.session === undefined) {
            throw new Error(`This plugin has no function ${token}, or it is not configured yet.`);
        }
        const { values } = unpack(request.getArgs());
        const result = await callFunction(name, definition, values, this.session.functionContext(request.getPreview()));
        const properties = definition.list === undefined ? result : { [definition.list]: result };
        const isProjectSecret = values.projectId === undefined && this.session.hasSecretProject;
        const secretNames = new Set(isProjectSecret ? ["projectId"] : []);
        return new InvokeResponse().setReturn(pack(encodeOutputs(properties as object, [], secretNames)));
    }

    /** Ends all waits. The engine also calls this at the end of every run. */
    private cancel(): Empty {
        this.cancellation.abort(new CancelledError());
        return new Empty();
    }

    private ofResource<Request extends { getUrn(): string }, Response>(
        work: (resource: AnyResource, request: Request) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return this.call((request: Request) => {
            const type = typeIn(request.getUrn());
            const resource = this.resources[type as ResourceType];
            if (resource === undefined) {
                throw new Error(`This plugin has no resource type ${type}, or it is not configured yet.`);
            }
            return work(resource, request);
        });
    }

    /** A call that may print lines, and that may be in progress when the plugin is ended. */
    private call<Request, Response>(
        work: (request: Request) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return unary((request: Request) => {
            const result = withLines(this.engine, () => work(request));
            const ended: Promise<unknown> = result.catch(() => undefined).finally(() => this.calls.delete(ended));
            this.calls.add(ended);
            return result;
        });
    }
}

/** The resource type in a URN: that of the last part of the qualified type. */
function typeIn(urn: string): string {
    const qualified = urn.split("::")[2] ?? "";
    return qualified.slice(qualified.lastIndexOf(":") + 1);
}

/** A setting is a text. Programs may declare it as a number or a boolean. */
function textOf(value: unknown): string | undefined {
    return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
        ? String(value)
        : undefined;
}

function unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => {
        void Promise.resolve()
            .then(() => work(request))
            .then(
                (response) => callback(null, response),
                (error: unknown) => callback(serviceError(error)),
            );
    };
}
