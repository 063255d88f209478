import { CloudDbError, inFlightOf, inRow } from "../api/callErrors";
import type { Message } from "../base/message";
import { formatDuration } from "../base/time";
import { notFoundPollMs } from "../observe/schedule";
import { collectionPath, idOf, nameOf } from "../model/identity";
import { isDeleting } from "../model/outcome";
import { asShown } from "../model/forms";
import type { Checked, Path, Resource } from "../model/resource";
import { AlreadyExistsError } from "./errors";
import { messages, quotedName, type Existing } from "./messages";
import { isOtherForm, show, valueOf, type Field } from "../base/fields";
import { formatSize, type PartialSize } from "../base/size";
import { withGrace } from "./session";
import type { Context } from "../model/context";
import { callOptions } from "../observe/progress";
import { collectionAt } from "../observe/reads";
import type { Row } from "../model/registry";

/** Prevents duplicates of the resource that these inputs describe: before a creation, and after a lost response. */
export class Duplicates {
    private readonly path: Path;

    constructor(
        private readonly resource: Resource,
        private readonly subject: string,
        private readonly inputs: Checked,
        private readonly context: Context,
    ) {
        this.path = collectionPath(resource, inputs.projectId, inputs);
    }

    /** Fails if the resource already exists; otherwise returns the ids of the existing resources of its kind. */
    async assertUnique(): Promise<ReadonlySet<string>> {
        const { resource, subject } = this;
        if (resource.creation.matches === undefined) {
            return new Set();
        }
        // A list may lack an entry, and the provider would create a second resource, so it reads the list twice.
        const [first, second] = [await this.list(), await this.list()];
        const items = [...first, ...second];
        // A match in either list counts, because one of them may be stale. With the name in another form, it is another resource
        // if both can exist.
        const found = items.filter(
            (item) =>
                this.isDuplicate(item) ||
                (this.isDuplicateInForm(item) && resource.creation.rejectionBeside?.(item, this.inputs)),
        );
        const matches = new Map(found.map((item) => [this.idOf(item), item]));
        const [duplicate, ...others] = [...matches.values()].map((item) => ({
            ...this.existing(item),
            refusal: this.adoptionRefusal(item),
        }));
        if (duplicate !== undefined) {
            const holders = [duplicate, ...others] as const;
            const manager = holders.map(({ id }) => this.managerOf(id)).find((one) => one !== undefined);
            throw manager === undefined
                ? new AlreadyExistsError({ ...this.named(), existing: holders, urn: this.inputs.__urn })
                : new CloudDbError(messages.nameInUse({ subject, id: duplicate.id, other: quotedName(manager.urn) }));
        }
        const likely = new Set(items.filter((item) => this.isDuplicateInForm(item)).map((item) => this.idOf(item)));
        if (likely.size > 0) {
            const ids = [...likely].join(" and ");
            this.context.warn(
                `${ids} has the same name in another form: if an interrupted run left it, adopt it with existingId`,
            );
        }
        return new Set(items.map((item) => this.idOf(item)));
    }

    /** Why another resource of the collection prevents the creation; undefined if none does. */
    async rejection(): Promise<Message | undefined> {
        const { creation } = this.resource;
        const items = creation.rejectionBeside === undefined ? [] : await this.list();
        return items.flatMap((item) =>
            this.isReplaced(item) ? [] : (creation.rejectionBeside?.(item, this.inputs) ?? []),
        )[0];
    }

    /** Why a response cannot describe the object that this request created. */
    contradiction(item: unknown, before: ReadonlySet<string>): string | undefined {
        const id = this.idOf(item);
        const { name } = this.observed(item);
        const otherName = this.isShownAs("name", this.name(), name) ? undefined : `has the name ${show(name)}`;
        const problem = before.has(id) ? "existed before the request" : otherName;
        return problem && `it describes ${id}, which ${problem}`;
    }

    /**
     * If the response to a create request is lost, finds what the request created, even after the deadline. Adopts only
     * what was not there before, as far as `isResultOf` can tell it from what others create.
     */
    async recoverCreated(before: ReadonlySet<string>, lost: unknown): Promise<unknown> {
        const context = withGrace(this.context);
        const { clock } = context;
        let giveUpAt: number | undefined;
        for (;;) {
            context.status(`${inRow(lost)}, checking whether the resource was created`);
            const isOurs = (name: string) => this.isShownAs("name", this.name(), name);
            const items = await this.list(context, isOurs).catch((): never => {
                // The user must learn that the resource may have been created.
                throw lost;
            });
            const candidates = items.filter((candidate) => this.mayBeCreated(candidate, before));
            const [item] = candidates;
            // A name is not proof, not even a generated one: another backend can have a stack with the same URNs.
            const isCertain = candidates.length === 1 && this.isResultOf(lost, item);
            if (item !== undefined && !isCertain) {
                const found = candidates.map((candidate) => this.existing(candidate));
                throw new CloudDbError({
                    ...messages.uncertainCreation({ ...this.named(), found, cause: lost }),
                    cause: lost,
                });
            }
            // Counted from the first list that is read.
            giveUpAt ??= Math.min(clock.now() + context.client.listLagMs, context.deadlineAt);
            const isLast = clock.now() >= giveUpAt;
            // Another candidate can still appear.
            if (item !== undefined && isLast) {
                context.info(
                    `the response to its creation was lost; the provider found and adopted ${this.idOf(item)}`,
                );
                return item;
            }
            if (isLast) {
                throw lost;
            }
            await clock.sleep(notFoundPollMs, context.signal);
        }
    }

    /** Reads the list. Fails if a malformed entry has a name of this resource, or none that can be read. */
    private list(context = this.context, isOurs = (name: string) => name === this.name()): Promise<readonly unknown[]> {
        const collection = collectionAt(this.resource, this.path, context.client);
        return context.lists.list(
            collection,
            callOptions(context),
            ({ name }: { readonly name?: unknown }) => typeof name !== "string" || isOurs(name),
        );
    }

    /** Whether an existing resource is what these inputs would create, unless it is being deleted or replaced. */
    private isDuplicate(item: unknown, inputs: object = { ...this.inputsFor(item), name: this.name() }): boolean {
        const { resource } = this;
        return (
            resource.creation.matches?.(item, inputs) === true && !isDeleting(resource, item) && !this.isReplaced(item)
        );
    }

    /** The same, whatever the API has made of the declared name. */
    private isDuplicateInForm(item: unknown): boolean {
        return this.isDuplicate(item, this.inputsFor(item));
    }

    private isReplaced(item: unknown): boolean {
        const { registry, urn } = this.context;
        const { phase } = registry.row(urn);
        return phase?.is === "replacing" && phase.id === this.idOf(item);
    }

    /** Another resource that the program declares and that manages this id. */
    private managerOf(id: string): Row | undefined {
        const { registry, urn } = this.context;
        const manager = registry.managerOf({ type: this.resource.type, projectId: this.inputs.projectId, id }, urn);
        return manager?.declared && manager;
    }

    /** Whether the request may have created the resource: it is new, matches, and can be adopted. */
    private mayBeCreated(item: unknown, before: ReadonlySet<string>): boolean {
        return this.isDuplicateInForm(item) && !before.has(this.idOf(item)) && this.adoptionRefusal(item) === undefined;
    }

    private adoptionRefusal(item: unknown): string | undefined {
        return this.resource.creation.adoptionRefusal?.(item, this.inputsFor(item));
    }

    /** The inputs, in the form in which the API shows this resource. */
    private inputsFor(item: unknown): Checked {
        return asShown(this.resource, this.inputs, this.observed(item));
    }

    /** Whether the API may show this value for a declared one. */
    private isShownAs(name: string, declared: unknown, shown: unknown): boolean {
        const field: Partial<Field> = valueOf(this.resource.fields, name) ?? {};
        return declared === shown || isOtherForm(field, declared, shown);
    }

    /**
     * Whether the lost request created a resource that is new in the list: it has exactly the requested values, and was
     * created while the request was in flight. Not every kind has a time of creation.
     */
    private isResultOf(lost: unknown, item: unknown): boolean {
        const seen = this.observed(item);
        const { observed } = this.resource.creation.describe(this.inputs);
        const isAsRequested = Object.entries<unknown>({ ...observed }).every(([name, requested]) => {
            const found = valueOf(seen, name);
            return requested === undefined || found === undefined || this.isShownAs(name, requested, found);
        });
        if (!("created" in this.resource.outputs)) {
            return isAsRequested;
        }
        const { from = NaN, until = NaN } = inFlightOf(lost) ?? {};
        const createdAt = this.createdAt(item);
        return isAsRequested && createdAt >= from && createdAt <= until;
    }

    /** When it was created, on the API's clock; NaN if the API does not return the time. */
    private createdAt(item: unknown): number {
        const { created } = this.observed(item);
        return typeof created === "string" ? Date.parse(created) : NaN;
    }

    private existing(item: unknown): Existing {
        const createdAt = this.createdAt(item);
        const now = this.context.client.serverClock.now();
        const age = Number.isNaN(createdAt) ? [] : [`created ${formatDuration(Math.max(now - createdAt, 0))} ago`];
        const observed = this.observed(item);
        const size = observed.cpuMillis === undefined ? [] : [formatSize(observed)];
        return { id: this.idOf(item), description: [...age, ...size].join(", ") };
    }

    private observed(item: unknown): PartialSize & { readonly name?: unknown; readonly created?: unknown } {
        return this.resource.observation.observe(item, this.path);
    }

    /** The resource, as messages about others of its name show it. */
    private named() {
        return { subject: this.subject, name: this.name(), hasData: this.resource.hasData };
    }

    /** The name of the resource. Undefined for a kind without names. */
    private name(): string | undefined {
        return "name" in this.resource.fields ? nameOf(this.resource, this.inputs) : undefined;
    }

    private idOf(item: unknown): string {
        return idOf(this.resource, item, this.path);
    }
}
