/** What is missing of the datasets beside the queues: computed from what is there, place by place and market by market. */
import type { Reply } from "#libs/contract/index.ts";
import { type DgKind, dgKinds, type MarketName, regions, states } from "#libs/contract/vocabulary.ts";
import { sourceNotes } from "./source-notes.ts";

export type Missing = Reply<"getCoverage">["missing"][number];
type Queues = Reply<"describeCoverage">;

export const say = (dataset: string, missing: string): Missing => ({ dataset, missing });

/** "A, B and C" */
export const listed = (words: readonly string[]): string => new Intl.ListFormat("en-GB").format(words);

export const named = (source: string): string => `${sourceNotes[source]?.title ?? source} (${source})`;

const kindWords: Record<DgKind, string> = {
	installation: "Single installations",
	utility_total: "Totals of utilities",
	area_total: "Totals of areas",
};

export function ofDistribution({ dg }: Queues): Missing[] {
	if (dg.length === 0) return [];
	const years = dg.map(({ source, editions, first, last }) => {
		const yearly = editions.filter((edition) => /^\d{4}$/.test(edition)).sort();
		const span = first === last ? first : `${first} to ${last}`;
		return say("dg", `${named(source)}: of ${yearly.length > 0 ? listed(yearly) : span} only.`);
	});
	const places = dgKinds.flatMap((kind) => {
		const theirs = dg.filter((each) => each.kind === kind);
		if (theirs.length === 0) return [say("dg", `${kindWords[kind]} are not loaded.`)];
		return elsewhere(theirs.flatMap((each) => each.states)).map((where) => say("dg", `${kindWords[kind]}: ${where}.`));
	});
	return [...years, ...places];
}

/** Nothing where every state is there; territories are not expected. */
function elsewhere(present: readonly string[]): string[] {
	const there = [...new Set(present)].sort();
	const lacking = states.filter((state) => !there.includes(state));
	if (lacking.length === 0) return [];
	return [there.length <= lacking.length ? `of ${listed(there)} alone` : `none in ${listed(lacking)}`];
}

export function ofDatacenters({ datacenters, load_requests }: Queues): Missing[] {
	const publishers = load_requests.filter(({ requests }) => requests > 0).map(({ region }) => region);
	const others = load_requests.filter(({ requests }) => requests === 0).map(({ region }) => region);
	const why = publishers.length === 0 ? "no list that is loaded has any" : `${listed(publishers)} alone publishes them`;
	return [
		...datacenters.flatMap(({ source, states: present }) =>
			elsewhere(present).map((where) => say("datacenters", `${named(source)}: ${where}.`)),
		),
		...(others.length === 0
			? []
			: [say("datacenters", `No request of a load is known of ${others.join(", ")}: ${why} row by row.`)]),
	];
}

type Market = Queues["market"][number];

/** Every operator has these two; the commitment run is one operator's own. */
const usual: readonly MarketName[] = ["day_ahead", "real_time"];

export function ofMarket({ market }: Queues): Missing[] {
	const of = (iso: string) => market.filter((each) => each.iso === iso);
	const unpriced = regions.filter((region) => of(region).length === 0);
	return [
		...market.flatMap((each) => [
			...(each.finest_interval === "month"
				? [
						`Of ${each.iso} (${each.market}) the licence allows monthly averages only: hours and days are withheld, and months that are not whole.`,
					]
				: []),
			`Of ${each.iso} (${each.market}) ${spanOf(each)}, of ${placesOf(each)}.`,
		]),
		...regions
			.filter((region) => !unpriced.includes(region))
			.flatMap((region) =>
				usual
					.filter((name) => of(region).every((each) => each.market !== name))
					.map((name) => `No ${name} prices of ${region} are loaded.`),
			),
		...(unpriced.length === 0 ? [] : [`No prices of ${unpriced.join(", ")} are loaded.`]),
	].map((missing) => say("market", missing));
}

const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

/** By the moments that were counted, which are UTC. */
const spanOf = ({ days, first, last }: Market): string =>
	`${counted(days, "day")} between ${first?.slice(0, 10)} and ${last?.slice(0, 10)} (UTC) ${days === 1 ? "is" : "are"} loaded`;

function placesOf({ hubs, zones, interfaces, nodes }: Market): string {
	const all = Object.entries({ hub: hubs, zone: zones, interface: interfaces, node: nodes });
	const there = all.filter(([, n]) => n > 0).map(([word, n]) => counted(n, word));
	const none = all.filter(([, n]) => n === 0).map(([word]) => `no ${word}`);
	return `${listed(there)}${none.length === 0 ? "" : ` (${none.join(", ")})`}`;
}
