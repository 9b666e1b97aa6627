/** A planned or new generating unit in the EIA's monthly lists, its fields keyed by database column. */
import { type Cell, megawatts, number, text } from "#libs/files/values.ts";
import { field, generatorId, id, type RecordOf, stateCode, stated, yearOf } from "../../sources/cells.ts";

export const unitFields = {
	plant_id: field(id, "Plant ID"),
	/** As filed: zeros and spaces count. */
	generator_id: field(generatorId, "Generator ID"),
	/** The company that reports the plant: a parent or a project company. */
	entity_id: field(id, "Entity ID"),
	entity_name: field(stated, "Entity Name"),
	producer_type: field(stated, "Plant Producer Type"),
	plant_name: field(stated, "Plant Name"),
	state: field(stateCode, "Plant State"),
	technology: field(stated, "Technology"),
	prime_mover: field(stated, "Prime Mover Code"),
	summer_mw: field(megawatts, "Net Summer Capacity (MW)"),
	capacity_mw: field(megawatts, "Nameplate Capacity (MW)"),
	/** EIA's code: P, L, T, U, V, TS, OT; null for a unit that came into service. */
	status: field((cell) => /^\(([A-Z]{1,3})\)/.exec(text(cell) ?? "")?.[1] ?? null, "Status"),
	year: field(yearOf, "Year"),
	month: field(monthOf, "Month"),
};

export type UnitRow = RecordOf<typeof unitFields> & { lat: number | null; lon: number | null };

export const noPlace = { lat: null, lon: null };
export const unstatedUnit = {
	...(Object.fromEntries(Object.keys(unitFields).map((name) => [name, null])) as Record<keyof typeof unitFields, null>),
	...noPlace,
};

function monthOf(cell: Cell): number | null {
	const value = number(cell);
	return value !== null && Number.isInteger(value) && value >= 1 && value <= 12 ? value : null;
}
