import type { Handler, Params } from "#libs/contract/index.ts";
import { chosenColumns, projectSchemaVersion } from "#libs/contract/operations/project-columns.ts";
import { checkMoment, isPast } from "../history/past.ts";
import type { Resources } from "../resources.ts";
import { type ExportRows, openRows } from "./export-rows.ts";
import type { Format } from "./export-select.ts";
import { writeParquet } from "./write-parquet.ts";

export function exportProjects(resources: Resources): Handler<"exportProjects"> {
	const { sql } = resources;
	return async function* (params, { signal, head, progress }) {
		if (isPast(params)) await checkMoment(resources, params);
		await using rows = await openRows(sql, params, formatOf(params), signal);
		const said = {
			"x-data-version": String(rows.dataVersion),
			"x-schema-version": projectSchemaVersion,
			"generated-at": rows.generatedAt,
		};
		head?.(said);
		yield* exportBytes(params, rows, progress);
		// Of the same moment. The reader of the stream may know it before its last chunk.
		head?.({ ...said, rows: String(await rows.count()) });
	};
}

const formatOf = ({ format }: Params<"exportProjects">): Format => format ?? "csv";

/** The bytes of the file: the same for the same parameters and data version. */
function exportBytes(
	params: Params<"exportProjects">,
	rows: ExportRows,
	progress?: () => void,
): AsyncIterable<Uint8Array> {
	const format = formatOf(params);
	if (format === "csv") return rows.copy();
	const columns = chosenColumns(params.fields);
	const units = Object.fromEntries(columns.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]])));
	const metadata = {
		schema_version: projectSchemaVersion,
		data_version: String(rows.dataVersion),
		generated_at: rows.generatedAt,
		units: JSON.stringify(units),
	};
	return writeParquet({ columns, metadata }, rows.copy(), progress);
}
