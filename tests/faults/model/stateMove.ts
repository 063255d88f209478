import { lastId } from "./engine/entry";
import type { World } from "./world";

/**
 * `pulumi state move`: reports moves from one stack to the other, in the states and in the programs. Returns whether it moved.
 * Pulumi needs all dependencies in the target stack, so a service that depends on another resource stays.
 */
export function moveReports({ dev, prod, ledger }: World): boolean {
    const entry = dev.engine.entry("reports");
    const { reports, ...others } = dev.program;
    if (entry === undefined || reports === undefined) {
        return false;
    }
    const urn = prod.urnOf("reports");
    const isSettled =
        dev.engine.notes.unsettled.size === 0 &&
        [dev, prod].every(({ engine }) => !engine.notes.inDoubt.has("reports"));
    const isFree = prod.program.reports === undefined && !prod.engine.entries().some(({ key }) => key === "reports");
    const isPending = dev.engine.pendingDeletion().some((one) => one.urn === entry.urn);
    // The command changes only the stack in the URN.
    const isSame = entry.urn !== urn && entry.urn.replace(/(?<=^urn:pulumi:)[^:]+/, "prod") === urn;
    if (!isSettled || !isFree || isPending || !isSame || Object.keys(entry.dependencies).length > 0) {
        return false;
    }
    dev.engine.state.drop(entry);
    prod.engine.state.put({ ...entry, urn });
    ledger.move(lastId(entry.id), "prod");
    dev.program = others;
    prod.program = { ...prod.program, reports: { ...reports, inNetwork: false, fork: false } };
    dev.existing.delete("reports");
    for (const part of ["unnamed", "renamed"] as const) {
        if (dev[part].has("reports")) {
            prod[part].add("reports");
        }
    }
    return true;
}
