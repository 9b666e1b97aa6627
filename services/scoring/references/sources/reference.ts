/** The lists that the readers of reference files return, with a reason for every dropped row. */
import { columnName } from "#libs/files/table.ts";

export const referenceSources = ["energy-communities", "low-income", "ic-costs"] as const;
export type ReferenceSource = (typeof referenceSources)[number];

export interface ReferenceFile {
	name: string;
	bytes: Uint8Array;
}

export interface Dropped {
	reason: string;
	count: number;
	examples: string[];
}

/** `rowsIn` counts stored and dropped rows. */
interface RowAccount {
	rowsIn: number;
	dropped: Dropped[];
}

/** The columns that show whether a place qualifies, the most important first. A column is a letter in a sheet, otherwise a number from 1. */
export interface Layout {
	sheet: string | null;
	columns: { column: string; header: string | null }[];
}

/** The row of an entry in its file. */
export interface FiledRow {
	/** Row of a sheet or record of a text file, from 1. */
	file_row: number;
	/** The texts in the columns of the layout. */
	filed: (string | null)[];
}

export interface ListedCounty extends FiledRow {
	fips: string;
	/** Whether it qualifies by the fossil-fuel employment and the unemployment of its statistical area. */
	statistical: boolean;
	/** The statistical area, if it is in the list. */
	area: string | null;
	/** Delineations of the areas by which it qualifies: "1", "2" or "1 and 2"; null if the list has only one. */
	vintage: string | null;
	note: string | null;
}

export interface CoalTract extends FiledRow {
	/** Eleven digits, as in the census of 2020. */
	tract: string;
	tract_type: string | null;
	eligible_from: string | null;
}

/**
 * Kinds of lists: `counties` contains all counties, or all that qualify; `coal-tracts` contains all coal-closure tracts; `places` contains
 * some counties and tracts, chosen by hand.
 */
export interface EnergyCommunities extends RowAccount {
	source: "energy-communities";
	kind: "counties" | "coal-tracts" | "places";
	notice: string;
	validFrom: string;
	publishedOn: string;
	complete: boolean;
	/** The bundled sample, which is invented or second-hand. It is loaded only by `--sample`. */
	sample: boolean;
	layout: Layout;
	counties: ListedCounty[];
	coalTracts: CoalTract[];
}

export interface LowIncomeTract extends FiledRow {
	tract: string;
	share: number;
}

export interface LowIncomeTracts extends RowAccount {
	source: "low-income";
	name: string;
	validFrom: string;
	/** Low-income communities; `share` is above 0 and at most 1. */
	tracts: LowIncomeTract[];
	layout: Layout;
	/** Numbers of low-income tracts and of all tracts (null if the list names only low-income tracts) of each county. */
	counties: { fips: string; low_income: number; tracts: number | null }[];
}

export interface FiledCost {
	/** Either the request's id, or its number and region. */
	project_id: string | null;
	region: string | null;
	queue_id: string | null;
	cost_usd_per_kw: number;
	/** Parts of the cost: facilities at the point of interconnection, and upgrades of the network. */
	poi_usd_per_kw: number | null;
	network_usd_per_kw: number | null;
	as_of: string | null;
	study: string | null;
	dollars_year: number | null;
	source: string | null;
}

/** Costs by request. If a row names several requests (the phases of one project), each gets the cost of the row. */
export interface InterconnectionCosts extends RowAccount {
	source: "ic-costs";
	costs: FiledCost[];
}

export type ReferenceList = EnergyCommunities | LowIncomeTracts | InterconnectionCosts;

const maxExamples = 5;

/** Counts dropped rows by reason. */
export class DroppedRows {
	readonly #reasons = new Map<string, Dropped>();

	add(reason: string, example: string): void {
		const dropped = this.#reasons.get(reason) ?? { reason, count: 0, examples: [] };
		dropped.count++;
		if (dropped.examples.length < maxExamples) dropped.examples.push(example.slice(0, 200));
		this.#reasons.set(reason, dropped);
	}

	list(): Dropped[] {
		return [...this.#reasons.values()];
	}
}

/** @param columns positions of the columns, the most important first; undefined for a column that is not in the file */
export const createLayout = (
	sheet: string | null,
	headers: readonly string[],
	columns: readonly (number | undefined)[],
): Layout => ({
	sheet,
	columns: columns.map((at = -1) => ({ column: columnName(Math.max(at, 0), sheet), header: headers[at] ?? null })),
});
