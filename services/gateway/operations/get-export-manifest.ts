import { chosenColumns, type ExportTable } from "#libs/contract/exports/columns.ts";
import { type FileParams, fileColumns, geoExportMediaTypes, shownFields } from "#libs/contract/exports/files.ts";
import type { Handlers, Params, ParamsInput, Reply, RequestContext, SerializedReply } from "#libs/contract/index.ts";
import { plantTable } from "#libs/contract/operations/datasets/plant.ts";
import { priceTable } from "#libs/contract/operations/datasets/price.ts";
import { developerTable } from "#libs/contract/operations/developers/developer.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { exportedColumns, projectTable } from "#libs/contract/operations/projects/project-columns.ts";
import { scoreTable } from "#libs/contract/operations/scores/score-row.ts";
import { accountFields, callerSubject } from "../callers/caller.ts";
import { ownerHeaders } from "../exports/answer.ts";
import type { Exports } from "../exports/exports.ts";

type Manifest = Reply<"getExportManifest">;

/** The export that each manifest operation describes, and its table. The file is made once for both operations. */
const describedExports = {
	getExportManifest: ["exportProjects", projectTable],
	getChangesExportManifest: ["exportChanges", changeTable],
	getDevelopersExportManifest: ["exportDevelopers", developerTable],
	getScoresExportManifest: ["exportScores", scoreTable],
	getPlantsExportManifest: ["exportPlants", plantTable],
	getPricesExportManifest: ["exportPrices", priceTable],
} as const;

type ManifestName = keyof typeof describedExports;
type ExportName = (typeof describedExports)[ManifestName][0];

export const getExportManifests = (exports: Pick<Exports, "get">): Pick<Handlers<"gateway">, ManifestName> =>
	Object.fromEntries(
		Object.entries(describedExports).map(([name, [exportName, table]]) => [
			name,
			(params: ParamsInput<ExportName> & FileParams, context: RequestContext) =>
				describeFile(exports, exportName, table, params, context),
		]),
	) as Pick<Handlers<"gateway">, ManifestName>;

async function describeFile(
	exports: Pick<Exports, "get">,
	name: ExportName,
	table: ExportTable,
	params: ParamsInput<ExportName> & FileParams,
	{ signal, caller, http }: RequestContext,
): Promise<SerializedReply<Manifest>> {
	const format = params.format ?? "csv";
	const request = {
		holder: callerSubject(caller ?? http ?? {}),
		caller: {
			...(http?.loopback === false && { address: http.address }),
			...(caller && accountFields(caller)),
		},
		signal,
	};
	const file = await exports.get(name, { ...params, format }, request);
	const { head, bytes, sha256, dataVersion = 0 } = file;
	const columns =
		name === "exportProjects"
			? exportedColumns(params as Params<"exportProjects">)
			: chosenColumns(table.columns(), shownFields(params.fields, format));
	const seq = head["x-seq"];
	const manifest: Manifest = {
		format,
		media_type: geoExportMediaTypes[format],
		rows: Number(head.rows),
		bytes,
		sha256,
		schema_version: head["x-schema-version"] ?? "",
		data_version: dataVersion,
		generated_at: head["generated-at"] ?? "",
		...(seq !== undefined && { seq: Number(seq) }),
		filters: filtersOf(params),
		columns: fileColumns(columns, format),
	};
	return { json: JSON.stringify(manifest), headers: ownerHeaders(file) };
}

function filtersOf({
	format: _,
	compression: __,
	safe: ___,
	fields: ____,
	...filters
}: FileParams): Manifest["filters"] {
	const given = Object.entries(filters as Record<string, string | number | boolean | string[] | undefined>);
	return Object.fromEntries(
		given.flatMap(([name, value]) =>
			value === undefined ? [] : [[name, Array.isArray(value) ? value.join(",") : value]],
		),
	);
}
