/** What a whole list of energy communities is like: whatever is shorter is cut, and a wrong "no" costs a project ten points of credit. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Notice } from "../../../domain/notices.ts";

/** A list of all counties has at least so many (there are 3,143 in the states, 3,200 and more with the territories). */
export const minAllCounties = 3_000;
/** A list of the qualifying counties alone has at least so many (843 to 965 in the notices until 2026). */
export const minQualifyingCounties = 500;
/** Coal tracts only ever join the list; it began with more. */
export const minCoalTracts = 1_000;

/** Throws `StructureError` where a list has too few entries, or others than its notice. */
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
