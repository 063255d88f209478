import { useState } from "preact/hooks";
import { FieldInput, type Field } from "./form";
import { count } from "./format";
import { control, run, send } from "./operations";
import { type Choices, messageOf, Section, Status, store, type VNode } from "./ui";

const calls: Choices = [
    ["*", "all requests"],
    ...["GET", "POST", "DELETE"].map((method) => [method, `all ${method} requests`] as const),
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
    const [text, setText] = useState("*#1:503");
    const [problem, setProblem] = useState("");
    const parts = /^(.*?)#(.*?):(.*)$/.exec(text)?.slice(1) ?? ["*", "1", "503"];
    const operations = (store.about?.operations ?? []).map((one) => [one, one] as const);
    const choices: readonly [label: string, choices: Choices][] = [
        ["Requests", [...calls, ...operations]],
        ["Occurrences", times],
        ["Effect", effects],
    ];
    const choose = (index: number, value: string): void => {
        const [requests, occurrences, effect] = parts.map((part, other) => (other === index ? value : part));
        setText(`${requests}#${occurrences}:${effect}`);
    };
    const submit = (event: Event): void => {
        event.preventDefault();
        send(control("addFaults"), { faults: [text.trim()] }).then(
            () => setProblem(""),
            (error: unknown) => setProblem(messageOf(error)),
        );
    };
    const fieldOf = (label: string, choices?: Choices): Field => ({
        name: label.toLowerCase(),
        label,
        type: "text",
        value: "",
        choices,
    });
    const removeAll = (
        <button class="end" onClick={() => run(control("clearFaults"))}>
            Remove all faults
        </button>
    );
    return (
        <Section title="Faults" bar={store.faults.length > 0 && removeAll}>
            {store.faults.length === 0 && <p class="body quiet">No faults. The emulator responds normally.</p>}
            <ul class="faults">
                {store.faults.map(({ fault, hits }, index) => (
                    <li class="row bar" key={`${index} ${fault}`}>
                        <code>{fault}</code>
                        <Status
                            text={hits === 0 ? "not hit yet" : count(hits, "hit")}
                            tone={hits === 0 ? "idle" : "bad"}
                        />
                        <button
                            class="end"
                            aria-label={`Remove fault ${fault}`}
                            onClick={() => run(control("removeFault"), { fault })}
                        >
                            Remove
                        </button>
                    </li>
                ))}
            </ul>
            <form class="body fields" onSubmit={submit}>
                {choices.map(([label, all], index) => (
                    <FieldInput
                        field={fieldOf(label, all)}
                        value={parts[index] ?? ""}
                        problem=""
                        onChange={(value) => choose(index, String(value))}
                    />
                ))}
                <FieldInput
                    field={fieldOf("Fault")}
                    value={text}
                    problem={problem}
                    onChange={(value) => setText(String(value))}
                />
                <button>Add fault</button>
            </form>
        </Section>
    );
}
