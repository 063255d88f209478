import { ListResponse, type ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { FunctionError, listOptions } from "../../functions/function";
import { entriesOf } from "../../inputs/fields";
import { hasUnknown } from "../../inputs/unknown";
import { resourceTypes, untypedResources, type ResourceType } from "../../resources/index";
import { ProjectResources, listedName } from "../../resources/projectResources";
import type { Session } from "../../lifecycle/session";
import { functionContext } from "../functionContext";
import { unpack } from "./values";

/** The existing resources of a type, for `pulumi do`: those of a project, or of one VPC or service. */
export async function list(request: ListRequest, session: Session): Promise<readonly ListResponse[]> {
    const type = typeOf(request.getToken());
    const { values } = unpack(request.getQuery());
    if (hasUnknown(values)) {
        return [new ListResponse().setComputed(new ListResponse.Computed())];
    }
    const context = functionContext(session, false);
    const { projectId, ...query } = values;
    const project = typeof projectId === "string" ? projectId : context.projectId();
    const listing = new ProjectResources(context.client, project, listOptions(context));
    const parentId = parentIn(type, query);
    const found = await (parentId === undefined ? listing.of(type) : listing.below(type, parentId));
    const limit = request.getLimit() || found.length;
    return found
        .slice(0, limit)
        .map((one) => new ListResponse().setResult(new ListResponse.Result().setId(one.id).setName(listedName(one))));
}

function typeOf(token: string): ResourceType {
    const name = token.slice(token.lastIndexOf(":") + 1);
    const type = resourceTypes.find((one) => one === name);
    if (type === undefined) {
        throw new Error(`This plugin cannot list resources of the type ${token}.`);
    }
    return type;
}

/** The id of the parent in a query. Undefined for all parents. */
function parentIn(type: ResourceType, query: Readonly<Record<string, unknown>>): string | undefined {
    const { parent, fields } = untypedResources[type];
    const input: string | undefined = parent?.input;
    const [unknownName] = Object.keys(query).filter((name) => name !== input);
    if (unknownName !== undefined) {
        const allowed = input === undefined ? "projectId" : `projectId and ${input}`;
        throw new FunctionError(`A list of the type ${type} has no input ${unknownName}; use ${allowed}.`);
    }
    const [field] = entriesOf(fields).filter(([name]) => name === input);
    const id = input === undefined ? undefined : query[input];
    const problem = id === undefined ? undefined : field?.[1].test(id);
    if (problem !== undefined) {
        throw new FunctionError(`${input} ${problem}`);
    }
    return id as string | undefined;
}
