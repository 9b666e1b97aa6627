/** Loads files of the related datasets, each by itself, into the dataset of its database that recognises it. */
import { isZip } from "#libs/files/archive.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../queues/jobs/ingest-snapshot.ts";
import { programmes } from "../queues/sources/index.ts";
import { hashed, type IncomingFile, quarantined } from "../sources/archive.ts";
import type { Dataset } from "../sources/dataset.ts";
import { type LoadOutcome, summary, unchanged } from "../sources/file-report.ts";
import { datasets } from "./index.ts";
import { type DatasetReport, feedByContent, loadDataset } from "./load-dataset.ts";

const datasetSources = {
	dg: "dg",
	datacenters: "datacenter",
	market: "market",
	"eia-units": "grid",
	reports: "master",
} as const satisfies Record<string, Dataset["database"]>;
export type DatasetSource = keyof typeof datasetSources;

export interface DatasetsReport {
	source: DatasetSource;
	outcome: LoadOutcome;
	files: DatasetReport[];
	reason: string | null;
}

interface Handling {
	now: () => Date;
	accept?: boolean;
	/** For a folder, which may contain other files: one that no dataset recognises, or without a licence, is skipped and reported. */
	lenient?: boolean;
}

/** A faulty file is an outcome, not an error. Throws if the database fails. */
export async function loadDatasets(
	sql: Sql,
	source: DatasetSource,
	incoming: IncomingFile[],
	{ now, accept = false, lenient = false }: Handling,
): Promise<DatasetsReport> {
	const files: DatasetReport[] = [];
	for (const file of incoming) {
		const dataset = await recogniseDataset(source, file);
		const isProgramme = source === "dg" && programmes.some((programme) => programme.recognises(file));
		if (dataset?.unlicensed && lenient)
			files.push(leftOut(file, `${dataset.feed} has no licence: load it with --source`));
		else if (dataset !== undefined) files.push(await loadDataset(sql, dataset, file, now(), { accept }));
		else if (isProgramme) files.push(await loadProgramme(sql, file, now, accept));
		else
			files.push({
				...leftOut(file, `not a file of any dataset of ${source}`),
				...(!lenient && ({ outcome: "quarantined" } as const)),
			});
	}
	return { source, ...summary(files), files };
}

/** Installations of a programme are loaded like requests: they have an identity, a history and changes. */
async function loadProgramme(sql: Sql, file: IncomingFile, now: () => Date, accept: boolean): Promise<DatasetReport> {
	const result = await ingestSnapshot(sql, { region: "DG", files: [file], asOf: null, accept, now });
	const { outcome, reason, rows: rows_stored } = result;
	const [read] = await sql<{ feed: string; rows_in: number; reported: DatasetReport["reported"] }[]>`
		select f.feed, coalesce(f.rows_in, 0) as rows_in, coalesce(f.dropped, '[]') as reported
		from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where s.region = 'DG' and f.sha256 = ${hashed(file).sha256} order by s.id desc limit 1`;
	return {
		...{ ...unchanged(file), feed: null, edition: "current", holds: "installations of a programme" },
		...(outcome === "unchanged" ? { feed: read?.feed ?? null } : read),
		...{ outcome, reason, rows_stored },
	};
}

/** Loads a file that a guard holds back: the newest of the source's database, else of the programmes, unless a later one was accepted. */
export async function releaseDataset(sql: Sql, source: DatasetSource, now: () => Date): Promise<DatasetsReport> {
	const held =
		(await quarantined(sql, datasetSources[source])) ?? (source === "dg" ? await quarantined(sql, "DG") : undefined);
	if (held === undefined)
		return { source, outcome: "failed", files: [], reason: `${source} has no file that is held back` };
	return loadDatasets(sql, source, held.files, { now, accept: true });
}

async function recogniseDataset(source: DatasetSource, file: IncomingFile): Promise<Dataset | undefined> {
	const { name, bytes } = file;
	const candidates = datasets.filter(({ database }) => database === datasetSources[source]);
	const deep = candidates.filter(({ isContentOf, maxBytes }) => isContentOf !== undefined && bytes.length <= maxBytes);
	if (deep.length > 0 && isZip(bytes)) {
		const shown = await feedByContent({ candidates: deep.map(({ feed }) => feed), name, bytes });
		const found = deep.find(({ feed }) => feed === shown);
		if (found !== undefined) return found;
	}
	return candidates.find((dataset) => dataset.recognises(file));
}

const leftOut = (file: IncomingFile, reason: string): DatasetReport => ({
	...unchanged(file),
	...{ reason: `${file.name}: ${reason}`, feed: null, edition: null },
});
