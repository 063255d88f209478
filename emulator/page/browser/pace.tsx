import { control, run } from "./operations";
import { Segments, store, type VNode } from "./ui";

const speeds = [1, 10, 100];

/** The speed of all changes, and the number of those in progress. For the header. */
export function Pace(): VNode {
    const { speed } = store;
    const all = [...new Set([...speeds, speed])].sort((a, b) => a - b);
    const busy = store.kinds.flatMap((kind) => store.all(kind).filter(({ next }) => next !== undefined));
    return (
        <>
            <Segments
                label="Speed"
                choices={all.map((one) => [String(one), `${one}×`])}
                value={String(speed)}
                onChoose={(one: string) => run(control("setSpeed"), { speed: Number(one) })}
            />
            <span class="quiet">{busy.length} in progress</span>
        </>
    );
}
