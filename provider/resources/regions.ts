import { show } from "../base/fields";
import { nearest } from "../base/nearest";

/** The documented regions. The API decides whether it accepts others. */
const documentedRegions: readonly string[] = [
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "ca-central-1",
    "sa-east-1",
    "eu-central-1",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "eu-north-1",
    "ap-northeast-1",
    "ap-south-1",
    "ap-southeast-1",
    "ap-southeast-2",
];

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
