import { render, type ComponentChildren, type FunctionComponent, type VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Connection } from "./connection";
import { toneOf } from "./kinds";
import { Store } from "./store";

/** What all parts of the page share: its state, the connection, dialogs and messages. */

export type { VNode };

const messageMs = 6_000;
const problemMs = 15_000;
const copiedMs = 2_000;

let Root: FunctionComponent = () => null;
let dialogCount = 0;

export const screen = {
    connection: "connecting" as "connecting" | "connected" | "lost",
    notice: { text: "", isProblem: false },
    dialogs: [] as { key: number; View: FunctionComponent }[],
};

export function redraw(): void {
    render(<Root />, document.body);
}

export const start = (app: FunctionComponent): void => {
    Root = app;
    redraw();
};

export const store = new Store();

let noticeTimer = 0;

/** Shows a message for as long as it takes to read it. */
export function notify(text: string, isProblem = false): void {
    screen.notice = { text, isProblem };
    clearTimeout(noticeTimer);
    noticeTimer = window.setTimeout(() => notify(""), isProblem ? problemMs : messageMs);
    redraw();
}

/** Shows a dialog until it is closed. */
export function openDialog(View: FunctionComponent): void {
    screen.dialogs = [...screen.dialogs, { key: ++dialogCount, View }];
    redraw();
}

export const connection = new Connection({
    onMessage: (message) => {
        store.apply(message);
        redraw();
    },
    onState: (state) => {
        const before = screen.connection;
        screen.connection = state;
        if (state === "lost" && before !== "lost") {
            notify("The connection to the emulator was lost. The page reconnects automatically.", true);
        } else if (before === "lost" && state !== "lost") {
            notify("Reconnected to the emulator.");
        }
    },
});

interface DialogProps {
    title: string;
    isWide?: boolean;
    /** Whether the user can close it. Default: true. */
    canClose?: boolean;
    children?: ComponentChildren;
}

/** A modal dialog. The browser restores the focus when it is closed. */
export function Dialog({ title, isWide = false, canClose = true, children }: DialogProps): VNode {
    const dialog = useRef<HTMLDialogElement>(null);
    const id = useId();
    useEffect(() => dialog.current?.showModal(), []);
    const onClose = (): void => {
        screen.dialogs = screen.dialogs.slice(0, -1);
        redraw();
    };
    return (
        <dialog
            ref={dialog}
            class={isWide ? "wide" : ""}
            aria-labelledby={id}
            onClose={onClose}
            onCancel={canClose ? undefined : (event: Event) => event.preventDefault()}
        >
            <div class="stack">
                <h2 id={id}>{title}</h2>
                {children}
            </div>
        </dialog>
    );
}

export const closeDialog = ({ currentTarget }: Event): void =>
    (currentTarget as Element | null)?.closest("dialog")?.close();

const copyIcon = "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z";

/** A button that copies a text, and says for a moment that it has done so. */
export function Copy({ label, text }: { label: string; text: string }): VNode {
    const [shown, show] = useState("");
    const copy = (): void => {
        navigator.clipboard
            .writeText(text)
            .then(
                () => show("Copied"),
                () => show("Copy failed"),
            )
            .finally(() => window.setTimeout(() => show(""), copiedMs));
    };
    const icon = (
        <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentcolor" aria-hidden="true">
            <path d={copyIcon} />
        </svg>
    );
    return (
        <button
            type="button"
            class="icon"
            aria-label={`${shown || "Copy"} ${label}`}
            title={`Copy ${label}`}
            onClick={copy}
        >
            {shown || icon}
        </button>
    );
}

interface CopiedProps {
    heading?: string;
    label: string;
    text: string;
}

/** A text with a copy button. */
export const Copied = ({ heading, label, text }: CopiedProps): VNode => (
    <div>
        {heading && <h3 class="meta">{heading}</h3>}
        <div class="line snippet">
            <pre class="grow" tabindex={0} aria-label={label}>
                {text}
            </pre>
            <Copy label={label} text={text} />
        </div>
    </div>
);

export const Status = ({ text, tone = toneOf(text) }: { text: string; tone?: string }): VNode => (
    <span class="status" data-tone={tone}>
        {text}
    </span>
);

/** Why something has failed. */
export const Problem = ({ text }: { text: string }): VNode => (
    <p class="problem grow" role="alert">
        {text}
    </p>
);

export const messageOf = (error: unknown): string => (error as Error).message;

export const valueOf = ({ currentTarget }: Event): string => (currentTarget as HTMLInputElement).value;

export type Choices = readonly (readonly [value: string, text: string])[];

interface SelectProps {
    choices: Choices;
    value: string;
    onChoose: (value: string) => void;
}

export const Select = ({ choices, value, onChoose, ...attributes }: SelectProps): VNode => (
    <select {...attributes} value={value} onChange={(event: Event) => onChoose(valueOf(event))}>
        {choices.map(([one, text]) => (
            <option value={one}>{text}</option>
        ))}
    </select>
);

interface SectionProps {
    title: string;
    /** What follows the title. */
    bar?: ComponentChildren;
    children?: ComponentChildren;
}

/** A part of the page. */
export function Section({ title, bar, children }: SectionProps): VNode {
    const id = title.toLowerCase();
    return (
        <section aria-labelledby={id}>
            <div class="row bar">
                <h2 id={id}>{title}</h2>
                {bar}
            </div>
            {children}
        </section>
    );
}

/** Buttons of which one is pressed. */
export const Segments = ({ label, choices, value, onChoose }: SelectProps & { label: string }): VNode => (
    <div class="row" role="group" aria-label={label}>
        {choices.map(([one, text]) => (
            <button aria-pressed={one === value} onClick={() => onChoose(one)}>
                {text}
            </button>
        ))}
    </div>
);

export interface MenuItem {
    text: string;
    label: string;
    run: () => void;
    isDangerous?: boolean;
}

interface MenuProps {
    id: string;
    label: string;
    text: ComponentChildren;
    /** The items below their headings. They are built only while the menu is open. */
    groups: () => Readonly<Record<string, readonly MenuItem[]>>;
}

/** A button that opens a menu. The browser closes it, and restores the focus. */
export function Menu({ id, label, text, groups }: MenuProps): VNode {
    const [isOpen, setOpen] = useState(false);
    const menu = useRef<HTMLDivElement>(null);
    const choose = (run: () => void): void => {
        menu.current?.hidePopover();
        run();
    };
    return (
        <>
            <button popovertarget={id} aria-label={label}>
                {text}
            </button>
            <div
                id={id}
                ref={menu}
                popover
                class="menu"
                onBeforeToggle={({ newState }: ToggleEvent) => setOpen(newState === "open")}
            >
                {isOpen &&
                    Object.entries(groups()).map(([heading, items]) => (
                        <div>
                            <p class="meta">{heading}</p>
                            {items.map(({ isDangerous, label, run, text }) => (
                                <button
                                    class={isDangerous ? "danger" : ""}
                                    aria-label={label}
                                    onClick={() => choose(run)}
                                >
                                    {text}
                                </button>
                            ))}
                        </div>
                    ))}
            </div>
        </>
    );
}
