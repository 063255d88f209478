import { definitionOf, viewInParent, type ModelsInParents } from "../kinds";
import { driftOf } from "../world/drift";
import { parentIdOf } from "../world/kind";
import { lastFatalOf } from "../world/logs";
import type { Dated, Overridable, Progressing, ServiceRecord } from "../world/state";
import type { World } from "../world/world";
import type { Models } from "./browser/kinds";
import type { Removed, Shown } from "./messages";

/** Does not compile if the page presents a kind with another model. */
type Presented<All extends Pick<ModelsInParents, keyof Models>> = Shown<keyof All & string>;

/** All resources for the page, including those that are not visible to reads of the API yet. */
export const resourcesOf = (world: World): Shown[] => [
    ...[...world.projects.values()].map((value) => ({
        kind: "projects",
        id: value.id,
        name: value.name,
        value,
        statuses: [],
    })),
    ...world.all().map(({ kind, record }): Presented<Models> => ({
        kind: kind.name as keyof Models,
        id: record.id,
        name: definitionOf(kind).titleOf(record),
        parent: { kind: `${kind.parent}s`, id: parentIdOf(kind, record) },
        value: viewInParent(world, kind, record),
        ...timesOf(record),
        ...remarksOf(record),
    })),
];

type Changing = Dated & Partial<Progressing<unknown> & Overridable & Pick<ServiceRecord, "log">>;

/** The resources that were deleted lately. */
export const removedOf = (world: World): Removed[] =>
    world.removed.map(({ kind, record, at }) => {
        const { statuses } = timesOf(record);
        return { kind: kind.name, id: record.id, name: definitionOf(kind).titleOf(record), statuses, removedAt: at };
    });

/** The reason of a failure, and what was changed by other means than the program. */
function remarksOf(record: Changing): Pick<Shown, "problem" | "isByHand" | "drift"> {
    const { log, override } = record;
    const isFailed = /^(UNSTABLE|error)$/.test(override?.status ?? "");
    const problem = isFailed ? (override?.reason ?? (log && lastFatalOf({ log }))) : undefined;
    const drift = driftOf(record);
    return { isByHand: override?.isByHand, drift: drift.length > 0 ? drift : undefined, problem };
}

/** The statuses of a record, oldest first, and the next scheduled one. */
function timesOf({
    createdAt,
    override,
    past = [],
    status,
    statusAt = createdAt,
    steps: [next] = [],
}: Changing): Pick<Shown, "next" | "statuses"> {
    const real = status === undefined ? [] : [...past, { status, at: statusAt }];
    // The real status is earlier than the one that replaces it.
    const shown = override && { status: override.status, at: override.at ?? statusAt };
    return {
        statuses: shown ? [...real, shown] : real,
        // An overridden status stays when a step changes the real one.
        ...(next && !shown && { next: { status: next.status, at: next.at } }),
    };
}
