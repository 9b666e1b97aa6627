/** Test support: lists of the size that real ones have, made of real county codes in the published layouts. */
import { rows } from "#libs/counties/table.ts";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";

/** Counties of 2020 of the fifty states and DC, in the order of their codes. */
export const stateCounties: readonly { fips: string; state: string; name: string }[] = rows.filter(
	({ fips, now }) => fips < "60" && now.length === 0,
);

/** State FIPS, county FIPS, area of this many counties, from the first. */
export const irsLines = (counties: number): string[] =>
	stateCounties
		.slice(0, counties)
		.map(({ fips }) => `${fips.slice(0, 2)}\t${fips.slice(2)}\tSome nonmetropolitan area`);

/** Treasury's county sheet of a year's unemployment; the first so many counties qualify, by the first vintage, the second or both in turn. */
export function treasurySheet(qualifying: number, year = 2025): Table {
	const header = [
		"State FIPS code",
		"County FIPS code",
		"MSA or Non-MSA name (Vintage 1)",
		"MSA or Non-MSA name (Vintage 2)",
		`EC national unemployment rate ${year}`,
		`${year} unemployment rate for MSA/non-MSA, Vintage 1`,
		`${year} unemployment rate for MSA/non-MSA, Vintage 2`,
		`${year} Energy Community (Vintage 1) (0/1)`,
		`${year} Energy Community (Vintage 2) (0/1)`,
		`${year} Energy Community (one or both vintages)`,
	];
	const rows = stateCounties.map(({ fips }, at) => {
		const is = at < qualifying;
		const [first, second] = [is && at % 3 !== 1, is && at % 3 !== 0];
		return [
			...[Number(fips.slice(0, 2)), Number(fips.slice(2)), `Area ${at} of 2020`, `Area ${at} of 2023`],
			...[4.28, 4.3099999999999996, 4.5, Number(first), Number(second), Number(is)],
		];
	});
	return { name: "Sheet1", rows: [["Energy communities, statistical area category"], [], header, ...rows] };
}

/** Treasury's sheet of coal-closure tracts; codes as numbers, as spreadsheets keep them. */
export function coalSheet(tracts: number): Table {
	const header = ["State Name", "County", "2020 Census Tract Number FIPS code", "Tract Type", "Date of eligibility"];
	const rows = Array.from({ length: tracts }, (_, at) => {
		const county = stateCounties[at % stateCounties.length];
		const number = 950_000 + Math.floor(at / stateCounties.length);
		return [
			county?.state ?? "",
			county?.name ?? "",
			Number(`${county?.fips}${number}`),
			"Mine Closure",
			"Jan. 1, 2023",
		];
	});
	return { name: "Coal closure", rows: [header, ...rows] };
}

/** The 48E(h) program's sheet; the first so many tracts have a percentage above 0. */
export function programSheet(lowIncome: number, all: number): Table {
	const rows = Array.from({ length: all }, (_, at) => {
		const county = stateCounties[at % stateCounties.length];
		return [
			`${county?.fips}${100_000 + Math.floor(at / stateCounties.length)}`,
			at >= lowIncome ? 0 : at === 1 ? 37.5 : 100,
		];
	});
	return { name: "Tract percentages", rows: [["Census tract GEOID 2025", "Percent in category 1"], ...rows] };
}

/** LBNL's workbook of an operator's interconnection costs. Its rows: number, kind of study, day of study, MW, and the costs a kW. */
export const costSheets = (operator: string, costs: string[], rows: Cell[][], numbers = ["Project #"]): Table[] => [
	{ name: "introduction", rows: [[`Data for ${operator} Territory through 2022`], ["March 2023"], ["Disclaimer"]] },
	{ name: "data", rows: [[...numbers, "Study Type", "Study Date", "Nameplate MW", ...costs], ...rows] },
	{
		name: "codebook",
		rows: [
			["Field Name", "Description"],
			[costs.at(-1), "total interconnection costs in real $2022/kW"],
		],
	},
];
