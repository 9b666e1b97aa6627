/** Loads each file separately, into the dataset of the source that recognizes it. */
import { isZip } from "#libs/files/archive.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../queues/jobs/ingest-snapshot.ts";
import { programmes } from "../queues/sources/index.ts";
import { addHash, type IncomingFile, readQuarantined } from "../sources/archive.ts";
import type { Dataset } from "../sources/dataset.ts";
import { type LoadOutcome, summarizeOutcomes, unchangedReport } from "../sources/file-report.ts";
import { datasets } from "./index.ts";
import { type DatasetReport, findFeedByContent, loadDataset } from "./load-dataset.ts";

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

interface LoadOptions {
	now: () => Date;
	accept?: boolean;
	/** Skips and reports files that no dataset recognizes or whose dataset has no license. For folders, which may contain other files. */
	lenient?: boolean;
}

/** Reports a faulty file as an outcome; throws only if the database fails. */
export async function loadDatasets(
	sql: Sql,
	source: DatasetSource,
	incoming: IncomingFile[],
	{ now, accept = false, lenient = false }: LoadOptions,
): Promise<DatasetsReport> {
	const files: DatasetReport[] = [];
	for (const file of incoming) {
		const dataset = await recognizeDataset(source, file);
		const isProgram = source === "dg" && programmes.some((program) => program.recognises(file));
		if (dataset?.unlicensed && lenient)
			files.push(skippedReport(file, `${dataset.feed} has no license: load it with --source`));
		else if (dataset !== undefined) files.push(await loadDataset(sql, dataset, file, now(), { accept }));
		else if (isProgram) files.push(await loadProgram(sql, file, now, accept));
		else
			files.push({
				...skippedReport(file, `not a file of any dataset of ${source}`),
				...(!lenient && ({ outcome: "quarantined" } as const)),
			});
	}
	return { source, ...summarizeOutcomes(files), files };
}

/** Loads installations of a program like requests, with identity, history and changes. */
async function loadProgram(sql: Sql, file: IncomingFile, now: () => Date, accept: boolean): Promise<DatasetReport> {
	const result = await ingestSnapshot(sql, { region: "DG", files: [file], asOf: null, accept, now });
	const { outcome, reason, rows: rows_stored } = result;
	const [loadedFile] = await sql<{ feed: string; rows_in: number; reported: DatasetReport["reported"] }[]>`
		select f.feed, coalesce(f.rows_in, 0) as rows_in, coalesce(f.dropped, '[]') as reported
		from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where s.region = 'DG' and f.sha256 = ${addHash(file).sha256} order by s.id desc limit 1`;
	return {
		...{ ...unchangedReport(file), feed: null, edition: "current", holds: "installations of a program" },
		...(outcome === "unchanged" ? { feed: loadedFile?.feed ?? null } : loadedFile),
		...{ outcome, reason, rows_stored },
	};
}

/** Applies the newest file that a guard holds back, if no later file was accepted: of the source's database, else (for `dg`) of the programs. */
export async function releaseDataset(sql: Sql, source: DatasetSource, now: () => Date): Promise<DatasetsReport> {
	const held =
		(await readQuarantined(sql, datasetSources[source])) ??
		(source === "dg" ? await readQuarantined(sql, "DG") : undefined);
	if (held === undefined) return { source, outcome: "failed", files: [], reason: `no file of ${source} is held back` };
	return loadDatasets(sql, source, held.files, { now, accept: true });
}

async function recognizeDataset(source: DatasetSource, file: IncomingFile): Promise<Dataset | undefined> {
	const { name, bytes } = file;
	const candidates = datasets.filter(({ database }) => database === datasetSources[source]);
	const contentCandidates = candidates.filter(
		({ isContentOf, maxBytes }) => isContentOf !== undefined && bytes.length <= maxBytes,
	);
	if (contentCandidates.length > 0 && isZip(bytes)) {
		const recognizedFeed = await findFeedByContent({
			candidates: contentCandidates.map(({ feed }) => feed),
			name,
			bytes,
		});
		const dataset = contentCandidates.find(({ feed }) => feed === recognizedFeed);
		if (dataset !== undefined) return dataset;
	}
	return candidates.find((dataset) => dataset.recognises(file));
}

const skippedReport = (file: IncomingFile, reason: string): DatasetReport => ({
	...unchangedReport(file),
	...{ reason: `${file.name}: ${reason}`, feed: null, edition: null },
});
