import type { Service } from "../../api/contract";
import { CloudDbError, messageOf } from "../../api/errors";
import { show } from "../../inputs/fields";
import type { OperationContext } from "../../contract/operation";
import { deletesOrphan, UncertainCreationError } from "../../lifecycle/errors";
import { isDeleting } from "../../contract/phase";
import type { Create, Operation, Stored } from "../../contract/resource";
import { errorOf } from "../../lifecycle/timeLimit";
import { readList, readResource } from "../../observe/reads";
import { sourceOf } from "../../observe/source";
import { runSteps } from "../../reconcile/steps";
import { lastCopyName, type LastCopyName } from "./lastCopyName";
import { anyService, observe, type ServiceObserved } from "./observed";
import { pause, resume, type ServiceKind } from "./plan";

/** The default time limit of a deletion with a last copy, in milliseconds: that of a fork, and that of a deletion. */
export const lastCopyMs = 12.5 * 3_600_000;

/** The service that this one is a last copy of; undefined if it is not a last copy. */
export function copiedBy({ name, forkedFrom }: Pick<ServiceObserved, "name" | "forkedFrom">): LastCopyName | undefined {
    const parsed = lastCopyName.parse(name);
    return parsed !== undefined && parsed.serviceId === forkedFrom?.serviceId ? parsed : undefined;
}

/** The line of a program that restores a service from its last copy, which is paused. */
export function restoringLine(name: string, id: string): string {
    return `new clouddb.Service(${JSON.stringify(name)}, { existingId: ${JSON.stringify(id)}, paused: false });`;
}

/** Makes a last copy of the service, prints how to restore it, and deletes the service. */
export async function keepLastCopy(
    service: Service,
    operation: Operation<ServiceKind>,
    create: Create<ServiceKind>,
    remove: () => Promise<void>,
): Promise<void> {
    const { subject, context } = operation;
    const { service_id: serviceId, name } = service;
    await assertFewCopies(service, operation);
    const within = { ...context, status: (text: string) => context.status(`last copy: ${text}`) };
    const copying = { ...operation, context: within };
    const copy = await makeCopy(service, copying, create).catch(async (error: unknown) => {
        throw new CloudDbError(
            `${subject} is not deleted, because its last copy is not complete. ${reasonOf(error)} ` +
                `${await pausedAgain(service, copying)}The next run makes a new copy. ${withoutCopy(name, serviceId)}`,
            { cause: error },
        );
    });
    report(service, copy.id, copy.state, context);
    await remove().catch(async (error: unknown) => {
        throw new CloudDbError(
            `${messageOf(errorOf(error, subject, context))} Its last copy ${copy.id} is complete, with the data of ` +
                `${copy.state.created}. ${await pausedAgain(service, operation)}${withoutCopy(name, serviceId)}`,
            { cause: error },
        );
    });
}

/** The most last copies of a service. One may be of a killed run; two show that the deletions themselves fail. */
const mostCopies = 2;

/** Fails if earlier runs have made last copies and not deleted the service: each run would make one more. */
async function assertFewCopies(
    { service_id: serviceId, name }: Service,
    { subject, context, path }: Operation<ServiceKind>,
): Promise<void> {
    const copies = await readList(sourceOf(anyService, path, context.client), context, ({ items }) =>
        items.filter((item) => copiedBy(observe(item))?.serviceId === serviceId),
    );
    if (copies.length >= mostCopies) {
        const found = copies.map(
            ({ service_id: id, status, created }) => `${id} (${status}, with the data of ${created})`,
        );
        throw new CloudDbError(
            `${subject} is neither copied nor deleted: earlier runs have made its last copies ${found.join(" and ")}, ` +
                `and have not deleted it. Delete a copy that you do not need: ${deletesOrphan("it")}. ` +
                withoutCopy(name, serviceId),
        );
    }
}

/** Makes a copy. Fails unless it is complete. */
async function makeCopy(
    service: Service,
    operation: Operation<ServiceKind>,
    create: Create<ServiceKind>,
): Promise<Stored<ServiceKind>> {
    const { service_id: serviceId } = service;
    const { context, path } = operation;
    const inputs = { projectId: path.project_id, fork: { serviceId, strategy: "NOW" }, paused: true } as const;
    const copy = await create({ ...inputs, name: await nameFor(service, operation) }, context);
    if (copiedBy(copy.state)?.serviceId !== serviceId) {
        throw new CloudDbError(`The API does not show that ${copy.id} is a fork of ${serviceId}.`);
    }
    return copy;
}

/** How the service is deleted without a new copy. */
const withoutCopy = (name: string, serviceId: string): string =>
    `To delete ${show(name)} without a new copy, set finalFork: false and run \`pulumi up\` first. ` +
    `If it was replaced, its entry is pending deletion and keeps finalFork: true; remove this entry with ` +
    `\`pulumi state delete --force\` and its URN; then ${deletesOrphan(serviceId)}.`;

/** The name of a new copy. Only a running service can be copied, so it is resumed first. */
async function nameFor(service: Service, operation: Operation<ServiceKind>): Promise<string> {
    const { name, service_id: serviceId } = await runSteps([resume(false)], service, operation);
    return lastCopyName.format({ name, serviceId, requestedAt: operation.context.client.serverClock.now() });
}

/** Pauses a service that was resumed for its copy, because its state says that it is paused. If that fails, says so. */
async function pausedAgain(service: Service, operation: Operation<ServiceKind>): Promise<string> {
    try {
        const item = observe(service).paused ? await readResource(operation) : undefined;
        if (item !== undefined && !isDeleting(operation.resource, item)) {
            await runSteps([pause(false)], item, operation);
        }
        return "";
    } catch {
        return "It was paused, and runs now: `pulumi up --refresh` pauses it again. ";
    }
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
