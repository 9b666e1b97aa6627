/** The loaded and the missing data (`/coverage`), and a description of each dataset (`/catalog/data`). */

import { databaseOwners } from "#libs/contract/databases.ts";
import type { SourceNote } from "#libs/contract/envelopes.ts";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type DatasetNote, datasetNotes, datasetOf } from "../documents/dataset-notes.ts";
import { missingFrom } from "../documents/missing.ts";
import { sampledDatabases } from "../documents/sample.ts";
import { sourceNotes, undescribed } from "../documents/source-notes.ts";
import { httpOperations } from "../registry/bindings.ts";
import { latestOf, PartialResponse, pipelineOperations, type ReadPart, sourceOperations } from "./parts.ts";

/** The owners' counts, and the gaps that follow from them. */
export const getCoverage =
	(readPart: ReadPart): Handler<"getCoverage"> =>
	async () => ({ json: JSON.stringify(await readCoverage(readPart)) });

async function readCoverage(readPart: ReadPart): Promise<Reply<"getCoverage">> {
	const parts = new PartialResponse(readPart);
	const [queues, signals, ages, sources] = await Promise.all([
		parts.read("describeCoverage", noQueues),
		parts.read("describeSignalCoverage", noSignals),
		parts.read("listScoringPipelines", { pipelines: [] }),
		Promise.all(sourceOperations.map((name) => parts.read(name, { sources: [] }))),
	]);
	const known = sources.flatMap((part) => part.sources);
	const sampled = sampledDatabases(queues, signals);
	return {
		generated_at: new Date().toISOString(),
		...queues,
		...signals,
		scoring: referencesOf(known, ages),
		sample: sampled.length > 0,
		sample_databases: sampled,
		// Nothing is stated about the data of an owner that did not respond.
		missing: missingFrom({
			queues: parts.absent.has("queue-ingest") ? undefined : queues,
			signals: parts.absent.has("signals") ? undefined : signals,
			sources: known,
			sampled,
		}),
		not_available: [...parts.absent].sort(),
	};
}

function referencesOf(
	sources: Reply<"listSources">["sources"],
	{ pipelines }: Reply<"listScoringPipelines">,
): Reply<"getCoverage">["scoring"] {
	return sources
		.filter(({ database }) => database === "scoring")
		.map(({ source, records, last_checked, last_changed }) => {
			const freshness = pipelines.find(({ pipeline }) => pipeline === source)?.status ?? null;
			return { source, records, last_checked, last_changed, freshness };
		});
}

const noQueues: Reply<"describeCoverage"> = {
	queues: [],
	entities: [],
	changes: { records: 0, first: null, last: null },
	developers: { developers: 0, curated: 0, requests_with_developer: 0 },
	eia860: [],
	dg: [],
	datacenters: [],
	load_requests: [],
	market: [],
	sample_databases: [],
};
const noSpan = { records: 0, matched: 0, first: null, last: null, by_type: {} };
const noSignals: Reply<"describeSignalCoverage"> = {
	news: noSpan,
	capital_raises: noSpan,
	material_events: noSpan,
	ma_events: noSpan,
	sample_databases: [],
};

type Dataset = Reply<"getDataCatalog">["datasets"][number];
type SourceRow = Reply<"listSources">["sources"][number];

/** Descriptions of the datasets with their owners' counts, which are null if the owner does not respond. */
export const getDataCatalog =
	(readPart: ReadPart): Handler<"getDataCatalog"> =>
	async () => ({ json: JSON.stringify(await readCatalog(readPart)) });

async function readCatalog(readPart: ReadPart): Promise<Reply<"getDataCatalog">> {
	const parts = new PartialResponse(readPart);
	const [sources, pipelines, { databases }, queues, signals] = await Promise.all([
		Promise.all(sourceOperations.map((name) => parts.read(name, { sources: [], notes: {} }))),
		Promise.all(pipelineOperations.map((name) => parts.read(name, { pipelines: [] }))),
		parts.read("describeDatabases", { databases: [] }),
		parts.read("describeCoverage", undefined),
		parts.read("describeSignalCoverage", undefined),
	]);
	const loaded = {
		rows: sources.flatMap((part) => part.sources),
		notes: Object.assign({}, sourceNotes, ...sources.map((part) => ("notes" in part ? part.notes : {}))),
		pipelines: pipelines.flatMap((part) => part.pipelines),
		derived: {
			developers: databases.find(({ name }) => name === "developer")?.row_count,
			ma_events: signals?.ma_events.records,
		},
	};
	const sampled = sampledDatabases(queues, signals);
	// Whether scores are sample data depends also on queue-ingest, because they are computed from its requests.
	const isSample = ({ database }: DatasetNote) => {
		const owners = [databaseOwners[database], ...(database === "scoring" ? ["queue-ingest" as const] : [])];
		return owners.some((owner) => parts.absent.has(owner)) ? null : sampled.includes(database);
	};
	return {
		datasets: datasetNotes.map((note) => ({ ...describe(note, loaded), sample: isSample(note) })),
		not_available: [...parts.absent].sort(),
	};
}

/** @throws AppError 404 for an unknown name */
export function describeDataset(readPart: ReadPart): Handler<"describeDataset"> {
	return async ({ dataset: name }) => {
		const [catalog, coverage] = await Promise.all([readCatalog(readPart), readCoverage(readPart)]);
		const note = datasetNotes.find((each) => each.name === name);
		const described = catalog.datasets.find((each) => each.name === name);
		if (note === undefined || described === undefined) throw notFound(`there is no dataset ${name}`);
		const reply: Reply<"describeDataset"> = {
			...described,
			not_answered: [...note.unanswered],
			missing: coverage.missing
				.filter(({ dataset }) => dataset === "all" || dataset.split(", ").includes(name))
				.map(({ missing }) => missing),
			not_available: [...new Set([...catalog.not_available, ...coverage.not_available])].sort(),
		};
		return { json: JSON.stringify(reply) };
	};
}

interface Loaded {
	rows: SourceRow[];
	notes: Record<string, SourceNote>;
	pipelines: Reply<"listPipelines">["pipelines"];
	derived: Record<string, number | undefined>;
}

function describe(note: DatasetNote, { rows, notes, pipelines, derived }: Loaded): Omit<Dataset, "sample"> {
	const theirs = rows.filter(({ source, database }) => datasetOf(source, database) === note);
	const unreported = note.sources.filter((source) => theirs.every((row) => row.source !== source));
	const ages = new Map(pipelines.map(({ pipeline, status }) => [pipeline, status]));
	const source = (name: string, row?: SourceRow): Dataset["sources"][number] => ({
		source: name,
		...(notes[name] ?? undescribed(name)),
		records: row?.records ?? null,
		last_checked: row?.last_checked ?? null,
		last_changed: row?.last_changed ?? null,
		freshness: ages.get(name) ?? null,
	});
	// Reported sources first, then those that their owner did not report, or whose owner did not respond.
	const sources = [...theirs.map((row) => source(row.source, row)), ...unreported.map((name) => source(name))];
	const records = theirs.length === 0 ? derived[note.name] : theirs.reduce((sum, row) => sum + row.records, 0);
	return {
		name: note.name,
		title: note.title,
		description: note.description,
		database: note.database,
		endpoints: httpOperations()
			.filter(({ http }) => note.paths.test(http.path))
			.map(({ http }) => `${http.method} ${http.path}`),
		records: records ?? null,
		last_changed: latestOf(theirs.map(({ last_changed }) => last_changed)),
		sources,
	};
}
