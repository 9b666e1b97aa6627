/** The parties of a deal, and whether two of them are the same. Pure. */
import { type NameKeys, normaliseName, projectFamily } from "#libs/names/normalise.ts";
import { parentCompany } from "#libs/names/parents.ts";
import { isRegisteredAgentAddress, officeOf } from "./shared-names.ts";

export interface Party {
	/** EIA's utility id, for names from EIA-860. */
	id: number | null;
	/** As filed. */
	name: string;
	/** The developer that the name was matched to. */
	canonical: string | null;
	/** The developer's parent company, as in the list of developers. */
	parent: string | null;
	address: string | null;
	city: string | null;
}

/**
 * Comparison key of the developer's parent, or of the developer itself if the parent is not one company ("municipal", "CPP Investments
 * and GIP"). Null for an unmatched name. Notes in brackets are ignored ("AES Corp (take-private pending)").
 */
export function parentKey({ canonical, parent }: Pick<Party, "canonical" | "parent">): string | null {
	if (canonical === null) return null;
	const company = parentCompany(parent);
	return (company && normaliseName(company).fullKey) || normaliseName(canonical).fullKey;
}

/** True if both have the same EIA id, the same parent or the same name apart from spelling, or are project companies of one family. */
export function isSameParty(a: Party, b: Party): boolean {
	if ((a.id !== null && a.id === b.id) || a.name === b.name) return true;
	const parents = [parentKey(a), parentKey(b)];
	if (parents[0] !== null && parents[1] !== null) return parents[0] === parents[1];
	return isSameName(normaliseName(a.name), normaliseName(b.name)) || projectFamily(a.name) === projectFamily(b.name);
}

/**
 * Whether one company was probably founded by the other: they share an office address, or one has a registered agent's address and both
 * names begin with the same word. The evidence is weak: owners that are reported together may merely share their operator's office.
 */
export function isSameSponsor(a: Party, b: Party): boolean {
	if (!isCompanyOfAsset(a) && !isCompanyOfAsset(b)) return false;
	const office = officeOf(a.address, a.city);
	if (office !== null && office === officeOf(b.address, b.city)) return true;
	const isHidden = isRegisteredAgentAddress(a.address) || isRegisteredAgentAddress(b.address);
	return isHidden && leadWord(a.name) !== null && leadWord(a.name) === leadWord(b.name);
}

/** True for an unmatched LLC or LP, the usual form of a project company. Companies that trade assets are corporations or known developers. */
export function isCompanyOfAsset({ name, canonical }: Party): boolean {
	return canonical === null && /\b(?:llc|llp|lp|l\.l\.c|l\.p)\b\.?\s*$/i.test(name.slice(-20));
}

function isSameName(a: NameKeys, b: NameKeys): boolean {
	if (a.fullKey !== "" && compact(a.fullKey) === compact(b.fullKey)) return true;
	return a.distinctKey.length >= 5 && a.distinctKey === b.distinctKey;
}

const compact = (key: string): string => key.replaceAll(" ", "");

/** The first distinctive word, of at least four letters. */
export function leadWord(name: string): string | null {
	const [first = ""] = normaliseName(name).distinctKey.split(" ");
	return /^[a-z]{4,}$/.test(first) ? first : null;
}
