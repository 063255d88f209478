import type { QueryOf } from "../../provider/api/contract";
import { startClient } from "./world";

it.each<[QueryOf<"getServiceLogs">, [string, string][]]>([
    [undefined, []],
    [{}, []],
    [
        { severities: ["ERROR", "FATAL"] },
        [
            ["severities", "ERROR"],
            ["severities", "FATAL"],
        ],
    ],
    ...["a&b=c", "50% + more", "ü/ß?#", "[x]", "node:1,2"].map((search): [{ search: string[] }, [string, string][]] => [
        { search: [search] },
        [["search", search]],
    ]),
])("the query of getServiceLogs repeats lists, and encodes texts: %j", async (query, expected) => {
    const { client, project, make, passed } = await startClient();
    const { service_id = "" } = await make("Service");
    await client.call("getServiceLogs", { path: { project_id: project, service_id }, query }, {});
    const [, sent] = (passed.at(-1)?.exchange.request.path ?? "").split("?");
    expect(sent === undefined).toBe(expected.length === 0);
    expect([...new URLSearchParams(sent)]).toEqual(expected);
});
