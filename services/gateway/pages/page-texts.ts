/** Title, heading and lead of each page for browsers and of each guide, before its script fills it in. */

import { readFileSync } from "node:fs";
import { about } from "#libs/contract/documents/about.ts";
import type { OperationName } from "#libs/contract/index.ts";

export interface PageText {
	/** Folder in web/pages. */
	folder: string;
	title: string;
	heading: string;
	lead: string;
	/** Names the form that programs get at the address. */
	footer?: string;
	/** The page's script starts workers, which needs another policy. */
	hasWorkers?: true;
}

const documents = "For programs: /openapi.json, /asyncapi.json, /llms.txt and /catalog say the same.";

/** The script shows a form for a key, or the account of the visitor's key. */
const account: PageText = {
	folder: "account",
	title: `Account - ${about.name}`,
	heading: "Your key and your account",
	lead: "A free key, what it has used by day and operation, and the webhooks and watchlists of its account.",
};

export const pagesOfOperations: Partial<Record<OperationName, PageText>> = {
	getManifest: {
		folder: "home",
		title: about.name,
		heading: "Every US interconnection request, and how likely it is to be built",
		lead: about.description,
	},
	getProject: {
		folder: "project",
		title: `Interconnection request - ${about.name}`,
		heading: "Interconnection request",
		lead: "What its grid operator's list says of it, every state that it has had, and how its score comes about.",
	},
	listChanges: {
		folder: "changes",
		title: `Changes - ${about.name}`,
		heading: "What changed in the queues",
		lead: "Every difference between two lists of an operator, by day and region, and what became of the requests between any two days.",
	},
	getDeveloper: {
		folder: "developer",
		title: `Developer - ${about.name}`,
		heading: "Developer",
		lead: "What it has in the queues, what became of what it asked for, and the companies that it files under.",
	},
	getReconciliation: {
		folder: "reconciliation",
		title: `Reconciliation - ${about.name}`,
		heading: "What others count, and why it differs",
		lead: "Each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals: every difference has a class and a reason, and the sums add up to both sides.",
	},
	getRegisterPage: {
		...account,
		footer: "Programs get a key by POST /register with an email, as JSON or as a form.",
	},
	getDocs: {
		folder: "docs",
		title: `Documentation - ${about.name}`,
		heading: "Documentation",
		lead: "Call it in five minutes, guides with code that runs, and every endpoint with its parameters, fields, price and a live answer.",
		footer: documents,
	},
	getEventDocs: {
		folder: "events",
		title: `Events - ${about.name}`,
		heading: "Events",
		lead: "What changes is published: subscribe instead of asking again.",
		footer: documents,
	},
};

export interface Guide {
	name: string;
	title: string;
	lead: string;
}

const names = ["feed", "lists", "payment", "agents", "files", "cli", "webhooks", "streams", "past", "sql"];

export const guides: readonly Guide[] = names.map((name) => {
	const text = readFileSync(new URL(`../../../web/guides/${name}.md`, import.meta.url), "utf8");
	const [, title, lead] = /^# (.+)\n\n(.+)\n/.exec(text) ?? [];
	if (title === undefined || lead === undefined) throw new Error(`web/guides/${name}.md has no title and lead`);
	return { name, title, lead };
});

const guidePages: Record<`/${string}`, PageText> = Object.fromEntries(
	guides.map(({ name, title, lead }) => [
		`/docs/guides/${name}`,
		{ folder: "guide", title: `${title} - ${about.name}`, heading: title, lead, footer: documents },
	]),
);

/** Pages that are not at the address of an operation. */
export const ownPages: Record<`/${string}`, PageText> = {
	"/explore": {
		folder: "explore",
		title: `Explore - ${about.name}`,
		heading: "Explore the queues",
		lead: "Every request on a map as exactly as its place is known, in totals and in a table, today or on any day of the lists.",
		hasWorkers: true,
	},
	"/sql": {
		folder: "sql",
		title: `SQL - ${about.name}`,
		heading: "Ask in SQL",
		lead: "One read-only SELECT in DuckDB's SQL over every request, change, score, plant and price; as table, chart or map, and by a link that holds it.",
	},
	"/account": account,
	"/status": {
		folder: "status",
		title: `Status - ${about.name}`,
		heading: "What is loaded, and how old it is",
		lead: "The newest list of each grid operator, what was held back and why, and when each source was last looked at.",
	},
	"/dispute": {
		folder: "disputes",
		title: `Disputes - ${about.name}`,
		heading: "Object to what is stated",
		lead: "A developer, a field, a number or an owner that is wrong: say why and where it can be read. A person decides, and the correction says so.",
	},
	"/scores": {
		folder: "scores",
		title: `Scores - ${about.name}`,
		heading: "How the score held, and how to compute one",
		lead: "What was stated of each request's chance and what came, by grid operator; what the score was fitted on, how it was judged, and one computed step by step.",
	},
	...guidePages,
};

/** Addresses for the site map. */
export const pagePaths = [
	"/",
	"/changes",
	"/reconciliation",
	"/register",
	"/docs",
	"/docs/events",
	...Object.keys(ownPages),
];
