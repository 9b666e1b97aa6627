import { describe, expect, it } from "vitest";
import { type ChainFiling, raiseChains } from "./raise-chains.ts";

const ada = { name: "Ada Marsh", relationships: ["Director"], city: null, state: null };
const bo = { name: "Bo Reed", relationships: ["Director"], city: null, state: null };

function filing(accessionNumber: string, changes: Partial<ChainFiling> = {}): ChainFiling {
	return {
		accessionNumber,
		filingDate: "2026-01-10",
		fileNumber: null,
		isAmendment: false,
		previousAccessionNumber: null,
		cik: "100",
		issuerStreet: "1 Wren Street",
		issuerCity: "Austin",
		totalAmountSold: 1000,
		dateOfFirstSale: "2026-01-02",
		relatedPersons: [ada],
		...changes,
	};
}

const amends = (previousAccessionNumber: string | null, filingDate: string, totalAmountSold: number | null) => ({
	isAmendment: true,
	previousAccessionNumber,
	filingDate,
	totalAmountSold,
});

/** All orders of a short list. */
function orders<T>(list: readonly T[]): T[][] {
	if (list.length < 2) return [[...list]];
	return list.flatMap((one, at) => orders(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

describe("raiseChains", () => {
	it("never adds an amendment to what it restates, whatever the order of arrival", () => {
		const filings = [
			filing("a"),
			filing("b", amends("a", "2026-03-01", 2500)),
			filing("c", amends("b", "2026-05-01", 4000)),
			filing("x", { cik: "200", totalAmountSold: 70, issuerStreet: null, relatedPersons: [] }),
		];
		const expected = raiseChains(filings);
		expect(expected).toMatchObject({ capitalRaised: 4070, raiseCount: 2 });
		expect(expected.chains).toEqual([
			{
				key: "a",
				filings: ["a", "b", "c"],
				newest: "c",
				newestFilingDate: "2026-05-01",
				totalAmountSold: 4000,
				duplicateOf: null,
			},
			expect.objectContaining({ key: "x", filings: ["x"], totalAmountSold: 70 }),
		]);
		expect([...expected.filings]).toEqual([
			["a", { chain: "a", newest: false }],
			["b", { chain: "a", newest: false }],
			["c", { chain: "a", newest: true }],
			["x", { chain: "x", newest: true }],
		]);
		for (const order of orders(filings)) expect(raiseChains(order)).toEqual(expected);
	});

	it("takes the newest amount also where it is smaller", () => {
		expect(raiseChains([filing("a"), filing("b", amends("a", "2026-03-01", 400))]).capitalRaised).toBe(400);
	});

	it("chains by file number, and by an original that is not at hand", () => {
		const byFile = [
			filing("a", { fileNumber: "021-1" }),
			filing("b", { ...amends(null, "2026-03-01", 9), fileNumber: "021-1" }),
		];
		const byOriginal = [filing("b", amends("old", "2026-03-01", 7)), filing("c", amends("old", "2026-04-01", 9))];
		expect(raiseChains(byFile)).toMatchObject({ capitalRaised: 9, raiseCount: 1 });
		expect(raiseChains(byOriginal)).toMatchObject({ capitalRaised: 9, raiseCount: 1 });
	});

	it("chains an amendment without links to the issuer's filing of the same first sale", () => {
		const amendment = filing("b", amends(null, "2026-03-01", 9));
		expect(raiseChains([amendment, filing("a")])).toMatchObject({ capitalRaised: 9, raiseCount: 1 });
		const other = filing("a", { dateOfFirstSale: "2025-01-02" });
		expect(raiseChains([amendment, other])).toMatchObject({ capitalRaised: 1009, raiseCount: 2 });
	});

	it("closes the gap that an amendment not at hand leaves, unless the file numbers differ", () => {
		const later = { ...amends("gone", "2026-03-01", 9), fileNumber: "021-1" };
		expect(raiseChains([filing("a"), filing("c", later)])).toMatchObject({ capitalRaised: 9, raiseCount: 1 });
		expect(raiseChains([filing("a", { fileNumber: "021-2" }), filing("c", later)]).raiseCount).toBe(2);
	});

	it("keeps an issuer's offerings apart", () => {
		const filings = [
			filing("a", { fileNumber: "021-1" }),
			filing("b", { fileNumber: "021-2", totalAmountSold: 30, filingDate: "2026-02-01" }),
		];
		expect(raiseChains(filings)).toMatchObject({ capitalRaised: 1030, raiseCount: 2 });
	});

	it("does not follow a previous accession number to another issuer", () => {
		const filings = [filing("a"), filing("b", { ...amends("a", "2026-03-01", 5), cik: "200" })];
		expect(raiseChains(filings)).toMatchObject({ capitalRaised: 1005, raiseCount: 2 });
	});

	it("of two on one day counts the one that amends the other", () => {
		const filings = [
			filing("z", amends("a", "2026-01-10", 20)),
			filing("b", amends("z", "2026-01-10", 30)),
			filing("a"),
		];
		for (const order of orders(filings)) {
			expect(raiseChains(order).chains).toMatchObject([{ key: "a", newest: "b", totalAmountSold: 30 }]);
		}
	});

	it("falls back on the last believable amount, and counts an unknown one as none", () => {
		const filings = [filing("a"), filing("b", amends("a", "2026-03-01", null))];
		expect(raiseChains(filings).chains).toMatchObject([{ newest: "b", totalAmountSold: 1000 }]);
		expect(raiseChains([filing("a", { totalAmountSold: null })])).toMatchObject({ capitalRaised: 0, raiseCount: 1 });
	});

	it("counts a sale that co-issuers notified each for itself once", () => {
		const filings = [
			filing("a"),
			filing("b", { cik: "200", relatedPersons: [bo], issuerStreet: "1 WREN STREET." }),
			filing("c", { cik: "300", relatedPersons: [bo], issuerStreet: "9 Other Road" }),
		];
		const expected = raiseChains(filings);
		expect(expected).toMatchObject({ capitalRaised: 1000, raiseCount: 1 });
		expect(expected.chains.map(({ duplicateOf }) => duplicateOf)).toEqual([null, "a", "a"]);
		for (const order of orders(filings)) expect(raiseChains(order)).toEqual(expected);
	});

	it.each<[string, Partial<ChainFiling>]>([
		["another amount", { totalAmountSold: 1001 }],
		["another first sale", { dateOfFirstSale: "2026-01-03" }],
		["no first sale", { dateOfFirstSale: null }],
		["neither address nor person in common", { issuerStreet: "9 Other Road", relatedPersons: [bo] }],
		["no address", { issuerStreet: null, relatedPersons: [] }],
	])("counts both issuers' sales with %s", (_, changes) => {
		expect(raiseChains([filing("a"), filing("b", { cik: "200", ...changes })]).raiseCount).toBe(2);
	});

	it("counts a filing that arrives twice once", () => {
		expect(raiseChains([filing("a"), filing("a")])).toMatchObject({ capitalRaised: 1000, raiseCount: 1 });
	});

	it("makes nothing of nothing", () => {
		expect(raiseChains([])).toEqual({ chains: [], filings: new Map(), capitalRaised: 0, raiseCount: 0 });
	});
});
