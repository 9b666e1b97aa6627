/** Form D filings as raises: an amendment restates its offering's total, so only one filing of a chain counts. Pure. */
import type { FormD } from "../records/records.ts";
import { spelling } from "./facts.ts";

export type ChainFiling = Pick<
	FormD,
	| "accessionNumber"
	| "filingDate"
	| "fileNumber"
	| "isAmendment"
	| "previousAccessionNumber"
	| "cik"
	| "issuerStreet"
	| "issuerCity"
	| "totalAmountSold"
	| "dateOfFirstSale"
	| "relatedPersons"
>;

/** An offering: its first notice and all amendments. */
export interface RaiseChain {
	/** Accession number of its first filing. */
	key: string;
	/** Oldest first. */
	filings: string[];
	/**
	 * The filing that counts: the newest with a believable amount, so that an amount that could not be believed does not take the
	 * earlier ones' money away; where none has one, the newest.
	 */
	latest: string;
	/** Key of the chain that counts in its place: co-issuers notified the same sale. */
	duplicateOf: string | null;
}

/**
 * Chains are filings linked by `previousAccessionNumber` (of one issuer) or a file number. An amendment whose links lead to no
 * earlier filing at hand goes with its issuer's newest earlier one of the same first sale. The order of `filings` does not count;
 * of two with one accession number the earlier counts. USD raised is the sum over what `latest` of each chain states that is no
 * duplicate. Rules: fact sheet, 1.5.
 */
export function raiseChains(filings: readonly ChainFiling[]): RaiseChain[] {
	const ordered = inOrder(filings);
	const links = linked(ordered);
	const groups = Map.groupBy(ordered, (filing) => links.find(ownNode(filing)));
	const chains = [...groups.values()].map(toChain);
	markDuplicates(chains, new Map(ordered.map((filing) => [filing.accessionNumber, filing])));
	return chains;
}

/** By day, first notices before amendments, then by accession number; each accession number once. */
function inOrder(filings: readonly ChainFiling[]): ChainFiling[] {
	const ranked = filings.map((filing) => ({
		filing,
		rank: `${filing.filingDate} ${filing.isAmendment ? 1 : 0} ${filing.accessionNumber}`,
	}));
	ranked.sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)));
	const unique = new Map<string, ChainFiling>();
	for (const { filing } of ranked) if (!unique.has(filing.accessionNumber)) unique.set(filing.accessionNumber, filing);
	return [...unique.values()];
}

/** A previous accession number of another issuer is a typing error, so the issuer is part of the node. */
function node(cik: string, accessionNumber: string): string {
	return `${cik} ${accessionNumber}`;
}

function ownNode({ cik, accessionNumber }: ChainFiling): string {
	return node(cik, accessionNumber);
}

function linked(ordered: readonly ChainFiling[]): DisjointSets {
	const sets = new DisjointSets();
	const seen = new Set<string>();
	const bySale = new Map<string, ChainFiling>();
	for (const filing of ordered) {
		const own = ownNode(filing);
		const links = linksOf(filing);
		for (const link of links) sets.join(own, link);
		const sale = filing.dateOfFirstSale === null ? null : `${filing.cik} ${filing.dateOfFirstSale}`;
		const earlier = bySale.get(sale ?? "");
		const isLoose = filing.isAmendment && !links.some((link) => seen.has(link));
		// Two file numbers are two offerings.
		if (isLoose && earlier && (earlier.fileNumber === null || filing.fileNumber === null)) {
			sets.join(own, ownNode(earlier));
		}
		for (const one of [own, ...links]) seen.add(one);
		if (sale !== null) bySale.set(sale, filing);
	}
	return sets;
}

function linksOf({ cik, fileNumber, previousAccessionNumber }: ChainFiling): string[] {
	const previous = previousAccessionNumber === null ? [] : [node(cik, previousAccessionNumber)];
	return fileNumber === null ? previous : [...previous, `file ${fileNumber}`];
}

function toChain(members: readonly ChainFiling[]): RaiseChain {
	const newest = newestOf(members);
	const older = members.filter((one) => one !== newest);
	const ordered = [...older, newest];
	const stating = ordered.findLast(({ totalAmountSold }) => totalAmountSold !== null);
	return {
		key: (older[0] ?? newest).accessionNumber,
		filings: ordered.map(({ accessionNumber }) => accessionNumber),
		latest: (stating ?? newest).accessionNumber,
		duplicateOf: null,
	};
}

/** Of several on the last day, the last that no other of that day amends. */
function newestOf(members: readonly ChainFiling[]): ChainFiling {
	const last = members.at(-1);
	if (!last) throw new Error("a chain has at least one filing");
	const sameDay = members.filter(({ filingDate }) => filingDate === last.filingDate);
	const amended = new Set(sameDay.map(({ previousAccessionNumber }) => previousAccessionNumber));
	return sameDay.findLast(({ accessionNumber }) => !amended.has(accessionNumber)) ?? last;
}

/** Equal amount, equal day of first sale, and an address or a person in common: one sale, notified by each co-issuer. */
function markDuplicates(chains: readonly RaiseChain[], filings: ReadonlyMap<string, ChainFiling>): void {
	const sets = new DisjointSets();
	const bySale = Map.groupBy(chains, ({ latest }) => {
		const { totalAmountSold = null, dateOfFirstSale = null } = filings.get(latest) ?? {};
		return totalAmountSold === null || dateOfFirstSale === null ? null : `${totalAmountSold} ${dateOfFirstSale}`;
	});
	for (const [sale, alike] of bySale) {
		if (sale === null || alike.length < 2) continue;
		for (const { key, latest } of alike) {
			for (const trait of traits(filings.get(latest))) sets.join(key, `${sale} ${trait}`);
		}
	}
	const first = new Map<string, string>();
	for (const chain of chains) {
		const set = sets.find(chain.key);
		chain.duplicateOf = first.get(set) ?? null;
		if (chain.duplicateOf === null) first.set(set, chain.key);
	}
}

function traits(filing: ChainFiling | undefined): string[] {
	const persons = filing?.relatedPersons.map(({ name }) => `person ${spelling(name)}`) ?? [];
	const street = filing?.issuerStreet ?? null;
	return street === null ? persons : [`address ${spelling(`${street} ${filing?.issuerCity ?? ""}`)}`, ...persons];
}

export class DisjointSets {
	readonly #parents = new Map<string, string>();

	/** The member that stands for this one's set: the same for all its members until the set is joined again. */
	find(member: string): string {
		let top = member;
		for (let parent = this.#parents.get(top); parent !== undefined; parent = this.#parents.get(top)) top = parent;
		// Every member on the way points at the top from now on, so that no way stays long.
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
