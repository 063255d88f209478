import { deletionCommand, deletionPathOf } from "../api/deletion";
import { inFlightOf } from "../api/errors";
import type { Period } from "../api/serverClock";
import { formatDuration } from "../wait/duration";
import { appearsWithinMs, notFoundPollMs } from "../wait/schedule";
import type { Checked, CommonInputs, Created, Path, Resource } from "./resource";
import {
    AmbiguousError,
    AlreadyExistsError,
    NameInUseError,
    OwnershipError,
    type Existing,
    type NameOrigin,
} from "./errors";
import { nameFrom } from "../inputs/names";
import { entriesOf, same, show, valueOf, type Field } from "../inputs/fields";
import { withGrace, type OperationContext } from "./operation";
import { readList } from "./reads";

/** How long the check for duplicates retries while the API is unavailable, in milliseconds. */
const checksWithinMs = 5_000;

/** The clocks of the servers of the API may differ by this, in milliseconds. */
const clockToleranceMs = 5_000;

/** A create request. */
export interface CreateRequest<Inputs> {
    readonly inputs: Checked<Inputs>;
    readonly collection: Path;
    /** The ids that existed before the request. */
    readonly before: ReadonlySet<string>;
}

/** A create request whose response was lost. */
export interface LostCreation<Inputs> extends CreateRequest<Inputs> {
    /** How the request failed. */
    readonly lost: unknown;
}

/** Prevents duplicates: before a creation, after a lost response, and where lists show a resource late. */
export class Duplicates<Inputs extends CommonInputs, Observed extends object, Item> {
    constructor(
        private readonly resource: Resource<Inputs, Observed, Item>,
        private readonly subject: (inputs: Checked<Inputs>) => string,
    ) {}

    /** Fails if the resource already exists; otherwise returns the ids of the existing resources of its kind. */
    async assertUnique(
        inputs: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
    ): Promise<ReadonlySet<string>> {
        const { resource } = this;
        if (resource.collection.matches === undefined) {
            return new Set();
        }
        // A list may lack an entry, and a second resource would be created: so it is read twice.
        const [first, second] = [
            await this.list(inputs, collection, context),
            await this.list(inputs, collection, context),
        ];
        const items = [...first.items, ...second.items];
        const unreadable = first.unreadable ?? second.unreadable;
        if (unreadable !== undefined) {
            context.warn(
                `cannot exclude that this ${resource.noun} already exists: ` +
                    `the list has an entry without a readable name. ${unreadable.message}`,
            );
        }
        const idOf = (item: Item) => resource.identity.idOf(item, collection);
        // A match in either list counts, because one of them may be stale.
        const matches = items.filter((item) => this.isDuplicate(item, inputs, collection, context));
        const [duplicate, ...others] = [...new Map(matches.map((item) => [idOf(item), item])).values()].map((item) => {
            const existing = this.existing(item, collection, context);
            const path = resource.identity.pathOf(inputs.projectId, existing.id);
            return { ...existing, blocker: resource.creation.adoptionBlocker(item, path, inputs) };
        });
        const manager = [duplicate, ...others]
            .map((one) => one && context.managerOf(inputs.projectId, one.id))
            .find((one) => one !== undefined);
        if (duplicate !== undefined && manager !== undefined) {
            throw new NameInUseError(this.subject(inputs), duplicate.id, manager.name);
        }
        if (duplicate !== undefined) {
            throw new AlreadyExistsError(this.subject(inputs), [duplicate, ...others], this.originOf(inputs));
        }
        return new Set(items.map(idOf));
    }

    private originOf({ __urn: urn, name }: Checked<Inputs> & { readonly name?: unknown }): NameOrigin {
        if (!("name" in this.resource.fields)) {
            return "none";
        }
        return urn !== undefined && name === nameFrom(urn) ? "generated" : "declared";
    }

    /** Describes why a response is about another object than the one that this request has created. */
    contradiction(
        item: Item,
        { inputs, collection, before, inFlight }: CreateRequest<Inputs> & { readonly inFlight: Period | undefined },
    ): string | undefined {
        const { identity, fields, state, creation } = this.resource;
        const id = identity.idOf(item, collection);
        const createdAt = this.createdAt(item, collection);
        const found = state.observe(item, collection);
        const different = entriesOf(fields).find(([name, { effect }]) => {
            const [requested, actual] = [valueOf(inputs, name), valueOf(found, name)];
            const isFixed = name === "name" || effect === "replace";
            return isFixed && requested !== undefined && actual !== undefined && !same(requested, actual);
        });
        const problem = before.has(id)
            ? "existed before the request"
            : inFlight !== undefined && createdAt !== undefined && createdAt < inFlight.from - clockToleranceMs
              ? "was created before the request"
              : different !== undefined
                ? `has the ${different[0]} ${show(valueOf(found, different[0]))}, not ${show(valueOf(inputs, different[0]))}`
                : creation.contradiction?.(item, inputs);
        return problem && `it describes ${id}, which ${problem}`;
    }

    /** Finds what a create request created whose response was lost; adopts it only where nobody else can have created it. */
    async recoverCreated(request: LostCreation<Inputs>, context: OperationContext): Promise<Created<Item>> {
        const { resource } = this;
        const { inputs, collection, before, lost } = request;
        const { clock } = context.wait;
        let giveUpAt: number | undefined;
        for (;;) {
            context.status("the response was lost, checking whether it was created");
            const { items, unreadable } = await this.list(inputs, collection, context).catch((): never => {
                // The user has to know that the resource may have been created.
                throw lost;
            });
            const candidates = items.filter((candidate) =>
                this.mayBeCreatedBy(candidate, inputs, collection, before, context),
            );
            const [item] = candidates;
            if (candidates.length > 1) {
                const ids = candidates.map((candidate) => resource.identity.idOf(candidate, collection));
                throw new AmbiguousError(this.subject(inputs), ids, lost);
            }
            // A name is no proof, not even a generated one: another backend can have a stack with the same URNs.
            const isCertain = unreadable === undefined && this.isResultOf(request, item);
            if (item !== undefined && !isCertain) {
                throw new OwnershipError(this.subject(inputs), this.existing(item, collection, context), lost);
            }
            // Counted from the first list that is read.
            giveUpAt ??= Math.min(clock.now() + appearsWithinMs, context.deadlineAt);
            const isLast = clock.now() >= giveUpAt;
            // Another candidate can still appear.
            if (item !== undefined && isLast) {
                context.info(
                    `the response to its creation was lost; the provider found and adopted ${resource.identity.idOf(item, collection)}`,
                );
                return { item, records: resource.creation.fallbackSecrets?.(inputs) ?? {} };
            }
            if (isLast) {
                throw lost;
            }
            await clock.sleep(notFoundPollMs, context.signal);
        }
    }

    /**
     * Warns about duplicates of a new resource: a list may show late what an interrupted run, or somebody else, created
     * shortly before. A list that shows the new resource also shows older ones.
     */
    async warnAboutDuplicates(
        id: string,
        inputs: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
        listedWithinMs = 0,
    ): Promise<void> {
        const { resource } = this;
        if (resource.collection.matches === undefined) {
            return;
        }
        const items = await this.listWith(id, inputs, collection, context, listedWithinMs);
        const own = items.find((item) => resource.identity.idOf(item, collection) === id);
        const others = items.filter((item) => item !== own && this.isDuplicate(item, inputs, collection, context));
        if (others.length > 0) {
            const duplicate = (existing: Existing): Duplicate => ({
                ...existing,
                deletionCommand: this.deletionOf(inputs.projectId, existing.id, context),
            });
            const found = others.map((item) => duplicate(this.existing(item, collection, context)));
            const self = own === undefined ? { id, age: "" } : this.existing(own, collection, context);
            context.warn(duplicateWarning(this.subject(inputs), duplicate(self), found, inputs.__urn));
        }
    }

    /** Warns about other resources with the new name of a renamed resource. */
    async warnOfSameName(
        id: string,
        inputs: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
    ): Promise<void> {
        const items = await this.listWith(id, inputs, collection, context, 0);
        const others = items
            .filter((item) => this.isDuplicate(item, inputs, collection, context))
            .map((item) => this.resource.identity.idOf(item, collection))
            .filter((other) => other !== id);
        if (others.length > 0) {
            context.warn(
                `${this.subject(inputs)} (${id}) was renamed, and ${others.join(", ")} has the same name. ` +
                    `Names need not be unique, but people cannot tell them apart. Choose another name for one of them.`,
            );
        }
    }

    /** Reads the list until it shows the resource with this id, for at most `withinMs`. */
    private async listWith(
        id: string,
        inputs: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
        withinMs: number,
    ): Promise<readonly Item[]> {
        const { clock } = context.wait;
        const giveUpAt = Math.min(clock.now() + withinMs, context.deadlineAt);
        for (;;) {
            // The API may be unavailable, which must not delay a creation that succeeded. This also runs after a time-out.
            const deadlineAt = Math.min(clock.now() + checksWithinMs, withGrace(context).deadlineAt);
            const { items } = await this.list(inputs, collection, { ...context, deadlineAt });
            if (clock.now() >= giveUpAt || items.some((item) => this.resource.identity.idOf(item, collection) === id)) {
                return items;
            }
            context.status("waiting for the list to show it, to exclude duplicates");
            await clock.sleep(notFoundPollMs, context.signal);
        }
    }

    private deletionOf(projectId: string, id: string, { client }: OperationContext): string {
        const path = deletionPathOf(this.resource.identity.pathOf(projectId, id));
        return deletionCommand(`${client.baseUrl}${path}`, client.authentication);
    }

    /** Reads the list, and why a name in it cannot be read. Fails if an entry with the same name is malformed. */
    private list(
        inputs: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
    ): Promise<{ readonly items: readonly Item[]; readonly unreadable: Error | undefined }> {
        const { resource } = this;
        return readList(resource.collection.source(collection, context.client), context, ({ items, malformed }) => {
            const duplicate = malformed.find(({ fields }) =>
                this.isDuplicate(fields as Item, inputs, collection, context),
            );
            if (duplicate !== undefined) {
                throw duplicate.error;
            }
            const nameless = malformed.find(({ fields }) => typeof fields.name !== "string");
            return { items, unreadable: "name" in resource.fields ? nameless?.error : undefined };
        });
    }

    /** Whether an existing resource is what these inputs would create, apart from one that is being deleted, replaced or renamed. */
    private isDuplicate(item: Item, inputs: Checked<Inputs>, collection: Path, context: OperationContext): boolean {
        const { resource } = this;
        return (
            resource.collection.matches?.(item, inputs) === true &&
            !resource.state.isDeleting(item) &&
            resource.identity.idOf(item, collection) !== context.replacing &&
            !this.isRenamed(item, inputs, collection, context)
        );
    }

    /** Whether another resource of the program manages it and renames it. */
    private isRenamed(
        item: Item,
        { projectId }: Checked<Inputs>,
        collection: Path,
        context: OperationContext,
    ): boolean {
        const { fields, identity, state } = this.resource;
        const manager = context.managerOf(projectId, identity.idOf(item, collection));
        const name = manager && valueOf(manager.inputs, "name");
        const isRenamable = (valueOf(fields, "name") as Field | undefined)?.effect === "update";
        return isRenamable && typeof name === "string" && name !== valueOf(state.observe(item, collection), "name");
    }

    /** Whether a request with these inputs may have created the resource: it is new, matches, and can be adopted. */
    private mayBeCreatedBy(
        item: Item,
        inputs: Checked<Inputs>,
        collection: Path,
        before: ReadonlySet<string>,
        context: OperationContext,
    ): boolean {
        const { resource } = this;
        const id = resource.identity.idOf(item, collection);
        return (
            this.isDuplicate(item, inputs, collection, context) &&
            !before.has(id) &&
            resource.creation.adoptionBlocker(item, resource.identity.pathOf(inputs.projectId, id), inputs) ===
                undefined
        );
    }

    /** Whether this request created the resource: it was in flight at that time, and has exactly these values. */
    private isResultOf({ inputs, collection, lost }: LostCreation<Inputs>, item: Item | undefined): boolean {
        const inFlight = inFlightOf(lost);
        const createdAt = item && this.createdAt(item, collection);
        if (item === undefined || inFlight === undefined || createdAt === undefined) {
            return false;
        }
        const seen = this.resource.state.observe(item, collection);
        const isAsRequested = Object.entries<unknown>({ ...this.resource.creation.describe(inputs).observed }).every(
            ([name, requested]) => {
                const found = valueOf(seen, name);
                return requested === undefined || found === undefined || requested === found;
            },
        );
        return isAsRequested && createdAt >= inFlight.from && createdAt <= inFlight.until;
    }

    /** When it was created, on the API's clock; undefined where the API does not return that. */
    private createdAt(item: Item, collection: Path): number | undefined {
        const { created } = this.resource.state.observe(item, collection) as { created?: unknown };
        const time = typeof created === "string" ? Date.parse(created) : NaN;
        return Number.isNaN(time) ? undefined : time;
    }

    private existing(item: Item, collection: Path, context: OperationContext): Existing {
        const createdAt = this.createdAt(item, collection);
        const now = context.client.serverClock.now();
        return {
            id: this.resource.identity.idOf(item, collection),
            age: createdAt === undefined ? "" : formatDuration(Math.max(now - createdAt, 0)),
        };
    }
}

/** One of several resources that are duplicates of each other. */
export interface Duplicate extends Existing {
    /** The command that deletes it. */
    readonly deletionCommand: string;
}

/** A warning about duplicates, with the commands that keep either of them. */
export function duplicateWarning(
    subject: string,
    own: Duplicate,
    others: readonly Duplicate[],
    urn: string | undefined,
): readonly string[] {
    const ids = others.map(({ id }) => id).join(", ");
    return [
        `${subject} exists ${others.length + 1} times. This resource manages ${own.id} (${created(own, "in this run")}).`,
        ...others.map(
            (other) => `${other.id} (${created(other, "at an unknown time")}) is not managed by this resource.`,
        ),
        "An interrupted run, another stack or a person created it.",
        `To keep ${own.id}: make sure that nobody uses ${ids}, and delete it:`,
        ...others.map(({ deletionCommand }) => `  ${deletionCommand}`),
        ...others.flatMap(({ id }) => [
            `To keep ${id} instead: remove ${own.id} from the state:`,
            `  pulumi state delete ${quoted(urn ?? "URN")}`,
            `Then add existingId: ${JSON.stringify(id)} to the program, run \`pulumi up\`, and delete ${own.id}:`,
            `  ${own.deletionCommand}`,
        ]),
    ];
}

function created({ age }: Duplicate, otherwise: string): string {
    return `created ${age === "" ? otherwise : `${age} ago`}`;
}

/** As one argument of a shell command. */
function quoted(text: string): string {
    return `'${text.replaceAll("'", "'\\''")}'`;
}
