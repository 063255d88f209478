import { CloudDbError, failureInRow, type CallError } from "../api/callErrors";
import type { Message } from "../base/message";
import { formatDuration } from "../base/time";
import { lastReadMs, watch } from "../observe/watch";
import { collectionPath, idOf, nameOf, refTo } from "../model/identity";
import { isDeleting } from "../model/outcome";
import type { KnownInputs, Path, Resource } from "../model/resource";
import { unshown } from "../model/remembered";
import { messages, quotedName, type Existing } from "./messages";
import { isSameText, same, show, valueOf } from "../base/fields";
import { formatSize, type PartialSize } from "../base/size";
import type { Context } from "../model/context";
import { whyNotAdopted } from "./plan";
import { callOptions } from "../observe/progress";
import { collectionAt } from "../observe/reads";

/** After its deadline, a creation has this long to find what a lost response created. */
const graceMs = 4_000;

/** The properties of an observation that this file reads by name. It also has the other outputs of its kind. */
type Traits = PartialSize & { readonly name?: string; readonly created?: unknown };

/** Whether a response says nothing of the name of a resource, which then can be any. */
const isNameless = ({ name }: Traits): boolean => name === undefined || name === "";

/** An existing resource of the same collection. */
interface Other extends Existing {
    readonly item: unknown;
    readonly observed: Traits;
    /** When it was created, on the clock of the API; NaN if the API does not return the time. */
    readonly createdAt: number;
    /** Whether this run replaces it, or has deleted it. */
    readonly isReplaced: boolean;
    /** Whether it is what the inputs would create, and is neither being deleted nor replaced. */
    readonly isMatch: boolean;
}

/** Prevents duplicates of the resource that these inputs describe: before a creation, and after a lost response. */
export class Duplicates {
    private readonly path: Path;
    /** The name of the resource. Undefined for a kind without names. */
    private readonly name: string | undefined;
    /** The ids of the resources of its kind that existed before the request. */
    private before: ReadonlySet<string> = new Set();

    constructor(
        private readonly resource: Resource,
        private readonly subject: string,
        private readonly inputs: KnownInputs,
        private readonly context: Context,
    ) {
        this.path = collectionPath(resource, inputs.projectId, inputs);
        this.name = "name" in resource.fields ? nameOf(resource, inputs) : undefined;
    }

    /** Fails if the resource already exists. Called just before the request. */
    async assertUnique(): Promise<void> {
        const { resource } = this;
        if (resource.creation.matches === undefined) {
            return;
        }
        // A list may lack an entry, and the provider would create a second resource, so it reads the list twice. A match in
        // either list counts, because one of them may be stale.
        const all = [...(await this.list()), ...(await this.list())];
        const matching = all.filter(({ isMatch }) => isMatch);
        const [duplicate, ...others] = new Map(matching.map((one) => [one.id, one])).values();
        if (duplicate !== undefined) {
            throw this.alreadyExists([duplicate, ...others]);
        }
        this.before = new Set(all.map(({ id }) => id));
    }

    /** Why another resource of the collection prevents the creation; undefined if none does. */
    async rejection(): Promise<Message | undefined> {
        const { creation } = this.resource;
        const others = creation.rejectionBeside === undefined ? [] : await this.list();
        return others.flatMap(({ item, isReplaced }) =>
            isReplaced ? [] : (creation.rejectionBeside?.(item, this.inputs) ?? []),
        )[0];
    }

    /** Why a response cannot describe the object that this request created. */
    contradiction(item: unknown): string | undefined {
        const { id, observed } = this.otherFrom(item);
        const isOther = !isNameless(observed) && !this.isOurs(observed.name);
        const otherName = isOther ? `has the name ${show(observed.name)}` : undefined;
        const problem = this.before.has(id) ? "existed before the request" : otherName;
        return problem && `it describes ${id}, which ${problem}`;
    }

    /**
     * If the response to a create request is lost, finds what the request created, even after the deadline. Returns only
     * what was not there before, as far as `isResultOf` can tell it from what others create; undefined if nothing was created.
     * Otherwise fails, which ends the creation.
     */
    async recoverCreated(lost: CallError): Promise<unknown> {
        // The request may end 3 s after the deadline. The last list begins then, and has `lastReadMs`.
        const extended = { ...this.context, deadlineAt: this.context.deadlineAt + graceMs };
        const { lists, clock, signal } = extended;
        const lastReadAt = extended.deadlineAt - lastReadMs;
        // `refusal`: it differs from the inputs in a value that cannot change in place, so this request has not created it.
        const isCandidate = ({ isMatch, id, refusal }: Other) =>
            isMatch && !this.before.has(id) && refusal === undefined;
        // A list may lack a new resource for `listLagMs`. Until then, another candidate may appear, so one that is found is not taken yet.
        let decidesAt: number | undefined;
        const last = await watch({
            lists,
            signal,
            deadlineAt: lastReadAt,
            read: () => {
                extended.showRow(`${failureInRow(lost)}, checking whether the resource was created`);
                return this.list(extended).catch((): never => {
                    // The user must learn that the resource may have been created.
                    throw lost;
                });
            },
            condition: (list) => {
                const found = list.filter(isCandidate);
                const [one, another] = found;
                // A name is not proof, not even a generated one: another backend can have a stack with the same URNs.
                if (one !== undefined && (another !== undefined || !this.isResultOf(lost, one))) {
                    throw this.uncertainCreation(found, lost);
                }
                decidesAt ??= Math.min(clock.now() + extended.client.listLagMs, lastReadAt);
                return clock.now() >= decidesAt;
            },
            // Never: the condition holds at the deadline at the latest.
            timedOut: () => lost,
        });
        const one = last?.find(isCandidate);
        if (one !== undefined) {
            // No adoption as with existingId: the state records a creation, so this stack owns it.
            extended.info(`the response to its creation was lost; the provider found and adopted ${one.id}`);
            return one.item;
        }
        const vague = last?.filter((other) => this.isVague(other) && !this.before.has(other.id)) ?? [];
        if (vague.length > 0) {
            throw this.uncertainCreation(vague, lost);
        }
        return undefined;
    }

    /** Reads the list. Fails if a malformed entry has a name of this resource, or none that can be read. */
    private async list(context = this.context): Promise<readonly Other[]> {
        const isNeeded = (entry: object) => {
            const name = valueOf(entry, "name");
            return typeof name !== "string" || this.isOurs(name);
        };
        const collection = collectionAt(this.resource, this.path, context.client);
        return (await context.lists.list(collection, callOptions(context), isNeeded)).map((item) =>
            this.otherFrom(item),
        );
    }

    private otherFrom(item: unknown): Other {
        const { resource, path, inputs, context } = this;
        const { creation } = resource;
        const observed: Traits = resource.observation.observe(item, path);
        const id = idOf(resource, item, path);
        const isReplaced = context.ledger.isReplacedOrDeleted(refTo(resource, inputs.projectId, id), context.urn);
        const createdAt = typeof observed.created === "string" ? Date.parse(observed.created) : NaN;
        const ageMs = Math.max(context.client.serverClock.now() - createdAt, 0);
        const age = Number.isNaN(ageMs) ? [] : [`created ${formatDuration(ageMs)} ago`];
        const size = observed.cpuMillis === undefined ? [] : [formatSize(observed)];
        return {
            item,
            id,
            observed,
            createdAt,
            description: [...age, ...size].join(", "),
            refusal: whyNotAdopted(resource, item, observed, inputs),
            isReplaced,
            isMatch: creation.matches?.(item, inputs) === true && !isDeleting(resource, item) && !isReplaced,
        };
    }

    private alreadyExists(existing: readonly [Other, ...Other[]]): CloudDbError {
        const { resource, subject, inputs, context } = this;
        const { urn, ledger } = context;
        const managers = existing.map(({ id }) => ledger.managerOf(refTo(resource, inputs.projectId, id), urn));
        const manager = managers.find((one) => one?.declared !== undefined);
        return new CloudDbError(
            manager === undefined
                ? messages.alreadyExists(subject, existing, existing[0].observed.name, urn, resource.hasData)
                : messages.nameInUse(subject, quotedName(manager.urn), existing[0].id),
        );
    }

    private uncertainCreation(found: readonly Other[], cause: unknown): CloudDbError {
        const { hasData } = this.resource;
        return new CloudDbError(messages.uncertainCreation(this.subject, found, this.name, hasData, cause));
    }

    /** Whether the API may show this name for the declared one. */
    private isOurs(name: unknown): boolean {
        return isSameText(this.name, name);
    }

    /** Whether an entry may be this resource, but does not say so: it has no name, or in a kind without names, it lacks an input. */
    private isVague({ observed, refusal }: Other): boolean {
        const { resource } = this;
        return this.name === undefined
            ? refusal === undefined && unshown(resource, Object.keys(resource.fields), observed).length > 0
            : isNameless(observed);
    }

    /**
     * Whether the lost request created a resource that is new in the list: it shows no other value than the requested ones, and was
     * created while the request was in flight. Not every kind has a time of creation. `refusal` compares what only a replacement
     * changes.
     */
    private isResultOf(lost: CallError, { observed: seen, createdAt }: Other): boolean {
        const { creation, outputs } = this.resource;
        const { sets, proof } = creation.describe(this.inputs);
        const requested = Object.entries<unknown>({ ...sets, ...proof });
        const isAsRequested = requested.every(([name, value]) => {
            const found = valueOf(seen, name);
            return (
                value === undefined ||
                found === undefined ||
                (name === "name" ? this.isOurs(found) : same(value, found))
            );
        });
        // Without a period, nothing is certain.
        const { from = NaN, until = NaN } = lost.call.inFlight ?? {};
        return isAsRequested && (!("created" in outputs) || (createdAt >= from && createdAt <= until));
    }
}
