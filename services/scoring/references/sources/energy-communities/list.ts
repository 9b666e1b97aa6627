/** Shared code of the readers of energy communities. Truncated lists are refused, because a wrong "no" costs a project ten points of credit. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Notice } from "../../../domain/notices.ts";
import type { EnergyCommunities } from "../reference.ts";

/** Fewest counties in a list of all counties (the states have 3,143; with the territories there are more than 3,200). */
export const minAllCounties = 3_000;
/** Fewest counties in a list of qualifying counties (the notices until 2026 have 843 to 965). */
export const minQualifyingCounties = 500;
/** Fewest coal-closure tracts in a list: the first list had more, and tracts are only added. */
export const minCoalTracts = 1_000;

/** @throws StructureError if a list has too few entries, or not as many as its notice */
export function checkCount(
	file: string,
	found: number,
	{ notice, stated, least, what }: { notice: Notice; stated: number | null; least: number; what: string },
): void {
	if (found < least)
		throw new StructureError(
			`${file}: only ${found} ${what}, but a complete list has at least ${least}: the file is truncated`,
		);
	if (stated !== null && found !== stated)
		throw new StructureError(
			`${file}: ${found} ${what}, but Notice ${notice.notice} lists ${stated}: the file is truncated or is another list`,
		);
}

export const createEnergyCommunities = (
	{ notice, validFrom, publishedOn }: Notice,
	list: Pick<EnergyCommunities, "kind" | "layout" | "rowsIn" | "dropped"> & Partial<EnergyCommunities>,
): EnergyCommunities => ({
	source: "energy-communities",
	notice,
	validFrom,
	publishedOn,
	complete: true,
	sample: false,
	counties: [],
	coalTracts: [],
	...list,
});
