import type { Actions } from "./actions";
import { byId, make } from "./dom";
import { fill } from "./faultSection";
import { elapsed } from "./format";
import type { Store } from "./store";

/** The form for a virtual clock, and the durations. */
export class TimeSection {
    private readonly clockForm = byId("clockForm", HTMLFormElement);
    private readonly name = byId("durationName", HTMLSelectElement);
    private readonly ms = byId("durationMs", HTMLInputElement);
    private readonly durations = byId("durations", HTMLElement);
    private shown: Store["durations"] | undefined;

    constructor(
        actions: Actions,
        private readonly store: Store,
    ) {
        const seconds = byId("clockSeconds", HTMLInputElement);
        this.clockForm.addEventListener("submit", (event) => {
            event.preventDefault();
            const ms = seconds.valueAsNumber * 1000;
            void actions.run(`Advanced the clock by ${elapsed(ms)}.`, "POST", "/clock", { ms }, seconds);
        });
        this.name.addEventListener("change", () => this.showValue());
        byId("durationForm", HTMLFormElement).addEventListener("submit", (event) => {
            event.preventDefault();
            const [name, ms] = [this.name.value, this.ms.valueAsNumber];
            void actions.run(
                `Set the duration of ${name} to ${ms} ms.`,
                "PATCH",
                "/durations",
                { [name]: ms },
                this.ms,
            );
        });
    }

    show(): void {
        const { about, durations } = this.store;
        this.clockForm.hidden = !about?.isVirtualClock;
        byId("speed", HTMLElement).textContent = about && about.speed !== 1 ? `divided by speed ${about.speed}` : "";
        if (durations === this.shown) {
            return;
        }
        const isFirst = this.shown === undefined;
        this.shown = durations;
        fill(
            this.name,
            Object.keys(durations).map((name) => [name, name] as const),
        );
        this.durations.replaceChildren(
            ...Object.entries(durations).map(([name, ms]) =>
                make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: `${ms} ms` })),
            ),
        );
        // Do not overwrite a value that the user is typing.
        if (isFirst || document.activeElement !== this.ms) {
            this.showValue();
        }
    }

    private showValue(): void {
        const durations: Readonly<Record<string, number>> = this.store.durations;
        this.ms.value = String(durations[this.name.value] ?? 0);
    }
}
