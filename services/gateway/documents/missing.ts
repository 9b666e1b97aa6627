/** Explains which data is not loaded, so that readers do not conclude that it does not exist. */
import { type Database, databases } from "#libs/contract/databases.ts";
import type { Reply } from "#libs/contract/index.ts";
import { type DgKind, dgKinds, type MarketName, regions, states, statuses } from "#libs/contract/vocabulary.ts";
import { datasetNotes, datasetOf } from "./dataset-notes.ts";
import { sampleNote } from "./sample.ts";
import { sourceNotes } from "./source-notes.ts";

type Queues = Reply<"describeCoverage">;
type Signals = Reply<"describeSignalCoverage">;
type SourceRow = Reply<"listSources">["sources"][number];

export interface LoadedCounts {
	/** Undefined if the owner did not respond; the result then says nothing about the owner's data. */
	queues: Queues | undefined;
	signals: Signals | undefined;
	/** Every source of the owners that responded. */
	sources: readonly SourceRow[];
	sampled: readonly Database[];
}

export function missingFrom({ queues, signals, sources, sampled }: LoadedCounts): Missing[] {
	return [
		...sampleGaps(sampled),
		...(queues === undefined ? [] : queueGaps(queues)),
		...sourceGaps(sources, queues),
		...(queues === undefined
			? []
			: [...plantGaps(queues), ...distributionGaps(queues), ...datacenterGaps(queues), ...marketGaps(queues)]),
		...(signals === undefined ? [] : signalGaps(signals)),
	];
}

/** The warning about sample data. It comes first because it applies to every entry after it. */
function sampleGaps(sampled: readonly Database[]): Missing[] {
	const note = sampleNote(sampled);
	if (note === undefined) return [];
	const datasets = datasetNotes.filter(({ database }) => sampled.includes(database));
	return [gap(datasets.length === datasetNotes.length ? "all" : datasets.map(({ name }) => name).join(", "), note)];
}

/** An operator publishes a field if at least this share of its requests have a value. */
const minShare = 0.05;

/** Fields that an operator is expected to publish for every request. */
const expectedFields = ["name", "developer", "county", "queue_date", "cod", "poi", "utility", "study_phase"];
/** Fields expected only for requests of this status. */
const expectedByStatus = { withdrawn_date: "Withdrawn", actual_cod: "Operational" } as const;

function queueGaps({ queues }: Queues): Missing[] {
	return queues.flatMap((queue) => {
		const { region, loaded, lists, by_status: tally } = queue;
		if (!loaded) return [gap("queues", `No list of ${region} is loaded.`)];
		const missingLists = lists.filter(({ as_of: at }) => at === null).map(({ source }) => source);
		const fields = unpublishedFields(queue);
		const unused = statuses.filter((status) => status !== "Unknown" && (tally[status] ?? 0) === 0);
		return [
			...missingLists.map((source) => `The list ${source} of ${region} is not loaded.`),
			...(fields.length === 0
				? []
				: [`${region} does not publish ${fields.join(", ")} (or only for fewer than 5 % of its requests).`]),
			...(unused.length === 0 ? [] : [`No request of ${region} is ${unused.join(", ")}: its loaded lists have none.`]),
		].map((missing) => gap("queues", missing));
	});
}

function unpublishedFields({ filled, requests, by_status: tally }: Queues["queues"][number]): string[] {
	const unpublishedByStatus = Object.entries(expectedByStatus).filter(([field, status]) => {
		const withStatus = tally[status] ?? 0;
		return withStatus > 0 && ((filled[field] ?? 0) * requests) / withStatus < minShare;
	});
	return [
		...expectedFields.filter((field) => (filled[field] ?? 0) < minShare),
		...unpublishedByStatus.map(([field, status]) => `${field} of ${status} requests`),
	];
}

/** Sources and databases without records. Operators' lists are not included, because `queueGaps` describes them. */
function sourceGaps(sources: readonly SourceRow[], queues: Queues | undefined): Missing[] {
	const operatorLists = new Set(queues?.queues.flatMap(({ lists }) => lists.map(({ source }) => source)));
	const empty = sources.filter(({ source, records }) => records === 0 && !operatorLists.has(source));
	return [
		...databases.flatMap((database) => {
			const ofDatabase = sources.filter((row) => row.database === database);
			const isEmpty = ofDatabase.length > 0 && ofDatabase.every(({ records }) => records === 0);
			return isEmpty ? [gap(datasetOf("", database).name, `Nothing is loaded in the database ${database}.`)] : [];
		}),
		...empty.map(({ source, database, last_checked: at }) =>
			gap(
				datasetOf(source, database).name,
				`${sourceName(source)}: ${at === null ? "never loaded" : "checked, but nothing of it is loaded"}.`,
			),
		),
	];
}

function plantGaps({ eia860 }: Queues): Missing[] {
	if (eia860.length === 0) return [];
	const years = eia860.map(({ year }) => String(year));
	return [
		gap("grid", `EIA-860: of ${joinWords(years)} only.`),
		...eia860.flatMap(({ year, missing }) => [
			...(missing.includes("generator")
				? [
						gap(
							"grid",
							`EIA-860 ${year}: the generator schedule (3_1) is not loaded. Generators are those of the schedules by technology alone: a gas, coal, nuclear or hydro plant without generators here may well have some.`,
						),
					]
				: []),
			...missingSchedules(year, missing),
		]),
	];
}

/** The missing schedules except the generator schedule, which has a separate entry. */
function missingSchedules(year: number, missing: readonly string[]): Missing[] {
	const rest = missing.filter((schedule) => schedule !== "generator");
	if (rest.length === 0) return [];
	return [gap("grid", `EIA-860 ${year}: these schedules are not loaded: ${rest.join(", ")}.`)];
}

function signalGaps(signals: Signals): Missing[] {
	return (["news", "material_events", "capital_raises", "ma_events"] as const).map((dataset) => {
		const { records, first, last } = signals[dataset];
		const span = `Nothing before ${first?.slice(0, 10)} or after ${last?.slice(0, 10)} is loaded.`;
		return gap(dataset, records === 0 ? "Nothing is loaded." : span);
	});
}

export type Missing = Reply<"getCoverage">["missing"][number];

export const gap = (dataset: string, missing: string): Missing => ({ dataset, missing });

const joinWords = (words: readonly string[]): string => new Intl.ListFormat("en-GB").format(words);

const sourceName = (source: string): string => `${sourceNotes[source]?.title ?? source} (${source})`;

const kindNames: Record<DgKind, string> = {
	installation: "Single installations",
	utility_total: "Totals of utilities",
	area_total: "Totals of areas",
};

function distributionGaps({ dg }: Queues): Missing[] {
	if (dg.length === 0) return [];
	const years = dg.map(({ source, editions, first, last }) => {
		const yearly = editions.filter((edition) => /^\d{4}$/.test(edition)).sort();
		const span = first === last ? first : `${first} to ${last}`;
		return gap("dg", `${sourceName(source)}: of ${yearly.length > 0 ? joinWords(yearly) : span} only.`);
	});
	const places = dgKinds.flatMap((kind) => {
		const ofKind = dg.filter((each) => each.kind === kind);
		if (ofKind.length === 0) return [gap("dg", `${kindNames[kind]} are not loaded.`)];
		return coverageGaps(ofKind.flatMap((each) => each.states)).map((where) =>
			gap("dg", `${kindNames[kind]}: ${where}.`),
		);
	});
	return [...years, ...places];
}

/** Lists the covered or the missing states, whichever are fewer; empty if every state is covered. Territories are not expected. */
function coverageGaps(present: readonly string[]): string[] {
	const covered = [...new Set(present)].sort();
	const missing = states.filter((state) => !covered.includes(state));
	if (missing.length === 0) return [];
	return [covered.length <= missing.length ? `of ${joinWords(covered)} alone` : `none in ${joinWords(missing)}`];
}

function datacenterGaps({ datacenters, load_requests }: Queues): Missing[] {
	const publishers = load_requests.filter(({ requests }) => requests > 0).map(({ region }) => region);
	const others = load_requests.filter(({ requests }) => requests === 0).map(({ region }) => region);
	const why = publishers.length === 0 ? "no loaded list has any" : `${joinWords(publishers)} alone publishes them`;
	return [
		...datacenters.flatMap(({ source, states: present }) =>
			coverageGaps(present).map((where) => gap("datacenters", `${sourceName(source)}: ${where}.`)),
		),
		...(others.length === 0
			? []
			: [gap("datacenters", `No load request of ${others.join(", ")} is known: ${why} row by row.`)]),
	];
}

type Market = Queues["market"][number];

/** The markets that every operator runs. */
const expectedMarkets: readonly MarketName[] = ["day_ahead", "real_time"];

function marketGaps({ market }: Queues): Missing[] {
	const of = (iso: string) => market.filter((each) => each.iso === iso);
	const unpriced = regions.filter((region) => of(region).length === 0);
	return [
		...market.flatMap((each) => [
			...(each.finest_interval === "month"
				? [
						`The license of ${each.iso} (${each.market}) allows only monthly averages: hours, days and incomplete months are withheld.`,
					]
				: []),
			`Of ${each.iso} (${each.market}) ${spanText(each)}, of ${listPlaces(each)}.`,
		]),
		...regions
			.filter((region) => !unpriced.includes(region))
			.flatMap((region) =>
				expectedMarkets
					.filter((name) => of(region).every((each) => each.market !== name))
					.map((name) => `No ${name} prices of ${region} are loaded.`),
			),
		...(unpriced.length === 0 ? [] : [`No prices of ${unpriced.join(", ")} are loaded.`]),
	].map((missing) => gap("market", missing));
}

const countText = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

/** The days are UTC days, because prices are counted by them. */
const spanText = ({ days, first, last }: Market): string =>
	`${countText(days, "day")} between ${first?.slice(0, 10)} and ${last?.slice(0, 10)} (UTC) ${days === 1 ? "is" : "are"} loaded`;

function listPlaces({ hubs, zones, interfaces, nodes }: Market): string {
	const all = Object.entries({ hub: hubs, zone: zones, interface: interfaces, node: nodes });
	const loaded = all.filter(([, n]) => n > 0).map(([word, n]) => countText(n, word));
	const missing = all.filter(([, n]) => n === 0).map(([word]) => `no ${word}`);
	return `${joinWords(loaded)}${missing.length === 0 ? "" : ` (${missing.join(", ")})`}`;
}
