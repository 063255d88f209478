import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A call of the engine for one resource, without its values. Its ids are the numbers of its generations. */
export interface ShortCall {
    readonly method: "check" | "diff" | "create" | "update" | "read" | "delete";
    readonly name: string;
    /** Empty for a check and a creation. */
    readonly id: string;
    /** The id of the new resource. */
    readonly created: string;
    /** Whether a check has old inputs. */
    readonly isKnown: boolean;
    /** The result of a diff. */
    readonly isReplaced: boolean;
    readonly isDeletedFirst: boolean;
}

/** tests/engine/engineCalls.release.test.ts records it, and tests/unit/model/ledger.test.ts compares it with the table in provider/model/ledger.ts. */
export const fileOf = (host: "dynamic" | "native"): string => join(__dirname, `engineCalls.${host}.json`);

/** The calls of each kind of run, as an engine of this version has made them: `check orders, known`. */
export const recordedCalls = (host: "dynamic" | "native") =>
    JSON.parse(readFileSync(fileOf(host), "utf8")) as { engine: string; runs: Record<string, readonly string[]> };

export function lineOf({ method, name, id, created, isKnown, isReplaced, isDeletedFirst }: ShortCall): string {
    return [
        [method, name, id].filter(Boolean).join(" "),
        ...(isKnown ? ["known"] : []),
        ...(isReplaced ? ["replaced"] : []),
        ...(isDeletedFirst ? ["deleted first"] : []),
        ...(created === "" ? [] : [`created ${created}`]),
    ].join(", ");
}

export function callIn(line: string): ShortCall {
    const [call = "", ...parts] = line.split(", ");
    const [method, name = "", id = ""] = call.split(" ");
    const created = parts.find((part) => part.startsWith("created ")) ?? "";
    return {
        method: method as ShortCall["method"],
        name,
        id,
        created: created.slice("created ".length),
        isKnown: parts.includes("known"),
        isReplaced: parts.includes("replaced"),
        isDeletedFirst: parts.includes("deleted first"),
    };
}
