/** Which developer, or which parent of developers, a public company is: by its number (CIK), never by its name. */
import { readFileSync } from "node:fs";

export interface Issuer {
	/** Without leading zeros. */
	cik: string;
	/** As EDGAR has it. */
	name: string;
	/**
	 * Canonical name. Stated only where the issuer itself is the developer: the company, its listed vehicle, one of its own utilities, or a
	 * holding with nothing else. A group files for all of its businesses, so that its filing says nothing of one developer among them.
	 */
	developer: string | null;
	/** The group, as the list of developers names it. */
	parent: string | null;
}

const header = "cik|issuer|developer|parent";

/** The lines of `issuers.psv`. Throws `Error` for a line of another shape and for a number that stands twice. */
export function readIssuers(source: string): Map<string, Issuer> {
	const [first, ...lines] = source.trimEnd().split("\n");
	if (first !== header) throw new Error(`issuers: the first line is not "${header}"`);
	const issuers = new Map<string, Issuer>();
	for (const line of lines) {
		const [cik = "", name = "", developer = "", parent = "", ...more] = line.split("|");
		if (!/^[1-9]\d{0,9}$/.test(cik) || name === "" || more.length > 0) throw new Error(`issuers: not a line: ${line}`);
		if (issuers.has(cik)) throw new Error(`issuers: ${cik} stands twice`);
		issuers.set(cik, { cik, name, developer: developer || null, parent: parent || null });
	}
	return issuers;
}

/** The issuers that are developers or parents of developers, by CIK without leading zeros. */
export const issuers: ReadonlyMap<string, Issuer> = readIssuers(
	readFileSync(new URL("./issuers.psv", import.meta.url), "utf8"),
);
