import type { ProjectPath } from "../api/contract";
import type { OperationContext } from "../lifecycle/operation";
import { readList } from "../lifecycle/reads";
import { sourceOfServices } from "./service/observed";
import { vpcsOf } from "./vpc";

/** Whether the project shows no resource at all. Peerings and replica sets belong to a VPC or a service. */
export async function isProjectEmpty(path: ProjectPath, context: OperationContext): Promise<boolean> {
    const { client } = context;
    const [services, vpcs] = await Promise.all([
        readList(sourceOfServices(path, client), context, ({ items, malformed }) => items.length + malformed.length),
        readList(vpcsOf(path, client), context, ({ items, malformed }) => items.length + malformed.length),
    ]);
    return services + vpcs === 0;
}
