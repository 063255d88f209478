import { CheckFailure, CheckResponse, DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { CheckRequest, DiffRequest } from "@pulumi/pulumi/proto/provider_pb";
import { messageOf } from "../../api/callErrors";
import { same } from "../../base/fields";
import { checkKeys, secretSettings } from "../../api/settings";
import { encode, markSecrets } from "../codec";
import { pack, unpack } from "./values";

/** Properties that the engine adds to the configuration of a provider. */
const ofEngine = new Set(["version", "pluginDownloadURL", "pluginChecksums", "parameterization", "__internal"]);

/** Checks the configuration of a provider. Secret settings are marked, because the engine passes them in plain text. */
export function checkConfig(request: CheckRequest): CheckResponse {
    const { values, secrets } = unpack(request.getNews());
    const response = new CheckResponse();
    response.setInputs(pack(markSecrets(encode(values), [...secretSettings, ...secrets])));
    try {
        const [, project] = request.getUrn().split("::");
        const keys = Object.keys(values).filter((name) => !ofEngine.has(name));
        checkKeys(keys, project);
    } catch (error) {
        response.addFailures(new CheckFailure().setReason(messageOf(error)));
    }
    return response;
}

/** A changed configuration never replaces a provider: this would replace its resources and bypass their protection. */
export function diffConfig(request: DiffRequest): DiffResponse {
    const isSame = same(unpack(request.getOlds()).values, unpack(request.getNews()).values);
    const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
    return new DiffResponse().setChanges(isSame ? DIFF_NONE : DIFF_SOME);
}
