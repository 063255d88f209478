import { useRef, useState } from "preact/hooks";
import { type Choices, closeDialog, Dialog, messageOf, openDialog, Problem, Select, valueOf, type VNode } from "./ui";

export type FieldValue = string | number | boolean | readonly string[];

/** A field of a form. Its value becomes a property of the body with this name. */
export interface Field {
    name: string;
    label: string;
    type: "text" | "number" | "checkbox" | "password" | "several";
    value: FieldValue;
    /** The choices, with their texts. */
    choices?: Choices | undefined;
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
    /** Receives the values of the changed fields, and of all. If it fails, the dialog stays open and shows the error. */
    run: (changes: FormValues, values: FormValues) => Promise<unknown>;
}

/** Shows a dialog with a form. */
export const openForm = (form: FormProps): void => openDialog(() => <FormDialog {...form} />);

function FormDialog({ fields, canCancel = true, run, ...form }: FormProps): VNode {
    const initial: FormValues = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    // What other clients change meanwhile does not change the form.
    const begin = useRef(initial).current;
    const [values, setValues] = useState(begin);
    const [problem, setProblem] = useState(form.problem ?? "");
    const [isRunning, setRunning] = useState(false);
    const submit = (event: Event): void => {
        event.preventDefault();
        if (isRunning) {
            return;
        }
        const dialog = (event.currentTarget as Element).closest("dialog");
        const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== begin[name]));
        setRunning(true);
        run(changes, values).then(
            () => dialog?.close(),
            (error: unknown) => {
                setProblem(messageOf(error));
                setRunning(false);
            },
        );
    };
    const set = (name: string) => (value: FieldValue) => setValues((before) => ({ ...before, [name]: value }));
    return (
        <Dialog title={form.title} canClose={canCancel}>
            <form onSubmit={submit} class="stack">
                <div class="fields">
                    {form.text !== undefined && <p class="quiet">{form.text}</p>}
                    {fields.map((field) => (
                        <FieldInput
                            key={field.name}
                            field={field}
                            value={values[field.name] ?? field.value}
                            onChange={set(field.name)}
                        />
                    ))}
                    <Problem text={problem} />
                </div>
                <div class="row end">
                    {canCancel && (
                        <button type="button" onClick={closeDialog}>
                            Cancel
                        </button>
                    )}
                    <button class={form.isDangerous ? "danger" : "primary"}>{form.submit}</button>
                </div>
            </form>
        </Dialog>
    );
}

interface InputProps {
    field: Field;
    value: FieldValue;
    onChange: (value: FieldValue) => void;
}

export function FieldInput({ field, value, onChange }: InputProps): VNode {
    const { name, label, type, choices, hint, isOptional = false } = field;
    const id = `field-${name}`;
    const common = { id, name, ...(hint !== undefined && { "aria-describedby": `${id}-hint` }) };
    const onInput = (event: Event): void => {
        const text = valueOf(event);
        onChange(type === "number" && text !== "" ? Number(text) : text);
    };
    const check = (checked: boolean, change: (checked: boolean) => void, text: string, key: string): VNode => (
        <label class="row">
            <input type="checkbox" id={key} checked={checked} onChange={() => change(!checked)} />
            {text}
        </label>
    );
    const several = value as readonly string[];
    const toggle = (one: string) => (isOn: boolean) =>
        onChange(isOn ? [...several, one] : several.filter((other) => other !== one));
    // The types of Preact require one type of input. The properties here are the same for each.
    const inputType = type as "text";
    const input =
        type === "checkbox" ? (
            check(value === true, onChange, label, id)
        ) : type === "several" ? (
            <div class="row">
                {choices?.map(([one, text]) => check(several.includes(one), toggle(one), text, `${id}-${one}`))}
            </div>
        ) : choices ? (
            <Select {...common} choices={choices} value={String(value)} onChoose={onChange} />
        ) : (
            <input
                {...common}
                type={inputType}
                value={String(value)}
                required={!isOptional}
                min={0}
                step="any"
                autocomplete="off"
                spellcheck={false}
                onInput={onInput}
            />
        );
    const Wrapper = type === "several" ? "fieldset" : "div";
    return (
        <Wrapper class="field">
            {type === "several" && <legend>{label}</legend>}
            {type !== "several" && type !== "checkbox" && <label for={id}>{label}</label>} {input}
            {hint !== undefined && (
                <p id={`${id}-hint`} class="meta">
                    {hint}
                </p>
            )}
        </Wrapper>
    );
}
