import { columnName } from "#libs/files/table.ts";

/** What the readers of reference files hand on: lists in our words, and an account of every row that became no entry. */
export const referenceSources = ["energy-communities", "low-income", "ic-costs"] as const;
export type ReferenceSource = (typeof referenceSources)[number];

export interface ReferenceFile {
	name: string;
	bytes: Uint8Array;
}

export interface Dropped {
	/** In words for the operator of this service. */
	reason: string;
	count: number;
	/** The first few, so that a person can look them up. */
	examples: string[];
}

/** rowsIn is everything kept and everything dropped. */
export interface RowAccount {
	rowsIn: number;
	dropped: Dropped[];
}

/** The cells that say something of a place, the deciding one first: columns by letter in a sheet, else by number from 1. */
export interface Layout {
	sheet: string | null;
	columns: { column: string; header: string | null }[];
}

/** Where an entry stands in its file. */
export interface FiledRow {
	/** From 1: of a sheet its row, of text the record. */
	file_row: number;
	/** Texts of the layout's columns. */
	filed: (string | null)[];
}

export interface ListedCounty extends FiledRow {
	fips: string;
	/** Qualifies by fossil-fuel employment and unemployment of its statistical area. */
	statistical: boolean;
	/** The statistical area, where the list states it. */
	area: string | null;
	/** Delineations of the areas by which it qualifies: "1", "2" or "1 and 2"; null where the list has but one. */
	vintage: string | null;
	note: string | null;
}

export interface CoalTract extends FiledRow {
	/** Eleven digits, of the census of 2020. */
	tract: string;
	tract_type: string | null;
	eligible_from: string | null;
}

/**
 * `counties` lists all counties, or all that qualify; `coal-tracts` all tracts of coal closures; `places` is a hand-made list of some
 * counties and tracts.
 */
export interface EnergyCommunities extends RowAccount {
	source: "energy-communities";
	kind: "counties" | "coal-tracts" | "places";
	/** Of the table of notices. */
	notice: string;
	validFrom: string;
	publishedOn: string;
	/** It says something of every place there is. */
	complete: boolean;
	/** Invented or second-hand: loaded by `--sample` only. */
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
	/** Whose list it is, as an answer names it. */
	name: string;
	validFrom: string;
	/** Tracts that are low-income communities, and how much of each: above 0, at most 1. */
	tracts: LowIncomeTract[];
	layout: Layout;
	/** How many tracts of each county are, and of how many; `tracts` is null where the list names only those that are. */
	counties: { fips: string; low_income: number; tracts: number | null }[];
}

export interface FiledCost {
	/** Either the request's id, or its number and region. */
	project_id: string | null;
	region: string | null;
	queue_id: string | null;
	cost_usd_per_kw: number;
	/** Parts of it: what is built at the point of interconnection, and upgrades of the network. */
	poi_usd_per_kw: number | null;
	network_usd_per_kw: number | null;
	as_of: string | null;
	/** The kind of study that states it: "System Impact". */
	study: string | null;
	/** The year whose dollars these are; null where that is not stated. */
	dollars_year: number | null;
	/** Whose figure it is: a study, a filing. */
	source: string | null;
}

/** A row can be two requests, the phases of one project: each has its cost. */
export interface InterconnectionCosts extends RowAccount {
	source: "ic-costs";
	costs: FiledCost[];
}

export type Reference = EnergyCommunities | LowIncomeTracts | InterconnectionCosts;

const maxExamples = 5;

/** Counts rows that become no entry, by reason. */
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

/** @param columns positions, the deciding one first; one that the file does not have is left in its place without a header */
export const layoutOf = (
	sheet: string | null,
	headers: readonly string[],
	columns: readonly (number | undefined)[],
): Layout => ({
	sheet,
	columns: columns.map((at = -1) => ({ column: columnName(Math.max(at, 0), sheet), header: headers[at] ?? null })),
});
