import { addFault, runControl } from "./actions";
import { FieldInput } from "./form";
import type { Field } from "./form";
import { count } from "./format";
import type { Store } from "./store";
import { html, Status, store, useState } from "./ui";
import type { VNode } from "./ui";

type Choices = readonly (readonly [value: string, text: string])[];

const calls: Choices = [
    ["*", "all requests"],
    ["GET", "all GET requests"],
    ["POST", "all POST requests"],
    ["DELETE", "all DELETE requests"],
];

const times: Choices = [
    ["1", "the next request"],
    ["1x3", "the next 3 requests"],
    ["2", "the second request"],
    ["1+", "every request"],
    ["@0.1", "10 % of the requests"],
];

const effects: Choices = [
    ["503", "503, not carried out"],
    ["500", "500, not carried out"],
    ["504,carriedOut", "504, carried out"],
    ["429,retryAfterMs=2000", "429, retry after 2 s"],
    ["409", "409, busy"],
    ["tokenExpires", "401, token expired"],
    ["reset-before", "connection breaks, not carried out"],
    ["reset-after", "connection breaks, carried out"],
    ["delay,ms=5000", "response delayed by 5 s"],
    ["unanswered", "no response, not carried out"],
    ["truncated", "response truncated"],
    ["malformed", "response is malformed JSON"],
    ["unknowns", "response has unknown fields and values"],
    ["stale,ms=5000", "stale reads for 5 s"],
    ["hidden,ms=5000", "new resource hidden for 5 s"],
    ["omit", "list without one of its entries"],
    ["stuck,ms=60000", "change delayed by 60 s"],
    ["status,status=UNSTABLE,ms=60000", "status UNSTABLE for 60 s"],
    ["peeringFails", "peering fails"],
];

/** The active faults, and a form that composes a new fault in short form. */
export function Faults(): VNode {
    const [parts, setParts] = useState(["*", "1", "503"]);
    const [text, setText] = useState("*#1:503");
    const [problem, setProblem] = useState("");
    const operations = (store.about?.operations ?? []).map((one) => [one, one] as const);
    const choices: readonly [label: string, choices: Choices][] = [
        ["Requests", [...calls, ...operations]],
        ["Occurrences", times],
        ["Effect", effects],
    ];
    const choose = (index: number) => (value: string) => {
        const next = parts.map((part, other) => (other === index ? value : part));
        setParts(next);
        setText(`${next[0]}#${next[1]}:${next[2]}`);
    };
    const submit = (event: Event): void => {
        event.preventDefault();
        void addFault(text.trim(), false).then(setProblem);
    };
    const field: Field = { name: "faultText", label: "Fault", type: "text", value: text };
    return html`
        <section aria-labelledby="faults">
            <div class="bar">
                <h2 id="faults" tabindex="-1">Faults</h2>
                ${
                    store.faults.length > 0 &&
                    html`<button
                    type="button"
                    class="end"
                    onClick=${() => runControl("Removed all faults.", "DELETE", "/faults")}
                >
                    Remove all faults
                </button>`
                }
            </div>
            ${store.faults.length === 0 && html`<p class="empty">No faults. The emulator responds normally.</p>`}
            <ul class="list faults">
                ${store.faults.map((one, index) => html`<${Line} key=${`${index} ${one.fault}`} report=${one} />`)}
            </ul>
            <form class="fields" onSubmit=${submit}>
                ${choices.map(([label, all], index) => {
                    const name = label.toLowerCase();
                    const one: Field = { name, label, type: "text", value: "", choices: all };
                    return html`<${FieldInput}
                        field=${one}
                        value=${parts[index]}
                        problem=""
                        onChange=${choose(index)}
                    />`;
                })}
                <${FieldInput} field=${field} value=${text} problem=${problem} onChange=${setText} />
                <button type="submit">Add fault</button>
            </form>
        </section>
    `;
}

function Line({ report: { fault, hits } }: { report: Store["faults"][number] }): VNode {
    const remove = (): void => void runControl(`Removed fault ${fault}.`, "POST", "/faults/remove", { fault });
    return html`
        <li>
            <code>${fault}</code>
            <${Status} text=${hits === 0 ? "not hit yet" : count(hits, "hit")} tone=${hits === 0 ? "idle" : "bad"} />
            <button type="button" class="end" aria-label=${`Remove fault ${fault}`} onClick=${remove}>Remove</button>
        </li>
    `;
}
