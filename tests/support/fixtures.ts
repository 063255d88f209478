import type { Interceptor, VirtualClock } from "../../emulator";
import type { Clock } from "../../provider/api/clock";
import type { Client } from "../../provider/api/client";
import type { AnswerOf, OperationId } from "../../provider/api/contract";
import { partsOf } from "../../provider/api/callErrors";
import { PartialFailure } from "../../provider/lifecycle/errors";
import type { Plan } from "../../provider/model/resource";
import { lineOf } from "../../provider/model/step";
import type { ServiceInputs } from "../../provider/resources/service/inputs";
import { failureOf } from "./client";

// The resources and the failing calls for the life-cycle tests.

export const projectId = "emulator01";

/** Checked inputs, without protection. */
export const checked = <Inputs extends object>(name: string, inputs: Inputs) => ({
    projectId,
    __urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`,
    deletionProtection: false,
    ...inputs,
});

export const service = (inputs: ServiceInputs = {}) => ({ ...checked("orders", {}), ...inputs });

export const network = checked("net", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });

export const replicaSet = (serviceId: string) => checked("set", { serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });

export const peering = (vpcId: string) =>
    checked("peer", { vpcId, peerAccountId: "123", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" });

export const activation = (vpcId: string, peeringId: string) => checked("active", { vpcId, peeringId });

/** The operations since the last call that changed something. */
export const operations = (world: { changes(): string[] }) => world.changes().map((line) => line.split(" ")[0]);

/** Another client calls an operation of the project; `ids` are the other ids in its path. */
export const call = <Id extends OperationId>(
    { client }: { client: Client },
    operation: Id,
    ids: object = {},
    body?: object,
): Promise<AnswerOf<Id>> =>
    client.at(operation, { path: { project_id: projectId, ...ids }, body }, {}) as Promise<AnswerOf<Id>>;

/** A response without the API. */
export const respond =
    (status: number, body = "", headers: Record<string, string> = {}): Interceptor =>
    () =>
        Promise.resolve({ status, headers, body });

export const refuse = respond(400, '{"code":"NO","message":"not today"}');

/** The API processes the call, but a proxy returns an error. */
export const loseResponse: Interceptor = async (_, carryOut) => {
    await carryOut();
    return { status: 502, headers: {}, body: "<html>bad gateway</html>" };
};

type Fields = Readonly<Record<string, unknown>>;

/** Answers with this change of each service. */
export const saying =
    (change: (service: Fields) => object, from = 0): Interceptor =>
    async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        if (answer.status >= 300 || !/(Service|Vpc|Peering|ReplicaSet)s?$/.test(operationId) || answer.body === "") {
            return answer;
        }
        const body = JSON.parse(answer.body) as Fields | Fields[];
        from -= 1;
        const said = Array.isArray(body) ? body.map(change) : change(body);
        return from >= 0 ? answer : { ...answer, body: JSON.stringify(said) };
    };

/** The API shows names in small letters. */
export const lowerNames: Interceptor = async (_, carryOut) => {
    const response = await carryOut();
    return { ...response, body: response.body.replace(/"name":"[^"]*"/g, (text) => text.toLowerCase()) };
};

/** The error of work that must fail with a partial state. */
export const failure = (work: Promise<unknown>): Promise<PartialFailure> => failureOf(work, PartialFailure);

export const causesOf = (error: unknown): unknown[] =>
    error instanceof Error ? [error, ...causesOf(error.cause)] : [];

/** The labels of the ways out of an error, in their order. */
export const labelsOf = (error: unknown): string[] => (partsOf(error).ways ?? []).map(({ label }) => label);

/** Matches an error with this way out. */
export const withWay = (label: string, text: unknown = expect.any(String)) => ({
    parts: { ways: expect.arrayContaining([{ label, text }]) as unknown },
});

/** The error of work, if it fails, and how long it takes on a virtual clock. */
export async function timed({ clock }: { readonly clock: Pick<Clock, "now"> }, work: () => Promise<unknown>) {
    const beganAt = clock.now();
    const error: unknown = await work().then(
        () => undefined,
        (caught: unknown) => caught,
    );
    return { error: error as Error | undefined, tookMs: clock.now() - beganAt };
}

/** Another client pauses a service. */
export async function pause(world: { client: Client; clock: VirtualClock; changes(): string[] }, id: string) {
    await call(world, "stopService", { service_id: id });
    world.clock.advance(60_000);
    world.changes();
}

/** The lines of a plan in a preview. */
export const linesOf = ({ steps }: Pick<Plan, "steps">): readonly string[] => steps.map(lineOf);
