import { knownRegionValues } from "../api/wire.gen";
import { show } from "../base/fields";
import { nearest } from "../base/message";

const documentedRegions: readonly string[] = knownRegionValues;

/** The reason why the API may reject a region. */
export function regionWarnings(regionCode: unknown): string[] {
    if (typeof regionCode !== "string" || documentedRegions.includes(regionCode)) {
        return [];
    }
    const meant = nearest(regionCode, documentedRegions);
    const advice =
        meant === undefined ? `the documented regions are ${documentedRegions.join(", ")}` : `did you mean ${meant}?`;
    return [`regionCode ${show(regionCode)} is not a documented region, and the API may reject it; ${advice}`];
}
