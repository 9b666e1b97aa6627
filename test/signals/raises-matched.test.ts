import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storeRaises } from "../../services/signals/raises/store-raises.ts";
import type { FormD } from "../../services/signals/records/records.ts";
import { developer, formD, project } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
beforeEach(async () => {
	signals = await openSignals();
});
afterEach(() => signals[Symbol.asyncDispose]());

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

	it("is a developer's whose name the issuer has", async () => {
		await storeRaises(signals.sql, [issuedBy("Silicon Ranch Corporation", { issuer_state: "GA" })]);
		expect(await matched()).toEqual([["Silicon Ranch", "developer_exact", null]]);
	});

	it("is matched to none where the name is one word and the state another", async () => {
		await storeRaises(signals.sql, [issuedBy("Avantus LLC", { issuer_state: "FL" })]);
		expect(await matched()).toEqual([[null, "none", null]]);
	});

	it("is the developer's where the name is one word and the state its own", async () => {
		await storeRaises(signals.sql, [issuedBy("Avantus LLC", { issuer_state: "CA" })]);
		expect(await matched()).toEqual([["Avantus", "developer_exact", null]]);
	});

	it("is matched to none where a namesake does something else", async () => {
		await storeRaises(signals.sql, [
			issuedBy("Avantus Health Partners Inc", { issuer_state: "CA", industry_group: "Other Health Care" }),
		]);
		expect(await matched()).toEqual([[null, "none", null]]);
	});

	it("is a project's that the issuer is called like", async () => {
		await signals.projects(project({ id: "PJM-1", name: "Blue Jay Solar II", developer_id: 1 }));
		await storeRaises(signals.sql, [issuedBy("Blue Jay Solar II, LLC")]);
		expect(await matched()).toEqual([["Silicon Ranch", "project_name", "Blue Jay Solar II"]]);
	});

	it("is seen as soon as the name is known, and published once", async () => {
		await storeRaises(signals.sql, [issuedBy("Blue Jay Solar II, LLC"), first]);
		await signals.announced();
		await signals.projects(project({ id: "PJM-1", name: "Blue Jay Solar II", developer_id: 1 }));
		expect((await signals.announced()).raises).toEqual([
			expect.objectContaining({ version: 2, developer_canonical: "Silicon Ranch", match_method: "project_name" }),
		]);
	});
});

describe("the list of capital raises", () => {
	it("chooses by issuer, developer, amount, day, amendment and energy, a page at a time", async () => {
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
		expect(await list({ is_amendment: true })).toEqual([a]);
		expect(await list({ is_amendment: false })).toEqual([b, c, d]);
		expect(await list({ page: 2, per_page: 3 })).toEqual([d]);
	});
});
