/** A planned or new generating unit as the EIA lists it month by month, in the words of the table that it is stored in. */
import type { Transaction } from "#libs/postgres/connect.ts";
import type { DatasetFile } from "../../sources/dataset.ts";

export interface UnitRow {
	plant_id: number;
	/** As filed: zeros and spaces count. */
	generator_id: string;
	/** The company that reports the plant: a parent or a project company. Null where the edition names none. */
	entity_id: number | null;
	entity_name: string | null;
	/** "IPP", "Electric Utility". */
	producer_type: string | null;
	plant_name: string | null;
	state: string | null;
	technology: string | null;
	prime_mover: string | null;
	/** Net summer capacity and nameplate, MW. */
	summer_mw: number | null;
	capacity_mw: number | null;
	/** EIA's code: P, L, T, U, V, TS, OT; null for a unit that came into service. */
	status: string | null;
	/** Year of operation, planned or actual. */
	year: number | null;
	month: number | null;
	lat: number | null;
	lon: number | null;
}

export const unstatedUnit: Omit<UnitRow, "plant_id" | "generator_id"> = {
	...{ entity_id: null, entity_name: null, producer_type: null, plant_name: null, state: null, technology: null },
	...{
		prime_mover: null,
		summer_mw: null,
		capacity_mw: null,
		status: null,
		year: null,
		month: null,
		lat: null,
		lon: null,
	},
};

/** Puts an edition in the place of what is stored of it. */
export const writeUnits =
	(feed: string) =>
	async (tx: Transaction, file: DatasetFile<UnitRow>, { snapshotId }: { snapshotId: number }): Promise<number> => {
		await tx`delete from grid_units where source = ${feed} and edition = ${file.edition}`;
		const { count } = await tx`
			insert into grid_units (source, edition, snapshot_id, plant_id, generator_id, entity_id, entity_name, producer_type, plant_name,
				state, technology, prime_mover, summer_mw, capacity_mw, status, year, month, lat, lon)
			select ${feed}, ${file.edition}, ${snapshotId}, t.*
			from jsonb_to_recordset(${JSON.stringify(file.rows)}::text::jsonb) as t (plant_id integer, generator_id text,
				entity_id integer, entity_name text, producer_type text, plant_name text, state text, technology text,
				prime_mover text, summer_mw float8, capacity_mw float8, status text, year integer, month integer, lat float8,
				lon float8)`;
		return count;
	};
