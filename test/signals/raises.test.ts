import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeIndex, storeRaises } from "../../services/signals/raises/store-raises.ts";
import type { FormD, IndexedFiling } from "../../services/signals/records/records.ts";
import { developer, formD, orders, project } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(() => signals.clear());

const first = formD({
	accession_number: "0001900001-26-000001",
	file_number: "021-500001",
	total_amount_sold: 5_000_000,
});
const second = formD({
	accession_number: "0001900001-26-000002",
	file_number: "021-500001",
	filing_date: "2026-04-15",
	is_amendment: true,
	previous_accession_number: first.accession_number,
	total_amount_sold: 9_000_000,
});
const third = formD({
	...second,
	accession_number: "0001900001-26-000003",
	filing_date: "2026-05-20",
	total_amount_sold: 12_000_000,
});

/** USD sold: the sum of the filings that count. */
const sold = (rows: { is_latest: boolean; total_amount_sold: number | null }[]): number =>
	rows.reduce((sum, row) => sum + (row.is_latest ? (row.total_amount_sold ?? 0) : 0), 0);

describe("an offering and its amendments", () => {
	it("form one chain whose newest filing counts, in any order of arrival", async () => {
		const outcomes = new Set<string>();
		for (const order of orders([first, second, third])) {
			await signals.sql`truncate raises`;
			for (const filing of order) await storeRaises(signals.sql, [filing]);
			const { data } = await signals.ask("listCapitalRaises");
			expect(sold(data)).toBe(12_000_000);
			outcomes.add(JSON.stringify(data));
		}
		expect(outcomes.size).toBe(1);
	});

	it("keep the last plausible amount if the newest is implausible, in any order of arrival", async () => {
		const unbelievable = { ...third, total_amount_sold: null };
		for (const order of orders([first, second, unbelievable])) {
			await signals.sql`truncate raises`;
			for (const filing of order) await storeRaises(signals.sql, [filing]);
			const { data } = await signals.ask("listCapitalRaises");
			expect(sold(data)).toBe(9_000_000);
			expect(data.map((row) => [row.accession_number, row.total_amount_sold, row.is_latest])).toEqual([
				[third.accession_number, null, false],
				[second.accession_number, 9_000_000, true],
				[first.accession_number, 5_000_000, false],
			]);
		}
	});

	it("publish the amended filing again as not the latest", async () => {
		await storeRaises(signals.sql, [first]);
		expect((await signals.announced()).raises).toEqual([
			expect.objectContaining({ accession_number: first.accession_number, version: 1, is_latest: true }),
		]);
		await storeRaises(signals.sql, [second]);
		const { raises } = await signals.announced();
		expect(raises.map((raise) => [raise.accession_number, raise.version, raise.is_latest, raise.chain])).toEqual(
			expect.arrayContaining([
				[first.accession_number, 2, false, first.accession_number],
				[second.accession_number, 1, true, first.accession_number],
			]),
		);
		expect(raises).toHaveLength(2);
	});

	it("delivered again change and publish nothing", async () => {
		await storeRaises(signals.sql, [first, second]);
		await signals.announced();
		const version = await signals.dataVersion();
		expect(await storeRaises(signals.sql, [second, first, second])).toEqual({ stored: 0, known: 3 });
		expect(await signals.dataVersion()).toBe(version);
		expect((await signals.announced()).raises).toEqual([]);
	});

	it("notified by two co-issuers count once, in either order", async () => {
		const twin = formD({
			...first,
			accession_number: "0001900009-26-000007",
			cik: "1900009",
			issuer_name: "Harvest Lane Feeder LP",
			file_number: "021-500009",
		});
		for (const order of orders([first, twin, second])) {
			await signals.sql`truncate raises`;
			for (const filing of order) await storeRaises(signals.sql, [filing]);
			const { data } = await signals.ask("listCapitalRaises");
			// The amendment restates the first; the twin, whose sale it then no longer shares, stands for itself.
			expect(sold(data)).toBe(14_000_000);
		}
		await signals.sql`truncate raises`;
		await storeRaises(signals.sql, [twin]);
		await storeRaises(signals.sql, [first]);
		const { data } = await signals.ask("listCapitalRaises");
		expect(sold(data)).toBe(5_000_000);
		expect(new Set(data.map(({ chain }) => chain)).size).toBe(1);
	});
});

describe("a filing from two sources", () => {
	const poorer: FormD = {
		...first,
		filing_date: "2026-02-27",
		filing_date_known: false,
		file_number: null,
		issuer_name: "HARVEST LANE HOLDINGS LLC",
		issuer_street: null,
		related_persons: [],
		entity_type: null,
	};
	const indexed: IndexedFiling = {
		accessionNumber: first.accession_number,
		cik: first.cik,
		company: "Harvest Lane Holdings LLC",
		form: "D",
		filingDate: "2026-03-02",
		fileNumber: null,
	};

	it("has the facts of all sources, in any order of delivery", async () => {
		const deliveries = [
			() => storeRaises(signals.sql, [first]),
			() => storeRaises(signals.sql, [poorer]),
			() => storeIndex(signals.sql, [indexed]),
		];
		const outcomes = new Set<string>();
		for (const order of orders(deliveries)) {
			await signals.sql`truncate raises, indexed_filings`;
			for (const deliver of order) await deliver();
			outcomes.add(JSON.stringify((await signals.ask("listCapitalRaises")).data));
		}
		expect(outcomes.size).toBe(1);
		const [[raise]] = [...outcomes].map((json) => JSON.parse(json) as Record<string, unknown>[]) as [[object]];
		expect(raise).toMatchObject({
			filing_date: "2026-03-02",
			issuer_name: "Harvest Lane Holdings LLC",
			entity_type: "Limited Liability Company",
			related_persons: first.related_persons,
		});
	});

	it("takes its day from a later index, and is published again", async () => {
		await storeRaises(signals.sql, [poorer]);
		expect((await signals.announced()).raises).toEqual([
			expect.objectContaining({ filing_date: "2026-02-27", version: 1 }),
		]);
		await storeIndex(signals.sql, [indexed]);
		expect((await signals.announced()).raises).toEqual([
			expect.objectContaining({ filing_date: "2026-03-02", version: 2 }),
		]);
		expect(await signals.sql`select state from indexed_filings`).toEqual([{ state: "stored" }]);
	});

	it("is listed as missing while only an index names it", async () => {
		await storeIndex(signals.sql, [indexed]);
		expect((await signals.ask("listCapitalRaises")).meta.total).toBe(0);
		const { sources } = await signals.ask("listSignalSources");
		expect(sources).toContainEqual(
			expect.objectContaining({ database: "capital", source: "form-d", unchecked_records: 1 }),
		);
		await storeRaises(signals.sql, [poorer]);
		expect((await signals.ask("listSignalSources")).sources).toContainEqual(
			expect.objectContaining({ source: "form-d", records: 1, unchecked_records: 0 }),
		);
	});
});

describe("an offering's developer", () => {
	const issuedBy = (issuer_name: string, facts: Partial<FormD> = {}) =>
		formD({ accession_number: "0001900002-26-000001", issuer_name, ...facts });
	const matched = async () => {
		const { data } = await signals.ask("listCapitalRaises");
		return data.map((row) => [row.developer_canonical, row.match_method, row.project_name]);
	};
	beforeEach(() =>
		signals.developers(
			developer({ developer_id: 1, canonical_name: "Silicon Ranch", headquarters_state: "TN" }),
			developer({ developer_id: 2, canonical_name: "Avantus", headquarters_state: "CA" }),
		),
	);

	it("is the developer with the issuer's name", async () => {
		await storeRaises(signals.sql, [issuedBy("Silicon Ranch Corporation", { issuer_state: "GA" })]);
		expect(await matched()).toEqual([["Silicon Ranch", "developer_exact", null]]);
	});

	it("is unknown if the name is one word and the state differs", async () => {
		await storeRaises(signals.sql, [issuedBy("Avantus LLC", { issuer_state: "FL" })]);
		expect(await matched()).toEqual([[null, "none", null]]);
	});

	it("is matched if the name is one word and the state is equal", async () => {
		await storeRaises(signals.sql, [issuedBy("Avantus LLC", { issuer_state: "CA" })]);
		expect(await matched()).toEqual([["Avantus", "developer_exact", null]]);
	});

	it("is unknown if a namesake is in another business", async () => {
		await storeRaises(signals.sql, [
			issuedBy("Avantus Health Partners Inc", { issuer_state: "CA", industry_group: "Other Health Care" }),
		]);
		expect(await matched()).toEqual([[null, "none", null]]);
	});

	it("is found through a project with the issuer's name", async () => {
		await signals.projects(project({ id: "PJM-1", name: "Blue Jay Solar II", developer_id: 1 }));
		await storeRaises(signals.sql, [issuedBy("Blue Jay Solar II, LLC")]);
		expect(await matched()).toEqual([["Silicon Ranch", "project_name", "Blue Jay Solar II"]]);
	});

	it("is matched when the name becomes known, and published once", async () => {
		await storeRaises(signals.sql, [issuedBy("Blue Jay Solar II, LLC"), first]);
		await signals.announced();
		await signals.projects(project({ id: "PJM-1", name: "Blue Jay Solar II", developer_id: 1 }));
		expect((await signals.announced()).raises).toEqual([
			expect.objectContaining({ version: 2, developer_canonical: "Silicon Ranch", match_method: "project_name" }),
		]);
	});
});

describe("the list of capital raises", () => {
	it("filters by issuer, developer, amount, day, amendment and energy, with pages", async () => {
		await signals.developers(developer({ developer_id: 1, canonical_name: "Silicon Ranch" }));
		await storeRaises(signals.sql, [
			first,
			second,
			formD({
				accession_number: "0001900003-26-000001",
				cik: "1900003",
				issuer_name: "Silicon Ranch Corp",
				total_amount_sold: 100,
				filing_date: "2026-01-05",
				date_of_first_sale: null,
			}),
			formD({
				accession_number: "0001900004-26-000001",
				cik: "1900004",
				issuer_name: "Corner Bakery Inc",
				industry_group: "Restaurants",
				total_offering_amount: null,
				total_amount_sold: 0,
				filing_date: "2026-01-01",
				date_of_first_sale: null,
			}),
		]);
		const list = async (params: Parameters<typeof signals.ask<"listCapitalRaises">>[1]) =>
			(await signals.ask("listCapitalRaises", params)).data.map((row) => row.accession_number.slice(-15));
		const [a, b, c, d] = ["1900001-26-000002", "1900001-26-000001", "1900003-26-000001", "1900004-26-000001"].map(
			(text) => text.slice(-15),
		);
		expect(await list({})).toEqual([a, b, c, d]);
		expect(await list({ issuer: "bakery" })).toEqual([d]);
		expect(await list({ developer: "silicon" })).toEqual([c]);
		expect(await list({ matched_only: true })).toEqual([c]);
		expect(await list({ energy_only: true })).toEqual([a, b, c]);
		expect(await list({ min_amount_sold: 5_000_000 })).toEqual([a, b]);
		expect(await list({ since: "2026-03-02" })).toEqual([a, b]);
		const later = await signals.ask("listCapitalRaises", { since: "2027-01-01" });
		expect(later).toMatchObject({ data: [], meta: { coverage: { capital_raises: expect.stringMatching(/^2026-/) } } });
		expect(await list({ is_amendment: true })).toEqual([a]);
		expect(await list({ is_amendment: false })).toEqual([b, c, d]);
		expect(await list({ page: 2, per_page: 3 })).toEqual([d]);
	});
});
