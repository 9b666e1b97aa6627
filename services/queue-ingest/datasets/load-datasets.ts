/** Loads each file of the related datasets separately, into the dataset of the given source that recognises it. */
import { isZip } from "#libs/files/archive.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../queues/jobs/ingest-snapshot.ts";
import { programmes } from "../queues/sources/index.ts";
import { addHash, type IncomingFile, readQuarantined } from "../sources/archive.ts";
import type { Dataset } from "../sources/dataset.ts";
import { type LoadOutcome, summariseOutcomes, unchangedReport } from "../sources/file-report.ts";
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

interface LoadOptions {
	now: () => Date;
	accept?: boolean;
	/** For folders, which may contain other files: skips and reports a file that no dataset recognises, or whose dataset has no licence. */
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
		const dataset = await recogniseDataset(source, file);
		const isProgramme = source === "dg" && programmes.some((programme) => programme.recognises(file));
		if (dataset?.unlicensed && lenient)
			files.push(skippedReport(file, `${dataset.feed} has no license: load it with --source`));
		else if (dataset !== undefined) files.push(await loadDataset(sql, dataset, file, now(), { accept }));
		else if (isProgramme) files.push(await loadProgramme(sql, file, now, accept));
		else
			files.push({
				...skippedReport(file, `not a file of any dataset of ${source}`),
				...(!lenient && ({ outcome: "quarantined" } as const)),
			});
	}
	return { source, ...summariseOutcomes(files), files };
}

/** Installations of a programme are loaded like requests: they have an identity, a history and changes. */
async function loadProgramme(sql: Sql, file: IncomingFile, now: () => Date, accept: boolean): Promise<DatasetReport> {
	const result = await ingestSnapshot(sql, { region: "DG", files: [file], asOf: null, accept, now });
	const { outcome, reason, rows: rows_stored } = result;
	const [read] = await sql<{ feed: string; rows_in: number; reported: DatasetReport["reported"] }[]>`
		select f.feed, coalesce(f.rows_in, 0) as rows_in, coalesce(f.dropped, '[]') as reported
		from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where s.region = 'DG' and f.sha256 = ${addHash(file).sha256} order by s.id desc limit 1`;
	return {
		...{ ...unchangedReport(file), feed: null, edition: "current", holds: "installations of a program" },
		...(outcome === "unchanged" ? { feed: read?.feed ?? null } : read),
		...{ outcome, reason, rows_stored },
	};
}

/** Loads a file that a guard holds back: the newest of the source's database, else of the programmes, unless a later one was accepted. */
export async function releaseDataset(sql: Sql, source: DatasetSource, now: () => Date): Promise<DatasetsReport> {
	const held =
		(await readQuarantined(sql, datasetSources[source])) ??
		(source === "dg" ? await readQuarantined(sql, "DG") : undefined);
	if (held === undefined)
		return { source, outcome: "failed", files: [], reason: `${source} has no file that is held back` };
	return loadDatasets(sql, source, held.files, { now, accept: true });
}

async function recogniseDataset(source: DatasetSource, file: IncomingFile): Promise<Dataset | undefined> {
	const { name, bytes } = file;
	const candidates = datasets.filter(({ database }) => database === datasetSources[source]);
	const recognisedByContent = candidates.filter(
		({ isContentOf, maxBytes }) => isContentOf !== undefined && bytes.length <= maxBytes,
	);
	if (recognisedByContent.length > 0 && isZip(bytes)) {
		const recognisedFeed = await feedByContent({
			candidates: recognisedByContent.map(({ feed }) => feed),
			name,
			bytes,
		});
		const found = recognisedByContent.find(({ feed }) => feed === recognisedFeed);
		if (found !== undefined) return found;
	}
	return candidates.find((dataset) => dataset.recognises(file));
}

const skippedReport = (file: IncomingFile, reason: string): DatasetReport => ({
	...unchangedReport(file),
	...{ reason: `${file.name}: ${reason}`, feed: null, edition: null },
});
