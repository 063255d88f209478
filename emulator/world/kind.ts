import type { Dated } from "./state";

/** A resource kind, as far as the world must know it. */
export interface Kind<R extends Dated = Dated, Name extends string = string, Parent extends string = string> {
    /** Its name in the paths of the API and of the controls. `singularOf` makes that of one resource of it. */
    readonly name: Name;
    /** For messages. */
    readonly noun: string;
    /** What contains it. A record has the id of its parent as `<parent>Id`, and a model as `<parent>_id`. */
    readonly parent: Parent;
    /** The property of the parent's model that lists it, and its model there. Default: none. */
    readonly listed?: { readonly as: string; view(record: R, parent: Dated): object };
    /** The kind of the resources that it can be attached to. They cannot be deleted meanwhile. Default: none. */
    readonly attached?: {
        readonly to: string;
        /** Those that a record is, or is being, attached to. */
        idsOf(record: R): readonly unknown[];
        /** Detaches a record from one that was deleted nevertheless. */
        detach(record: R, id: string): void;
    };
    /** Exists only as a type. */
    readonly record?: R;
}

/** A resource of any kind. */
export interface Subject {
    kind: Kind;
    record: Dated;
}

/** The name of a single resource of a kind. */
export const singularOf = ({ name }: Kind): string => name.replace(/ies$/, "y").replace(/s$/, "");

/** The id of what contains a resource. */
export const parentIdOf = ({ parent }: Kind, record: Dated): string =>
    (record as unknown as Readonly<Record<string, string>>)[`${parent}Id`] ?? "";

/** A resource at the beginning of a sentence. */
export const subjectOf = ({ noun }: Kind, { id }: Dated): string =>
    `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id}`;
