import { nextPhase, type EngineCall, type Phase } from "../../../provider/model/registry";
import { emptyRecord } from "../../../provider/model/state";
import { callIn, recordedCalls, type ShortCall } from "../../support/engineCalls";

// Which phase follows from the calls that the engine really makes.

const refTo = (id: string) => ({ type: "Service", projectId: "p", id });
const state = { projectId: "p", record: emptyRecord };

/** A call as the provider records it: a failed one, and one that only reads, it does not. */
function recorded(
    { method, id, created, isKnown, isReplaced, isDeletedFirst }: ShortCall,
    isDeclared: boolean,
): EngineCall | undefined {
    switch (method) {
        case "check":
            return { call: "check", entry: isKnown ? state : undefined, mayAdoptItself: false };
        case "diff":
            return { call: "diff", ref: refTo(id), state, steps: [], isReplaced, isDeletedFirst, isDeclared };
        case "create":
        case "update":
            return { call: method, ref: refTo(created || id) };
        case "delete":
            return { call: "delete", id };
        case "read":
            return undefined;
    }
}

function inWords(phase: Phase | undefined): string {
    switch (phase?.is) {
        case "existing":
            return ["existing", phase.diff?.ref.id ?? []].flat().join(" ");
        case "replacing": {
            const id = typeof phase.id === "string" ? phase.id : "?";
            return `replacing ${id}${phase.isDeletedFirst ? " first" : ""}${phase.entry ? ", not declared yet" : ""}`;
        }
        case "managing":
            return `managing ${phase.ref.id} by ${phase.by}`;
        default:
            return phase?.is ?? "unknown";
    }
}

/** The calls for one resource in one run, with the phase after each. */
function phasesIn(lines: readonly string[], wanted: string): string[] {
    let phase: Phase | undefined;
    let isDeclared = false;
    return lines
        .map(callIn)
        .filter(({ name }) => name === wanted)
        .map((one) => {
            isDeclared ||= one.method === "check";
            const call = recorded(one, isDeclared);
            phase = call === undefined ? phase : nextPhase(phase, call);
            return `${one.method}: ${inWords(phase)}`;
        });
}

const same = (id: string) => `check: existing; diff: existing ${id}`;
const all = (calls: string) => ({ net: calls, office: calls, orders: calls });

/** What is known after each call. The ids are the numbers of the generations. */
const expected: Readonly<Record<string, { readonly net: string; readonly office: string; readonly orders: string }>> = {
    creation: all("check: checked; create: managing 1 by creation"),
    "no change": all(same("1")),
    update: { ...all(same("1")), orders: `${same("1")}; update: managing 1 by update` },
    replacement: {
        ...all(same("1")),
        orders: "check: existing; diff: replacing 1; check: replacing 1; create: managing 2 by replacement; delete: managing 2 by replacement",
    },
    "replacement that deletes first, with what it uses": {
        net: "check: existing; diff: replacing 1 first; check: replacing 1 first; delete: replacing 1 first; create: managing 2 by replacement",
        office: "diff: replacing 1 first, not declared yet; delete: replacing 1 first; check: replacing 1 first; create: managing 2 by replacement",
        orders: same("2"),
    },
    "replacement that the program wants to delete first": {
        ...all(same("2")),
        orders: "check: existing; diff: replacing 2; check: replacing 2; delete: replacing 2 first; create: managing 3 by replacement",
    },
    "--replace": {
        ...all(same("2")),
        orders: "check: checked; delete: replacing 3 first; create: managing 4 by replacement",
    },
    taint: {
        ...all(same("2")),
        orders: "check: checked; delete: replacing 4 first; create: managing 5 by replacement",
    },
    replaceOnChanges: {
        ...all(same("2")),
        orders: "check: existing; diff: existing 5; check: replacing 5; delete: replacing 5 first; create: managing 6 by replacement",
    },
    refresh: all("read: unknown; diff: unknown"),
    destroy: {
        ...all("delete: replacing 2 first"),
        // The other host has one generation less.
        orders: expect.stringMatching(/^delete: replacing [56] first$/) as string,
    },
    import: { net: "", office: "", orders: "read: unknown; check: existing" },
};

describe.each(["dynamic", "native"] as const)("the calls of the engine on the %s host", (host) => {
    const { engine, runs } = recordedCalls(host);

    it.each(Object.entries(runs))(`${engine}: %s`, (run, lines) => {
        const found = Object.fromEntries(
            ["net", "office", "orders"].map((name) => [name, phasesIn(lines, name).join("; ")]),
        );
        expect(found).toEqual(expected[run]);
    });
});

it("another generation of a resource, which an earlier run has left to delete, changes nothing", () => {
    const managing: Phase = { is: "managing", ref: refTo("2"), by: "update" };
    const existing: Phase = { is: "existing", entry: state, diff: { ref: refTo("2"), steps: [] } };
    for (const phase of [managing, existing]) {
        expect(nextPhase(phase, { call: "delete", id: "1" })).toBe(phase);
    }
});
