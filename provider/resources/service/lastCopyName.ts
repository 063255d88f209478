/** The longest name of a service. */
export const maxNameLength = 128;

/** Earlier names have no milliseconds. */
const form = /^(.*)-last-copy-([a-z0-9]+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})?Z$/s;

/** What the name of a last copy says. */
export interface LastCopyName {
    /** The name of the copied service, perhaps shortened. */
    readonly name: string;
    /** The id of the copied service. */
    readonly serviceId: string;
    /** When the copy was requested, in milliseconds since 1970. */
    readonly requestedAt: number;
}

/** The names of last copies. Programs cannot declare such a name. */
export const lastCopyName = {
    format: ({ name, serviceId, requestedAt }: LastCopyName): string => {
        const time = new Date(requestedAt).toISOString().replace(/[-:.]/g, "");
        const end = `-last-copy-${serviceId}-${time}`;
        // A cut must not leave half of a character.
        const begin = name.slice(0, maxNameLength - end.length).replace(/[\uD800-\uDBFF]$/, "");
        return `${begin}${end}`;
    },
    /** Undefined if a service with this name cannot be a last copy. */
    parse: (text: string): LastCopyName | undefined => {
        const match = form.exec(text);
        if (match === null) {
            return undefined;
        }
        const [, name = "", serviceId = "", ...time] = match;
        const [year, month, day, hour, minute, second, millisecond = "000"] = time;
        const requestedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
        return Number.isNaN(requestedAt) ? undefined : { name, serviceId, requestedAt };
    },
};
