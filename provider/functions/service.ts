import { way } from "../base/message";
import { isSameText, show } from "../base/fields";
import { observing } from "../model/outputs";
import { reported, type ServiceObserved, type ServiceReported } from "../resources/service/outputs";
import { service } from "../resources/service/service";
import { FunctionError, projectOf } from "./function";
import type { FunctionContext, InProject, ProjectArgs, ProviderFunction } from "./function";
import { listFunction, getFunction } from "./resources";

/** A service. The properties have the same names as the outputs of `Service`, which has no `usage` and no `volumeType`. It contains no passwords. */
export type GetServiceResult = ServiceObserved & ServiceReported & InProject;

/** The arguments of {@link getService}. */
export interface GetServiceArgs extends ProjectArgs {
    /** The id of the service. Required, unless `name` is set. */
    serviceId?: string;
    /** The name of the service, instead of its id. */
    name?: string;
}

const report = observing(reported);

/** Returns all services of a project. Leaves out entries that represent a read replica set. */
export const getServices: ProviderFunction<ProjectArgs, GetServiceResult[]> = listFunction(service, "services", report);

const serviceById: ProviderFunction<ProjectArgs & { serviceId: string }, GetServiceResult> = getFunction(
    service,
    report,
    [way("Continue", "use getReadReplicaSets with the id of its service")],
);

/**
 * Returns one service, by its id or its name. Fails with status 404 if no service has the id. Fails if the id belongs to a
 * read replica set, or if no or more than one service has the name.
 */
export const getService: ProviderFunction<GetServiceArgs, GetServiceResult> = {
    required: [["serviceId", "name"]],
    run: ({ serviceId, name, ...project }, context) =>
        serviceId ? serviceById.run({ ...project, serviceId }, context) : serviceByName(String(name), project, context),
};

async function serviceByName(name: string, project: ProjectArgs, context: FunctionContext): Promise<GetServiceResult> {
    const all = await getServices.run(project, context);
    // Another service may have the same name in other letters.
    const exact = all.filter((one) => one.name === name);
    const found = exact.length > 0 ? exact : all.filter((one) => isSameText(one.name, name));
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) {
        return only;
    }
    const ids = found.map(({ serviceId }) => serviceId).join(" or ");
    const [count, next] =
        only === undefined
            ? ["no service", way("If this program creates it", "set serviceId to the id of the resource instead")]
            : [`${found.length} services`, way("Continue", `set serviceId to ${ids} instead`)];
    const what = `Project ${projectOf(project, context)} has ${count} with the name ${show(name)}.`;
    throw new FunctionError({ what, ways: [next] });
}
