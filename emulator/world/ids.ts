import type { Random } from "./random";
import type { Rules } from "./rules";

const lowerAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
const lettersAndDigits = `${lowerAndDigits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const idLength = 10;

/** The format of project, service and replica set ids. */
export const idPattern = /^[a-z0-9]{10}$/;

type Taken = (id: string) => boolean;

function untaken(make: () => string, taken: Taken): string {
    for (;;) {
        const id = make();
        if (!taken(id)) {
            return id;
        }
    }
}

/**
 * An id of a service or a replica set. It begins with a letter because it is part of a host name. Another platform has ids such as
 * `A1B2-C3D4E`.
 */
export const newId = (random: Random, taken: Taken, { otherIds }: Pick<Rules, "otherIds">): string =>
    untaken(() => {
        const id = random.text(lowerAndDigits.slice(0, 26), 1) + random.text(lowerAndDigits, idLength - 1);
        return otherIds ? `${id.slice(0, 4)}-${id.slice(4)}`.toUpperCase() : id;
    }, taken);

/** An id of a VPC or a peering. */
export const newNumber = (random: Random, taken: Taken): string =>
    untaken(() => String(random.integer(10_000, 1_000_000)), taken);

/** The cloud provider's own id of a peering. */
export const provisionedIdOf = ({ id }: { id: string }): string => `pcx-${id.padStart(17, "0")}`;

export const newPassword = (random: Random): string => random.text(lettersAndDigits, 24);

export const newPort = (random: Random): number => random.integer(30_000, 40_000);
