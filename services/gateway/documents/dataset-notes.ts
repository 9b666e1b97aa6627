/** The datasets: what each contains, its SQL database, its endpoints and its sources. */
import type { Database } from "#libs/contract/databases.ts";
import { regions } from "#libs/contract/vocabulary.ts";

export interface DatasetNote {
	name: string;
	title: string;
	description: string;
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
		description: `Every generation request of ${regions.length} grid operators as last published, standardised, with its history and what changed from list to list.`,
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
		database: "signals",
		rows: "/events",
		paths: /^\/(events|developers\/\{developer_id\}\/events)/,
		sources: ["news"],
	},
	{
		name: "material_events",
		title: "Current reports (8-K)",
		description: "Filings of events that matter to lenders and buyers: debt, equity, deals, agreements, distress.",
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
		database: "signals",
		rows: "/ma-events",
		paths: /^\/ma-events/,
		sources: [],
	},
	{
		name: "capital_raises",
		title: "Exempt offerings (Form D)",
		description: "What issuers say they offer and have sold, amendment by amendment.",
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
		database: "scoring",
		rows: "/investable",
		paths: /^\/(score|investable|deals|tax-credits|capital\/leaderboard)/,
		sources: ["energy-communities", "low-income", "ic-costs"],
	},
	{
		name: "grid",
		title: "Power plants (EIA-860)",
		description: "Plants, generators, utilities and owners, year by year, as reported to the EIA.",
		database: "grid",
		rows: "/grid/plants",
		paths: /^\/(grid|projects\/\{project_id\}\/ownership)/,
		sources: ["eia860"],
	},
	{
		name: "dg",
		title: "Distributed generation",
		description: "Small plants behind the meter and on distribution grids: by utility, by area, and by installation.",
		database: "dg",
		rows: "/dg",
		paths: /^\/dg/,
		sources: ["nyserda-der"],
	},
	{
		name: "datacenters",
		title: "Data centers",
		description: "Facilities that stand, and those that are proposed or ask an operator for a connection.",
		database: "datacenter",
		rows: "/datacenters",
		paths: /^\/datacenters/,
		sources: [],
	},
	{
		name: "market",
		title: "Wholesale prices",
		description: "Locational prices of hubs and zones by hour, with daily and monthly averages.",
		database: "market",
		rows: "/market/prices",
		paths: /^\/market/,
		sources: [],
	},
];

/** The dataset that a source belongs to. */
export function datasetOf(source: string, database: string): DatasetNote {
	const found =
		datasetNotes.find(({ sources }) => sources.includes(source)) ??
		datasetNotes.find((dataset) => dataset.database === database) ??
		datasetNotes[0];
	if (found === undefined) throw new Error("there is no dataset");
	return found;
}
