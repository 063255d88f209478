import { make, setProblem } from "./dom";

/** A field of a dialog. If its value is changed, it becomes a property of the body with this name. */
export interface FormField {
    name: string;
    label: string;
    type: "text" | "number" | "checkbox" | "password";
    value: string | number | boolean;
    /** The choices, with their texts. */
    choices?: readonly (readonly [value: string, text: string])[];
    /** Whether the user can enter a value that is not among the choices. */
    allowsOther?: boolean;
    /** Explains the field. */
    hint?: string;
    isOptional?: boolean;
}

export type FormValues = Readonly<Record<string, string | number | boolean>>;

export interface FormDialog {
    title: string;
    text?: string;
    fields?: readonly FormField[];
    submit: string;
    isDangerous?: boolean;
    /** Whether the dialog can be closed without submitting. Default: true. */
    canCancel?: boolean;
    problem?: string | undefined;
    /** Receives the values of the changed fields. If it fails, the dialog stays open and shows the error. */
    run: (changes: FormValues) => Promise<void>;
}

let dialogs = 0;

/** Shows a dialog with a form. Resolves when it is closed. */
export function showForm({
    title,
    text,
    fields = [],
    submit,
    isDangerous,
    canCancel = true,
    problem,
    run,
}: FormDialog): Promise<void> {
    const id = `dialog${++dialogs}`;
    const error = make("p", { className: "problem", textContent: problem ?? "", attributes: { role: "alert" } });
    const inputs = fields.map((field, index) => {
        const input = inputOf(field, `${id}-${index}`);
        return { field, input, other: field.allowsOther ? otherOf(field, input) : undefined };
    });
    const button = make("button", {
        type: "submit",
        textContent: submit,
        className: isDangerous ? "danger" : "primary",
    });
    const cancel = make("button", { type: "button", textContent: "Cancel" });
    const form = make(
        "form",
        { method: "dialog" },
        make("h2", { id, textContent: title }),
        ...(text === undefined ? [] : [make("p", { textContent: text })]),
        ...inputs.map(({ field, input, other }) => labelled(field, input, other)),
        error,
        make("div", { className: "buttons" }, ...(canCancel ? [cancel] : []), button),
    );
    const dialog = make("dialog", { attributes: { "aria-labelledby": id } }, form);
    const isRunning = (): boolean => button.disabled;

    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("cancel", (event) => {
        if (!canCancel || isRunning()) {
            event.preventDefault();
        }
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (isRunning()) {
            return;
        }
        const changes = Object.fromEntries(
            inputs
                .map(
                    ({ field, input, other }) =>
                        [field, valueOf(field, other?.hidden === false ? other : input)] as const,
                )
                .filter(([field, value]) => value !== field.value)
                .map(([field, value]) => [field.name, value]),
        );
        button.disabled = true;
        run(changes).then(
            () => dialog.close(),
            (reason: unknown) => {
                button.disabled = false;
                const { message } = reason as Error;
                // A message about a field begins with its name.
                const [word = ""] = message.split(" ");
                const wrong = inputs.find(({ field }) => field.name === word);
                error.textContent = wrong ? "" : message;
                for (const { field, input } of inputs) {
                    setProblem(input, field === wrong?.field ? message : "");
                }
                if (!wrong) {
                    (inputs[0]?.input ?? button).focus();
                }
            },
        );
    });
    return open(dialog);
}

/** Shows a dialog until it is closed. The browser then restores the focus. */
export function open(dialog: HTMLDialogElement): Promise<void> {
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve();
        });
    });
}

type Input = HTMLInputElement | HTMLSelectElement;

function inputOf(
    { type, value, choices, allowsOther = false, isOptional = false, hint }: FormField,
    id: string,
): Input {
    const attributes: Record<string, string> = hint === undefined ? {} : { "aria-describedby": `${id}-hint` };
    if (choices) {
        const all = allowsOther ? [...choices, ["other", "other…"] as const] : choices;
        const options = all.map(([choice, text]) => make("option", { value: choice, textContent: text }));
        const select = make("select", { id, attributes }, ...options);
        select.value = String(value);
        return select;
    }
    const input = make("input", { id, type, attributes, required: type !== "checkbox" && !isOptional });
    input.autocomplete = type === "password" ? "current-password" : "off";
    if (type === "checkbox") {
        input.checked = value === true;
    } else {
        input.value = String(value);
    }
    if (type === "number") {
        Object.assign(input, { min: "0", step: "any" });
    }
    return input;
}

/** The text field for a value that is not among the choices. It is visible while "other…" is selected. */
function otherOf({ label }: FormField, select: Input): HTMLInputElement {
    const other = make("input", { type: "text", hidden: true, autocomplete: "off" });
    other.setAttribute("aria-label", `Other ${label.toLowerCase()}`);
    select.addEventListener("change", () => {
        other.hidden = select.value !== "other";
        other.required = !other.hidden;
        if (!other.hidden) {
            other.focus();
        }
    });
    return other;
}

function labelled({ type, label, hint }: FormField, input: Input, other?: HTMLInputElement): HTMLElement {
    const name = make("label", { htmlFor: input.id, textContent: label });
    const isCheckbox = type === "checkbox";
    const element = make(
        "div",
        { className: isCheckbox ? "check" : "field" },
        ...(isCheckbox ? [input, name] : [name, input, ...(other ? [other] : [])]),
    );
    if (hint !== undefined) {
        element.append(make("p", { id: `${input.id}-hint`, className: "hint", textContent: hint }));
    }
    return element;
}

function valueOf({ type }: FormField, input: Input): string | number | boolean {
    if (input instanceof HTMLInputElement && type === "checkbox") {
        return input.checked;
    }
    if (type === "number") {
        return input.value === "" ? "" : Number(input.value);
    }
    return input.value;
}
