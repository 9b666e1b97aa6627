/** Filters by distance from a point. */
import type { z } from "zod";
import { decimal, refuse } from "../../params.ts";

/** Parameters of a circle. `requireLatAndLon` checks that `lat` and `lon` are given together. */
export const near = {
	lat: decimal(-90, 90, "degrees").optional().describe("Latitude of the middle of a search, with lon (degrees)"),
	lon: decimal(-180, 180, "degrees").optional().describe("Longitude of the middle of a search, with lat (degrees)"),
	radius_km: decimal(0.1, 2_000, "km").default(50).describe("How far from lat and lon (km)"),
};

export function requireLatAndLon(
	{ lat, lon }: { lat?: number | undefined; lon?: number | undefined },
	context: z.RefinementCtx,
): void {
	if ((lat === undefined) !== (lon === undefined))
		refuse(context, lat === undefined ? "lat" : "lon", "lat and lon must be given together");
}
