/** A parsed query, and the requests that it may mean. Pure. */
import type { Params } from "#libs/contract/index.ts";
import { parseResolveQuery, type ResolveQuery } from "#libs/contract/operations/projects/resolve-query.ts";
import type { ResolveMethod } from "#libs/contract/vocabulary.ts";

export type Query = Params<"resolve">;

export interface ParsedQuery {
	/** Index of the query. */
	at: number;
	query: Query;
	meaning: ResolveQuery;
}

/** A request that the query may mean. */
export interface Candidate {
	id: string;
	method: ResolveMethod;
	/** 0..1 */
	confidence: number;
	/** The evidence as text. */
	text: string;
}

/** Results of one search method by index of the query: candidates, or the reason why there are none. */
export interface SearchResults {
	candidates: Map<number, Candidate[]>;
	reasons: Map<number, string>;
}

export const emptyResults = (): SearchResults => ({ candidates: new Map(), reasons: new Map() });

export function addCandidate(results: SearchResults, at: number, candidate: Candidate): void {
	const candidates = results.candidates.get(at) ?? [];
	// A request that is found twice keeps the higher confidence.
	if (candidates.some(({ id, confidence }) => id === candidate.id && confidence >= candidate.confidence)) return;
	results.candidates.set(at, [...candidates.filter(({ id }) => id !== candidate.id), candidate]);
}

export function parseQueries(queries: readonly Query[]): ParsedQuery[] {
	return queries.map((query, at) => {
		const meaning = parseResolveQuery(query.q);
		if (typeof meaning === "string") throw new Error(`the contract accepted a query that ${meaning}`);
		return { at, query, meaning };
	});
}

export const queriesOfKind = <K extends ResolveQuery["kind"]>(parsed: readonly ParsedQuery[], kind: K) =>
	parsed.filter(
		(one): one is ParsedQuery & { meaning: Extract<ResolveQuery, { kind: K }> } => one.meaning.kind === kind,
	);

/** Turns "Kern County" into "kern". */
export const bareCounty = (county: string): string => county.toLowerCase().replace(/\s+(county|parish|borough)$/, "");
