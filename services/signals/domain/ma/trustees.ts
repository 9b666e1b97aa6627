/**
 * Names in the owner column that hold a plant for another party: banks and trustees of sale-leasebacks, lessors, tax-equity investors
 * (EIA-860 Schedule 4 as filed for 2019 and 2020, and the trustees that appear in other years). A change from or to one of
 * them is a financing.
 */

/** Whole words of a name in lower case, punctuation as single spaces. */
const words: readonly string[] = [
	"wilmington trust",
	"u s bank",
	"us bank",
	"bank of utah",
	"bank of america",
	"bank of new york",
	"bank of the west",
	"ba leasing",
	"banc of america",
	"wells fargo",
	"deutsche bank",
	"state street bank",
	"amalgamated bank",
	"fifth third bank",
	"national bank",
	"community bank",
	"crestmark bank",
	"cresmark equipment",
	"nes bank",
	"union bank",
	"mufg",
	"citibank",
	"citigroup",
	"fortis capital",
	"usb fund",
	"citi renewable investments",
	"jpmorgan",
	"jp morgan",
	"j p morgan",
	"morgan stanley",
	"pnc energy capital",
	"pnc bank",
	"keybank",
	"key equipment finance",
	"key government finance",
	"suntrust equipment",
	"regions bank",
	"credit suisse",
	"farm credit leasing",
	"caterpillar financial",
	"general electric capital",
	"metlife capital",
	"nationwide life insurance",
	"bankers commercial",
	"statutory trust",
	"owner trust",
	"solar trust",
	"trust company",
	"lessor",
];

/** Whether a name is a bank, a trustee or a lessor; a developer of the list (Goldman Sachs Renewable Power) is none. */
export function isTrustee(name: string, canonical: string | null): boolean {
	if (canonical !== null) return false;
	const spaced = ` ${name
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim()} `;
	return words.some((word) => spaced.includes(` ${word} `));
}
