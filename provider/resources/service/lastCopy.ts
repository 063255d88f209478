import type { Service } from "../../api/contract";
import { CloudDbError, messageOf } from "../../api/errors";
import { show } from "../../inputs/fields";
import type { OperationContext } from "../../lifecycle/operation";
import { UncertainCreationError } from "../../lifecycle/errors";
import { readList } from "../../lifecycle/reads";
import type { Create } from "../../lifecycle/resource";
import { runSteps, type ResourceOperation } from "../../lifecycle/steps";
import { formatDuration } from "../../wait/duration";
import { lastCopyName, type LastCopyName } from "./lastCopyName";
import { isDeleting, observe, type ServiceObserved } from "./observed";
import { runningStep } from "./plan";
import type { ServiceKind } from "./service";

// A deletion cannot write to the state unless it succeeds, so the next run recognizes the copy of an interrupted one by
// what the API says about it.

/** The default time limit of a deletion with a last copy, in milliseconds: that of a fork, and that of a deletion. */
export const lastCopyMs = 12.5 * 3_600_000;

/** The API creates the copy within this time after its name is chosen, in milliseconds. */
const createdWithinMs = 10 * 60_000;

/** The maximum difference between the clocks of the API servers, in milliseconds. */
const clockToleranceMs = 5_000;

/** The service that this one is a last copy of; undefined if it is not a last copy. */
export function copiedBy({ name, forkedFrom }: Pick<ServiceObserved, "name" | "forkedFrom">): LastCopyName | undefined {
    const parsed = lastCopyName.parse(name);
    return parsed !== undefined && parsed.serviceId === forkedFrom?.serviceId ? parsed : undefined;
}

/** The line of a program that restores a service from its last copy, which is paused. */
export function restoringLine(name: string, id: string): string {
    return `new clouddb.Service(${JSON.stringify(name)}, { existingId: ${JSON.stringify(id)}, paused: false });`;
}

/** Makes a last copy of the service, or completes the one of an interrupted deletion, and prints how to restore it. */
export async function makeLastCopy(
    service: Service,
    operation: ResourceOperation<ServiceKind>,
    create: Create<ServiceKind>,
): Promise<void> {
    const { subject, context, path } = operation;
    const { service_id: serviceId, name } = service;
    const [begun, ...others] = (await copiesOf(serviceId, operation)).filter((copy) => isCurrent(copy, operation));
    if (begun !== undefined && others.length > 0) {
        const ids = [begun, ...others].map((copy) => copy.service_id).join(" and ");
        throw new CloudDbError(
            `${subject} is not deleted, because interrupted deletions have begun several last copies: ${ids}. ` +
                `Delete all except one, or rename them, and run the same command again.`,
        );
    }
    if (begun !== undefined) {
        warnOfAge(begun, context);
    }
    const inputs = { projectId: path.project_id, fork: { serviceId, strategy: "NOW" }, paused: true } as const;
    const within = { ...context, status: (text: string) => context.status(`last copy: ${text}`) };
    try {
        const { id, state } =
            begun === undefined
                ? await create({ ...inputs, name: await nameFor(service, { ...operation, context: within }) }, within)
                : await create({ ...inputs, existingId: begun.service_id }, within);
        const copies = await copiesOf(serviceId, operation);
        if (!copies.some((copy) => copy.service_id === id)) {
            throw new CloudDbError(`The API does not list ${id} as a fork of ${serviceId}.`);
        }
        report(service, id, state, context);
        for (const { service_id: other, created } of copies.filter((copy) => copy.service_id !== id)) {
            context.info(`${other} is another last copy of it, of ${created}. It may lack data, and is kept.`);
        }
    } catch (error) {
        throw new CloudDbError(
            `${subject} is not deleted, because its last copy is not complete. ${reasonOf(error)} The next run continues ` +
                `with a copy that exists. For one with later writes, delete or rename it before that run. To delete ` +
                `${show(name)} without a copy, set finalFork: false and run \`pulumi up\` first.`,
            { cause: error },
        );
    }
}

/** The name of a new copy. Only a running service can be copied, so it is resumed first. */
async function nameFor(service: Service, operation: ResourceOperation<ServiceKind>): Promise<string> {
    const { name, service_id: serviceId } = await runSteps([runningStep], service, {
        ...operation,
        checkpoint: () => undefined,
    });
    return lastCopyName.format({ name, serviceId, requestedAt: operation.context.client.serverClock.now() });
}

/** All forks of the service that are its last copies by name. A list may lack an entry, so it is read twice. */
async function copiesOf(
    serviceId: string,
    { source, context }: ResourceOperation<ServiceKind>,
): Promise<readonly Service[]> {
    const isNamed = (name: unknown) => typeof name === "string" && lastCopyName.parse(name)?.serviceId === serviceId;
    const list = () =>
        readList(source, context, ({ items, malformed }) => {
            const unreadable = malformed.find(({ fields }) => isNamed(fields.name));
            if (unreadable !== undefined) {
                throw unreadable.error;
            }
            return items.filter((item) => copiedBy(observe(item))?.serviceId === serviceId && !isDeleting(item));
        });
    const found = [...(await list()), ...(await list())];
    return [...new Map(found.map((copy) => [copy.service_id, copy])).values()];
}

/**
 * Whether an interrupted deletion has made this copy, and the next run can continue with it. The copy was created just
 * after the time in its name, so that nobody has reused the name. It was created within the time limit of a deletion: an
 * older one may lack data that was written after the deletion was given up. Nobody has changed or adopted it.
 */
function isCurrent(copy: Service, { context }: ResourceOperation<ServiceKind>): boolean {
    const { name, created, replicaCount, vpcId, connectionPooler, environment } = observe(copy);
    const { requestedAt = NaN } = lastCopyName.parse(name) ?? {};
    const createdAt = Date.parse(created);
    const limitMs = Math.max(lastCopyMs, context.deadlineAt - context.beganAt);
    return (
        createdAt >= requestedAt - clockToleranceMs &&
        createdAt <= requestedAt + createdWithinMs &&
        createdAt >= context.client.serverClock.now() - limitMs &&
        replicaCount === 0 &&
        vpcId === undefined &&
        !connectionPooler &&
        environment === "DEV" &&
        !context.isManaged("Service", copy.project_id, copy.service_id)
    );
}

/** A copy has the data of the time when it was requested, which may be hours ago if the deletion was given up meanwhile. */
function warnOfAge({ service_id: id, created }: Service, { client, warn }: OperationContext): void {
    const age = formatDuration(Math.max(0, client.serverClock.now() - Date.parse(created)));
    warn(
        `continues with the last copy ${id} of an interrupted deletion, taken at ${created}, ${age} ago. Later writes are ` +
            `not in it. A run makes a new copy if ${id} was deleted or renamed before.`,
    );
}

/** Why a copy is not complete. A copy has no line in the program, so that a message must not ask to change one. */
function reasonOf(error: unknown): string {
    return error instanceof UncertainCreationError
        ? `The response to forkService was lost, and it is not certain whether it has created ${error.ids.join(" or ")}.`
        : messageOf(error);
}

function report({ name, service_id: id }: Service, copyId: string, copy: ServiceObserved, { info }: OperationContext) {
    info(
        `the last copy of service ${id} is ${copyId}, with the data of ${copy.created}. It is paused, and in no stack.`,
    );
    info(`To restore it, declare ${restoringLine(name, copyId)} with a new password.`);
}
