import { requests } from "../../emulator/controls";
import { kinds } from "../../emulator/kinds";
import { toneOf } from "../../emulator/page/browser/kinds";
import { kindsWithId, startClient } from "./world";

type Resources = Readonly<Record<string, readonly { readonly status?: string }[]>>;

it("a new resource of each kind comes to a status that the page shows as good", async () => {
    const { emulator, make } = await startClient();
    await make(...kindsWithId.map(([type]) => type));
    const { counts, ...lists } = emulator.snapshot();
    expect(Object.values(counts).map(({ made }) => made)).toEqual(kinds.map(() => 1));
    const statuses = kinds.flatMap(({ name }) =>
        ((lists as object as Resources)[name] ?? []).map(({ status }) => status),
    );
    expect(statuses).toHaveLength(kinds.length);
    expect(statuses.map((status) => status === undefined || toneOf(status))).toEqual(
        statuses.map((status) => status === undefined || "good"),
    );
});

it.each(kinds.map(({ name }) => name))("a control deletes %s without the API", (name) => {
    expect(requests.some(({ on }) => on === `DELETE /${name}/*`)).toBe(true);
});
