import type { Actions } from "./actions";
import { byId, List, make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { count } from "./format";
import type { Store } from "./store";

type Choice = readonly [value: string, text: string];

const calls: readonly Choice[] = [
    ["*", "all requests"],
    ["GET", "all GET requests"],
    ["POST", "all POST requests"],
    ["DELETE", "all DELETE requests"],
];

const times: readonly Choice[] = [
    ["1", "the next request"],
    ["1x3", "the next 3 requests"],
    ["2", "the second request"],
    ["1+", "every request"],
    ["@0.1", "10 % of the requests"],
];

const effects: readonly Choice[] = [
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
export class FaultSection {
    private readonly calls = byId("faultCalls", HTMLSelectElement);
    private readonly times = byId("faultTimes", HTMLSelectElement);
    private readonly effect = byId("faultEffect", HTMLSelectElement);
    private readonly text = byId("faultText", HTMLInputElement);
    private readonly clear = byId("clearFaults", HTMLButtonElement);
    private readonly none = byId("noFaults", HTMLElement);
    private readonly list: List<Store["faults"][number]>;

    constructor(
        actions: Actions,
        private readonly store: Store,
    ) {
        const heading = byId("faults", HTMLElement);
        this.list = new List(byId("faultRows", HTMLElement), () => faultView(actions), heading);
        fill(this.times, times);
        fill(this.effect, effects);
        fill(this.calls, calls);
        for (const select of [this.calls, this.times, this.effect]) {
            select.addEventListener("change", () => this.compose());
        }
        this.compose();
        byId("faultForm", HTMLFormElement).addEventListener("submit", (event) => {
            event.preventDefault();
            const fault = this.text.value.trim();
            void actions.run(`Added fault ${fault}.`, "POST", "/faults", { faults: [fault] }, this.text);
        });
        this.clear.addEventListener("click", () => {
            void actions.run("Removed all faults.", "DELETE", "/faults").then((isDone) => {
                if (isDone) {
                    heading.focus({ preventScroll: true });
                }
            });
        });
    }

    show(): void {
        const { about, faults } = this.store;
        const operations = about?.operations ?? [];
        if (this.calls.length !== calls.length + operations.length) {
            fill(this.calls, [...calls, ...operations.map((operation): Choice => [operation, operation])]);
        }
        this.list.show(new Map(faults.map((fault, index) => [`${index} ${fault.fault}`, fault])));
        this.none.hidden = faults.length > 0;
        this.clear.hidden = faults.length === 0;
    }

    private compose(): void {
        this.text.value = `${this.calls.value}#${this.times.value}:${this.effect.value}`;
    }
}

function faultView(actions: Actions): View<Store["faults"][number]> {
    const [fault, hits] = [make("code"), make("span", { className: "status" })];
    const remove = make("button", { type: "button", textContent: "Remove" });
    remove.addEventListener("click", () => {
        const text = fault.textContent;
        void actions.run(`Removed fault ${text}.`, "POST", "/faults/remove", { fault: text });
    });
    return {
        element: make("li", {}, fault, hits, remove),
        update: (report) => {
            setText(fault, report.fault);
            setText(hits, report.hits === 0 ? "not hit yet" : count(report.hits, "hit"));
            setAttribute(hits, "data-tone", report.hits === 0 ? "idle" : "bad");
            setAttribute(remove, "aria-label", `Remove fault ${report.fault}`);
        },
    };
}

export function fill(select: HTMLSelectElement, choices: readonly Choice[]): void {
    const { value } = select;
    select.replaceChildren(...choices.map(([choice, text]) => make("option", { value: choice, textContent: text })));
    if (choices.some(([choice]) => choice === value)) {
        select.value = value;
    }
}
