/** What one could expect to find here and will not, in sentences: so that a reader does not take what is not loaded for what does not exist. */
import { type Database, databases } from "#libs/contract/databases.ts";
import type { Reply } from "#libs/contract/index.ts";
import { statuses } from "#libs/contract/vocabulary.ts";
import { datasetNotes, datasetOf } from "./dataset-notes.ts";
import { listed, type Missing, named, ofDatacenters, ofDistribution, ofMarket, say } from "./missing-datasets.ts";
import { sampleNote } from "./sample.ts";

export type { Missing } from "./missing-datasets.ts";

type Queues = Reply<"describeCoverage">;
type Signals = Reply<"describeSignalCoverage">;
type SourceRow = Reply<"listSources">["sources"][number];

export interface Counted {
	/** Undefined where its owner did not answer: nothing is said of it then. */
	queues: Queues | undefined;
	signals: Signals | undefined;
	/** Every source that is looked after, of the owners that answered. */
	sources: readonly SourceRow[];
	sampled: readonly Database[];
}

export function missingFrom({ queues, signals, sources, sampled }: Counted): Missing[] {
	return [
		...ofSample(sampled),
		...(queues === undefined ? [] : ofQueues(queues)),
		...ofSources(sources, queues),
		...(queues === undefined
			? []
			: [...ofPlants(queues), ...ofDistribution(queues), ...ofDatacenters(queues), ...ofMarket(queues)]),
		...(signals === undefined ? [] : ofSignals(signals)),
	];
}

/** First of all: whatever else is said is said of it. */
function ofSample(sampled: readonly Database[]): Missing[] {
	const note = sampleNote(sampled);
	if (note === undefined) return [];
	const theirs = datasetNotes.filter(({ database }) => sampled.includes(database));
	return [say(theirs.length === datasetNotes.length ? "all" : theirs.map(({ name }) => name).join(", "), note)];
}

/** A field that is stated of fewer requests than this is not to be relied on. */
const hardlyEver = 0.05;

/** What an operator can be expected to publish of every request. */
const expected = ["name", "developer", "county", "queue_date", "cod", "poi", "utility", "study_phase"];
/** And of those that have come to an end. */
const ends = { withdrawn_date: "Withdrawn", actual_cod: "Operational" } as const;

function ofQueues({ queues }: Queues): Missing[] {
	return queues.flatMap((queue) => {
		const { region, loaded, lists, by_status: tally } = queue;
		if (!loaded) return [say("queues", `No list of ${region} is loaded.`)];
		const absent = lists.filter(({ as_of: at }) => at === null).map(({ source }) => source);
		const unstated = unstatedBy(queue);
		const none = statuses.filter((status) => (tally[status] ?? 0) === 0);
		return [
			...absent.map((source) => `The list ${source} of ${region} is not loaded.`),
			...(unstated.length === 0
				? []
				: [`${region} does not publish ${unstated.join(", ")} (or of fewer than 5 % of its requests).`]),
			...(none.length === 0
				? []
				: [`No request of ${region} is ${none.join(", ")}: what is loaded of its lists shows none.`]),
		].map((missing) => say("queues", missing));
	});
}

function unstatedBy({ filled, requests, by_status: tally }: Queues["queues"][number]): string[] {
	const ended = Object.entries(ends).filter(([field, status]) => {
		const theirs = tally[status] ?? 0;
		return theirs > 0 && ((filled[field] ?? 0) * requests) / theirs < hardlyEver;
	});
	return [
		...expected.filter((field) => (filled[field] ?? 0) < hardlyEver),
		...ended.map(([field, status]) => `${field} of ${status} requests`),
	];
}

/** Sources without a record, and databases without any; operators' lists have their own sentences. */
function ofSources(sources: readonly SourceRow[], queues: Queues | undefined): Missing[] {
	const listed = new Set(queues?.queues.flatMap(({ lists }) => lists.map(({ source }) => source)));
	const empty = sources.filter(({ source, records }) => records === 0 && !listed.has(source));
	return [
		...databases.flatMap((database) => {
			const theirs = sources.filter((row) => row.database === database);
			const isEmpty = theirs.length > 0 && theirs.every(({ records }) => records === 0);
			return isEmpty ? [say(datasetOf("", database).name, `Nothing is loaded in the database ${database}.`)] : [];
		}),
		...empty.map(({ source, database, last_checked: at }) =>
			say(
				datasetOf(source, database).name,
				`${named(source)}: ${at === null ? "never loaded" : "looked at, and nothing of it is loaded"}.`,
			),
		),
	];
}

function ofPlants({ eia860 }: Queues): Missing[] {
	if (eia860.length === 0) return [];
	const years = eia860.map(({ year }) => String(year));
	return [
		say("grid", `EIA-860: of ${listed(years)} only.`),
		...eia860.flatMap(({ year, missing }) => [
			...(missing.includes("generator")
				? [
						say(
							"grid",
							`EIA-860 ${year}: the generator schedule (3_1) is not loaded. Generators are those of the schedules by technology alone: a gas, coal, nuclear or hydro plant without generators here may well have some.`,
						),
					]
				: []),
			...others(year, missing),
		]),
	];
}

/** Schedules by technology say more of generators that the full one lists; without the full one they are all there is. */
function others(year: number, missing: readonly string[]): Missing[] {
	const rest = missing.filter((schedule) => schedule !== "generator");
	if (rest.length === 0) return [];
	return [say("grid", `EIA-860 ${year}: these schedules are not loaded: ${rest.join(", ")}.`)];
}

function ofSignals(signals: Signals): Missing[] {
	return (["news", "material_events", "capital_raises", "ma_events"] as const).map((dataset) => {
		const { records, first, last } = signals[dataset];
		const span = `Nothing before ${first?.slice(0, 10)} or after ${last?.slice(0, 10)} is loaded.`;
		return say(dataset, records === 0 ? "Nothing is loaded." : span);
	});
}
