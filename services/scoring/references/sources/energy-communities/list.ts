/** Shared by the readers of energy communities. A list that is shorter than a whole one is cut, and a wrong "no" costs a project ten points of credit. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Notice } from "../../../domain/notices.ts";
import type { EnergyCommunities } from "../reference.ts";

/** A list of all counties has at least so many (there are 3,143 in the states, 3,200 and more with the territories). */
export const minAllCounties = 3_000;
/** A list of the qualifying counties alone has at least so many (843 to 965 in the notices until 2026). */
export const minQualifyingCounties = 500;
/** Coal tracts are only ever added to the list; it began with more. */
export const minCoalTracts = 1_000;

/** @throws StructureError where a list has too few entries, or not as many as its notice */
export function checkCount(
	file: string,
	found: number,
	{ notice, stated, least, what }: { notice: Notice; stated: number | null; least: number; what: string },
): void {
	if (found < least)
		throw new StructureError(`${file}: only ${found} ${what}, a whole list has ${least} or more: the file is cut`);
	if (stated !== null && found !== stated)
		throw new StructureError(
			`${file}: ${found} ${what}, but Notice ${notice.notice} lists ${stated}: the file is cut or another list`,
		);
}

type Stated = "kind" | "layout" | "rowsIn" | "dropped";

export const listOf = (
	{ notice, validFrom, publishedOn }: Notice,
	list: Pick<EnergyCommunities, Stated> & Partial<EnergyCommunities>,
): EnergyCommunities => ({
	...{ source: "energy-communities", notice, validFrom, publishedOn, complete: true, sample: false },
	...{ counties: [], coalTracts: [] },
	...list,
});
