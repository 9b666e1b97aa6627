/** Title, heading and lead of each page for browsers. The server sends them; the page's script adds the rest. */

import { about } from "#libs/contract/documents/about.ts";
import type { OperationName, Reply } from "#libs/contract/index.ts";
import { type Guide, guides, guidesPath } from "../documents/guides.ts";

export interface PageText {
	/** Folder in web/pages. */
	folder: string;
	title: string;
	heading: string;
	lead: string;
	/** A sentence that says what programs get instead of the page. */
	footer?: string;
	/** Address of the page's Atom feed. */
	feed?: string;
	/** The page contains the description of the data for search engines (schema.org). */
	describesData?: true;
	/** The page's script starts workers, which needs another policy. */
	hasWorkers?: true;
}

const documents = "For programs: /openapi.json, /asyncapi.json, /llms.txt and /catalog contain the same reference.";

/** The account page. Its script shows a form to get a key, or the account of the stored key. */
const account: PageText = {
	folder: "account",
	title: `Account - ${about.name}`,
	heading: "Your key and your account",
	lead: "Get a free key. See what it has used, and manage its webhooks and watchlists.",
};

const listText = (title: string, heading: string, lead: string): PageText => ({
	folder: "list",
	title: `${title} - ${about.name}`,
	heading,
	lead,
});

/** Pages for operations that list rows; their form and table are generated. */
export const listPages: Partial<Record<OperationName, PageText>> = {
	listDevelopers: listText(
		"Developers",
		"Developers",
		"The companies behind the interconnection requests: what they have in the queues, what they have built, and what they withdrew. Operators name few developers of withdrawn requests, so a share of completed ones is an upper bound.",
	),
	listInvestable: listText(
		"Investable requests",
		"Investable requests",
		"Requests with an executed agreement, a projected date within 36 months, and at least an even chance of operating within 36 months.",
	),
	listItcDeals: listText(
		"Investment tax credits",
		"Requests with an investment tax credit",
		"What the credit of each open request is worth by the law of its projected date, and the chance that the plant operates in time for it.",
	),
	getCapitalLeaderboard: listText(
		"Capital",
		"Capital raised by developers",
		"What developers raised by their filings with the SEC, what they have built and have yet to build, and signs of distress.",
	),
	listEvents: {
		...listText(
			"News",
			"News about developers",
			"Headlines about developers, classified as financing, distress, litigation, acquisitions and projects.",
		),
		feed: "/events.atom",
	},
	listPois: listText(
		"Points of interconnection",
		"Points of interconnection",
		"The substations and lines at which requests join the grid, and how many megawatts wait, operate or were withdrawn at each.",
	),
	listDatacenters: listText(
		"Data centers",
		"Data centers",
		"Existing data centers by operator and place, with power where a list estimates it.",
	),
	listDatacenterPipeline: listText(
		"Planned data centers",
		"Planned data centers",
		"Proposed data centers, and the load requests of data centers that grid operators publish.",
	),
	listMarketPrices: listText(
		"Power prices",
		"Wholesale power prices",
		"Day-ahead and real-time prices at the hubs of the grid operators: by hour, day and month.",
	),
	listPlants: listText(
		"Power plants",
		"Power plants",
		"The plants of form EIA-860 in one year: operator, owners, technology, capacity and grid connection.",
	),
	listGenerators: listText(
		"Generators",
		"Generators",
		"The generators of form EIA-860 in one year: stage, technology and capacity.",
	),
};

export const pagesOfOperations: Partial<Record<OperationName, PageText>> = {
	...listPages,
	getPoi: {
		folder: "poi",
		title: `Point of interconnection - ${about.name}`,
		heading: "Point of interconnection",
		lead: "The requests at one substation or line, who is ahead of whom, and what studies say that upgrades cost.",
	},
	getManifest: {
		folder: "home",
		title: about.name,
		heading: "Every US interconnection request, and how likely it is to be built",
		lead: "The queues of seven grid operators and of utilities: who is behind each request, what changed since yesterday, and which tax credit it can claim.",
		describesData: true,
	},
	getProject: {
		folder: "project",
		title: `Interconnection request - ${about.name}`,
		heading: "Interconnection request",
		lead: "The facts that its grid operator filed, its history, and how its score is computed.",
		hasWorkers: true,
	},
	listChanges: {
		folder: "changes",
		title: `Changes - ${about.name}`,
		heading: "What changed in the queues",
		lead: "Every difference between two lists of an operator, and what became of the requests between any two days.",
		feed: "/changes.atom",
	},
	getDeveloper: {
		folder: "developer",
		title: `Developer - ${about.name}`,
		heading: "Developer",
		lead: "Its requests, what became of them, and the companies that it files under.",
	},
	getReconciliation: {
		folder: "reconciliation",
		title: `Reconciliation - ${about.name}`,
		heading: "Our totals compared with other publishers'",
		lead: "Each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals. Every difference has a reason, and the reasons add up.",
	},
	getRegisterPage: {
		...account,
		footer: "Programs get a key by POST /register with an email, as JSON or as a form.",
	},
	getDocs: {
		folder: "docs",
		title: `Documentation - ${about.name}`,
		heading: "Documentation",
		lead: "Make your first call in five minutes, follow a guide, or look up an endpoint with its parameters, fields, price and a live response.",
		describesData: true,
		footer: documents,
	},
	getEventDocs: {
		folder: "events",
		title: `Events - ${about.name}`,
		heading: "Events",
		lead: "Subscribe to changes instead of polling for them.",
		footer: documents,
	},
};

export type SubjectText = Pick<PageText, "heading" | "lead">;

const joinKnown = (...parts: (string | null | undefined | false)[]): string => parts.filter(Boolean).join(", ");

const builtStates: readonly string[] = ["energized", "operating", "partially_operating", "retired"];

/** Describes the contents of a request's page, which shows a chance only if there is one, and an outcome only if the request has ended or is built. */
function contentsOf({ p_cod_36, status_std, plant_state }: Reply<"getProject">): string {
	if (p_cod_36 !== null) return "Its filed facts, its history, and how likely it is to be built";
	const hasEnded = ["Withdrawn", "Operational"].includes(status_std) || builtStates.includes(plant_state);
	return hasEnded ? "Its filed facts, its history, and what became of it" : "Its filed facts and its history";
}

/** Heading and lead of a page about one request or developer, from the response that the page reads. Previews of links show them too. */
export const subjectTexts: Readonly<Record<string, (json: string) => SubjectText>> = {
	getProject: (json) => {
		const project: Reply<"getProject"> = JSON.parse(json);
		const { name, region, queue_id, type_std, capacity_mw, county, state, status_std, cod } = project;
		return {
			heading: `${name ?? "Interconnection request"} (${region} ${queue_id})`,
			lead: `${joinKnown(
				capacity_mw === null ? type_std : `${capacity_mw.toLocaleString("en-US")} MW, ${type_std}`,
				county,
				state,
				`status ${status_std}`,
				cod !== null && `projected operation ${cod}`,
			)}. ${contentsOf(project)}.`,
		};
	},
	getPoi: (json) => {
		const { name, voltage_kv, region, county, state, active_requests, active_mw }: Reply<"getPoi"> = JSON.parse(json);
		const requests = active_requests === 1 ? "request" : "requests";
		return {
			heading: voltage_kv === null || name.includes(String(voltage_kv)) ? name : `${name}, ${voltage_kv} kV`,
			lead: `${joinKnown("Point of interconnection", region, county, state)}: ${active_requests.toLocaleString("en-US")} active ${requests} of ${Math.round(active_mw).toLocaleString("en-US")} MW, who is ahead of whom, and studied costs.`,
		};
	},
	getDeveloper: (json) => {
		const { data }: Reply<"getDeveloper"> = JSON.parse(json);
		const requests = data.total_projects === 1 ? "request" : "requests";
		return {
			heading: data.canonical_name,
			lead: `${data.total_projects.toLocaleString("en-US")} interconnection ${requests}: what became of them, and the companies that file them.`,
		};
	},
};

export const textOfGuide = ({ title, lead }: Guide): PageText => ({
	folder: "guide",
	title: `${title} - ${about.name}`,
	heading: title,
	lead,
	footer: documents,
});

/** Pages that are not at the address of an operation. */
export const ownPages: Record<`/${string}`, PageText> = {
	"/explore": {
		folder: "explore",
		title: `Explore - ${about.name}`,
		heading: "Explore the queues",
		lead: "Every request on a map, in totals and in a table, today or on any past day.",
		hasWorkers: true,
	},
	"/sql": {
		folder: "sql",
		title: `SQL - ${about.name}`,
		heading: "Query with SQL",
		lead: "Run one SELECT in DuckDB's SQL over every request, change, score, plant and price. See the result as a table, chart or map, and share it as a link.",
	},
	"/account": account,
	"/status": {
		folder: "status",
		title: `Status - ${about.name}`,
		heading: "What is loaded, and how old it is",
		lead: "The newest list of each grid operator, what was held back and why, and when each source was last checked.",
	},
	"/dispute": {
		folder: "disputes",
		title: `Disputes - ${about.name}`,
		heading: "Report an error",
		lead: "Is a developer, a field, a number or an owner wrong? Give the reason and a source. A person decides, and the correction is shown with its reason.",
	},
	"/projects/compare": {
		folder: "compare",
		title: `Compare requests - ${about.name}`,
		heading: "Compare interconnection requests",
		lead: "Two to five requests side by side: status, chance, dates, companies and place. The address holds the choice, so you can share it.",
	},
	"/scores": {
		folder: "scores",
		title: `Scores - ${about.name}`,
		heading: "Scores, and how often they were right",
		lead: "The stated chances beside what happened, by grid operator; how the model was fitted and tested; and one score computed step by step.",
	},
	[guidesPath]: {
		folder: "guide",
		title: `Guides - ${about.name}`,
		heading: "Guides",
		lead: "A tutorial, tasks with code that you can run, the reference, and how the data works.",
		footer: documents,
	},
};

/** Addresses for the site map. */
export const pagePaths = [
	"/",
	"/changes",
	"/reconciliation",
	"/developers",
	"/investable",
	"/deals/itc",
	"/capital/leaderboard",
	"/events",
	"/pois",
	"/datacenters",
	"/datacenters/pipeline",
	"/market/prices",
	"/grid/plants",
	"/grid/generators",
	"/register",
	"/docs",
	"/docs/events",
	...Object.keys(ownPages),
	...guides.map(({ path }) => path),
];
