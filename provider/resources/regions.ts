import { knownRegionValues } from "../api/wire.gen";
import { show } from "../base/fields";
import { suggestion } from "../base/message";

const documentedRegions: readonly string[] = knownRegionValues;

/** The reason why the API may reject a region. */
export function regionWarnings(regionCode: unknown): string[] {
    if (typeof regionCode !== "string" || documentedRegions.includes(regionCode)) {
        return [];
    }
    const advice = suggestion(regionCode, documentedRegions, "the documented regions");
    return [`regionCode ${show(regionCode)} is not a documented region, and the API may reject it; ${advice}`];
}
