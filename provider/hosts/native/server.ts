import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import {
    ConfigureResponse,
    GetSchemaResponse,
    InvokeResponse,
    ProviderHandshakeResponse,
    type ConfigureRequest,
    type ConstructRequest,
    type ConstructResponse,
    type InvokeRequest,
    type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { previewReadMs } from "../../api/client";
import { version } from "../../api/version.gen";
import { resourceTypes, untypedResources, type ResourceType } from "../../resources/index";
import { callFunction, type FunctionContext, type ProviderFunction } from "../../functions/function";
import { functions, type FunctionName } from "../../functions/index";
import { sizeNames, type PartialSize } from "../../base/size";
import { encode, markSecrets } from "../codec";
import { Calls, Session, type Engine } from "../../lifecycle/session";
import { CancelledError, untilLinesAreSent } from "../engine";
import { checkConfig, diffConfig } from "./config";
import { serviceError } from "./failure";
import { NativeResource } from "./nativeResource";
import { pack, unpack } from "./values";

/** The plugin has no configuration for a call. */
const notConfigured = "This plugin has no configuration for this connection of the engine. Run the command again.";

/** Registers a component and its resources for a program in any language. */
export type Construct = (request: ConstructRequest, session: Session) => Promise<ConstructResponse>;

/** The resources and functions of one configuration. */
interface Configured {
    readonly session: Session;
    readonly resources: ReadonlyMap<string, NativeResource>;
    /** The names of the settings that are secret. */
    readonly secrets: readonly string[];
}

/** One provider of a run. */
class Connection {
    configured: Configured | undefined;
    private cancellation = new AbortController();

    constructor(public engine: Engine) {}

    /** Begins a session. Cancel also ends the operations of earlier sessions. */
    configure(request: ConfigureRequest): void {
        if (this.cancellation.signal.aborted) {
            this.cancellation = new AbortController();
        }
        const runEnded = AbortSignal.any([this.engine.runEnded, this.cancellation.signal]);
        const session = new Session({ ...this.engine, runEnded });
        const { values, secrets } = unpack(request.getArgs());
        session.configure((key) => textIn(values[key]), explicitName(request.getName()));
        const resourceOf = (type: ResourceType) => new NativeResource(untypedResources[type], session, secrets);
        const resources = new Map(resourceTypes.map((type) => [type, resourceOf(type)]));
        this.configured = { session, resources, secrets };
    }

    /** Ends all operations. */
    cancel(): void {
        this.cancellation.abort(new CancelledError());
    }
}

/** The plugin: Pulumi's resource provider protocol. */
export class NativeServer {
    private readonly connections = new Map<string, Connection>();
    private readonly engines = new Map<string, Engine>();
    private readonly calls = new Calls();

    /**
     * The engine that starts a plugin passes its address, and the plugin serves one provider. A plugin that a person
     * starts serves all providers of all runs, and each provider has its own connection.
     */
    constructor(
        private readonly schema: string,
        private readonly connect: (address: string | undefined) => Engine,
        private readonly construct: Construct,
        private readonly address?: string,
    ) {
        this.connectionOf("");
    }

    /** Ends all operations. Resolves when the calls in progress have ended. */
    async close(): Promise<void> {
        for (const connection of this.connections.values()) {
            connection.cancel();
        }
        await this.calls.ended();
    }

    /** The methods of the protocol. The others are unimplemented. */
    handlers(): UntypedServiceImplementation {
        return {
            handshake: this.unary((request: ProviderHandshakeRequest, connection) => {
                connection.engine = this.engineAt(request.getEngineAddress());
                return new ProviderHandshakeResponse()
                    .setAcceptSecrets(true)
                    .setAcceptResources(true)
                    .setAcceptOutputs(true)
                    .setSupportsAutonamingConfiguration(true);
            }),
            attach: this.unary((request: PluginAttach, connection) => {
                connection.engine = this.engineAt(request.getAddress());
                return new Empty();
            }),
            getPluginInfo: this.unary(() => new PluginInfo().setVersion(version)),
            getSchema: this.unary(() => new GetSchemaResponse().setSchema(this.schema)),
            checkConfig: this.unary(checkConfig),
            diffConfig: this.unary(diffConfig),
            configure: this.unary((request: ConfigureRequest, connection) => {
                connection.configure(request);
                return new ConfigureResponse()
                    .setAcceptsecrets(true)
                    .setAcceptresources(true)
                    .setAcceptoutputs(true)
                    .setSupportspreview(true)
                    .setSupportsAutonamingConfiguration(true);
            }),
            check: this.ofResource((resource, request) => resource.check(request as never)),
            diff: this.ofResource((resource, request) => resource.diff(request as never)),
            create: this.ofResource((resource, request) => resource.create(request as never)),
            update: this.ofResource((resource, request) => resource.update(request as never)),
            read: this.ofResource((resource, request) => resource.read(request as never)),
            delete: this.ofResource((resource, request) => resource.delete(request as never)),
            invoke: this.call(invoke),
            construct: this.call((request: ConstructRequest, { session }) => this.construct(request, session)),
            // The engine also calls this at the end of every run.
            cancel: this.unary((_, connection) => {
                connection.cancel();
                return new Empty();
            }),
        };
    }

    private connectionOf(peer: string): Connection {
        const key = this.address === undefined ? peer : "";
        const connection = this.connections.get(key) ?? new Connection(this.engineAt(this.address));
        this.connections.set(key, connection);
        return connection;
    }

    private engineAt(address = ""): Engine {
        const connected = this.engines.get(address);
        if (connected !== undefined) {
            return connected;
        }
        const engine = this.connect(address === "" ? undefined : address);
        this.engines.set(address, engine);
        engine.runEnded.addEventListener("abort", () => {
            this.engines.delete(address);
            for (const [peer, connection] of this.connections) {
                if (connection.engine === engine) {
                    this.connections.delete(peer);
                }
            }
        });
        return engine;
    }

    private ofResource<Request extends { getUrn(): string }, Response>(
        work: (resource: NativeResource, request: Request) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return this.call((request: Request, { resources }) => {
            const type = typeIn(request.getUrn());
            const resource = resources.get(type);
            if (resource === undefined) {
                throw new Error(`This plugin has no resource type ${type}.`);
            }
            return work(resource, request);
        });
    }

    /** A call that needs a configuration and may print lines. */
    private call<Request, Response>(
        work: (request: Request, configured: Configured) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return this.unary((request: Request, { engine, configured }) => {
            const result = untilLinesAreSent(engine, () => {
                if (configured === undefined) {
                    throw new Error(notConfigured);
                }
                return work(request, configured);
            });
            return this.calls.track(result);
        });
    }

    private unary<Request, Response>(
        work: (request: Request, connection: Connection) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return (call, callback) => {
            void Promise.resolve()
                .then(() => work(call.request, this.connectionOf(call.getPeer())))
                .then(
                    (response) => callback(null, response),
                    (error: unknown) => callback(serviceError(error)),
                );
        };
    }
}

/** The context of a function. A preview must not hang. */
export function functionContext(session: Session, isPreview: boolean): FunctionContext {
    const deadlineAt = isPreview ? session.now() + previewReadMs : undefined;
    return {
        client: session.currentClient(),
        projectId: () => session.projectId(),
        options: { deadlineAt, signal: session.engine.runEnded },
    };
}

async function invoke(request: InvokeRequest, { session, secrets }: Configured): Promise<InvokeResponse> {
    const token = request.getTok();
    const name = token.slice(token.lastIndexOf(":") + 1);
    if (!Object.hasOwn(functions, name)) {
        throw new Error(`This plugin has no function ${token}.`);
    }
    const definition = functions[name as FunctionName] as ProviderFunction<object, unknown>;
    const { values } = unpack(request.getArgs());
    const result = await callFunction(name, definition, values, functionContext(session, request.getPreview()));
    const properties = encode(
        definition.list === undefined ? withoutShared(result as object) : { [definition.list]: result },
    );
    // The result contains the project that was read.
    const isSecret = values.projectId === undefined && secrets.includes("projectId");
    return new InvokeResponse().setReturn(pack(markSecrets(properties, isSecret ? Object.keys(properties) : [])));
}

/** A result without a shared size. The type is a number, because Pulumi's generator for Python rejects a union. */
function withoutShared(result: PartialSize): object {
    const shared = sizeNames.filter((name) => result[name] === "shared");
    return { ...result, ...Object.fromEntries(shared.map((name) => [name, undefined])) };
}

/** The resource type in a URN: the name at the end of the qualified type. */
function typeIn(urn: string): string {
    const qualified = urn.split("::")[2] ?? "";
    return qualified.slice(qualified.lastIndexOf(":") + 1);
}

/** The name of a provider that the program declares. The engine gives `default` and `default_VERSION` to its own ones. */
function explicitName(name = ""): string | undefined {
    return /^(default(_.*)?)?$/.test(name) ? undefined : name;
}

/** A setting is a string. Programs may declare it as a number or a boolean. */
function textIn(value: unknown): string | undefined {
    return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
        ? String(value)
        : undefined;
}
