/**
 * Points for a plant as the match of a request whose name the operator does not publish, for each fact that agrees. Requests and plants of a
 * county compete by them. Pure.
 */
import type { Facts, LinkProject } from "./link-pair.ts";
import type { Family } from "./plant-families.ts";

/** Points that suffice for a link. */
export const enough = 10;
/** A rival within this many points leaves the match undecided. */
export const margin = 2;

/** Points by relative difference in capacity. The last excludes a link and only counts for rivals; a larger difference means another plant. */
const sizes = [
	{ off: 0.002, points: 4 },
	{ off: 0.005, points: 3 },
	{ off: 0.01, points: 2 },
	{ off: 0.02, points: 1 },
	{ off: 0.1, points: -6 },
] as const;
/** Each size (MW) that the plant reaches adds a point, because few counties have two plants of it. */
const rareMw = [400, 75] as const;
const common: ReadonlySet<Family> = new Set(["solar", "storage"]);
/** The EIA's planned year may be up to this many years later than the operator's, whose list can lag behind. */
const slippedYears = 6;
const dueYears = 3;
const countyPoints: Partial<Record<Facts["county"], number>> = { same: 2, nearest: 2, around: 0, beside: 0 };

/** Null if the plant cannot be the request's. */
export function namelessPoints({ names, shellNames, isLate }: LinkProject, facts: Facts): number | null {
	const { county, planApart: apart, planLater } = facts;
	const [nearest] = [facts.nearest, facts.nearestSummer].flatMap((one) => one ?? []).sort((a, b) => a.off - b.off);
	const size = sizes.find(({ off }) => nearest !== undefined && nearest.off <= off);
	const place = countyPoints[county];
	if (names.length + shellNames.length > 0 || facts.name !== "unknown" || facts.isOlder || facts.isTooLarge)
		return null;
	if (nearest === undefined || size === undefined || place === undefined) return null;
	// In a neighbouring county, only the station shows that the site is the same.
	if (county === "beside" && facts.poiWord === null) return null;
	const hasSlipped = isLate && planLater !== null && planLater > 0 && planLater <= slippedYears;
	const date = apart === null ? -1 : apart <= 1 ? 2 : apart <= dueYears ? 1 : hasSlipped ? 0 : -4;
	const rare = rareMw.filter((mw) => nearest.mw >= mw).length + (common.has(facts.family) ? 0 : 1);
	return size.points + date + place + rare + (isLate ? 2 : 0) + (facts.sameGridOwner ? 1 : 0) + (facts.poiWord ? 4 : 0);
}
