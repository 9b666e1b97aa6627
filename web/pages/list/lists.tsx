/** The list pages. Each declares, for its operation, the frequent filters, the columns, and the links in rows. */
import type { ComponentChildren } from "preact";
import type { OperationName, Params, Reply } from "#libs/contract/index.ts";
import { stageLabel } from "../../lib/requests/labels.ts";
import { DeveloperLink, ProjectLink } from "../../lib/requests/project-link.tsx";
import { count, counted, percent, safeText } from "../../lib/text/format.ts";
import { unknown } from "./cells.tsx";
import type { Query } from "./filter-form.tsx";
import { PriceChart } from "./price-chart.tsx";

type ListName = Extract<
	OperationName,
	| ("listDevelopers" | "listInvestable" | "listEvents" | "listPois" | "listPlants" | "listGenerators")
	| ("listItcDeals" | "getCapitalLeaderboard")
	| ("listDatacenters" | "listDatacenterPipeline" | "listMarketPrices")
>;
type RowOf<N extends ListName> = Reply<N>["data"][number];

interface List<N extends ListName, Row = RowOf<N>, Answer = Reply<N>> {
	operation: N;
	/** Noun for a row, whose plural is formed with s. */
	noun: string;
	/** Datasets in /catalog/data that the rows come from. */
	datasets: readonly string[];
	/** Filters that are always shown. */
	filters: readonly (keyof Params<N> & string)[];
	labels?: Partial<Record<keyof Params<N>, string>>;
	/** The query of the page if its URL has none. */
	initial?: Query;
	/** Returns the query that replaces `initial` if `initial` has no rows. */
	opensOn?: (answer: Answer) => Query | undefined;
	/** Filters that are removed when a filter is set, because the operation refuses the combination. */
	replaces?: Partial<Record<keyof Params<N>, readonly string[]>>;
	/** The columns. If `cell` is absent, the value is formatted according to its schema. */
	columns: readonly [field: keyof Row & string, heading: string, cell?: (row: Row) => ComponentChildren][];
	/** The numeric field that determines the size of a row's circle on the map and of the bar in its first column. */
	measure?: keyof Row & string;
	/** Path of the export of the same rows. */
	file?: `/export/${string}`;
	/** Returns a text or a chart to show before the table. `titles` has the titles of the sources. */
	before?: (answer: Answer, query: Query, titles: ReadonlyMap<string, string>) => ComponentChildren;
}

/** A list with rows of any type. */
export type AnyList = List<ListName, Record<string, unknown>, Page>;
export interface Page {
	data: Record<string, unknown>[];
	meta: { total: number; coverage?: Record<string, string | null> };
}

const define = <N extends ListName>(list: List<N>): AnyList => list as unknown as AnyList;

const outside = (url: string, text: string): ComponentChildren =>
	/^https?:/.test(url) ? (
		<a href={url} rel="noopener noreferrer">
			{safeText(text)}
		</a>
	) : (
		safeText(text)
	);

const linkTo = (path: string, query: Record<string, string | number>, text: ComponentChildren) => (
	<a href={`${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`}>
		{text}
	</a>
);

/** The first columns of lists of scored requests. */
const requestColumns: List<"listInvestable" | "listItcDeals">["columns"] = [
	["name", "Request", (row) => <ProjectLink {...row} fallback={row.queue_id} />],
	["region", "Operator"],
	["state", "State"],
	[
		"developer_canonical",
		"Developer",
		({ developer_canonical, developer }) => developer_canonical ?? developer ?? unknown,
	],
	["type_std", "Technology"],
	["capacity_mw", "Capacity"],
];

export const lists: Readonly<Record<string, AnyList>> = {
	"/developers": define<"listDevelopers">({
		operation: "listDevelopers",
		noun: "developer",
		datasets: ["developers", "queues"],
		filters: ["q", "tier", "state", "min_projects", "needs_capital"],
		labels: { q: "Name", min_projects: "Requests, at least", needs_capital: "Needs capital" },
		initial: { sort: "active_capacity_mw" },
		measure: "active_capacity_mw",
		columns: [
			[
				"canonical_name",
				"Developer",
				({ developer_id, canonical_name }) => <DeveloperLink id={developer_id} name={canonical_name} />,
			],
			["tier", "Tier"],
			["active_capacity_mw", "Active"],
			["in_construction_mw", "Under construction"],
			["operating_capacity_mw", "Operating"],
			["total_projects", "Requests"],
			["operational_projects", "In operation"],
			["withdrawn_projects", "Withdrawn"],
			[
				"completion_rate",
				"Completed",
				({ completion_rate, operational_projects, withdrawn_projects }) =>
					completion_rate === null
						? unknown
						: `${percent(completion_rate)} of ${count(operational_projects + withdrawn_projects)}`,
			],
			["states_active", "States"],
			["primary_technologies", "Technologies"],
			["needs_capital", "Needs capital"],
		],
		file: "/export/developers",
	}),
	"/investable": define<"listInvestable">({
		operation: "listInvestable",
		noun: "request",
		datasets: ["queues", "scores"],
		filters: ["region", "state", "fuel_type", "min_p", "max_months", "min_mw"],
		labels: { min_p: "Chance, at least", max_months: "Months, maximum", min_mw: "Capacity added, at least" },
		measure: "p_cod_36",
		columns: [
			...requestColumns,
			["p_cod_36", "Chance of operating within 36 months", chanceOf],
			["facts_as_of", "Facts from the list of"],
			["cod", "Projected operation"],
			// An executed agreement is one of the criteria.
			["construction_stage", "Stage", ({ construction_stage }) => stageLabel(construction_stage, "IA Executed")],
			["investability_score", "Score"],
			["grade", "Grade"],
			["network_upgrade_usd_per_kw", "Network upgrades"],
			["estimated_credit_value", "Tax credit if built in time"],
		],
		before: ({ criteria, meta: { left_out } }) => <Criteria {...criteria} leftOut={left_out} />,
	}),
	"/deals/itc": define<"listItcDeals">({
		operation: "listItcDeals",
		noun: "request",
		datasets: ["queues", "scores"],
		filters: ["region", "state", "fuel_type", "min_rate", "status", "capacity_min"],
		labels: { min_rate: "Rate, at least", status: "Certainty of the credit" },
		measure: "expected_credit_value",
		columns: [
			...requestColumns,
			["effective_credit_rate", "Rate"],
			["tax_credit_status", "Certainty"],
			["estimated_credit_value", "Tax credit if built in time"],
			["p_credit", "Chance of that"],
			["expected_credit_value", "Expected value"],
			["cod", "Projected operation"],
			["facts_as_of", "Facts from the list of"],
		],
	}),
	"/capital/leaderboard": define<"getCapitalLeaderboard">({
		operation: "getCapitalLeaderboard",
		noun: "developer",
		datasets: ["developers", "capital_raises", "news"],
		filters: ["tier", "min_raised", "include_parent"],
		labels: { min_raised: "Raised, at least", include_parent: "Count events of parents" },
		measure: "capital_raised",
		columns: [
			["developer", "Developer", ({ developer_id, developer }) => <DeveloperLink id={developer_id} name={developer} />],
			["tier", "Tier"],
			["capital_raised", "Raised (Form D)"],
			["latest_raise", "Latest offering"],
			["late_stage_mw", "Late stage, not connected"],
			["active_capacity_mw", "Active"],
			["operational_capacity_mw", "Built"],
			["behind_schedule", "Requests behind schedule"],
			["distress_signal", "Distress", ({ distress_signal: { level } }) => level],
			["financing_events", "News of financing"],
			["distress_events", "News of distress"],
		],
	}),
	"/events": define<"listEvents">({
		operation: "listEvents",
		noun: "headline",
		datasets: ["news"],
		filters: ["developer", "event_type", "days", "since", "until"],
		labels: { event_type: "Class", days: "Last days", since: "First day", until: "Last day" },
		initial: { days: "365" },
		opensOn: ({ meta: { coverage } }) => (coverage?.news == null ? undefined : { until: coverage.news }),
		replaces: { days: ["since", "until"], since: ["days"], until: ["days"] },
		columns: [
			["published_at", "Published"],
			["title", "Headline", ({ url, title }) => outside(url, title)],
			[
				"developer_canonical",
				"Developer",
				({ developer_canonical: name }) => <a href={`/developers/${encodeURIComponent(name)}`}>{safeText(name)}</a>,
			],
			["event_type", "Class"],
			["domain", "Publication"],
			["match_confidence", "Confidence of the match"],
			["copies", "Also published on", ({ copies }) => (copies === 0 ? "None" : counted(copies, "other page"))],
		],
		before: ({ meta: { coverage } }, { until }) => (
			<p class="soft" data-newest>
				{coverage?.news == null
					? "No headline about a developer is loaded."
					: `The newest headline is from ${coverage.news}.${until === coverage.news ? " Headlines up to that day are shown." : ""}`}
			</p>
		),
	}),
	"/pois": define<"listPois">({
		operation: "listPois",
		noun: "point",
		datasets: ["queues"],
		filters: ["q", "region", "state"],
		labels: { q: "Name" },
		measure: "active_mw",
		columns: [
			[
				"name",
				"Point of interconnection",
				({ poi_id, name }) => <a href={`/pois/${encodeURIComponent(poi_id)}`}>{safeText(name)}</a>,
			],
			["voltage_kv", "Voltage"],
			["region", "Operator"],
			["state", "State"],
			["county", "County"],
			["active_requests", "Active requests"],
			["active_mw", "Active"],
			["operational_requests", "In operation"],
			["withdrawn_requests", "Withdrawn requests"],
			["withdrawn_mw", "Withdrawn"],
			["requests", "All requests"],
			["utility", "Transmission owner"],
		],
	}),
	"/datacenters": define<"listDatacenters">({
		operation: "listDatacenters",
		noun: "data center",
		datasets: ["datacenters"],
		filters: ["q", "operator", "state", "status", "capacity_min"],
		labels: { q: "Name, city or address", operator: "Operator" },
		measure: "capacity_mw",
		columns: [
			["name", "Data center", ({ name, operator }) => safeText(name ?? operator ?? "Without a name")],
			["operator", "Operator"],
			["status", "Status"],
			["city", "City"],
			["county", "County"],
			["state", "State"],
			["capacity_mw", "Capacity, estimated"],
			["facility_type", "Kind"],
			["year_opened", "Opened"],
			["source", "List"],
			["as_of", "Day of the list"],
		],
		before: ({ coverage: { not_loaded } }, _, titles) => (
			<p class="soft">
				Facilities that lists name. <NotLoaded feeds={not_loaded} titles={titles} /> Those that are planned:{" "}
				<a href="/datacenters/pipeline">planned data centers</a>.
			</p>
		),
	}),
	"/datacenters/pipeline": define<"listDatacenterPipeline">({
		operation: "listDatacenterPipeline",
		noun: "record",
		datasets: ["datacenters"],
		filters: ["q", "company", "state", "status", "record", "capacity_min"],
		labels: { q: "Name, town or county" },
		measure: "capacity_mw",
		columns: [
			[
				"name",
				"Data center",
				({ record, id, name }) =>
					record === "load_request" ? <ProjectLink id={id} name={name} /> : safeText(name ?? id),
			],
			["companies", "Companies"],
			["record", "Record"],
			["status_std", "Status"],
			["state", "State"],
			["county", "County"],
			["capacity_mw", "Capacity, as stated"],
			["announced", "Announced"],
			["opening_year", "Opens"],
			["region", "Operator"],
			["source", "List"],
			["as_of", "Day of the list"],
		],
		before: ({ coverage: { load_requests, not_loaded } }, _, titles) => (
			<p class="soft">
				Proposals of a tracker, and load requests that {load_requests.published_by.join(", ")} publish. No load requests
				are published by {load_requests.not_published_by.join(", ")}: the lack of a row there means nothing.{" "}
				<NotLoaded feeds={not_loaded} titles={titles} /> <a href="/datacenters">Existing data centers</a>.
			</p>
		),
	}),
	"/market/prices": define<"listMarketPrices">({
		operation: "listMarketPrices",
		noun: "price",
		datasets: ["market"],
		filters: ["region", "hub", "market", "interval", "from", "to"],
		labels: { hub: "Hub", from: "First day", to: "Last day" },
		initial: { market: "day_ahead", interval: "day" },
		columns: [
			[
				"hub",
				"Hub",
				({ iso, hub, hub_id, market, interval }) =>
					linkTo("/market/prices", { region: iso, hub: hub_id, market, interval }, safeText(hub)),
			],
			["iso", "Operator"],
			["market", "Market"],
			["local_date", "Day"],
			["hour_ending", "Hour ending"],
			["lmp_usd_mwh", "Price"],
			["min_lmp_usd_mwh", "Lowest hour"],
			["max_lmp_usd_mwh", "Highest hour"],
			["energy_usd_mwh", "Energy"],
			["congestion_usd_mwh", "Congestion"],
			["loss_usd_mwh", "Losses"],
			["hours", "Hours"],
			["complete", "Complete"],
			["source", "Feed", ({ source }) => <span class="day">{source}</span>],
		],
		before: ({ data, meta: { withheld } }) => (
			<>
				{withheld.map(({ iso, reason }) => (
					<p key={iso} class="soft">
						{iso} is not shown here: {safeText(reason, 400)}.
					</p>
				))}
				<PriceChart prices={data} />
			</>
		),
		file: "/export/prices",
	}),
	"/grid/plants": define<"listPlants">({
		operation: "listPlants",
		noun: "plant",
		datasets: ["grid"],
		filters: ["q", "state", "technology", "utility", "owner", "capacity_min"],
		labels: { q: "Plant", utility: "Operator", capacity_min: "Operable, at least", nerc_region: "NERC region" },
		initial: { sort: "operable_mw", order: "desc" },
		measure: "operable_mw",
		columns: [
			["name", "Plant"],
			["plant_id", "EIA code"],
			["utility_name", "Operator"],
			["owners", "Owners"],
			["state", "State"],
			["county", "County"],
			["technologies", "Technologies"],
			["operable_mw", "Operable"],
			["proposed_mw", "Proposed"],
			[
				"generators",
				"Generators",
				({ plant_id, year, generators }) => linkTo("/grid/generators", { plant_id, year }, count(generators)),
			],
			["balancing_authority", "Balancing authority"],
			["linked_requests", "Linked requests"],
			["year", "Year"],
		],
		before: ({ coverage }) => <FormCoverage coverage={coverage} />,
		file: "/export/plants",
	}),
	"/grid/generators": define<"listGenerators">({
		operation: "listGenerators",
		noun: "generator",
		datasets: ["grid"],
		filters: ["state", "technology", "stage", "utility", "capacity_min", "plant_id"],
		labels: { utility: "Operator", plant_id: "EIA code of the plant" },
		measure: "capacity_mw",
		columns: [
			[
				"plant_name",
				"Plant",
				({ plant_id, plant_name }) => linkTo("/grid/plants", { plant_id }, safeText(plant_name ?? String(plant_id))),
			],
			["generator_id", "Generator"],
			["utility_name", "Operator"],
			["state", "State"],
			["county", "County"],
			["technology", "Technology"],
			["stage", "Stage"],
			["status_text", "Status"],
			["capacity_mw", "Nameplate"],
			["summer_mw", "Net summer"],
			["operating_year", "In operation"],
			["year", "Year of the form"],
		],
		before: ({ coverage }) => <FormCoverage coverage={coverage} />,
	}),
};

function chanceOf({ p_cod_36, p_cod_36_low, p_cod_36_high }: RowOf<"listInvestable">) {
	if (p_cod_36 === null) return unknown;
	return (
		<>
			{percent(p_cod_36)}{" "}
			{p_cod_36_low !== null && p_cod_36_high !== null && (
				<span class="soft">
					({percent(p_cod_36_low)} to {percent(p_cod_36_high)})
				</span>
			)}
		</>
	);
}

type Investable = Reply<"listInvestable">;
type LeftOut = Investable["meta"]["left_out"];

/** In the order in which the criteria are tested. */
const missedWords: Readonly<Record<keyof LeftOut, string>> = {
	suspended: "suspended",
	no_agreement: "without an executed agreement",
	no_date: "without a projected date",
	date_passed: "with a projected date that had passed on the day of the list",
	date_passed_since: "with a projected date that has passed since",
	date_too_far: "projected too far ahead",
	too_small: "that add too little capacity",
	no_chance: "whose operator has too few past requests to state a chance",
	chance_too_low: "with a lower chance",
};

function Criteria({ min_p, max_months, min_mw, agreement, leftOut }: Investable["criteria"] & { leftOut: LeftOut }) {
	const missed = (Object.keys(missedWords) as (keyof LeftOut)[]).filter((name) => leftOut[name] > 0);
	return (
		<>
			<details class="soft">
				<summary>
					Each has an executed agreement, adds at least {count(min_mw)} MW, is projected to operate within {max_months}{" "}
					months, and has a chance of at least {percent(min_p)} of operating{" "}
					{max_months === 36 ? "by then" : "within 36 months"}.
				</summary>
				<p>
					None was energized or operating on the day of the operator's list. Later changes are not known. Months are
					counted from that day. <a href="/scores">How often such chances were right</a>. An agreement counts as
					executed by:
				</p>
				<ul>
					{Object.entries(agreement).map(([region, evidence]) => (
						<li key={region}>
							{region}: {safeText(evidence, 400)}
						</li>
					))}
				</ul>
			</details>
			<p class="soft" data-left-out>
				Not listed, of the scored requests that match the filters:{" "}
				{missed.map((name) => `${count(leftOut[name])} ${missedWords[name]}`).join("; ") || "none"}. Each is counted for
				the first criterion that it misses.
			</p>
		</>
	);
}

const NotLoaded = ({ feeds, titles }: { feeds: readonly string[]; titles: ReadonlyMap<string, string> }) =>
	feeds.length > 0 && (
		<b data-not-loaded>
			Not loaded: {feeds.map((feed) => titles.get(feed) ?? feed).join("; ")}. What{" "}
			{feeds.length === 1 ? "it contains" : "they contain"} is not known.
		</b>
	);

/** The year shown, and the schedules that are missing for it. */
function FormCoverage({ coverage }: Pick<Reply<"listPlants">, "coverage">) {
	const year = coverage.find(({ shown }) => shown);
	if (year === undefined) return null;
	return (
		<p class="soft">
			Form EIA-860 of {year.year}.{" "}
			{year.missing.length > 0 &&
				`The list is incomplete: the schedules ${year.missing.join(", ")} are not loaded. Plants are missing, and sums are too low.`}
		</p>
	);
}
