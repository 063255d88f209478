import { closeDialog, Dialog, html, openDialog, useRef, useState } from "./ui";
import type { VNode } from "./ui";

type Choices = readonly (readonly [value: string, text: string])[];

export type FieldValue = string | number | boolean | readonly string[];

/** A field of a form. Its value becomes a property of the body with this name. */
export interface Field {
    name: string;
    label: string;
    type: "text" | "number" | "checkbox" | "password" | "several";
    value: FieldValue;
    /** The choices, with their texts. */
    choices?: Choices;
    /** Whether the user can enter a value that is not among the choices. */
    allowsOther?: boolean;
    /** Explains the field. */
    hint?: string;
    isOptional?: boolean;
}

export type FormValues = Readonly<Record<string, FieldValue>>;

export interface FormProps {
    title: string;
    text?: string;
    fields?: readonly Field[];
    submit: string;
    isDangerous?: boolean;
    /** Whether the dialog can be closed without submitting. Default: true. */
    canCancel?: boolean;
    problem?: string | undefined;
    /** Shows what the values of all fields mean. */
    preview?: (values: FormValues) => VNode;
    /** Receives the values of the changed fields, and of all. If it fails, the dialog stays open and shows the error. */
    run: (changes: FormValues, values: FormValues) => Promise<unknown>;
}

/** Shows a dialog with a form. */
export const openForm = (form: FormProps): void => openDialog(() => html`<${FormDialog} ...${form} />`);

function FormDialog({ fields = [], canCancel = true, preview, run, ...form }: FormProps): VNode {
    const initial: FormValues = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    // What other clients change meanwhile does not change the form.
    const begin = useRef(initial).current;
    const [values, setValues] = useState(begin);
    const [problem, setProblem] = useState(form.problem ?? "");
    const [isRunning, setRunning] = useState(false);
    const element = useRef<HTMLFormElement>(null);
    const wrong = fieldOf(problem, fields);
    const submit = (event: Event): void => {
        event.preventDefault();
        const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== begin[name]));
        setRunning(true);
        run(changes, values).then(
            () => element.current?.closest("dialog")?.close(),
            (reason: unknown) => {
                const { message } = reason as Error;
                setProblem(message);
                setRunning(false);
                const name = fieldOf(message, fields)?.name;
                const field = name === undefined ? undefined : element.current?.elements.namedItem(name);
                const target = field ?? element.current?.querySelector("input, select, button");
                if (target instanceof HTMLElement) {
                    target.focus();
                }
            },
        );
    };
    const set = (name: string) => (value: FieldValue) => setValues((before) => ({ ...before, [name]: value }));
    return html`
        <${Dialog} title=${form.title} canClose=${canCancel} isWide=${preview !== undefined}>
            <form ref=${element} onSubmit=${submit} class=${preview ? "beside-preview" : ""}>
                <div class="stack">
                    ${form.text !== undefined && html`<p class="quiet">${form.text}</p>`}
                    ${fields.map(
                        (field) => html`
                            <${FieldInput}
                                key=${field.name}
                                field=${field}
                                value=${values[field.name]}
                                onChange=${set(field.name)}
                                problem=${field === wrong ? problem : ""}
                            />
                        `,
                    )}
                </div>
                ${preview && html`<div class="stack preview">${preview(values)}</div>`}
                <p class="problem" role="alert">${wrong ? "" : problem}</p>
                <div class="buttons">
                    ${canCancel && html`<button type="button" onClick=${closeDialog}>Cancel</button>`}
                    <button type="submit" class=${form.isDangerous ? "danger" : "primary"} disabled=${isRunning}>
                        ${form.submit}
                    </button>
                </div>
            </form>
        <//>
    `;
}

/** A message about a field begins with its name. */
const fieldOf = (message: string, fields: readonly Field[]): Field | undefined =>
    fields.find(({ name }) => name === message.split(" ", 1)[0]);

interface InputProps {
    field: Field;
    value: FieldValue;
    problem: string;
    onChange: (value: FieldValue) => void;
}

export function FieldInput({ field, value, problem, onChange }: InputProps): VNode {
    const { name, label, type, choices, hint, isOptional = false } = field;
    const id = `field-${name}`;
    const common = {
        id,
        name,
        required: !isOptional,
        "aria-invalid": String(problem !== ""),
        ...(hint !== undefined && { "aria-describedby": `${id}-hint` }),
        ...(problem !== "" && { "aria-errormessage": `${id}-problem` }),
    };
    const onInput = ({ currentTarget: { value: text } }: { currentTarget: HTMLInputElement }): void =>
        onChange(type === "number" && text !== "" ? Number(text) : text);
    const check = (checked: boolean, change: (checked: boolean) => void, text: string, key: string): VNode => html`
        <label class="check">
            <input
                type="checkbox"
                id=${key}
                checked=${checked}
                onChange=${(event: Event) => change((event.currentTarget as HTMLInputElement).checked)}
            />
            ${text}
        </label>
    `;
    const several = value as readonly string[];
    const toggle = (one: string) => (isOn: boolean) =>
        onChange(isOn ? [...several, one] : several.filter((other) => other !== one));
    const input =
        type === "checkbox"
            ? check(value === true, onChange, label, id)
            : type === "several"
              ? html`<div class="row">
                    ${choices?.map(([one, text]) => check(several.includes(one), toggle(one), text, `${id}-${one}`))}
                </div>`
              : choices
                ? html`<${Select} field=${field} common=${common} value=${value} onChange=${onChange} />`
                : html`<input
                      ...${common}
                      type=${type}
                      value=${value}
                      min="0"
                      step="any"
                      autocomplete=${type === "password" ? "current-password" : "off"}
                      spellcheck=${false}
                      onInput=${onInput}
                  />`;
    const Wrapper = type === "several" ? "fieldset" : "div";
    const Label = type === "several" ? "legend" : "label";
    return html`
        <${Wrapper} class="field">
            ${type !== "checkbox" && html`<${Label} for=${id}>${label}<//>`} ${input}
            ${hint !== undefined && html`<p id=${`${id}-hint`} class="quiet small">${hint}</p>`}
            ${problem !== "" && html`<p id=${`${id}-problem`} class="problem" role="alert">${problem}</p>`}
        <//>
    `;
}

/** The same function for each rendering, so that only a new element gets the focus. */
const focus = (element: HTMLElement | null): void => element?.focus();

interface SelectProps extends Omit<InputProps, "problem"> {
    common: object;
}

/** A choice, and a text field for a value that is not among the choices. */
function Select({ field: { label, choices = [], allowsOther = false }, common, value, onChange }: SelectProps): VNode {
    const [isOther, setOther] = useState(false);
    const onSelect = ({ currentTarget }: { currentTarget: HTMLSelectElement }): void => {
        const choosesOther = allowsOther && currentTarget.value === "other";
        setOther(choosesOther);
        onChange(choosesOther ? "" : currentTarget.value);
    };
    return html`
        <select ...${{ ...common, required: false }} value=${isOther ? "other" : value} onChange=${onSelect}>
            ${choices.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
            ${allowsOther && html`<option value="other">other…</option>`}
        </select>
        ${
            isOther &&
            html`<input
            aria-label=${`Other ${label.toLowerCase()}`}
            required
            autocomplete="off"
            ref=${focus}
            onInput=${(event: Event) => onChange((event.currentTarget as HTMLInputElement).value)}
        />`
        }
    `;
}
