/** A power plant of form EIA-860, in JSON and in files. */
import { z } from "zod";
import { count, day, megawatts, named, quantity } from "../../envelopes.ts";
import { defineExportTable } from "../../exports/columns.ts";

export const plantId = () => z.int().min(1).describe("EIA's plant code");

export const provenance = {
	source: z.string(),
	year: z.int().describe("Data year of the form"),
	as_of: day().nullable().describe("When the workbook was saved"),
};

export const plant = named("Plant", {
	plant_id: plantId(),
	name: z.string().nullable(),
	utility_id: z.int().nullable().describe("EIA's number of the operator"),
	utility_name: z.string().nullable().describe("The operator"),
	owners: z
		.array(z.string())
		.describe("Owners that the year's schedule 4 states: of generators owned jointly, or not by the operator"),
	sector: z.string().nullable(),
	street: z.string().nullable(),
	city: z.string().nullable(),
	county: z.string().nullable(),
	state: z.string().nullable(),
	zip: z.string().nullable().describe("Postal code, as reported"),
	lat: quantity("degrees").nullable(),
	lon: quantity("degrees").nullable(),
	nerc_region: z.string().nullable(),
	balancing_authority: z.string().nullable().describe("Code: CISO, ERCO, PJM"),
	grid_owner: z.string().nullable().describe("Transmission or distribution owner at the plant"),
	grid_voltage_kv: quantity("kV").nullable(),
	technologies: z.array(z.string()).describe("Technologies of the generators loaded for the year, most MW first"),
	generators: count().describe("Generators loaded for the year at every stage, each once"),
	operable_mw: megawatts("Nameplate of the operable generators loaded, MW; null if none is loaded").nullable(),
	proposed_mw: megawatts("Nameplate of the proposed generators loaded, MW; null if none is loaded").nullable(),
	retired_mw: megawatts("Nameplate of the retired generators loaded, MW; null if none is loaded").nullable(),
	is_complete: z
		.boolean()
		.describe("Whether the year's full list of generators is loaded; otherwise sums may be too low"),
	linked_requests: count().describe("Interconnection requests that became this plant"),
	...provenance,
});

/** The version changes as `projectSchemaVersion` does. */
export const plantTable = defineExportTable("plants", "1.1", plant);
