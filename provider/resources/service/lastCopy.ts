import type { Service } from "../../api/contract";
import { CloudDbError } from "../../api/errors";
import { linesOf } from "../../inputs/message";
import { show } from "../../inputs/fields";
import type { OperationContext } from "../../contract/operation";
import { lastCopyFailed, notDeletedAfterCopy, tooManyCopies, type CopiedEntry } from "../../lifecycle/errors";
import { isDeleting } from "../../contract/outcome";
import type { Create, Operation, Stored } from "../../contract/resource";
import { errorOf } from "../../lifecycle/timeLimit";
import { readList, readResource } from "../../observe/reads";
import { sourceOf } from "../../observe/source";
import { runSteps } from "../../reconcile/steps";
import type { ServiceInputs } from "./inputs";
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

/** The inputs that restore a service from its last copy, which is paused. */
export function restoringInputs(id: string): Pick<ServiceInputs, "existingId" | "paused"> {
    return { existingId: id, paused: false };
}

/** Makes a last copy of the service, prints how to restore it, and deletes the service. */
export async function keepLastCopy(
    service: Service,
    operation: Operation<ServiceKind>,
    create: Create<ServiceKind>,
    remove: () => Promise<void>,
): Promise<void> {
    const { subject, context } = operation;
    await assertFewCopies(service, operation);
    const within = { ...context, status: (text: string) => context.status(`last copy: ${text}`) };
    const copying = { ...operation, context: within };
    const copy = await makeCopy(service, copying, create).catch(async (error: unknown) => {
        const isLeftRunning = !(await isPausedAgain(service, copying));
        throw lastCopyFailed(subject, { ...entryOf(service, context), isLeftRunning }, error);
    });
    report(service, copy.id, copy.state, context);
    await remove().catch(async (error: unknown) => {
        const isLeftRunning = !(await isPausedAgain(service, operation));
        const { id, state } = copy;
        const failure = errorOf(error, subject, "deleted", context);
        throw notDeletedAfterCopy(
            { ...entryOf(service, context), isLeftRunning },
            { id, created: state.created },
            failure,
        );
    });
}

function entryOf({ service_id: id }: Service, { urn, registry }: OperationContext): CopiedEntry {
    const { manages, replaced } = registry.heirOf(id, urn);
    // A destroy knows neither. The next `pulumi up` does.
    const isPending = manages !== undefined && manages.id !== id;
    return { id, isLeftRunning: false, kind: isPending ? "pending" : replaced === undefined ? "other" : "replaced" };
}

/** The most last copies of a service. One may be of a killed run; two show that the deletions themselves fail. */
const mostCopies = 2;

/** Fails if earlier runs have made last copies and not deleted the service: each run would make one more. */
async function assertFewCopies(service: Service, { subject, context, path }: Operation<ServiceKind>): Promise<void> {
    const copies = await readList(sourceOf(anyService, path, context.client), context, ({ items }) =>
        items.filter((item) => copiedBy(observe(item))?.serviceId === service.service_id),
    );
    if (copies.length >= mostCopies) {
        const found = copies.map(
            ({ service_id: id, status, created }) => `${id} (${status}, with the data of ${created})`,
        );
        throw tooManyCopies(subject, entryOf(service, context), found);
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

/** The name of a new copy. Only a running service can be copied, so it is resumed first. */
async function nameFor(service: Service, operation: Operation<ServiceKind>): Promise<string> {
    const { name, service_id: serviceId } = await runSteps([resume(false)], service, operation, undefined, 0);
    const { client, random } = operation.context;
    // The clock of the API has whole seconds. A random part of one tells the copies of two runs apart, of which one was killed.
    const requestedAt = client.serverClock.now() + Math.floor(random() * 1_000);
    return lastCopyName.format({ name, serviceId, requestedAt });
}

/** Pauses a service that was resumed for its copy, because its state says that it is paused. False if that fails. */
async function isPausedAgain(service: Service, operation: Operation<ServiceKind>): Promise<boolean> {
    try {
        const item = observe(service).paused ? await readResource(operation) : undefined;
        if (item !== undefined && !isDeleting(operation.resource, item)) {
            await runSteps([pause(false)], item, operation, undefined, 0);
        }
        return true;
    } catch {
        return false;
    }
}

function report({ service_id: id }: Service, copyId: string, copy: ServiceObserved, { info }: OperationContext) {
    const inputs = Object.entries(restoringInputs(copyId)).map(([name, value]) => `${name}: ${show(value)}`);
    info(
        linesOf({
            what: `the last copy of service ${id} is ${copyId}, with the data of ${copy.created}. It is paused, and in no stack.`,
            ways: [{ label: "Restore it", text: `declare a service with ${inputs.join(", ")} and a new password` }],
        }),
    );
}
