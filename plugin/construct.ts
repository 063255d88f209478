import { AsyncLocalStorage } from "node:async_hooks";
import { ConstructResponse, type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { setAllConfig } from "@pulumi/pulumi/runtime/config";
import { serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as state from "@pulumi/pulumi/runtime/state";
import { withoutProxy } from "../provider/hosts/engine";
import { pack } from "../provider/hosts/native/values";
import type { Session } from "../provider/lifecycle/session";
import { ProductionDatabase } from "../sdk/nodejs/native/productionDatabase";
import { productionDatabaseType } from "../sdk/nodejs/productionDatabaseInputs";
import { argumentsOf, optionsOf } from "./constructRequest";
import { promiseOf } from "./promise";

/** Functions of Pulumi's SDK that its public types leave out. */
const { withLocalStorage } = state as unknown as {
    /** Runs work with settings, a configuration and connections of its own. */
    readonly withLocalStorage: <T>(work: () => Promise<T>) => Promise<T>;
};
const { awaitFeatureSupport, grpcClientOptions, waitForRPCs } = settings as unknown as {
    /** The options of its connections. */
    readonly grpcClientOptions: Record<string, unknown>;
    /** Asks the engine which features it supports. */
    readonly awaitFeatureSupport: () => Promise<void>;
    /** Resolves when the engine has answered all requests. */
    readonly waitForRPCs: () => Promise<void>;
};

Object.assign(grpcClientOptions, withoutProxy);

/** Fails the construction in progress. */
const failing = new AsyncLocalStorage<(error: unknown) => void>();

// Pulumi's SDK rejects promises that nothing handles when a registration fails. Node.js would end the plugin.
process.on("unhandledRejection", (error) => {
    const fail = failing.getStore();
    if (fail === undefined) {
        throw error;
    }
    fail(error);
});

/** Constructs a component for a program in any language, with the class for programs in TypeScript. */
export function construct(request: ConstructRequest, session: Session): Promise<ConstructResponse> {
    const { runEnded: gone } = session.engine;
    return new Promise((resolve, reject) => {
        // The engine does not answer the registration of a resource that failed. It ends the run instead.
        const end = () => reject(new Error("The run ended before all resources of the component were complete."));
        if (gone.aborted) {
            end();
            return;
        }
        gone.addEventListener("abort", end, { once: true });
        failing
            .run(reject, () => withLocalStorage(() => register(request, session)))
            .finally(() => gone.removeEventListener("abort", end))
            .then(resolve, reject);
    });
}

/** Registers the component and its resources. */
async function register(request: ConstructRequest, session: Session): Promise<ConstructResponse> {
    if (request.getType() !== productionDatabaseType) {
        throw new Error(`This plugin has no component type ${request.getType()}.`);
    }
    settings.resetOptions(
        request.getProject(),
        request.getStack(),
        request.getParallel(),
        session.engine.address ?? "",
        request.getMonitorendpoint(),
        request.getDryrun(),
        request.getOrganization(),
    );
    await awaitFeatureSupport();
    // The settings of an explicit provider replace those of the stack.
    setAllConfig(session.stackConfig());

    const component = new ProductionDatabase(
        request.getName(),
        await argumentsOf(request),
        optionsOf(request, session),
    );
    const { service, readReplicas, connectionString, poolerConnectionString, vpcConnectionString } = component;
    const outputs = { service, readReplicas, connectionString, poolerConnectionString, vpcConnectionString };
    const [properties, dependencies] = await serializeResourceProperties(productionDatabaseType, outputs);
    const response = new ConstructResponse().setUrn(await promiseOf(component.urn)).setState(pack(properties));
    for (const [output, resources] of dependencies) {
        const urns = await Promise.all([...resources].map(({ urn }) => promiseOf(urn)));
        const ofOutput = new ConstructResponse.PropertyDependencies().setUrnsList(urns);
        response.getStatedependenciesMap().set(output, ofOutput);
    }
    await waitForRPCs();
    return response;
}
