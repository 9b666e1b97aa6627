import { type Column, chosenColumns } from "#libs/contract/columns.ts";
import {
	type Compression,
	type ExportFormat,
	fileColumns,
	placedMediaTypes,
	shownFields,
} from "#libs/contract/exports.ts";
import type { Handlers, ParamsInput, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { changeTable } from "#libs/contract/operations/change.ts";
import { developerTable } from "#libs/contract/operations/developer.ts";
import { plantTable } from "#libs/contract/operations/plant.ts";
import { priceTable } from "#libs/contract/operations/price.ts";
import { exportedColumns } from "#libs/contract/operations/project-columns.ts";
import { scoreTable } from "#libs/contract/operations/score-row.ts";
import { callerSubject } from "../callers/caller.ts";
import { saidOf } from "../exports/answer.ts";
import type { Exports } from "../exports/exports.ts";

type Manifest = Reply<"getExportManifest">;
type Exported =
	| "exportProjects"
	| "exportChanges"
	| "exportDevelopers"
	| "exportScores"
	| "exportPlants"
	| "exportPrices";
type Described =
	| "getExportManifest"
	| "getChangesExportManifest"
	| "getDevelopersExportManifest"
	| "getScoresExportManifest"
	| "getPlantsExportManifest"
	| "getPricesExportManifest";

/** Each describes the file that its export answers: a request for both has it made once. */
export function getExportManifests(exports: Pick<Exports, "get">): Pick<Handlers<"gateway">, Described> {
	return {
		getExportManifest: (params, context) =>
			describe(exports, "exportProjects", params, exportedColumns(params), context),
		getChangesExportManifest: (params, context) =>
			describe(exports, "exportChanges", params, chosenColumns(changeTable, params.fields), context),
		getDevelopersExportManifest: (params, context) =>
			describe(exports, "exportDevelopers", params, chosenColumns(developerTable, params.fields), context),
		getScoresExportManifest: (params, context) =>
			describe(exports, "exportScores", params, chosenColumns(scoreTable, params.fields), context),
		getPlantsExportManifest: (params, context) => {
			const columns = chosenColumns(plantTable, shownFields(params.fields, params.format));
			return describe(exports, "exportPlants", params, columns, context);
		},
		getPricesExportManifest: (params, context) =>
			describe(exports, "exportPrices", params, chosenColumns(priceTable, params.fields), context),
	};
}

interface Shaped {
	format?: ExportFormat | undefined;
	compression?: Compression | undefined;
	safe?: boolean | undefined;
	fields?: readonly string[] | undefined;
}

async function describe<N extends Exported>(
	exports: Pick<Exports, "get">,
	name: N,
	params: ParamsInput<N> & Shaped,
	columns: readonly Column[],
	{ signal, caller, http }: RequestContext,
): Promise<Versioned<Manifest>> {
	const format = params.format ?? "csv";
	const file = await exports.get(name, { ...params, format }, { holder: callerSubject(caller ?? http ?? {}), signal });
	const { head, bytes, sha256, dataVersion = 0 } = file;
	const seq = head["x-seq"];
	const manifest: Manifest = {
		format,
		media_type: placedMediaTypes[format],
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
	return { json: JSON.stringify(manifest), dataVersion, headers: saidOf(file) };
}

function filtersOf({ format: _, compression: __, safe: ___, fields: ____, ...filters }: Shaped): Manifest["filters"] {
	const given = Object.entries(filters as Record<string, string | number | boolean | string[] | undefined>);
	return Object.fromEntries(
		given.flatMap(([name, value]) =>
			value === undefined ? [] : [[name, Array.isArray(value) ? value.join(",") : value]],
		),
	);
}
