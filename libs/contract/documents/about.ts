/** The service in a few words, once for the manifest, the health answers and the OpenAPI document. */
export const about = {
	name: "Energy Infrastructure Data Service",
	/** Version of the interface, not of the software (specification 9). */
	version: "1.0.0",
	description:
		"Interconnection requests of the US grid operators in one list, what changed since yesterday, how far each has come, who is behind it, what the public record says of them, what tax credit each can claim, and how likely it is to be built.",
} as const;

/** One line about each resource of the registry: tags of the OpenAPI document, sections of the reference and the catalog. */
export const resourceNotes: Record<string, string> = {
	projects:
		"Interconnection requests: who asked to connect what, where, how far it has come, what it is worth. Lists, details, ownership, totals, search, export.",
	map: "The same requests as tiles of a map.",
	disputes: "Disputes to what is stated: filed with evidence, decided by a person.",
	developers: "The companies behind the requests: names, aliases, tiers, portfolios, parents and project companies.",
	scores: "How likely and how attractive a request is, and why; the open requests that pass, and tax-credit deals.",
	credits: "Federal investment and production tax credit of a planned plant, by the law of the day.",
	capital: "What developers raised and built, and signs of distress.",
	news: "News about developers, classified and matched to them.",
	filings: "What issuers file with the SEC: Form D and 8-K.",
	deals: "Plants and queue positions that change hands.",
	changes: "What changed in the queues from one list to the next.",
	history: "The states of a request and of a portfolio day by day, and the difference between two days.",
	provenance:
		"Where values come from: the file, the cell and the rule of each, its file read again on demand, and what is known of a file.",
	dg: "Distributed generation: rooftop and other small plants, by utility, area or installation.",
	datacenters: "Data centres that stand, and those that are proposed or ask for a connection.",
	grid: "Power plants and generators as reported on form EIA-860.",
	market: "Wholesale prices by hub and hour, with daily and monthly averages.",
	query: "Read-only SQL over nine databases, and the schema of their views.",
	savedQueries: "Statements with parameters that an account keeps under a name and runs by an address.",
	archive: "Requests and changes as dated Parquet files: each month whole, each day what it changed.",
	webhooks:
		"Changes sent to an address of yours: signed, in order, at least once (Standard Webhooks). What was sent, and what came of it.",
	watchlists: "Filters of requests that are kept and followed: what changes in them, what enters and what leaves.",
	access: "Keys, plans, usage, prices and prepaid credits.",
	billing: "What the gateway asks billing.",
	health: "Is the service up, is the data fresh, can it be trusted.",
	resolving: "Which request is meant by a number, a name, a point or another publisher's number.",
	reconciliation: "What others count of the same queues, and why their counts and ours differ.",
	sourceContracts: "The structure of each operator's list, and how it differs from the list before it.",
	discovery: "Documents for people and programs: this interface, what data there is, and what is missing.",
};
