/** States in sentences which data is not loaded, so that readers do not conclude that it does not exist. */
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
	/** Undefined if its owner did not respond; then nothing is stated about its data. */
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

/** The gap for sample data. It is listed first because it applies to every entry after it. */
function sampleGaps(sampled: readonly Database[]): Missing[] {
	const note = sampleNote(sampled);
	if (note === undefined) return [];
	const theirs = datasetNotes.filter(({ database }) => sampled.includes(database));
	return [gap(theirs.length === datasetNotes.length ? "all" : theirs.map(({ name }) => name).join(", "), note)];
}

/** A field that fewer requests have counts as not published (share). */
const leastShare = 0.05;

/** Fields that an operator is expected to publish for every request. */
const expectedFields = ["name", "developer", "county", "queue_date", "cod", "poi", "utility", "study_phase"];
/** Fields expected only for requests of this status. */
const expectedByStatus = { withdrawn_date: "Withdrawn", actual_cod: "Operational" } as const;

function queueGaps({ queues }: Queues): Missing[] {
	return queues.flatMap((queue) => {
		const { region, loaded, lists, by_status: tally } = queue;
		if (!loaded) return [gap("queues", `No list of ${region} is loaded.`)];
		const absent = lists.filter(({ as_of: at }) => at === null).map(({ source }) => source);
		const unstated = unpublishedFields(queue);
		const none = statuses.filter((status) => status !== "Unknown" && (tally[status] ?? 0) === 0);
		return [
			...absent.map((source) => `The list ${source} of ${region} is not loaded.`),
			...(unstated.length === 0
				? []
				: [`${region} does not publish ${unstated.join(", ")} (or only for fewer than 5 % of its requests).`]),
			...(none.length === 0 ? [] : [`No request of ${region} is ${none.join(", ")}: its loaded lists have none.`]),
		].map((missing) => gap("queues", missing));
	});
}

function unpublishedFields({ filled, requests, by_status: tally }: Queues["queues"][number]): string[] {
	const ended = Object.entries(expectedByStatus).filter(([field, status]) => {
		const theirs = tally[status] ?? 0;
		return theirs > 0 && ((filled[field] ?? 0) * requests) / theirs < leastShare;
	});
	return [
		...expectedFields.filter((field) => (filled[field] ?? 0) < leastShare),
		...ended.map(([field, status]) => `${field} of ${status} requests`),
	];
}

/** Sources and databases without records. Operators' lists have sentences of their own. */
function sourceGaps(sources: readonly SourceRow[], queues: Queues | undefined): Missing[] {
	const operatorLists = new Set(queues?.queues.flatMap(({ lists }) => lists.map(({ source }) => source)));
	const empty = sources.filter(({ source, records }) => records === 0 && !operatorLists.has(source));
	return [
		...databases.flatMap((database) => {
			const theirs = sources.filter((row) => row.database === database);
			const isEmpty = theirs.length > 0 && theirs.every(({ records }) => records === 0);
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

/** The missing schedules other than the generator schedule, whose absence has a separate entry. */
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
		const theirs = dg.filter((each) => each.kind === kind);
		if (theirs.length === 0) return [gap("dg", `${kindNames[kind]} are not loaded.`)];
		return coverageGaps(theirs.flatMap((each) => each.states)).map((where) =>
			gap("dg", `${kindNames[kind]}: ${where}.`),
		);
	});
	return [...years, ...places];
}

/** A text about the states that are covered or missing; none if every state is covered. Territories are not expected. */
function coverageGaps(present: readonly string[]): string[] {
	const there = [...new Set(present)].sort();
	const lacking = states.filter((state) => !there.includes(state));
	if (lacking.length === 0) return [];
	return [there.length <= lacking.length ? `of ${joinWords(there)} alone` : `none in ${joinWords(lacking)}`];
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

/** The markets that every operator has. */
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

/** Days are UTC, as the prices were counted. */
const spanText = ({ days, first, last }: Market): string =>
	`${countText(days, "day")} between ${first?.slice(0, 10)} and ${last?.slice(0, 10)} (UTC) ${days === 1 ? "is" : "are"} loaded`;

function listPlaces({ hubs, zones, interfaces, nodes }: Market): string {
	const all = Object.entries({ hub: hubs, zone: zones, interface: interfaces, node: nodes });
	const there = all.filter(([, n]) => n > 0).map(([word, n]) => countText(n, word));
	const none = all.filter(([, n]) => n === 0).map(([word]) => `no ${word}`);
	return `${joinWords(there)}${none.length === 0 ? "" : ` (${none.join(", ")})`}`;
}
