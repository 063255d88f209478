import { control, openOperation, run } from "./operations";
import { Section, Segments, store, type VNode } from "./ui";

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

/** The durations, and the time of a virtual clock. */
export function Time(): VNode {
    const { about, durations, speed } = store;
    const setDurations = (): void =>
        openOperation({
            ...control("setDurations"),
            description: "In milliseconds, before the speed divides them. Changes in progress keep their durations.",
        });
    const bar = (
        <>
            {speed !== 1 && <span class="quiet">durations are divided by {speed}</span>}
            <span class="row end">
                {about?.isVirtualClock && (
                    <button onClick={() => openOperation(control("advance"))}>Advance clock…</button>
                )}
                <button onClick={setDurations}>Set durations…</button>
            </span>
        </>
    );
    return (
        <Section title="Time" bar={bar}>
            <dl class="body fields small">
                {Object.entries(durations).map(([name, ms]) => (
                    <div key={name} class="line">
                        <dt class="grow">{name}</dt>
                        <dd>{ms / 1000} s</dd>
                    </div>
                ))}
            </dl>
        </Section>
    );
}
