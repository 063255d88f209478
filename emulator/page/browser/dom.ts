/** Builds the page from elements and text. Nothing here parses HTML, so no name or message can become markup. */

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
    Omit<HTMLElementTagNameMap[Tag], "attributes" | "children" | "dataset" | "style">
> & {
    /** Attributes without a property, such as aria-label. */
    attributes?: Readonly<Record<string, string>>;
};

export function make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    properties: Properties<Tag> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
    const { attributes = {}, ...rest } = properties;
    const element = Object.assign(document.createElement(tag), rest);
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

const copiedMs = 2_000;

/** A button that copies a text, and says for a moment that it has done so. */
export function copyButton(label: string, textOf: () => string): HTMLButtonElement {
    const button = make("button", {
        type: "button",
        textContent: "Copy",
        attributes: { "aria-label": `Copy ${label}` },
    });
    let timer = 0;
    const show = (text: string): void => {
        button.textContent = text;
        clearTimeout(timer);
        timer = window.setTimeout(() => (button.textContent = "Copy"), copiedMs);
    };
    button.addEventListener("click", () => {
        button.textContent = "Copy";
        navigator.clipboard.writeText(textOf()).then(
            () => show("Copied"),
            () => show("Copy failed"),
        );
    });
    return button;
}

/** The element of index.html with this id. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
    const element = document.getElementById(id);
    if (!(element instanceof type)) {
        throw new Error(`index.html has no ${type.name} with the id ${id}.`);
    }
    return element;
}

/** Changes the document only if the text differs, so that selections stay and screen readers do not repeat it. */
export function setText(element: HTMLElement, text: string): void {
    if (element.textContent !== text) {
        element.textContent = text;
    }
}

export function setAttribute(element: HTMLElement, name: string, value: string): void {
    if (element.getAttribute(name) !== value) {
        element.setAttribute(name, value);
    }
}

/** Shows a problem at its field. Without a text, removes it. */
export function setProblem(field: HTMLElement, text: string): void {
    const id = `${field.id}-problem`;
    document.getElementById(id)?.remove();
    setAttribute(field, "aria-invalid", String(text !== ""));
    if (text === "") {
        return;
    }
    setAttribute(field, "aria-errormessage", id);
    field.after(make("p", { id, className: "problem", textContent: text, attributes: { role: "alert" } }));
    field.focus();
}

/** The view of one list item. */
export interface View<Item> {
    element: HTMLElement;
    update: (item: Item) => void;
}

/** Shows items in order. An item keeps its element, and therefore the focus. */
export class List<Item, ItemView extends View<Item> = View<Item>> {
    private readonly viewsByKey = new Map<string, ItemView>();

    constructor(
        private readonly container: HTMLElement,
        private readonly create: (item: Item) => ItemView,
        /** Receives the focus when the focused element is removed. */
        private readonly heading: HTMLElement,
    ) {}

    show(items: ReadonlyMap<string, Item>): void {
        for (const [key, { element }] of this.viewsByKey) {
            if (items.has(key)) {
                continue;
            }
            if (element.contains(document.activeElement)) {
                this.heading.focus({ preventScroll: true });
            }
            element.remove();
            this.viewsByKey.delete(key);
        }
        let next = this.container.firstElementChild;
        for (const [key, item] of items) {
            const view = this.viewsByKey.get(key) ?? this.add(key, item);
            view.update(item);
            if (view.element === next) {
                next = next.nextElementSibling;
            } else {
                this.container.insertBefore(view.element, next);
            }
        }
    }

    /** The views of all items. */
    get views(): Iterable<ItemView> {
        return this.viewsByKey.values();
    }

    private add(key: string, item: Item): ItemView {
        const view = this.create(item);
        this.viewsByKey.set(key, view);
        return view;
    }
}
