/**
 * How much speaks for a plant where the operator publishes no name of the request: points for each fact that agrees. Requests and plants of a county
 * compete by them. Pure.
 */
import type { Facts, LinkProject } from "./link-pair.ts";
import type { Family } from "./plant-families.ts";

/** Enough for a link; a rival within `margin` leaves open which it is. */
export const enough = 10;
export const margin = 2;

/** The last is too far for a link, whatever else agrees, and counts for rivals alone; what is farther off is another plant. */
const sizes = [
	{ off: 0.002, points: 4 },
	{ off: 0.005, points: 3 },
	{ off: 0.01, points: 2 },
	{ off: 0.02, points: 1 },
	{ off: 0.1, points: -6 },
] as const;
/** Plants of so many MW are seldom two in a county. */
const rareMw = [400, 75] as const;
const common: ReadonlySet<Family> = new Set(["solar", "storage"]);
/** An operator's list can lag behind a plant that the EIA has moved, for so long. */
const slippedYears = 6;
const dueYears = 3;
const places: Partial<Record<Facts["county"], number>> = { same: 2, nearest: 2, around: 0, beside: 0 };

/** Null where they cannot be one. */
export function namelessPoints({ names, shellNames, isLate }: LinkProject, facts: Facts): number | null {
	const { county, planApart: apart, planLater } = facts;
	const [nearest] = [facts.nearest, facts.nearestSummer].flatMap((one) => one ?? []).sort((a, b) => a.off - b.off);
	const size = sizes.find(({ off }) => nearest !== undefined && nearest.off <= off);
	const place = places[county];
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
