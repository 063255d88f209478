import type { Service } from "../../api/contract";
import { CloudDbError, partsOf } from "../../api/errors";
import { linesOf, type Message } from "../../inputs/message";
import { show } from "../../inputs/fields";
import type { OperationContext } from "../../contract/operation";
import { lastCopyFailed, UncertainCreationError } from "../../lifecycle/errors";
import type { Create, Operation } from "../../contract/resource";
import { readResource } from "../../observe/reads";
import { runSteps } from "../../reconcile/steps";
import type { ServiceInputs } from "./inputs";
import { lastCopyName, type LastCopyName } from "./lastCopyName";
import { observe, type ServiceObserved } from "./observed";
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

/** Makes a last copy of the service, and prints how to restore it. */
export async function makeLastCopy(
    service: Service,
    operation: Operation<ServiceKind>,
    create: Create<ServiceKind>,
): Promise<void> {
    const { subject, context, path } = operation;
    const { service_id: serviceId } = service;
    const inputs = { projectId: path.project_id, fork: { serviceId, strategy: "NOW" }, paused: true } as const;
    const within = { ...context, status: (text: string) => context.status(`last copy: ${text}`) };
    const copying = { ...operation, context: within };
    try {
        const copyName = await nameFor(service, copying);
        const { id, state } = await create({ ...inputs, name: copyName }, within);
        if (copiedBy(state)?.serviceId !== serviceId) {
            throw new CloudDbError(`The API does not show that ${id} is a fork of ${serviceId}.`);
        }
        report(service, id, state, context);
    } catch (error) {
        const isLeftRunning = observe(service).paused && !(await pauseAgain(service, copying));
        const { urn, run } = context;
        const { declared, manages } = run.row(urn);
        const isPending = declared && manages !== undefined && manages.id !== serviceId;
        throw lastCopyFailed(subject, serviceId, { urn, isLeftRunning, isPending }, reasonOf(error), error);
    }
}

/** The name of a new copy. Only a running service can be copied, so it is resumed first. */
async function nameFor(service: Service, operation: Operation<ServiceKind>): Promise<string> {
    const { name, service_id: serviceId } = await runSteps([resume(false)], service, operation, undefined, 0);
    return lastCopyName.format({ name, serviceId, requestedAt: operation.context.client.serverClock.now() });
}

/** Pauses a service that was resumed for its copy, because its state says that it is paused. False if that fails. */
async function pauseAgain(service: Service, operation: Operation<ServiceKind>): Promise<boolean> {
    try {
        await runSteps([pause(false)], (await readResource(operation)) ?? service, operation, undefined, 0);
        return true;
    } catch {
        return false;
    }
}

/** Why a copy is not complete. A copy has no line in the program, so that a message must not ask to change one. */
function reasonOf(error: unknown): Pick<Message, "what" | "details"> {
    const { what, details } = partsOf(error);
    return error instanceof UncertainCreationError
        ? { what: `it is not certain whether forkService has created ${error.ids.join(" or ")}`, details }
        : { what, details };
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
