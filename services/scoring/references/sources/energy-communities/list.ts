/** Shared code of the readers of energy communities. Truncated lists are refused, because a wrong "no" costs a project ten points of credit. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Notice } from "../../../domain/notices.ts";
import type { EnergyCommunities } from "../reference.ts";

/** Minimum counties in a list of all counties (the states have 3,143; with the territories there are more than 3,200). */
export const minAllCounties = 3_000;
/** Minimum counties in a list of qualifying counties (the notices until 2026 have 843 to 965). */
export const minQualifyingCounties = 500;
/** Minimum coal-closure tracts in a list: the first list had more, and tracts are only added. */
export const minCoalTracts = 1_000;

/** @throws StructureError if a list has too few entries, or another number of entries than its notice */
export function checkCount(
	file: string,
	count: number,
	{ notice, expected, minimum, what }: { notice: Notice; expected: number | null; minimum: number; what: string },
): void {
	if (count < minimum)
		throw new StructureError(
			`${file}: only ${count} ${what}, but a complete list has at least ${minimum}: the file is truncated`,
		);
	if (expected !== null && count !== expected)
		throw new StructureError(
			`${file}: ${count} ${what}, but Notice ${notice.notice} lists ${expected}: the file is truncated or is another list`,
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
