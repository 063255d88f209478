import type { Random } from "../world/random";
import type { OperationId } from "../wire";
import type { AnyEffect } from "./effects";
import type { Fault } from "./fault";
import type { FaultReport } from "./report";
import { formatFault } from "./text";

/** The resolution of probabilities. */
const precision = 1_000_000;

/** Selects the faults that hit a call. Counts the matching calls of each fault and applies its probability. */
export class Selection {
    private active: { fault: Fault; calls: number; hits: number }[] = [];

    constructor(private readonly random: Random) {}

    add(faults: readonly Fault[]): void {
        this.active.push(...faults.map((fault) => ({ fault, calls: 0, hits: 0 })));
    }

    /** Removes the first fault with this short form. Returns whether there was one. */
    remove(fault: string): boolean {
        const index = this.active.findIndex((one) => formatFault(one.fault) === fault);
        return index >= 0 && this.active.splice(index, 1).length > 0;
    }

    clear(): void {
        this.active = [];
    }

    report(): FaultReport[] {
        return this.active.map(({ fault, hits }) => ({ fault: formatFault(fault), hits }));
    }

    /** The effects on this call, in the order in which the faults were added. `note` receives each fault that hits it. */
    effectsOn(
        operationId: OperationId,
        method: string,
        path: string,
        note: (fault: string) => void = () => undefined,
    ): AnyEffect[] {
        const ids = path.split(/[/?]/);
        const matching = this.active.filter(
            ({ fault: { operation = operationId, method: only = method, resource } }) =>
                operation === operationId && only === method && (resource === undefined || ids.includes(resource)),
        );
        return matching.flatMap((one) => {
            const { fault } = one;
            one.calls++;
            if (!isInRange(fault, one.calls) || !this.happens(fault.probability)) {
                return [];
            }
            one.hits++;
            note(formatFault(fault));
            const effects = [fault.effect].flat();
            const effect = effects[effects.length === 1 ? 0 : this.random.integer(0, effects.length)];
            return effect ? [effect] : [];
        });
    }

    private happens(probability = 1): boolean {
        return probability === 1 || this.random.integer(0, precision) < probability * precision;
    }
}

function isInRange({ from = 1, times, probability }: Fault, call: number): boolean {
    const count = times ?? (probability === undefined ? 1 : "all");
    return call >= from && (count === "all" || call < from + count);
}
