/** Public companies that are developers or parents of developers. They are identified by CIK, never by name. */
import { readFileSync } from "node:fs";

interface Issuer {
	cik: string;
	name: string;
	/**
	 * Canonical name of the developer if the issuer is that developer: the company, its listed vehicle, one of its utilities, or a holding
	 * company with no other business. Null for a group that files for several businesses.
	 */
	developer: string | null;
	parent: string | null;
}

const header = "cik|issuer|developer|parent";

/** Reads `issuers.psv`. @throws Error if a line is invalid or a CIK is repeated */
export function readIssuers(source: string): Map<string, Issuer> {
	const [first, ...lines] = source.trimEnd().split("\n");
	if (first !== header) throw new Error(`issuers: the first line must be "${header}", not "${first}"`);
	const issuers = new Map<string, Issuer>();
	for (const line of lines) {
		const [cik = "", name = "", developer = "", parent = "", ...extraCells] = line.split("|");
		if (!/^[1-9]\d{0,9}$/.test(cik) || name === "" || extraCells.length > 0)
			throw new Error(`issuers: not a line of the form ${header}: ${line}`);
		if (issuers.has(cik)) throw new Error(`issuers: two lines have the CIK ${cik}`);
		issuers.set(cik, { cik, name, developer: developer || null, parent: parent || null });
	}
	return issuers;
}

export const issuers: ReadonlyMap<string, Issuer> = readIssuers(
	readFileSync(new URL("./issuers.psv", import.meta.url), "utf8"),
);
