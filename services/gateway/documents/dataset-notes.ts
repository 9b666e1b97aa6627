/** Notes on the datasets: what each contains, which questions it does not answer, its SQL database, endpoints and sources. */
import type { Database } from "#libs/contract/databases.ts";
import { type DatasetName, regions } from "#libs/contract/vocabulary.ts";

export interface DatasetNote {
	name: DatasetName;
	title: string;
	description: string;
	/** Facts that a reader may expect in the dataset, but that it does not contain. */
	unanswered: readonly string[];
	database: Database;
	rows: `/${string}`;
	paths: RegExp;
	/** Names in the columns `source` or `feed`. A source that no dataset names belongs to the first dataset of its database. */
	sources: readonly string[];
}

export const datasetNotes: readonly DatasetNote[] = [
	{
		name: "queues",
		title: "Interconnection queues",
		description: `Every generation request of ${regions.length} grid operators as last published, standardized, with its history and what changed from list to list.`,
		unanswered: [
			"Whether a project will be built, or who finances it: a request is an application to connect.",
			"Where a plant stands: `lat` and `lon` are those of the point of interconnection, or the center of the county or state (`location_precision`).",
			"Deadlines of interconnection agreements: no operator publishes them.",
			"Queues of most utilities outside the grid operators, and of distribution grids.",
		],
		database: "master",
		rows: "/projects",
		paths:
			/^\/(projects|changes|compare|search|stats|export|archive|queue\/integrity|pois|validate|verify|resolve|files)/,
		sources: ["lbnl"],
	},
	{
		name: "developers",
		title: "Developers",
		description: "The companies behind the requests, by the names they file under, with tiers, parents and portfolios.",
		unanswered: [
			"Legal ownership: names are matched by rules, and a parent is missing where no source states one.",
			"Projects that no loaded queue lists, and portfolios outside the United States.",
			"Revenue, debt, credit ratings and other financials.",
		],
		database: "developer",
		rows: "/developers",
		paths: /^\/(developers|search|export\/developers)/,
		sources: [],
	},
	{
		name: "news",
		title: "News about developers",
		description:
			"Headlines classified into financing, distress, litigation, M&A, projects and mentions, matched to developers.",
		unanswered: [
			"Whether a headline is true, or what the rest of the article reports: headlines are classified, not verified.",
			"Events that no loaded news feed reported.",
		],
		database: "signals",
		rows: "/events",
		paths: /^\/(events|developers\/\{developer_id\}\/events)/,
		sources: ["news"],
	},
	{
		name: "material_events",
		title: "Current reports (8-K)",
		description: "Filings of events that matter to lenders and buyers: debt, equity, deals, agreements, distress.",
		unanswered: [
			"Events of companies that do not file with the SEC.",
			"Terms of an agreement: read the filing at its link.",
		],
		database: "signals",
		rows: "/material-events",
		paths: /^\/material-events/,
		sources: ["8-k"],
	},
	{
		name: "ma_events",
		title: "Changes of ownership",
		description:
			"Operating plants that changed owners between two years of EIA-860, and queue positions that changed developers between two lists. Derived.",
		unanswered: [
			"Price, terms and closing date of a transaction: events are derived from lists.",
			"Sales of a parent company that leave the filed owner or developer as it was.",
		],
		database: "signals",
		rows: "/ma-events",
		paths: /^\/ma-events/,
		sources: [],
	},
	{
		name: "capital_raises",
		title: "Exempt offerings (Form D)",
		description: "The amounts that issuers report as offered and sold, amendment by amendment.",
		unanswered: [
			"Loans, public offerings, and raises for which no Form D was filed.",
			"Which project the money is for, and the value of the company.",
		],
		database: "capital",
		rows: "/capital-raises",
		paths: /^\/(capital|developers\/\{developer_id\}\/capital)/,
		sources: ["form-d"],
	},
	{
		name: "scores",
		title: "Scores and tax credits",
		description:
			"Investability of each open request, the tax credit it can claim, distress of each developer; derived, with the reference lists they rest on.",
		unanswered: [
			"Whether a tax credit was claimed, transferred or allowed: figures are calculated from filed data and are not tax advice.",
			"Whether a plant will be profitable: a chance is that of operating within a number of months.",
			"Requests that have ended, and those of utilities: they are not scored.",
		],
		database: "scoring",
		rows: "/investable",
		paths: /^\/(score|investable|deals|tax-credits|capital\/leaderboard)/,
		sources: ["energy-communities", "low-income", "ic-costs"],
	},
	{
		name: "grid",
		title: "Power plants (EIA-860)",
		description: "Plants, generators, utilities and owners, year by year, as reported to the EIA.",
		unanswered: [
			"Output, outages, fuel use and revenue: form EIA-860 describes equipment.",
			"Plants below 1 MW, and changes since the last loaded year.",
		],
		database: "grid",
		rows: "/grid/plants",
		paths: /^\/(grid|projects\/\{project_id\}\/ownership)/,
		sources: ["eia860"],
	},
	{
		name: "dg",
		title: "Distributed generation",
		description: "Small plants behind the meter and on distribution grids: by utility, by area, and by installation.",
		unanswered: [
			"Single installations in states whose lists are not loaded.",
			"Hosting capacity of feeders. Totals of sources overlap: never add them up.",
		],
		database: "dg",
		rows: "/dg",
		paths: /^\/dg/,
		sources: ["nyserda-der"],
	},
	{
		name: "datacenters",
		title: "Data centers",
		description: "Existing facilities, and those that are proposed or have requested a connection from an operator.",
		unanswered: [
			"Sites that no loaded list names, and the tenants of a site.",
			"Electricity use. Capacity is missing where a list does not estimate one.",
		],
		database: "datacenter",
		rows: "/datacenters",
		paths: /^\/datacenters/,
		sources: [],
	},
	{
		name: "market",
		title: "Wholesale prices",
		description: "Locational prices of hubs and zones by hour, with daily and monthly averages.",
		unanswered: [
			"Prices of nodes for which only hubs or zones are loaded, and forecasts.",
			"Hours and days where a license allows only monthly averages.",
			"Capacity and ancillary service prices, and contract prices (PPA).",
		],
		database: "market",
		rows: "/market/prices",
		paths: /^\/market/,
		sources: [],
	},
];

/** The dataset that a source belongs to. */
export function datasetOf(source: string, database: string): DatasetNote {
	const note =
		datasetNotes.find(({ sources }) => sources.includes(source)) ??
		datasetNotes.find((dataset) => dataset.database === database) ??
		datasetNotes[0];
	if (note === undefined) throw new Error("there are no dataset notes");
	return note;
}
