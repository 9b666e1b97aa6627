/** The database `dg`, as SQL and files show it. */
import { listDg } from "#libs/contract/operations/datasets/dg.ts";
import { date, integer, moment, rowColumns, text, type View } from "#libs/parquet/view.ts";

const records: View = {
	name: "records",
	description:
		"Distributed generation: installations, totals of utilities by state, technology and sector, totals of areas. Sources overlap: filter by one source and by in_totals before adding up",
	columns: {
		...rowColumns(listDg.reply.shape.data.element),
		sector: text(
			"Customers: residential, commercial, industrial, transportation, or direct_connected (no customer's site)",
		),
	},
	sql: `select * from dg_rows`,
	order: ["state", "source", "id"],
};

const editions: View = {
	name: "editions",
	description: "Loaded editions of each source",
	columns: {
		source: text("Source, as in records"),
		edition: text("A year, or current"),
		published_on: date("Day that the file states, or on which it was saved"),
		records: integer("Records that the file was read into"),
		applied_at: moment("When the file was loaded, UTC"),
	},
	sql: `select * from dg_edition_rows`,
	order: ["source", "edition"],
};

export const dgViews: readonly View[] = [records, editions];
