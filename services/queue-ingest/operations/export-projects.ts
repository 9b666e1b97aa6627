import { createHash } from "node:crypto";
import type { Handler, Params } from "#libs/contract/index.ts";
import { projectColumns, projectSchemaVersion } from "#libs/contract/operations/project-columns.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writeParquet } from "../jobs/write-parquet.ts";
import { type ExportRows, openRows } from "./export-rows.ts";
import type { Format } from "./export-select.ts";

export function exportProjects(sql: Sql): Handler<"exportProjects"> {
	return async function* (params, { signal, head, progress }) {
		const format = formatOf(params);
		await using rows = await openRows(sql, params, format, signal);
		head?.({
			etag: etagOf(params, format, rows),
			"x-data-version": String(rows.dataVersion),
			"x-schema-version": projectSchemaVersion,
		});
		yield* exportBytes(params, rows, progress);
	};
}

export const formatOf = ({ format }: Params<"exportProjects">): Format => format ?? "csv";

/** The bytes of the file: the same for the same parameters and data version. */
export function exportBytes(
	params: Params<"exportProjects">,
	rows: ExportRows,
	progress?: () => void,
): AsyncIterable<Uint8Array> {
	const format = formatOf(params);
	if (format === "csv") return rows.copy();
	const columns = projectColumns();
	const units = Object.fromEntries(columns.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]])));
	const metadata = {
		schema_version: projectSchemaVersion,
		data_version: String(rows.dataVersion),
		generated_at: rows.generatedAt,
		units: JSON.stringify(units),
	};
	return writeParquet({ columns, metadata }, rows.copy(), progress);
}

function etagOf(params: Params<"exportProjects">, format: Format, { dataVersion, generatedAt }: ExportRows): string {
	const hash = createHash("sha256");
	hash.update(JSON.stringify([{ ...params, format }, dataVersion, generatedAt, projectSchemaVersion]));
	return `"${hash.digest("base64url").slice(0, 22)}"`;
}
