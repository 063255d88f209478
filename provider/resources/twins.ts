import { formatDuration } from "../wait/duration";
import { appearsWithinMs, missingLookMs } from "../wait/schedule";
import type { Checked, CommonInputs, Made, Path, Resource } from "./contract";
import { AmbiguousError, TwinError } from "./errors";
import type { Run } from "./run";
import { listOf } from "./steps";

/** How long a made thing waits for the list that may show another one, where the service is away for a moment. */
const tellWithinMs = 5_000;

/**
 * Never two of one: what is there before a creation, what a call made whose answer was lost, and what lists showed too late.
 * What is the same is told by the resource.
 */
export class Twins<Inputs extends CommonInputs, Observed extends object, Item> {
    constructor(
        private readonly resource: Resource<Inputs, Observed, Item>,
        private readonly subject: (inputs: Checked<Inputs>) => string,
    ) {}

    /** Refuses to make something a second time; answers the ids of what is there. */
    async refuse(inputs: Checked<Inputs>, home: Path, run: Run): Promise<ReadonlySet<string>> {
        const { resource } = this;
        if (resource.sameAs === undefined) {
            return new Set();
        }
        const source = resource.source(home, run.client);
        // A list may miss an entry, and what it missed would be made a second time: so it is asked twice.
        const items = [...(await listOf(source, run)), ...(await listOf(source, run))];
        const twin = items.find((item) => this.isTwin(item, inputs, home, run));
        if (twin !== undefined) {
            const { created } = resource.observe(twin, home) as { created?: unknown };
            const age = typeof created === "string" ? run.wait.clock.now() - Date.parse(created) : NaN;
            throw new TwinError(
                this.subject(inputs),
                resource.idOf(twin, home),
                Number.isNaN(age) ? "" : formatDuration(Math.max(age, 0)),
            );
        }
        return new Set(items.map((item) => resource.idOf(item, home)));
    }

    /** Finds what a call made whose answer was lost: it is of this name, and was not there before. */
    async find(
        inputs: Checked<Inputs>,
        home: Path,
        before: ReadonlySet<string>,
        lost: unknown,
        run: Run,
    ): Promise<Made<Item>> {
        const { resource } = this;
        const { clock } = run.wait;
        let giveUpAt: number | undefined;
        for (;;) {
            run.say(`the answer was lost; looking for what was made`);
            const items = await listOf(resource.source(home, run.client), run).catch((): never => {
                // That it may have been made is what the user has to know.
                throw lost;
            });
            const candidates = items.filter((candidate) => this.mayBeMade(candidate, inputs, home, before, run));
            const [item] = candidates;
            if (candidates.length > 1) {
                const ids = candidates.map((candidate) => resource.idOf(candidate, home));
                throw new AmbiguousError(this.subject(inputs), ids);
            }
            if (item !== undefined) {
                run.tell(`the answer to its creation was lost; ${resource.idOf(item, home)} was found and is used`);
                return { item, remembers: resource.unheard?.(inputs) ?? {} };
            }
            // Counted from the first look that succeeds: until then nothing is known.
            giveUpAt ??= Math.min(clock.now() + appearsWithinMs, run.deadlineAt);
            if (clock.now() >= giveUpAt) {
                throw lost;
            }
            await clock.sleep(missingLookMs, run.signal);
        }
    }

    /** One that was made shortly before may not have been in the lists yet. */
    async tell(id: string, inputs: Checked<Inputs>, home: Path, run: Run): Promise<void> {
        const { resource } = this;
        if (resource.sameAs === undefined) {
            return;
        }
        // It is made, and its state matters more than this look.
        const source = resource.source(home, run.client);
        const options = { signal: run.signal, patienceMs: tellWithinMs };
        const items = await run.lists.ask(source.key, (shared) => source.list(shared), options).catch(() => []);
        const twins = items
            .filter((item) => this.isTwin(item, inputs, home, run))
            .map((item) => resource.idOf(item, home))
            .filter((other) => other !== id);
        if (twins.length > 0) {
            run.tell(
                `there is another of this name, made shortly before: ${twins.join(", ")}; ` +
                    `if an earlier run left it, \`npx clouddb-orphans\` has the line that deletes it`,
            );
        }
    }

    /** Whether it is what these inputs would make, stays, and is not the one that is being replaced. */
    private isTwin(item: Item, inputs: Checked<Inputs>, home: Path, run: Run): boolean {
        const { resource } = this;
        return (
            resource.sameAs?.(item, inputs) === true &&
            !resource.leaving(item) &&
            resource.idOf(item, home) !== run.replacing
        );
    }

    /** Whether a call with these inputs may have made this one: it was not there before, and is nobody else's as far as can be seen. */
    private mayBeMade(item: Item, inputs: Checked<Inputs>, home: Path, before: ReadonlySet<string>, run: Run): boolean {
        const { resource } = this;
        const id = resource.idOf(item, home);
        return (
            this.isTwin(item, inputs, home, run) &&
            !before.has(id) &&
            resource.unfit(item, resource.pathOf(inputs.projectId, id), inputs) === undefined
        );
    }
}
