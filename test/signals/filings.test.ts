import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeFilings } from "../../services/signals/filings/store-filings.ts";
import { developer, eightK, orders } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(() => signals.clear());

const deal = eightK({ accessionNumber: "0001900002-26-000010", items: ["1.01", "2.03", "9.01"] });
const amended = eightK({
	...deal,
	accessionNumber: "0001900002-26-000011",
	form: "8-K/A",
	filingDate: "2026-05-30",
	items: ["1.01"],
});

describe("a current report", () => {
	it("has titles, categories and a class, and is published", async () => {
		await storeFilings(signals.sql, [deal]);
		expect((await signals.ask("listMaterialEvents")).data).toEqual([
			{
				accession_number: deal.accessionNumber,
				filing_date: "2026-04-10",
				report_date: "2026-04-07",
				form_type: "8-K",
				issuer_name: "EXAMPLE SUN CORP",
				cik: "1900002",
				items: [
					"Entry into a Material Definitive Agreement",
					"Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
					"Financial Statements and Exhibits",
				],
				categories: ["agreement", "debt"],
				event_type: "financing",
				url: deal.url,
				energy_keyword: 1,
				developer_canonical: null,
				match_method: "none",
				first_told: true,
				subsidiary_bankruptcy: null,
			},
		]);
		expect((await signals.announced()).filings).toEqual([
			expect.objectContaining({
				version: 1,
				event_type: "financing",
				item_codes: ["1.01", "2.03", "9.01"],
				first_told: true,
				energy: true,
				developer_id: null,
			}),
		]);
	});

	it("is published again when more of its items are known, but not when it is matched again", async () => {
		await storeFilings(signals.sql, [{ ...deal, items: ["1.01", "2.03"] }]);
		await storeFilings(signals.sql, [deal]);
		const { filings } = await signals.announced();
		expect(filings.map(({ version, item_codes }) => [version, item_codes])).toEqual([
			[1, ["1.01", "2.03"]],
			[2, ["1.01", "2.03", "9.01"]],
		]);
		await signals.developers(developer({ developer_id: 1, canonical_name: "Silicon Ranch" }));
		expect((await signals.announced()).filings).toEqual([]);
	});

	it("without an event is not listed and not published", async () => {
		await storeFilings(signals.sql, [eightK({ accessionNumber: "0001900002-26-000012", items: ["7.01", "9.01"] })]);
		expect((await signals.ask("listMaterialEvents")).meta.total).toBe(0);
		expect((await signals.announced()).filings).toEqual([]);
	});

	it("amended counts its events once, whatever the order of arrival", async () => {
		for (const order of orders([deal, amended])) {
			await signals.sql`truncate filings`;
			for (const filing of order) await storeFilings(signals.sql, [filing]);
			const { data } = await signals.ask("listMaterialEvents");
			expect(data.map(({ form_type, first_told }) => [form_type, first_told])).toEqual([
				["8-K/A", false],
				["8-K", true],
			]);
		}
	});

	it("is published again when it turns out to be a repetition", async () => {
		await storeFilings(signals.sql, [amended]);
		await signals.announced();
		await storeFilings(signals.sql, [deal]);
		const { filings } = await signals.announced();
		expect(filings.map((filing) => [filing.form_type, filing.version, filing.first_told])).toEqual(
			expect.arrayContaining([
				["8-K", 1, true],
				["8-K/A", 2, false],
			]),
		);
	});

	it("delivered again changes and publishes nothing", async () => {
		await storeFilings(signals.sql, [deal, amended]);
		await signals.announced();
		const version = await signals.dataVersion();
		expect(await storeFilings(signals.sql, [amended, deal])).toEqual({ stored: 0, known: 2 });
		expect(await signals.dataVersion()).toBe(version);
		expect((await signals.announced()).filings).toEqual([]);
	});

	it("from a feed, a search and its own text is merged into one filing", async () => {
		const atom = {
			...deal,
			items: [],
			reportDate: null,
			sic: null,
			url: `${deal.url.slice(0, deal.url.lastIndexOf("/"))}/${deal.accessionNumber}-index.htm`,
		};
		const utility = { ...deal, cik: "1900050", company: "EXAMPLE UTILITY CO", items: ["1.01"] };
		const text = { ...deal, items: ["1.01"], dealText: true };
		const outcomes = new Set<string>();
		for (const order of orders([atom, utility, text, deal])) {
			await signals.sql`truncate filings`;
			for (const filing of order) await storeFilings(signals.sql, [filing]);
			outcomes.add(JSON.stringify((await signals.ask("listMaterialEvents")).data));
		}
		expect(outcomes.size).toBe(1);
		expect([...outcomes].map((json) => JSON.parse(json))).toEqual([
			[
				expect.objectContaining({
					cik: "1900002",
					event_type: "ma",
					report_date: "2026-04-07",
					categories: ["agreement", "debt"],
				}),
			],
		]);
	});
});

describe("a report's developer", () => {
	// Duke Energy CORP.
	const duke = eightK({ accessionNumber: "0001326160-26-000001", cik: "1326160", company: "Duke Energy CORP" });

	it("is matched by the issuer's number, also when the developer becomes known later", async () => {
		await storeFilings(signals.sql, [duke]);
		expect((await signals.announced()).filings[0]).toMatchObject({ developer_canonical: null });
		await signals.developers(developer({ developer_id: 7, canonical_name: "Duke Energy" }));
		expect((await signals.announced()).filings).toEqual([
			expect.objectContaining({ version: 2, developer_id: 7, developer_canonical: "Duke Energy" }),
		]);
		expect((await signals.ask("listMaterialEvents", { matched_only: true })).data[0]).toMatchObject({
			match_method: "issuer_cik",
		});
	});

	it("is never matched by the issuer's name", async () => {
		await signals.developers(developer({ developer_id: 8, canonical_name: "Silicon Ranch" }));
		await storeFilings(signals.sql, [
			eightK({ accessionNumber: "0001900006-26-000001", company: "SILICON RANCH CORP" }),
		]);
		expect((await signals.ask("listMaterialEvents")).data[0]).toMatchObject({
			developer_canonical: null,
			match_method: "none",
		});
	});
});

describe("whether the issuer is of the energy sector", () => {
	const energy = async () =>
		(await signals.ask("listMaterialEvents")).data.map((row) => [row.accession_number, row.energy_keyword]);

	it.each([
		["1326160", "Duke Energy CORP", 1],
		["1376986", "Tennessee Valley Authority", 1],
		["65984", "ENTERGY CORP /DE/", 1],
		["1393818", "Blackstone Inc.", 0],
		["1652044", "Alphabet Inc.", 0],
		["1900007", "Meridian Energy Group", 0],
	] as const)("is determined for %s (%s) without a code: %i", async (cik, company, expected) => {
		const accessionNumber = "0001326160-26-000002";
		await storeFilings(signals.sql, [eightK({ accessionNumber, cik, company, sic: null })]);
		expect(await energy()).toEqual([[accessionNumber, expected]]);
	});

	it("is determined by the code in any filing of the company, in any order of arrival", async () => {
		const bare = eightK({ accessionNumber: "0001900008-26-000001", cik: "1900008", company: "EXAMPLE CO", sic: null });
		const coded = { ...bare, accessionNumber: "0001900008-26-000002", sic: "4911", items: ["2.03"] };
		for (const order of orders([bare, coded])) {
			await signals.sql`truncate filings`;
			for (const filing of order) await storeFilings(signals.sql, [filing]);
			expect(await energy()).toEqual([
				[coded.accessionNumber, 1],
				[bare.accessionNumber, 1],
			]);
		}
		// A parent's filing, of which the company is the second.
		const parents = [{ ...coded, cik: "1800001", company: "EXAMPLE HOLDINGS", sic: "6770" }, coded];
		for (const order of orders([[bare], parents])) {
			await signals.sql`truncate filings`;
			for (const filings of order) await storeFilings(signals.sql, filings);
			expect(await energy()).toEqual([
				[coded.accessionNumber, 0],
				[bare.accessionNumber, 1],
			]);
		}
	});
});

describe("the list of material events", () => {
	it("filters by class, category, day and energy, with pages", async () => {
		await storeFilings(signals.sql, [
			deal,
			eightK({
				accessionNumber: "0001900003-26-000001",
				cik: "1900003",
				items: ["1.03"],
				subsidiaryBankruptcy: true,
				filingDate: "2026-02-01",
				reportDate: "2026-02-01",
			}),
			eightK({
				accessionNumber: "0001900004-26-000001",
				cik: "1900004",
				items: ["2.01"],
				sic: "5812",
				company: "Corner Bakery Inc",
				filingDate: "2026-01-01",
			}),
		]);
		const list = async (params: Parameters<typeof signals.ask<"listMaterialEvents">>[1]) =>
			(await signals.ask("listMaterialEvents", params)).data.map(({ event_type }) => event_type);
		expect(await list({})).toEqual(["financing", "distress", "ma"]);
		const { data } = await signals.ask("listMaterialEvents", { event_type: "distress" });
		expect(data).toMatchObject([{ event_type: "distress", subsidiary_bankruptcy: true }]);
		expect(await list({ category: "debt" })).toEqual(["financing"]);
		expect(await list({ since: "2026-02-01" })).toEqual(["financing", "distress"]);
		const later = await signals.ask("listMaterialEvents", { since: "2027-01-01" });
		expect(later).toMatchObject({ data: [], meta: { coverage: { material_events: expect.stringMatching(/^2026-/) } } });
		expect(await list({ energy_only: true })).toEqual(["financing", "distress"]);
		expect(await list({ developer: "duke" })).toEqual([]);
		expect(await list({ page: 3, per_page: 1 })).toEqual(["ma"]);
	});
});
