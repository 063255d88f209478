import type { Interceptor } from "../../emulator";
import type { OperationId, Wire } from "../../emulator/wire";

// Variants of the API, for the option `intercept`.

const refusal = (status: number, code: string, message: string) => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, message }),
});

/** An API without an operation, like an older version. */
export const lacking =
    (operation: OperationId): Interceptor =>
    ({ operationId, request }, carryOut) =>
        operationId === operation
            ? Promise.resolve(refusal(404, "NOT_FOUND", `There is no operation at ${request.path}.`))
            : carryOut();

/** An API that follows its published description exactly: a resize accepts only digits, and for a read replica set no `nodes`. */
export const strictResize: Interceptor = ({ operationId, request }, carryOut) => {
    const body = JSON.parse(request.body ?? "{}") as { cpu_millis?: string; memory_gbs?: string; nodes?: number };
    const sizes = [body.cpu_millis, body.memory_gbs].filter((size) => size !== undefined);
    const problem =
        operationId === "resizeReplicaSet" && body.nodes !== undefined
            ? "nodes is not allowed in a resize."
            : operationId.startsWith("resize") && sizes.some((size) => !/^\d+$/.test(size))
              ? "cpu_millis and memory_gbs must consist of digits."
              : undefined;
    return problem === undefined ? carryOut() : Promise.resolve(refusal(400, "INVALID_REQUEST", problem));
};

/** The service status for each status of a read replica set. */
const statuses: Readonly<Record<string, string>> = { creating: "CONFIGURING", active: "READY", error: "UNSTABLE" };

/** An API whose list of services also has an entry for each read replica set. */
export const listingStandbys: Interceptor = async ({ operationId }, carryOut) => {
    const response = await carryOut();
    if (operationId !== "listServices" || response.status !== 200) {
        return response;
    }
    const services = JSON.parse(response.body) as Wire["Service"][];
    const body = services.flatMap((service) => [
        service,
        ...(service.read_replica_sets ?? []).map(({ id, name, ...set }): Wire["Service"] => ({
            service_id: id,
            name,
            created: service.created,
            project_id: service.project_id,
            region_code: service.region_code,
            service_type: service.service_type,
            resources: service.resources,
            status: statuses[set.status] ?? set.status,
            forked_from: { is_standby: true, project_id: service.project_id, service_id: service.service_id },
        })),
    ]);
    return { ...response, body: JSON.stringify(body) };
};
