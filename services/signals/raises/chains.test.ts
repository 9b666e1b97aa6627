import { describe, expect, it } from "vitest";
import { buildChains, type ChainFiling } from "./chains.ts";

const ada = { name: "Ada Marsh", relationships: ["Director"], city: null, state: null };
const bo = { name: "Bo Reed", relationships: ["Director"], city: null, state: null };

function filing(accession_number: string, changes: Partial<ChainFiling> = {}): ChainFiling {
	return {
		accession_number,
		filing_date: "2026-01-10",
		file_number: null,
		is_amendment: false,
		previous_accession_number: null,
		cik: "100",
		issuer_street: "1 Wren Street",
		issuer_city: "Austin",
		total_amount_sold: 1000,
		date_of_first_sale: "2026-01-02",
		related_persons: [ada],
		...changes,
	};
}

const amends = (previous_accession_number: string | null, filing_date: string, total_amount_sold: number | null) => ({
	is_amendment: true,
	previous_accession_number,
	filing_date,
	total_amount_sold,
});

/** As a reader sums the filings that count: USD, and offerings. */
function counted(filings: readonly ChainFiling[]): { usd: number; offerings: number } {
	const sold = new Map(
		filings.map(({ accession_number, total_amount_sold }) => [accession_number, total_amount_sold ?? 0]),
	);
	const chains = buildChains(filings).filter(({ duplicateOf }) => duplicateOf === null);
	return { usd: chains.reduce((sum, { latest }) => sum + (sold.get(latest) ?? 0), 0), offerings: chains.length };
}

/** All orders of a short list. */
function orders<T>(list: readonly T[]): T[][] {
	if (list.length < 2) return [[...list]];
	return list.flatMap((one, at) => orders(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

describe("raiseChains", () => {
	it("counts an amendment instead of the filing that it restates, in any order of arrival", () => {
		const filings = [
			filing("a"),
			filing("b", amends("a", "2026-03-01", 2500)),
			filing("c", amends("b", "2026-05-01", 4000)),
			filing("x", { cik: "200", total_amount_sold: 70, issuer_street: null, related_persons: [] }),
		];
		const expected = buildChains(filings);
		expect(counted(filings)).toEqual({ usd: 4070, offerings: 2 });
		expect(expected).toEqual([
			{ key: "a", filings: ["a", "b", "c"], latest: "c", duplicateOf: null },
			{ key: "x", filings: ["x"], latest: "x", duplicateOf: null },
		]);
		for (const order of orders(filings)) expect(buildChains(order)).toEqual(expected);
	});

	it("uses the newest amount even if it is smaller", () => {
		expect(counted([filing("a"), filing("b", amends("a", "2026-03-01", 400))]).usd).toBe(400);
	});

	it("chains by file number, even if the original is not loaded", () => {
		const byFile = [
			filing("a", { file_number: "021-1" }),
			filing("b", { ...amends(null, "2026-03-01", 9), file_number: "021-1" }),
		];
		const byOriginal = [filing("b", amends("old", "2026-03-01", 7)), filing("c", amends("old", "2026-04-01", 9))];
		expect(counted(byFile)).toEqual({ usd: 9, offerings: 1 });
		expect(counted(byOriginal)).toEqual({ usd: 9, offerings: 1 });
	});

	it("chains an amendment without links to the issuer's filing of the same first sale", () => {
		const amendment = filing("b", amends(null, "2026-03-01", 9));
		expect(counted([amendment, filing("a")])).toEqual({ usd: 9, offerings: 1 });
		const other = filing("a", { date_of_first_sale: "2025-01-02" });
		expect(counted([amendment, other])).toEqual({ usd: 1009, offerings: 2 });
	});

	it("bridges a missing amendment, unless the file numbers differ", () => {
		const later = { ...amends("gone", "2026-03-01", 9), file_number: "021-1" };
		expect(counted([filing("a"), filing("c", later)])).toEqual({ usd: 9, offerings: 1 });
		expect(counted([filing("a", { file_number: "021-2" }), filing("c", later)]).offerings).toBe(2);
	});

	it("separates an issuer's offerings", () => {
		const filings = [
			filing("a", { file_number: "021-1" }),
			filing("b", { file_number: "021-2", total_amount_sold: 30, filing_date: "2026-02-01" }),
		];
		expect(counted(filings)).toEqual({ usd: 1030, offerings: 2 });
	});

	it("does not follow a previous accession number to another issuer", () => {
		const filings = [filing("a"), filing("b", { ...amends("a", "2026-03-01", 5), cik: "200" })];
		expect(counted(filings)).toEqual({ usd: 1005, offerings: 2 });
	});

	it("of two filings on one day counts the amendment", () => {
		const filings = [
			filing("z", amends("a", "2026-01-10", 20)),
			filing("b", amends("z", "2026-01-10", 30)),
			filing("a"),
		];
		for (const order of orders(filings)) {
			expect(buildChains(order)).toMatchObject([{ key: "a", latest: "b" }]);
		}
	});

	it("counts the newest filing with a plausible amount, or the newest if none has one", () => {
		const filings = [
			filing("a"),
			filing("b", amends("a", "2026-02-01", 2500)),
			filing("c", amends("b", "2026-03-01", null)),
		];
		for (const order of orders(filings)) {
			expect(buildChains(order)).toMatchObject([{ key: "a", filings: ["a", "b", "c"], latest: "b" }]);
		}
		expect(counted(filings)).toEqual({ usd: 2500, offerings: 1 });
		const unknown = [filing("a", { total_amount_sold: null }), filing("b", amends("a", "2026-03-01", null))];
		expect(buildChains(unknown)).toMatchObject([{ latest: "b" }]);
	});

	it("counts a co-issued sale once although one co-issuer's amendment states no plausible amount", () => {
		const filings = [
			filing("a"),
			filing("b", { cik: "200" }),
			filing("c", { ...amends("b", "2026-03-01", null), cik: "200" }),
		];
		expect(counted(filings)).toEqual({ usd: 1000, offerings: 1 });
	});

	it("counts a sale that each co-issuer filed once", () => {
		const filings = [
			filing("a"),
			filing("b", { cik: "200", related_persons: [bo], issuer_street: "1 WREN STREET." }),
			filing("c", { cik: "300", related_persons: [bo], issuer_street: "9 Other Road" }),
		];
		const expected = buildChains(filings);
		expect(counted(filings)).toEqual({ usd: 1000, offerings: 1 });
		expect(expected.map(({ duplicateOf }) => duplicateOf)).toEqual([null, "a", "a"]);
		for (const order of orders(filings)) expect(buildChains(order)).toEqual(expected);
	});

	it.each<[string, Partial<ChainFiling>]>([
		["another amount", { total_amount_sold: 1001 }],
		["another first sale", { date_of_first_sale: "2026-01-03" }],
		["no first sale", { date_of_first_sale: null }],
		["neither address nor person in common", { issuer_street: "9 Other Road", related_persons: [bo] }],
		["no address", { issuer_street: null, related_persons: [] }],
	])("counts both issuers' sales with %s", (_, changes) => {
		expect(counted([filing("a"), filing("b", { cik: "200", ...changes })]).offerings).toBe(2);
	});

	it("counts a filing that arrives twice once", () => {
		expect(counted([filing("a"), filing("a")])).toEqual({ usd: 1000, offerings: 1 });
	});

	it("has no result without input", () => {
		expect(buildChains([])).toEqual([]);
	});
});
