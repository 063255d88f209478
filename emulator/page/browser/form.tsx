import { useRef, useState } from "preact/hooks";
import { type Choices, closeDialog, Dialog, messageOf, openDialog, Select, valueOf, type VNode } from "./ui";

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
    const element = useRef<HTMLFormElement>(null);
    const wrong = fieldOf(problem, fields);
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
    return (
        <Dialog title={form.title} canClose={canCancel}>
            <form ref={element} onSubmit={submit} class="stack">
                <div class="fields">
                    {form.text !== undefined && <p class="quiet">{form.text}</p>}
                    {fields.map((field) => (
                        <FieldInput
                            key={field.name}
                            field={field}
                            value={values[field.name] ?? field.value}
                            onChange={set(field.name)}
                            problem={field === wrong ? problem : ""}
                        />
                    ))}
                </div>
                <div class="row">
                    <p class="problem grow" role="alert">
                        {wrong ? "" : problem}
                    </p>
                    {canCancel && (
                        <button type="button" onClick={closeDialog}>
                            Cancel
                        </button>
                    )}
                    <button class={form.isDangerous ? "danger" : "primary"} disabled={isRunning}>
                        {form.submit}
                    </button>
                </div>
            </form>
        </Dialog>
    );
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
        "aria-invalid": problem !== "",
        ...(hint !== undefined && { "aria-describedby": `${id}-hint` }),
        ...(problem !== "" && { "aria-errormessage": `${id}-problem` }),
    };
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
    const attributes = {
        ...common,
        value: String(value),
        required: !isOptional,
        autocomplete: "off",
        spellcheck: false,
        onInput,
    } as const;
    const entry =
        type === "number" ? (
            <input {...attributes} type="number" min="0" step="any" />
        ) : type === "password" ? (
            <input {...attributes} type="password" autocomplete="current-password" />
        ) : (
            <input {...attributes} type="text" />
        );
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
            entry
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
            {problem !== "" && (
                <p id={`${id}-problem`} class="problem" role="alert">
                    {problem}
                </p>
            )}
        </Wrapper>
    );
}
