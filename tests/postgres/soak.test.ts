import { join } from "node:path";
import { startNode } from "../support/child";
import { describeWithPostgres } from "../support/postgres";

const root = join(__dirname, "..", "..");

describeWithPostgres("many databases in sequence", () => {
    test("many services with PostgreSQL leave no processes, ports and folders", async () => {
        const { exitCode, stdout, stderr } = await startNode(
            ["scripts/run.mjs", "postgresSoak", "2"],
            root,
            process.env,
        ).ended;
        expect(stdout).toContain("2 cycles left no process, no port and no folder.");
        expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }, 60_000);
});
