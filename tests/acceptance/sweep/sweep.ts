import { readOptions, type Client } from "../../../provider/api/client";
import { systemClock, type Clock } from "../../../provider/api/clock";
import type { Service } from "../../../provider/api/contract";
import { ApiError } from "../../../provider/api/callErrors";
import { printable } from "../../../provider/base/message";
import { formatDuration } from "../../../provider/base/time";
import { isSuiteName } from "../names";

/** A service younger than this may belong to a run. */
const minAgeMs = 3_600_000;
const pollMs = 5_000;
const waitLimitMs = 30 * 60_000;
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** The parts of a sweep that tests replace. */
export interface SweepIo {
    readonly client: Client;
    readonly projectId: string;
    readonly print: (line: string) => void;
    /** Asks whether to delete the listed services. */
    readonly confirm: (count: number) => Promise<boolean>;
    readonly clock?: Clock;
}

/** The lower bound of the current time: the earlier one of the clock of the API and ours. */
type Now = () => number;

/**
 * Lists the resources with a name of the suite, each with the decision. Deletes the services that an earlier run has left,
 * after a confirmation. Resolves with the number of services that it could not delete.
 *
 * It deletes a service only if a read immediately before the deletion proves all of this: it is in this project; its name
 * has the form of the suite's names; the API says when it was created, more than an hour ago on the clock of the API and on
 * ours; it is not tagged PROD; its read replica sets have such names, too. VPCs have no time of creation, so none is deleted.
 */
export async function sweep(io: SweepIo): Promise<number> {
    const { client, projectId, print, confirm, clock = systemClock } = io;
    const path = { project_id: projectId };
    const malformed: { readonly service_id?: unknown; readonly name?: unknown }[] = [];
    const onMalformed = (entry: object) => malformed.push(entry);
    const services = await client.call("listServices", { path }, { ...readOptions, onMalformed });
    const now: Now = () => earliestNow(client, clock);
    const vpcs = await client.call("listVpcs", { path }, { ...readOptions, onMalformed });

    const named = services.filter(({ name }) => isSuiteName(name));
    const doomed = named.filter((service) => reasonToKeep(service, projectId, now()) === undefined);
    print(`${projectId} at ${client.baseUrl}: ${services.length} services, ${named.length} with a name of the suite.`);
    for (const service of named) {
        print(line(service, reasonToKeep(service, projectId, now()) ?? `delete: ${ageOf(service, now())} old`));
    }
    for (const { service_id: id, name } of malformed.filter(({ name }) => isSuiteName(name))) {
        print(line({ service_id: String(id), name: String(name) }, "keep: its entry in the list is malformed"));
    }
    for (const { id, name } of vpcs.filter(({ name }) => isSuiteName(name))) {
        print(line({ service_id: id, name }, "keep: a VPC has no time of creation; delete it by hand"));
    }
    if (doomed.length === 0 || !(await confirm(doomed.length))) {
        print("Nothing was deleted.");
        return 0;
    }
    let failures = 0;
    for (const { service_id: id, name } of doomed) {
        try {
            await deleteService(id, io, now);
            print(line({ service_id: id, name }, "deleted"));
        } catch (error) {
            failures += 1;
            print(line({ service_id: id, name }, `not deleted: ${printable((error as Error).message)}`));
        }
    }
    return failures;
}

/** Why a service is kept. Undefined if it may be deleted. */
export function reasonToKeep(service: Service, projectId: string, now: number): string | undefined {
    const { name, created, project_id: home, metadata, forked_from: from } = service;
    const age = iso.test(created) ? now - Date.parse(created) : NaN;
    if (!isSuiteName(name)) {
        return "keep: its name is not one of the suite";
    }
    if (home !== projectId) {
        return "keep: it belongs to another project";
    }
    if (from?.is_standby === true) {
        return "keep: it is a read replica set";
    }
    if (Number.isNaN(age)) {
        return "keep: the time of its creation is unknown";
    }
    if (!(age > minAgeMs)) {
        return `keep: it may belong to a run, because it is not older than ${formatDuration(minAgeMs)}`;
    }
    return metadata?.environment === "PROD" ? "keep: it is tagged PROD; delete it by hand" : undefined;
}

/** Fails without the Date header of a response. */
function earliestNow({ serverClock }: Client, clock: Clock): number {
    const period = serverClock.since(clock.now());
    if (period === undefined) {
        throw new Error("Nothing was deleted: the API sends no Date header, so the age of a service is unknown.");
    }
    return Math.min(period.from, clock.now());
}

async function deleteService(id: string, { client, projectId, clock = systemClock }: SweepIo, now: Now) {
    const path = { project_id: projectId, service_id: id };
    const service = await client.call("getService", { path }, readOptions);
    const onMalformed = (_: object, error: Error) => {
        throw error;
    };
    const sets = await client.call("listReplicaSets", { path }, { onMalformed });
    const foreign = sets.find(({ name }) => !isSuiteName(name));
    const reason =
        reasonToKeep(service, projectId, now()) ??
        (foreign && `keep: the name of its read replica set ${foreign.name} is not one of the suite`);
    if (reason !== undefined) {
        throw new Error(reason);
    }
    const deadline = clock.now() + waitLimitMs;
    for (const { id: setId } of sets) {
        await client.call("deleteReplicaSet", { path: { ...path, replica_set_id: setId } }, readOptions);
    }
    while (sets.length > 0 && (await client.call("listReplicaSets", { path }, readOptions)).length > 0) {
        if (clock.now() > deadline) {
            throw new Error("its read replica sets are not gone.");
        }
        await clock.sleep(pollMs);
    }
    await client.call("deleteService", { path }, readOptions);
    while (!(await isGone(client, path))) {
        if (clock.now() > deadline) {
            throw new Error("the API has accepted the deletion, but the service is not gone.");
        }
        await clock.sleep(pollMs);
    }
}

async function isGone(client: Client, path: { project_id: string; service_id: string }): Promise<boolean> {
    try {
        await client.call("getService", { path }, readOptions);
        return false;
    } catch (error) {
        if (error instanceof ApiError && error.status === 404) {
            return true;
        }
        throw error;
    }
}

const ageOf = ({ created }: Service, now: number): string => formatDuration(now - Date.parse(created));

const line = ({ service_id: id, name }: Pick<Service, "service_id" | "name">, decision: string): string =>
    `  ${printable(id)}  ${printable(name)}  ${decision}`;
