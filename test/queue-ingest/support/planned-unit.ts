/** A plant of the EIA's monthly tables that is planned in Kern County, and requests linked anew by it. */
import { expect } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { loadDatasets } from "../../../services/queue-ingest/datasets/load-datasets.ts";
import { linkCompanies } from "../../../services/queue-ingest/developers/jobs/link-requests.ts";
import { workbook } from "../../support/file-formats.ts";

const now = () => new Date("2026-11-01T00:00:00Z");
const header = [
	...["Year", "Month", "Entity ID", "Entity Name", "Plant Producer Type", "Plant Name", "Plant State", "Plant ID"],
	...["Generator ID", "Net Summer Capacity (MW)", "Technology", "Energy Source Code", "Prime Mover Code"],
	...["Status", "Nameplate Capacity (MW)"],
];

/** A table 6.5 with one planned unit: `month` of 2027 is the first of the issue. */
async function planned(entity: string, month: number) {
	const unit = [2027, month, 700, entity, "IPP", "Larkspur Mesa Solar", "CA", 60001, "1", 98, "Solar Photovoltaic"];
	const bytes = await workbook([
		{
			name: "Table_6_05",
			rows: [
				["Table 6.5. Planned U.S. Electric Generating Unit Additions"],
				header,
				[...unit, "SUN", "PV", "(V) Under construction, more than 50 percent complete", 100],
				["NOTES: Units below 1 MW are excluded."],
			],
		},
	]);
	return { name: "EPM_Table_6_05.xlsx", path: `EPM_Table_6_05_${month}.xlsx`, bytes };
}

/** "Larkspur Mesa Solar", 100 MW, reported by `entity`. Answers whether requests were linked anew. */
export async function takePlannedUnit(sql: Sql, entity: string, month: number): Promise<boolean> {
	const report = await loadDatasets(sql, "eia-units", [await planned(entity, month)], { now });
	expect(report).toMatchObject({ outcome: "applied", reason: null });
	return linkCompanies(sql);
}
