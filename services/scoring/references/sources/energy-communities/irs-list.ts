/**
 * Reads the county lists of IRS notices, transcribed to tab-separated text without a header: state FIPS, county FIPS, statistical area. The
 * list can be identified only by its file name. Pure.
 */

import { isCounty } from "#libs/counties/codes.ts";
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { findNotice, type Notice, notices } from "../../../domain/notices.ts";
import { DroppedRows, type EnergyCommunities, type ListedCounty, type ReferenceFile } from "../reference.ts";
import { checkCount, createEnergyCommunities, minQualifyingCounties } from "./list.ts";

const employmentOnly = "lists counties with fossil-fuel employment, which qualify only if unemployment is also high";

/** Lists with the same layout that are not complete lists of qualifying counties. */
const otherLists: readonly { name: RegExp; reason: string }[] = [
	{ name: /^calculated_/, reason: "is a forecast, not a list of a notice" },
	{ name: /^fossil_fuel_employment/, reason: employmentOnly },
	{ name: /^county_to_statistical_area/, reason: "states the statistical area of a county, not whether it qualifies" },
	{ name: /^notice_2023-29_appendix_b\b/, reason: employmentOnly },
	{ name: /^notice_2023-47_appendix_1\b/, reason: employmentOnly },
	{ name: /^notice_2024-30_appendix_1\b/, reason: employmentOnly },
	{
		name: /^notice_2024-30_appendix_2\b/,
		reason:
			"contains only the counties that Notice 2024-30 adds to 2023-47: load energy_communities_2023.tsv, which has both",
	},
];

/** Notices of the lists `energy_communities_YEAR.tsv`, by the year of the period. */
const yearLists = new Map([
	["2023", "2023-47 + 2024-30"],
	["2024", "2024-48"],
]);

/** Returns why a file of this name is not a county list; null if it may be one. */
export function explainOtherList(name: string): string | null {
	return otherLists.find((other) => other.name.test(name.toLowerCase()))?.reason ?? null;
}

function findListNotice(name: string): Notice {
	const refusal = explainOtherList(name);
	if (refusal !== null) throw new StructureError(`${name}: ${refusal}`);
	const [, appended, appendix] = /^notice_(\d{4}-\d+)_appendix_(\w+)\.tsv$/i.exec(name) ?? [];
	const [, year = ""] = /^energy_communities_(\d{4})\.tsv$/i.exec(name) ?? [];
	const found =
		appended === undefined
			? findNotice(yearLists.get(year) ?? "")
			: notices.find((each) => each.notice === appended && each.countyAppendix === appendix);
	if (found === undefined)
		throw new StructureError(
			`${name}: the file name does not contain a known notice and appendix, as notice_2024-48_appendix_1.tsv does`,
		);
	return found;
}

/** @throws StructureError if the file is incomplete or not such a list */
export function readIrsList({ name, bytes }: ReferenceFile): EnergyCommunities {
	const notice = findListNotice(name);
	const text = decodeText(bytes, name);
	if (!text.endsWith("\n")) throw new StructureError(`${name}: the last line is not terminated: the file is truncated`);
	const lines = text.split(/\r?\n/).slice(0, -1);
	const counties = new Map<string, ListedCounty>();
	const dropped = new DroppedRows();
	for (const [at, line] of lines.entries()) {
		const [, state = "", county = "", area = ""] = /^(\d{2})\t(\d{3})\t([^\t]*\S)\s*$/.exec(line) ?? [];
		if (area === "")
			throw new StructureError(`${name}: line ${at + 1} must be state FIPS, county FIPS and area, separated by tabs`);
		const fips = `${state}${county}`;
		if (!isCounty(fips)) dropped.add("no county has this code", `line ${at + 1}: ${fips}`);
		else if (counties.has(fips)) dropped.add("the county is listed a second time", `line ${at + 1}: ${fips}`);
		else
			counties.set(fips, {
				fips,
				statistical: true,
				area,
				vintage: null,
				note: null,
				file_row: at + 1,
				filed: [county, state, area],
			});
	}
	const limits = { notice, expected: notice.counties, minimum: minQualifyingCounties };
	checkCount(name, counties.size, { ...limits, what: "qualifying counties" });
	const columns = ["2", "1", "3"].map((column) => ({ column, header: null }));
	return createEnergyCommunities(notice, {
		kind: "counties",
		layout: { sheet: null, columns },
		counties: [...counties.values()],
		rowsIn: lines.length,
		dropped: dropped.list(),
	});
}
