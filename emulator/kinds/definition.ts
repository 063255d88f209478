import type { ControlDefinition } from "../control";
import type { Handlers } from "../world/handler";
import type { Kind } from "../world/kind";
import type { AnySetting } from "../world/settings";
import type { Dated } from "../world/state";
import type { World } from "../world/world";

/** All that the emulator knows about a resource kind. */
export interface Definition<R extends Dated = Dated, Model extends object = object> {
    readonly kind: Kind<R>;
    /** The API's model of a record, without the lists of other kinds. */
    view(record: R, world: World): Model;
    /** The name of a record on the page. */
    titleOf(record: R): string;
    /** Its operations. If the name begins with `create` or `fork`, the response describes a new resource. */
    readonly operations: Partial<Handlers>;
    /** In milliseconds. */
    readonly durations: Readonly<Record<string, number>>;
    /** What can be done to a resource without the API. */
    readonly controls: Readonly<Record<string, Pick<ControlDefinition, "on" | "fields">>>;
    /** Its `Settings`. Default: none. */
    readonly settings?: Readonly<Record<string, AnySetting>>;
}
