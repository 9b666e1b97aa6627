/**
 * Addresses and names that stand for other parties: registered agents, and trustees, banks and lessors that hold a plant in a
 * sale-leaseback or for tax equity. The addresses are shared by thousands of companies, most of them in Delaware; the names are from
 * EIA-860 Schedule 4 of 2019 and 2020.
 */

const registeredAgents: readonly RegExp[] = [
	/\b1209 (n )?orange\b/,
	/\b251 little falls\b/,
	/\b2711 centerville\b/,
	/\b160 greentree\b/,
	/\b1675 s(outh)? state\b/,
	/\b850 new burton\b/,
	/\b874 walker\b/,
	/\b838 walker\b/,
	/\b3411 silverside\b/,
	/\b108 w(est)? 13th\b/,
	/\b1013 centre r/,
	/\b8 the green\b/,
	/\b16192 coastal\b/,
	/\b1(1|2)0[01] n(orth)? market\b/,
	/\b1521 concord pike\b/,
	/\b919 n(orth)? market\b/,
	/\b300 delaware\b/,
	/\b28 liberty\b/,
	/\b80 state st/,
	/\b1999 bryan\b/,
	/\b211 e(ast)? 7th\b/,
];

const plainWords = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim();

export function isRegisteredAgentAddress(address: string | null): boolean {
	return address !== null && registeredAgents.some((agent) => agent.test(plainWords(address)));
}

/**
 * House number, first word of the street, and city ("30 ivan atlanta"), because streets are spelled in many ways. Null for a post box, a
 * registered agent's address and an address without a number.
 */
export function officeOf(address: string | null, city: string | null): string | null {
	if (address === null || isRegisteredAgentAddress(address)) return null;
	const words = plainWords(address.slice(0, 200)).split(" ");
	if (words.includes("box")) return null;
	const at = words.findIndex((word) => /^\d{1,6}$/.test(word));
	const street = words.slice(at + 1).find((word) => !/^([nsew]|north|south|east|west)$/.test(word));
	return at < 0 || street === undefined ? null : `${words[at]} ${street} ${plainWords(city ?? "")}`;
}

/** Names or parts of names, as whole words in lower case, with a space instead of punctuation. */
const trustees: readonly string[] = `
	wilmington trust, u s bank, us bank, bank of utah, bank of america, bank of new york, bank of the west, ba leasing, banc of america,
	wells fargo, deutsche bank, state street bank, amalgamated bank, fifth third bank, national bank, community bank, crestmark bank,
	cresmark equipment, nes bank, union bank, mufg, citibank, citigroup, fortis capital, usb fund, citi renewable investments, jpmorgan,
	jp morgan, j p morgan, morgan stanley, pnc energy capital, pnc bank, keybank, key equipment finance, key government finance,
	suntrust equipment, regions bank, credit suisse, farm credit leasing, caterpillar financial, general electric capital, metlife
	capital, nationwide life insurance, bankers commercial, statutory trust, owner trust, solar trust, trust company, lessor`
	.split(",")
	.map((name) => name.trim());

/** A known developer (Goldman Sachs Renewable Power) is not a trustee. */
export function isTrustee(name: string, canonical: string | null): boolean {
	if (canonical !== null) return false;
	const spaced = ` ${plainWords(name)} `;
	return trustees.some((trustee) => spaced.includes(` ${trustee} `));
}
