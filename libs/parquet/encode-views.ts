/** Converts the CSV files of views to Parquet, and creates their manifest entries. */
import { stat } from "node:fs/promises";
import { type ExtractView, extractLimits } from "#libs/contract/exports/extracts.ts";
import { type EncodeTask, encode, hashOf } from "./encode.ts";
import type { ReadView, SnapshotViews } from "./read-views.ts";

/** Encodes `views`, a selection of the views in `snapshot`, and returns the manifest entry of each. @throws if a file is too large */
export async function encodeViews(
	views: readonly ReadView[],
	snapshot: SnapshotViews,
	signal: AbortSignal,
): Promise<Map<ReadView, ExtractView>> {
	const tasks = views.map((view) => encodeTask(view, metadataOf(view, snapshot)));
	const rowCounts = await encode(tasks, signal);
	const entries = new Map<ReadView, ExtractView>();
	for (const [at, view] of views.entries())
		entries.set(view, await createManifestEntry(view, snapshot, rowCounts[at] ?? 0));
	return entries;
}

export const parquetPath = ({ path }: ReadView): string => path.replace(/\.csv$/, ".parquet");

export const columnsOf = ({ view }: ReadView) =>
	Object.entries(view.columns).map(([name, column]) => ({ name, ...column }));

export const encodeTask = (viewCsv: ReadView, metadata: EncodeTask["metadata"]): EncodeTask => ({
	csv: viewCsv.path,
	parquet: parquetPath(viewCsv),
	columns: columnsOf(viewCsv).map(({ name, type }) => ({ name, type })),
	metadata: { description: viewCsv.view.description, ...metadata },
});

const metadataOf = (viewCsv: ReadView, { dataVersion, madeAt }: SnapshotViews): EncodeTask["metadata"] => ({
	view: `${viewCsv.database}.${viewCsv.view.name}`,
	columns: JSON.stringify(columnsOf(viewCsv).map(({ name, description, unit }) => ({ name, description, unit }))),
	data_version: String(dataVersion),
	as_of: madeAt,
});

/** The columns' units as JSON, for the footer of a file. */
export const unitsOf = (columns: readonly { name: string; unit: string | null }[]): string =>
	JSON.stringify(Object.fromEntries(columns.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]]))));

async function createManifestEntry(
	viewCsv: ReadView,
	{ dataVersion, madeAt }: SnapshotViews,
	rows: number,
): Promise<ExtractView> {
	const path = parquetPath(viewCsv);
	const { size } = await stat(path);
	const { database, view } = viewCsv;
	if (size > extractLimits.viewBytes)
		throw new Error(
			`the extract ${database}.${view.name} has ${size} bytes, more than the maximum of ${extractLimits.viewBytes}`,
		);
	const sha256 = await hashOf(path);
	return {
		database,
		name: view.name,
		description: view.description,
		rows,
		bytes: size,
		sha256,
		source_sha256: viewCsv.sha256,
		object: `${database}.${view.name}.${sha256.slice(0, 16)}.parquet`,
		data_version: dataVersion,
		as_of: madeAt,
		columns: columnsOf(viewCsv),
	};
}
