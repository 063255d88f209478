import { ConstructResponse, type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Result } from "@pulumi/pulumi/proto/resource_pb";
import { show } from "../../inputs/fields";
import {
    inputsOfReplicaSet,
    inputsOfService,
    nameOfReplicaSet,
    productionDatabaseType,
    urlOutputs,
    type Derive,
} from "../../resources/productionDatabase";
import { signatureKey } from "../codec";
import type { Session } from "../session";
import { Monitor } from "./monitor";
import { membersOf, ProgramOutput, programValue } from "./programValue";
import { Registered } from "./registered";
import { childRegistration, componentRegistration, type Child } from "./registration";
import { pack } from "./values";

const { PropertyDependencies } = ConstructResponse;

type Values = Readonly<Record<string, unknown>>;

/** The arguments of a production database, each a plain value or an output. */
interface Arguments {
    readonly given: Values;
    /** By the names of the sets. */
    readonly readReplicas: Readonly<Record<string, Values>>;
}

const derive: Derive = (value, change) => {
    const changeNumber = (known: unknown) => (typeof known === "number" ? change(known) : undefined);
    return value instanceof ProgramOutput ? value.map(changeNumber) : changeNumber(value);
};

/** Registers a component and the resources that it consists of, for a program in any language. */
export async function construct(request: ConstructRequest, session: Session): Promise<ConstructResponse> {
    if (request.getType() !== productionDatabaseType) {
        throw new Error(`This plugin has no component type ${request.getType()}.`);
    }
    const args = argumentsOf(request);
    const monitor = new Monitor(request.getMonitorendpoint(), session.engine.gone);
    try {
        return await constructWith(monitor, args, request, session);
    } finally {
        monitor.close();
    }
}

async function constructWith(
    monitor: Monitor,
    args: Arguments,
    request: ConstructRequest,
    session: Session,
): Promise<ConstructResponse> {
    const urn = (await monitor.register(componentRegistration(request))).getUrn();
    const { service, sets } = await registerChildren(args, request, session, async (child) => {
        const response = await monitor.register(childRegistration(child, urn, request));
        return new Registered(child.type, response, request.getDryrun() || response.getResult() !== Result.SUCCESS);
    });
    const urls = service.present(urlOutputs);
    await monitor.registerOutputs(urn, pack(urls));
    const readReplicas = Object.fromEntries(sets.map(([key, set]) => [key, set.reference]));
    const result = new ConstructResponse()
        .setUrn(urn)
        .setState(pack({ service: service.reference, readReplicas, ...urls }));
    const dependencies = result.getStatedependenciesMap();
    for (const output of ["service", ...urlOutputs]) {
        dependencies.set(output, new PropertyDependencies().setUrnsList([service.urn]));
    }
    dependencies.set("readReplicas", new PropertyDependencies().setUrnsList(sets.map(([, set]) => set.urn)));
    return result;
}

async function registerChildren(
    { given, readReplicas }: Arguments,
    request: ConstructRequest,
    session: Session,
    register: (child: Child) => Promise<Registered>,
): Promise<{ service: Registered; sets: (readonly [string, Registered])[] }> {
    const name = request.getName();
    const inputs = inputsOfService(given, derive);
    const isProtected = inputs.deletionProtection ?? session.protectsData();
    const service = await register({ type: "Service", name, inputs, isProtected });
    const ofService = {
        serviceId: service.output("serviceId"),
        projectId: service.output("projectId"),
        password: service.output("currentPassword"),
    };
    const sets = Object.entries(readReplicas).map(async ([key, replicas]) => {
        const own = inputsOfReplicaSet(replicas, given, derive);
        const set = {
            name: nameOfReplicaSet(name, key),
            inputs: { ...own, ...ofService },
            isProtected: own.deletionProtection,
        };
        return [key, await register({ type: "ReadReplicaSet", ...set })] as const;
    });
    return { service, sets: await Promise.all(sets) };
}

function argumentsOf(request: ConstructRequest): Arguments {
    const packed = request.getInputs()?.toJavaScript() ?? {};
    const { readReplicas = {}, ...others } = packed as Values;
    const dependencies = request.getInputdependenciesMap();
    const given = Object.fromEntries(
        Object.entries(others).map(([name, value]) => [
            name,
            programValue(value, dependencies.get(name)?.getUrnsList()),
        ]),
    );
    const { cpuMillis } = given;
    if (!(cpuMillis instanceof ProgramOutput) && typeof cpuMillis !== "number") {
        throw new Error(
            `cpuMillis ${show(cpuMillis)} is not valid; use the CPU of the service in millicores, such as 1000`,
        );
    }
    const sets = Object.entries(keysOf(readReplicas ?? {})).map(([key, replicas]) => {
        const inputs = membersOf(replicas ?? {});
        if (inputs === undefined) {
            throw new Error(`readReplicas.${key} is not a map, or not known yet; use a map such as { nodes: 2 }`);
        }
        return [key, inputs] as const;
    });
    return { given, readReplicas: Object.fromEntries(sets) };
}

/** The read replica sets by their names, which must be known. The keys of an output would be those of its encoding. */
function keysOf(packed: unknown): Values {
    if (typeof packed !== "object" || packed === null || Array.isArray(packed) || signatureKey in packed) {
        throw new Error(
            "readReplicas is not a plain map; use a map such as { reports: { nodes: 2 } }, with values that may be outputs",
        );
    }
    return packed as Values;
}
