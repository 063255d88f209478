import { useState } from "preact/hooks";
import { FieldInput } from "./form";
import { count } from "./format";
import { control, run, send } from "./operations";
import { messageOf, Problem, Section, Status, store, type VNode } from "./ui";

/** The active faults, and a field for a new one in short form. */
export function Faults(): VNode {
    const [text, setText] = useState("");
    const [problem, setProblem] = useState("");
    const submit = (event: Event): void => {
        event.preventDefault();
        send(control("addFaults"), { faults: [text.trim()] }).then(
            () => setProblem(""),
            (error: unknown) => setProblem(messageOf(error)),
        );
    };
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
                <FieldInput
                    field={{ name: "fault", label: "Fault", type: "text", value: "" }}
                    value={text}
                    onChange={(value) => setText(String(value))}
                />
                <button>Add fault</button>
                <p class="meta">
                    For example <code>createService#2:reset-after</code>, <code>GET#1+:delay,ms=5000</code> or{" "}
                    <code>*#@0.1:503</code>
                </p>
                <Problem text={problem} />
            </form>
        </Section>
    );
}
