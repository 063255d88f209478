import { defaultDurations as durations } from "../../emulator";
import { creationOf, settings } from "../../emulator/kinds";
import { inputsOf, type Kind } from "../../emulator/page/browser/kinds";
import { lockedWhilePaused } from "../../emulator/world/rules";
import type { OperationId } from "../../provider/api/contract";
import { methods, operations } from "../../provider/api/operations.gen";
import { ApiError } from "../../provider/api/callErrors";
import { resourceTypes } from "../../provider/resources";
import { defaultsOf, needsRunning, propertiesOf, untypedKinds } from "../support/cases";
import { failureOf } from "../support/client";
import { callOperation, camel, exercises, filling, prepare } from "./exercises";
import { itInDialects } from "../support/dialects";
import { kindsWithId, startClient } from "./world";

/** The operations that set properties: those in the emulator's settings, and others that a plan has and that set at once. */
const changes = resourceTypes.flatMap((type) => {
    const announced = propertiesOf(type).flatMap(([, one]) => Object.keys(one.announced ?? {}));
    return (Object.keys(untypedKinds[type].exercises) as OperationId[])
        .filter((id) => id in settings || (announced.includes(id) && exercises[id].status === 200))
        .map((id) => [id, type] as const);
});

/** The inputs with the values in a body, in which sizes are texts. */
const inputsIn = (body: unknown) =>
    Object.fromEntries(
        Object.entries(Object(body) as object).map(([name, value]: [string, unknown]) => [
            camel(name),
            /^(cpu_millis|memory_gbs)$/.test(name) ? Number(value) : value,
        ]),
    );

it.each(changes)(
    "reads after %s show the old status and value, then the change in progress, and then the new value, also on the page",
    async (id, type) => {
        const world = await startClient();
        const { client, clock, emulator, project } = world;
        const ids = await prepare(id, world);
        const { body, sets = inputsIn(body), status, through } = exercises[id];
        const after = filling(project, ids)(sets);
        const properties = propertiesOf(type).filter(([name]) => name in after);
        expect(properties).toHaveLength(Object.keys(after).length);
        // No read shows a password.
        const visible = properties.filter(([, { wire }]) => wire !== undefined);
        const seenIn = (item: unknown) => Object.fromEntries(visible.map(([name, { wire }]) => [name, wire?.(item)]));
        const wanted = Object.fromEntries(visible.map(([name]) => [name, after[name]]));
        const found = () => {
            const [one] = untypedKinds[type].items(emulator.snapshot());
            return { item: one?.item as object, shown: [one?.status, seenIn(one?.item)] };
        };
        const [settled, before] = found().shown;
        // The model of a service contains them while it is running.
        const hasMetrics = "metrics" in found().item;
        for (const [name] of visible) {
            expect(before).not.toHaveProperty(name, after[name]);
        }

        const answer = Object(await callOperation(id, client, project, ids)) as { readonly status?: string };
        expect(status === 202).toBe(through !== undefined);
        const [meanwhile, lasts] = through ?? [settled];
        if (answer.status !== undefined) {
            const shown = [answer.status, seenIn(answer), "metrics" in answer];
            expect(shown).toEqual(through ? [meanwhile, before, false] : [settled, wanted, hasMetrics]);
        }
        const slow: [ms: number, status: unknown, values: unknown][] = [
            [durations.staleRead - 1, settled, before],
            [1, meanwhile, before],
            [durations[lasts ?? "staleRead"] - 1, meanwhile, before],
            [1, settled, wanted],
        ];
        for (const [passed, ...expected] of through ? slow : [[0, settled, wanted] as const]) {
            clock.advance(passed);
            expect(found().shown).toEqual(expected);
        }

        const kind = creationOf(Object.keys(untypedKinds[type].creations)[0] as OperationId)?.name as Kind;
        const inputs = inputsOf({ kind, value: found().item as never });
        const declared = visible.map(([name]) => [name, inputs[name] ?? defaultsOf(type)[name]] as const);
        // The page shows an input of another name, or an object, as its row in this file says.
        const file = "emulator/page/browser/kinds.ts";
        expect([file, Object.fromEntries(declared)]).toEqual([file, wanted]);
    },
);

/** The API rejects the request and says this, unless the dialect leaves out the message. That of a request with a secret is hidden. */
function expectConflict({ operation, status, apiMessage }: ApiError, text: string, dialect: string): void {
    expect(status).toBe(409);
    if (!("secret" in operations[operation as OperationId]) && !dialect.includes("Error.message:")) {
        expect(apiMessage).toContain(text);
    }
}

/** The changes of a service and of what it contains. */
const inService = (Object.keys(exercises) as OperationId[]).filter((id) => {
    const { method, path } = operations[id];
    return methods[method] !== "read" && path.includes("{service_id}");
});

/** Those of a service, and those in its collections. */
const ofService = inService.filter((id) => /\{service_id\}[^{]*$/.test(operations[id].path));

itInDialects(
    ofService.flatMap((id) => [0, durations.staleRead].map((after) => [id, after] as const)),
    "while a service changes, %s is rejected with 409, %d milliseconds after the change began (dialect %s)",
    async (id, after, dialect) => {
        const { client, clock, make, project } = await startClient({ dialect });
        const ids = await make("Vpc", "Service");
        await callOperation("setHA", client, project, ids);
        clock.advance(after);
        expectConflict(await failureOf(callOperation(id, client, project, ids), ApiError), "busy", dialect);
    },
);

itInDialects(
    inService.map((id) => [id] as const),
    "a paused service accepts %s, or rejects it with its status (dialect %s)",
    async (id, dialect) => {
        const { client, emulator, finish, make, project } = await startClient({ dialect });
        const inPath = kindsWithId.filter(([, param]) => operations[id].path.includes(`{${param}}`));
        const ids = await make("Vpc", ...inPath.map(([type]) => type));
        for (const first of [...(id === "detachFromVPC" ? ["attachToVPC" as const] : []), "stopService" as const]) {
            await callOperation(first, client, project, ids);
            finish();
        }
        const work = callOperation(id, client, project, ids);
        if (needsRunning(id) || (dialect.includes("paused-locked") && lockedWhilePaused.includes(id))) {
            expectConflict(await failureOf(work, ApiError), "PAUSED", dialect);
            return;
        }
        await work;
        finish();
        const [service] = emulator.snapshot().services;
        expect(service?.status).toBe(
            { startService: "READY", deleteService: undefined }[id as string] ?? (service && "PAUSED"),
        );
    },
);

it("a count that a request for high availability leaves out does not change", async () => {
    const { client, emulator, finish, make, project } = await startClient();
    const ids = await make("Service");
    for (const body of [{ replica_count: 2 }, { sync_replica_count: 1 }]) {
        await callOperation("setHA", client, project, ids, body);
        finish();
    }
    expect(emulator.snapshot().services[0]?.ha_replicas).toEqual({ replica_count: 2, sync_replica_count: 1 });
});

it("a service can get the name of another one", async () => {
    const { client, emulator, make, project } = await startClient();
    const ids = await make("Service");
    await emulator.createService({ name: "taken" });
    await callOperation("renameService", client, project, ids, { name: "taken" });
    expect(emulator.snapshot().services.map(({ name }) => name)).toEqual(["taken", "taken"]);
});
