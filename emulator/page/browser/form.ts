import { useRef, useState } from "preact/hooks";
import { type Choices, closeDialog, Dialog, html, messageOf, openDialog, Select, valueOf, type VNode } from "./ui";

export type FieldValue = string | number | boolean | readonly string[];

/** A field of a form. Its value becomes a property of the body with this name. */
export interface Field {
    name: string;
    label: string;
    type: "text" | "number" | "checkbox" | "password" | "several";
    value: FieldValue;
    /** The choices, with their texts. */
    choices?: Choices | undefined;
    /** Some values of a text. */
    suggestions?: readonly string[] | undefined;
    /** Explains the field. */
    hint?: string | undefined;
    isOptional?: boolean;
}

export type FormValues = Readonly<Record<string, FieldValue>>;

interface FormProps {
    title: string;
    text?: string | undefined;
    fields: readonly Field[];
    submit: string;
    isDangerous?: boolean;
    /** Whether the dialog can be closed without submitting. Default: true. */
    canCancel?: boolean;
    problem?: string | undefined;
    /** Shows what the values of all fields mean. */
    preview?: ((values: FormValues) => VNode) | undefined;
    /** Receives the values of the changed fields, and of all. If it fails, the dialog stays open and shows the error. */
    run: (changes: FormValues, values: FormValues) => Promise<unknown>;
}

/** Shows a dialog with a form. */
export const openForm = (form: FormProps): void => openDialog(() => html`<${FormDialog} ...${form} />`);

function FormDialog({ fields, canCancel = true, run, ...form }: FormProps): VNode {
    const initial: FormValues = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    // What other clients change meanwhile does not change the form.
    const begin = useRef(initial).current;
    const [values, setValues] = useState(begin);
    const [problem, setProblem] = useState(form.problem ?? "");
    const [isRunning, setRunning] = useState(false);
    const element = useRef<HTMLFormElement>(null);
    const wrong = fieldOf(problem, fields);
    const preview = form.preview?.(values);
    const submit = (event: Event): void => {
        event.preventDefault();
        const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== begin[name]));
        setRunning(true);
        run(changes, values).then(
            () => element.current?.closest("dialog")?.close(),
            (error: unknown) => {
                const message = messageOf(error);
                setProblem(message);
                setRunning(false);
                const field = element.current?.elements.namedItem(fieldOf(message, fields)?.name ?? "");
                const target = field ?? element.current?.querySelector("input, select, button");
                (target as HTMLElement | null | undefined)?.focus();
            },
        );
    };
    const set = (name: string) => (value: FieldValue) => setValues((before) => ({ ...before, [name]: value }));
    return html`
        <${Dialog} title=${form.title} canClose=${canCancel} isWide=${preview !== undefined}>
            <form ref=${element} onSubmit=${submit} class=${preview ? "halves" : "stack"}>
                <div class="fields">
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
                ${preview && html`<div class="stack">${preview}</div>`}
                <div class="row">
                    <p class="problem grow" role="alert">${wrong ? "" : problem}</p>
                    ${canCancel && html`<button type="button" onClick=${closeDialog}>Cancel</button>`}
                    <button class=${form.isDangerous ? "danger" : "primary"} disabled=${isRunning}>
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
    const { name, label, type, choices, suggestions, hint, isOptional = false } = field;
    const id = `field-${name}`;
    const common = {
        id,
        name,
        "aria-invalid": String(problem !== ""),
        ...(hint !== undefined && { "aria-describedby": `${id}-hint` }),
        ...(problem !== "" && { "aria-errormessage": `${id}-problem` }),
    };
    const onInput = (event: Event): void => {
        const text = valueOf(event);
        onChange(type === "number" && text !== "" ? Number(text) : text);
    };
    const check = (checked: boolean, change: (checked: boolean) => void, text: string, key: string): VNode => html`
        <label class="row">
            <input type="checkbox" id=${key} checked=${checked} onChange=${() => change(!checked)} />
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
                ? html`<${Select} ...${common} choices=${choices} value=${value} onChoose=${onChange} />`
                : html`<input
                      ...${common}
                      type=${type}
                      value=${value}
                      required=${!isOptional}
                      list=${suggestions && `${id}-list`}
                      min="0"
                      step="any"
                      autocomplete=${type === "password" ? "current-password" : "off"}
                      spellcheck=${false}
                      onInput=${onInput}
                  />`;
    const [Wrapper, Label] = type === "several" ? ["fieldset", "legend"] : ["div", "label"];
    return html`
        <${Wrapper} class="field">
            ${type !== "checkbox" && html`<${Label} for=${id}>${label}<//>`} ${input}
            ${
                suggestions &&
                html`<datalist id=${`${id}-list`}>${suggestions.map((one) => html`<option value=${one} />`)}</datalist>`
            }
            ${hint !== undefined && html`<p id=${`${id}-hint`} class="meta">${hint}</p>`}
            ${problem !== "" && html`<p id=${`${id}-problem`} class="problem" role="alert">${problem}</p>`}
        <//>
    `;
}
