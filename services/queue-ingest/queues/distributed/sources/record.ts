/** One record of distributed generation, and how the records of an edition are stored. */
import type { DgAreaType, DgKind, DgProgram, DgSector } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset } from "../../../sources/dataset.ts";

/** Quantities in MW and MWh. Absent is null. */
export interface DgRecord {
	/** Equal for the same fact in every edition. */
	id: string;
	kind: DgKind;
	program: DgProgram | null;
	/** Two letters. */
	state: string | null;
	county: string | null;
	/** Five digits. */
	fips: string | null;
	area: string | null;
	area_type: DgAreaType | null;
	/** EIA's number. */
	utility_id: number | null;
	utility: string | null;
	balancing_authority: string | null;
	/** One of `technologies`; null for all together. */
	technology: string | null;
	technology_filed: string | null;
	sector: DgSector | null;
	capacity_mw: number | null;
	/** How the source measures photovoltaic capacity. */
	capacity_basis: "AC" | "DC" | null;
	customers: number | null;
	facilities: number | null;
	generators: number | null;
	energy_sold_back_mwh: number | null;
	backup_mw: number | null;
	utility_owned_mw: number | null;
	/** A correction of the publisher's rather than a report. */
	adjustment: boolean;
	/** False if other records of the source include the same installations. */
	in_totals: boolean;
	year: number | null;
}

export const blankRecord = {
	program: null,
	county: null,
	fips: null,
	area: null,
	area_type: null,
	utility_id: null,
	utility: null,
	balancing_authority: null,
	sector: null,
	capacity_mw: null,
	capacity_basis: null,
	customers: null,
	facilities: null,
	generators: null,
	energy_sold_back_mwh: null,
	backup_mw: null,
	utility_owned_mw: null,
	adjustment: false,
	in_totals: true,
} satisfies Partial<DgRecord>;

const batchSize = 4_000;

/** Implements a dataset's `write`: the file is its complete edition, so it replaces the rows of earlier files. */
export const writeRecords =
	(feed: string): Dataset<DgRecord>["write"] =>
	async (tx: Transaction, { edition, rows }, { snapshotId }) => {
		await tx`delete from dg_records where source = ${feed} and edition = ${edition}`;
		for (let at = 0; at < rows.length; at += batchSize) {
			await tx`
				insert into dg_records (source, edition, snapshot_id, id, kind, program, state, county, fips, area, area_type, utility_id,
					utility, balancing_authority, technology, technology_filed, sector, capacity_mw, capacity_basis, customers, facilities,
					generators, energy_sold_back_mwh, backup_mw, utility_owned_mw, adjustment, in_totals, year)
				select ${feed}, ${edition}, ${snapshotId}, t.* from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + batchSize))}::text::jsonb)
					as t (id text, kind text, program text, state text, county text, fips text, area text, area_type text, utility_id integer,
						utility text, balancing_authority text, technology text, technology_filed text, sector text, capacity_mw float8,
						capacity_basis text, customers integer, facilities integer, generators integer, energy_sold_back_mwh float8,
						backup_mw float8, utility_owned_mw float8, adjustment boolean, in_totals boolean, year integer)`;
		}
		return rows.length;
	};
