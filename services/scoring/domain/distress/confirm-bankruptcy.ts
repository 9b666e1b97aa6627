/** When a reported bankruptcy counts (signals sheet, 7.3). Pure. */

export interface BankruptcyReport {
	/** An 8-K with item 1.03, or a headline that states the filing as a fact (the flag `bankruptcy` of `news.recorded`). */
	kind: "filing" | "headline";
	/** Of the outlet; null of a filing. */
	domain: string | null;
	/** That the developer is meant, 0 to 1. */
	confidence: number;
}

/** The name stands in full in the headline (signals sheet, 3.6). */
const sure = 0.9;

/** Item 1.03 is the company's own word; of headlines, two outlets must name it in full. */
export function isBankruptcyConfirmed(reports: readonly BankruptcyReport[]): boolean {
	if (reports.some(({ kind }) => kind === "filing")) return true;
	const named = reports.filter(({ confidence }) => confidence >= sure);
	return new Set(named.flatMap(({ domain }) => (domain === null ? [] : [outlet(domain)]))).size >= 2;
}

/** `finance.yahoo.com` and `www.yahoo.com` are one outlet; of `news.bbc.co.uk` three labels are needed. */
function outlet(domain: string): string {
	const labels = domain.toLowerCase().replace(/\.$/, "").split(".");
	const taken = /^(?:co|com|org|net|ac|gov)\.[a-z]{2}$/.test(labels.slice(-2).join(".")) ? 3 : 2;
	return labels.slice(-taken).join(".");
}
