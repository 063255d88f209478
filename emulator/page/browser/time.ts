import { kinds } from "../messages";
import { finish, numeric, runControl, setSpeed } from "./actions";
import { FieldInput } from "./form";
import type { Field } from "./form";
import { displayName, elapsed } from "./format";
import { html, Menu, store, useState } from "./ui";
import type { VNode } from "./ui";

const speeds = [1, 10, 100];

/** The speed of all changes, and the changes in progress, of which each can be completed immediately. For the header. */
export function Pace(): VNode {
    const { speed } = store;
    const all = [...new Set([...speeds, speed])].sort((a, b) => a - b);
    const busy = kinds.flatMap((kind) => store.all(kind).filter(({ next }) => next !== undefined));
    const items = () => [
        [
            busy.length === 0 ? "Nothing is in progress" : "Finish now",
            ...busy.slice(0, 20).map((one) => {
                const text = `${displayName(one)} → ${one.next?.status ?? "deleted"}`;
                return { text, label: `${text}: finish now`, run: () => finish(one) };
            }),
        ],
    ];
    return html`
        <div class="segmented" role="group" aria-label="Speed">
            ${all.map(
                (one) => html`
                    <button
                        key=${one}
                        type="button"
                        aria-pressed=${String(one === speed)}
                        onClick=${() => setSpeed(one)}
                    >
                        ${`${one}×`}
                    </button>
                `,
            )}
        </div>
        <${Menu}
            id="menu-finish"
            label=${`${busy.length} in progress: finish a change now`}
            text=${`${busy.length} in progress`}
            groups=${items}
        />
    `;
}

/** The form for a virtual clock, and the durations. */
export function Time(): VNode {
    const { about, durations, speed } = store;
    const values: Readonly<Record<string, number>> = durations;
    const names = Object.keys(values);
    const [seconds, setSeconds] = useState<number | "">(60);
    const [name, setName] = useState("queued");
    const [typed, setTyped] = useState<number | "" | undefined>(undefined);
    const [problem, setProblem] = useState("");
    const ms = typed ?? values[name] ?? 0;
    const advance = (event: Event): void => {
        event.preventDefault();
        const [by, path] = [Number(seconds) * 1000, "/clock"];
        void runControl(`Advanced the clock by ${elapsed(by)}.`, "POST", path, { ms: by });
    };
    const setDuration = (event: Event): void => {
        event.preventDefault();
        const done = `Set the duration of ${name} to ${ms} ms.`;
        void runControl(done, "PATCH", "/durations", { [name]: ms }, false).then((text) => {
            setProblem(text);
            setTyped(text === "" ? undefined : typed);
        });
    };
    const choose = (next: string): void => {
        setName(next);
        setTyped(undefined);
    };
    const nameField: Field = {
        name: "durationName",
        label: "Duration of",
        type: "text",
        value: name,
        choices: names.map((one) => [one, one]),
    };
    return html`
        <section aria-labelledby="time">
            <div class="bar">
                <h2 id="time" tabindex="-1">Time</h2>
                ${speed !== 1 && html`<span class="quiet">durations are divided by ${speed}</span>`}
            </div>
            ${
                about?.isVirtualClock &&
                html`<form class="fields" onSubmit=${advance}>
                <${FieldInput}
                    field=${numeric("clockSeconds", "Advance the clock by (seconds)", 60)}
                    value=${seconds}
                    problem=""
                    onChange=${setSeconds}
                />
                <button type="submit">Advance</button>
            </form>`
            }
            <form class="fields" onSubmit=${setDuration}>
                <${FieldInput} field=${nameField} value=${name} problem="" onChange=${choose} />
                <${FieldInput}
                    field=${numeric("durationMs", "Milliseconds", "")}
                    value=${ms}
                    problem=${problem}
                    onChange=${setTyped}
                />
                <button type="submit">Set duration</button>
            </form>
            <details>
                <summary>All durations</summary>
                <dl class="durations">
                    ${names.map(
                        (one) =>
                            html`<div key=${one}>
                                <dt>${one}</dt>
                                <dd>${values[one]} ms</dd>
                            </div>`,
                    )}
                </dl>
            </details>
        </section>
    `;
}
