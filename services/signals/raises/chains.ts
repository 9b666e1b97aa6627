/** Links Form D filings into one chain per offering. An amendment restates the total, so only one filing of a chain counts. Pure. */
import type { FormD } from "../records/records.ts";
import { saleKeys } from "./facts.ts";

export type ChainFiling = Pick<
	FormD,
	| "accession_number"
	| "filing_date"
	| "file_number"
	| "is_amendment"
	| "previous_accession_number"
	| "cik"
	| "issuer_street"
	| "issuer_city"
	| "total_amount_sold"
	| "date_of_first_sale"
	| "related_persons"
>;

interface RaiseChain {
	key: string;
	filings: string[];
	/** The filing that counts: the newest with a plausible amount, otherwise the newest. */
	latest: string;
	/** Key of the chain that counts instead, because co-issuers reported the same sale. */
	duplicateOf: string | null;
}

/**
 * Links filings of one issuer by `previous_accession_number`, and filings of any issuers by file number. An amendment that neither number
 * links to a known filing joins its issuer's newest earlier filing with the same first sale. The order of `filings` does not matter.
 */
export function buildChains(filings: readonly ChainFiling[]): RaiseChain[] {
	const ordered = sortFilings(filings);
	const links = linkFilings(ordered);
	const groups = Map.groupBy(ordered, (filing) => links.find(filingKey(filing)));
	const chains = [...groups.values()].map(toChain);
	markDuplicates(chains, new Map(ordered.map((filing) => [filing.accession_number, filing])));
	return chains;
}

/** Sorts by day, then new notices before amendments, then by accession number. Removes duplicates. */
function sortFilings(filings: readonly ChainFiling[]): ChainFiling[] {
	const ranked = filings.map((filing) => ({
		filing,
		rank: `${filing.filing_date} ${filing.is_amendment ? 1 : 0} ${filing.accession_number}`,
	}));
	ranked.sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)));
	const unique = new Map<string, ChainFiling>();
	for (const { filing } of ranked)
		if (!unique.has(filing.accession_number)) unique.set(filing.accession_number, filing);
	return [...unique.values()];
}

/** The key contains the issuer, because a previous accession number of another issuer is a typing error. */
function nodeKey(cik: string, accession_number: string): string {
	return `${cik} ${accession_number}`;
}

function filingKey({ cik, accession_number }: ChainFiling): string {
	return nodeKey(cik, accession_number);
}

function linkFilings(ordered: readonly ChainFiling[]): DisjointSets {
	const sets = new DisjointSets();
	const seenLinks = new Set<string>();
	const bySale = new Map<string, ChainFiling>();
	for (const filing of ordered) {
		const ownKey = filingKey(filing);
		const links = linksOf(filing);
		for (const link of links) sets.join(ownKey, link);
		const sale = filing.date_of_first_sale === null ? null : `${filing.cik} ${filing.date_of_first_sale}`;
		const earlierFiling = bySale.get(sale ?? "");
		const isUnlinked = filing.is_amendment && !links.some((link) => seenLinks.has(link));
		// Filings with two file numbers are two offerings.
		if (isUnlinked && earlierFiling && (earlierFiling.file_number === null || filing.file_number === null)) {
			sets.join(ownKey, filingKey(earlierFiling));
		}
		for (const one of [ownKey, ...links]) seenLinks.add(one);
		if (sale !== null) bySale.set(sale, filing);
	}
	return sets;
}

function linksOf({ cik, file_number, previous_accession_number }: ChainFiling): string[] {
	const previous = previous_accession_number === null ? [] : [nodeKey(cik, previous_accession_number)];
	return file_number === null ? previous : [...previous, `file ${file_number}`];
}

function toChain(members: readonly ChainFiling[]): RaiseChain {
	const newest = findNewest(members);
	const older = members.filter((one) => one !== newest);
	const ordered = [...older, newest];
	const newestWithAmount = ordered.findLast(({ total_amount_sold }) => total_amount_sold !== null);
	return {
		key: (older[0] ?? newest).accession_number,
		filings: ordered.map(({ accession_number }) => accession_number),
		latest: (newestWithAmount ?? newest).accession_number,
		duplicateOf: null,
	};
}

/** Returns the last filing that no other filing of the same day amends. */
function findNewest(members: readonly ChainFiling[]): ChainFiling {
	const last = members.at(-1);
	if (!last) throw new Error("a chain must have at least one filing");
	const sameDay = members.filter(({ filing_date }) => filing_date === last.filing_date);
	const amendedNumbers = new Set(sameDay.map(({ previous_accession_number }) => previous_accession_number));
	return sameDay.findLast(({ accession_number }) => !amendedNumbers.has(accession_number)) ?? last;
}

/** Two chains are co-issuers' reports of one sale if they share the amount, the first day of sale, and an address or a person. */
function markDuplicates(chains: readonly RaiseChain[], filings: ReadonlyMap<string, ChainFiling>): void {
	const sets = new DisjointSets();
	for (const { key, latest } of chains) {
		const filing = filings.get(latest);
		for (const saleKey of filing === undefined ? [] : saleKeys(filing)) sets.join(key, saleKey);
	}
	const firstChains = new Map<string, string>();
	for (const chain of chains) {
		const set = sets.find(chain.key);
		chain.duplicateOf = firstChains.get(set) ?? null;
		if (chain.duplicateOf === null) firstChains.set(set, chain.key);
	}
}

class DisjointSets {
	readonly #parents = new Map<string, string>();

	/** Returns the member that represents the set of this member until the set is joined with another. */
	find(member: string): string {
		let top = member;
		for (let parent = this.#parents.get(top); parent !== undefined; parent = this.#parents.get(top)) top = parent;
		// Shortens the paths of all members on the way.
		for (let at = member; at !== top; ) {
			const next = this.#parents.get(at) ?? top;
			this.#parents.set(at, top);
			at = next;
		}
		return top;
	}

	join(one: string, other: string): void {
		const [a, b] = [this.find(one), this.find(other)];
		if (a !== b) this.#parents.set(a, b);
	}
}
