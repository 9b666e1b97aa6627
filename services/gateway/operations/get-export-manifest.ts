import { type Handler, operations, type Params, type Reply } from "#libs/contract/index.ts";
import { chosenColumns } from "#libs/contract/operations/project-columns.ts";
import { callerSubject } from "../callers/caller.ts";
import { saidOf } from "../exports/answer.ts";
import type { Exports } from "../exports/exports.ts";

type Manifest = Reply<"getExportManifest">;

/** Describes the file that the export answers: a request for both has it made once. */
export function getExportManifest(exports: Pick<Exports, "get">): Handler<"getExportManifest"> {
	return async (params, { signal, caller, http }) => {
		const format = params.format ?? "csv";
		const file = await exports.get(
			"exportProjects",
			{ ...params, format },
			{ holder: callerSubject(caller ?? http ?? {}), signal },
		);
		const { head, bytes, sha256, dataVersion = 0 } = file;
		const manifest: Manifest = {
			format,
			media_type: operations.exportProjects.mediaTypes[format],
			rows: Number(head.rows),
			bytes,
			sha256,
			schema_version: head["x-schema-version"] ?? "",
			data_version: dataVersion,
			generated_at: head["generated-at"] ?? "",
			filters: filtersOf(params),
			columns: [...chosenColumns(params.fields)],
		};
		return { json: JSON.stringify(manifest), dataVersion, headers: saidOf(file) };
	};
}

function filtersOf({ format: _, fields: __, ...filters }: Params<"getExportManifest">): Manifest["filters"] {
	return Object.fromEntries(
		Object.entries(filters).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, Array.isArray(value) ? value.join(",") : value]],
		),
	);
}
