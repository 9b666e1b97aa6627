/** Name, version and description of the service, for all documents. */
export const about = {
	name: "Energy Infrastructure Data Service",
	/** Version of the interface, not of the software. */
	version: "1.0.0",
	description:
		"Every US interconnection request in one place: who is behind it, what changed since yesterday, which tax credit it can claim, and how likely it is to be built.",
} as const;

/** One line about each resource of the registry, for the tags of the OpenAPI document and the sections of the reference and the catalog. */
export const resourceNotes: Record<string, string> = {
	projects:
		"Interconnection requests: developer, technology, location, progress and value. Lists, details, ownership, totals, search, export.",
	map: "The same requests as map tiles.",
	disputes: "Disputes about values: filed with evidence, decided by a person.",
	developers: "The companies behind the requests: names, aliases, tiers, portfolios, parents and project companies.",
	scores: "How likely and how attractive a request is, and why; investable requests and tax-credit deals.",
	credits: "Federal investment and production tax credits of planned plants, by current law.",
	capital: "Capital that developers raised, capacity that they built, and signs of distress.",
	news: "News about developers, classified and matched to them.",
	filings: "Filings with the SEC: Form D and 8-K.",
	deals: "Plants and queue positions that change hands.",
	changes: "Changes in the queues from one list to the next.",
	history: "The states of a request and of a portfolio day by day, and the difference between two days.",
	provenance:
		"Origin of values: the file, cell and rule of each; verification against the archived file; and information about files.",
	dg: "Distributed generation: rooftop and other small plants, by utility, area or installation.",
	datacenters: "Existing data centers, and those that are proposed or request a connection.",
	grid: "Power plants and generators as reported on form EIA-860.",
	market: "Wholesale prices by hub and hour, with daily and monthly averages.",
	query: "Read-only SQL over nine databases, and the schema of their views.",
	savedQueries: "Statements with parameters that an account saves under a name and runs by an address.",
	archive: "Requests and changes as dated Parquet files: all requests monthly, changes daily.",
	webhooks:
		"Changes sent to your address: signed, in order, at least once (Standard Webhooks). Deliveries and their results.",
	watchlists: "Saved filters of requests, and the requests that change in them, enter or leave.",
	access: "Keys, plans, usage, prices and prepaid credits.",
	billing: "Operations of billing for the gateway.",
	health: "Availability of the service, freshness and quality of the data.",
	resolving: "Finds the request for a number, a name, a point or another publisher's number.",
	reconciliation: "Other publishers' counts of the same queues, and why they differ from ours.",
	sourceContracts: "The structure of each operator's list, and how it differs from the previous one.",
	discovery: "Documents for people and programs: the interface, the available data, and what is missing.",
};
