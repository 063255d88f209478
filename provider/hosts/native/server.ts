import { isDeepStrictEqual } from "node:util";
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
import { Session } from "../../lifecycle/session";
import { Calls, type Engine } from "../../model/engine";
import { CancelledError, untilLinesAreSent } from "../engine";
import { checkConfig, diffConfig } from "./config";
import { serviceError } from "./failure";
import { NativeResource } from "./nativeResource";
import { pack, unpack } from "./values";

/** The plugin has no configuration for a call. */
const notConfigured = "This plugin has no configuration. Run the command again.";

/** A second provider or a second run uses a plugin that a person has started. */
const inUse =
    "This plugin serves a run already, and only one at a time, with one provider. " +
    "Wait until that run has ended, or unset PULUMI_DEBUG_PROVIDERS: the engine then starts a plugin for each provider.";

/** Registers a component and its resources for a program in any language. */
export type Construct = (request: ConstructRequest, session: Session) => Promise<ConstructResponse>;

/** The resources and functions of one configuration. */
interface Configured {
    readonly session: Session;
    readonly resources: ReadonlyMap<string, NativeResource>;
    readonly settings: Readonly<Record<string, unknown>>;
    /** The names of the settings that are secret. */
    readonly secrets: readonly string[];
}

/** The plugin: Pulumi's resource provider protocol, for one run after another, each with one provider. */
export class NativeServer {
    private engine: Engine;
    private configured: Configured | undefined;
    private cancellation = new AbortController();
    private readonly calls = new Calls();

    /** The engine that starts a plugin passes its address. That of a plugin which a person starts attaches to it. */
    constructor(
        private readonly schema: string,
        private readonly connect: (address: string | undefined) => Engine,
        private readonly construct: Construct,
        address?: string,
    ) {
        this.engine = connect(address);
    }

    /** Ends all operations. Resolves when the calls in progress have ended. */
    async close(): Promise<void> {
        this.cancel();
        await this.calls.ended();
    }

    /** The methods of the protocol. The others are unimplemented. */
    handlers(): UntypedServiceImplementation {
        return {
            handshake: this.unary((request: ProviderHandshakeRequest) => {
                this.attach(request.getEngineAddress());
                return new ProviderHandshakeResponse()
                    .setAcceptSecrets(true)
                    .setAcceptResources(true)
                    .setAcceptOutputs(true)
                    .setSupportsAutonamingConfiguration(true);
            }),
            attach: this.unary((request: PluginAttach) => {
                this.attach(request.getAddress());
                return new Empty();
            }),
            getPluginInfo: this.unary(() => new PluginInfo().setVersion(version)),
            getSchema: this.unary(() => new GetSchemaResponse().setSchema(this.schema)),
            checkConfig: this.unary(checkConfig),
            diffConfig: this.unary(diffConfig),
            configure: this.unary((request: ConfigureRequest) => {
                this.configure(request);
                return new ConfigureResponse()
                    .setAcceptsecrets(true)
                    .setAcceptresources(true)
                    .setAcceptoutputs(true)
                    .setSupportspreview(true)
                    .setSupportsAutonamingConfiguration(true);
            }),
            check: this.ofResource("check"),
            diff: this.ofResource("diff"),
            create: this.ofResource("create"),
            update: this.ofResource("update"),
            read: this.ofResource("read"),
            delete: this.ofResource("delete"),
            invoke: this.call(invoke),
            construct: this.call((request: ConstructRequest, { session }) => this.construct(request, session)),
            // The engine also calls this at the end of every run.
            cancel: this.unary(() => {
                this.cancel();
                return new Empty();
            }),
        };
    }

    /** Connects to the engine of the next run. */
    private attach(address = ""): void {
        if (address === "" || address === this.engine.address) {
            return;
        }
        if (this.isRunning()) {
            throw new Error(inUse);
        }
        this.engine = this.connect(address);
        this.configured = undefined;
    }

    /** Begins a session, unless the run has one with these settings. */
    private configure(request: ConfigureRequest): void {
        const { values: settings, secrets } = unpack(request.getArgs());
        if (this.isRunning()) {
            if (!isDeepStrictEqual(settings, this.configured?.settings)) {
                throw new Error(inUse);
            }
            return;
        }
        this.cancellation = new AbortController();
        const runEnded = AbortSignal.any([this.engine.runEnded, this.cancellation.signal]);
        const session = new Session({ ...this.engine, runEnded });
        session.configure((key) => textIn(settings[key]), explicitName(request.getName()));
        const resourceOf = (type: ResourceType) => new NativeResource(untypedResources[type], session, secrets);
        const resources = new Map(resourceTypes.map((type) => [type, resourceOf(type)]));
        this.configured = { session, resources, settings, secrets };
    }

    private isRunning(): boolean {
        return this.configured?.session.engine.runEnded.aborted === false;
    }

    /** Ends all operations. */
    private cancel(): void {
        this.cancellation.abort(new CancelledError());
    }

    private ofResource(method: "check" | "diff" | "create" | "update" | "read" | "delete") {
        return this.call((request: { getUrn(): string }, { resources }): unknown => {
            const type = typeIn(request.getUrn());
            const resource = resources.get(type);
            if (resource === undefined) {
                throw new Error(`This plugin has no resource type ${type}.`);
            }
            return resource[method](request as never);
        });
    }

    /** A call that needs a configuration and may print lines. */
    private call<Request, Response>(
        work: (request: Request, configured: Configured) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return this.unary((request: Request) => {
            const { engine, configured } = this;
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
        work: (request: Request) => Response | Promise<Response>,
    ): handleUnaryCall<Request, Response> {
        return (call, callback) => {
            void Promise.resolve()
                .then(() => work(call.request))
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
