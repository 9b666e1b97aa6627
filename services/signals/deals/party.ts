/** Who stands on a side of a change of hands, and when two of them are one party under two names. Pure. */
import { type NameKeys, normaliseName, projectFamily } from "#libs/names/normalise.ts";
import { parentCompany } from "#libs/names/parents.ts";
import { isAgentAddress, officeOf } from "./shared-names.ts";

export interface Party {
	/** EIA's utility id, where the name comes from EIA-860. */
	id: number | null;
	/** As filed. */
	name: string;
	/** The developer that the name was found to be. */
	canonical: string | null;
	/** That developer's parent company as the list of developers words it. */
	parent: string | null;
	address: string | null;
	city: string | null;
}

/**
 * The company at the top, as a key: the parent of the resolved developer, or the developer itself where its parent is no one company
 * ("municipal", "CPP Investments and GIP"). Null for a name that was not resolved. Notes in brackets do not count
 * ("AES Corp (take-private pending)").
 */
export function parentOf({ canonical, parent }: Pick<Party, "canonical" | "parent">): string | null {
	if (canonical === null) return null;
	const company = parentCompany(parent);
	return (company && normaliseName(company).fullKey) || normaliseName(canonical).fullKey;
}

/** Whether two names are one party: one EIA id, one parent where both are resolved, one name but for spelling, project companies of one family. */
export function isSameParty(a: Party, b: Party): boolean {
	if ((a.id !== null && a.id === b.id) || a.name === b.name) return true;
	const parents = [parentOf(a), parentOf(b)];
	if (parents[0] !== null && parents[1] !== null) return parents[0] === parents[1];
	return isSameName(normaliseName(a.name), normaliseName(b.name)) || projectFamily(a.name) === projectFamily(b.name);
}

/**
 * Whether one of two names is a company that the other set up: it sits at the other's office, or at a registered agent's with the
 * other's first word. Weak evidence: of two names that are reported side by side, and share an operator's office, it says nothing.
 */
export function isSameSponsor(a: Party, b: Party): boolean {
	if (!isCompanyOfAsset(a) && !isCompanyOfAsset(b)) return false;
	const office = officeOf(a.address, a.city);
	if (office !== null && office === officeOf(b.address, b.city)) return true;
	const isHidden = isAgentAddress(a.address) || isAgentAddress(b.address);
	return isHidden && leadWord(a.name) !== null && leadWord(a.name) === leadWord(b.name);
}

/** An unresolved LLC or LP: what an asset is put into. A trader in assets is a corporation, or is known. */
export function isCompanyOfAsset({ name, canonical }: Party): boolean {
	return canonical === null && /\b(?:llc|llp|lp|l\.l\.c|l\.p)\b\.?\s*$/i.test(name.slice(-20));
}

function isSameName(a: NameKeys, b: NameKeys): boolean {
	if (a.fullKey !== "" && compact(a.fullKey) === compact(b.fullKey)) return true;
	return a.distinctKey.length >= 5 && a.distinctKey === b.distinctKey;
}

const compact = (key: string): string => key.replaceAll(" ", "");

/** The first word that distinguishes companies; null when the name has none of four letters. */
export function leadWord(name: string): string | null {
	const [first = ""] = normaliseName(name).distinctKey.split(" ");
	return /^[a-z]{4,}$/.test(first) ? first : null;
}
