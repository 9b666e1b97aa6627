import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { parseCompanies } from "./gem.ts";
import { readEvidence } from "./index.ts";

const file = (name: string, ...lines: string[]) => ({
	name,
	bytes: Buffer.from(lines.map((line) => `${line}\n`).join("")),
});

describe("Global Energy Monitor's plants", () => {
	const header = "fuel_type,technology,project,unit,project_loc,owner,parent,capacity,status,region,country,province";
	const unit = (owner: string, parent: string, country = "United States") =>
		`gas,combined cycle,Larkspur,1,,${owner},${parent},100,operating,Americas,${country},Texas`;

	it("state an owner's parents with their shares; with several owners the parents cannot be assigned", async () => {
		const read = await readEvidence(
			file(
				"GEM_gas-plant_data-2024-08-29.csv",
				header,
				unit("Larkspur LLC ", "Alpha Corp [60.0%]; Beta SA [40.0%]; other [0.5%]"),
				unit("Larkspur LLC [50%]; Gamma LP [50%]", "Alpha Corp [50.0%]; Delta [50.0%]"),
				unit("Aalen GmbH", "Palm Group [100.0%]", "Germany"),
				unit("", ""),
			),
		);
		expect(read).toMatchObject({ source: "gem", rowsIn: 4, rowsKept: 2 });
		expect(
			read.evidence.map((said) => [said.row_number, said.position, said.raw_name, said.parent_name, said.share]),
		).toEqual([
			[1, 1, "Larkspur LLC", "Alpha Corp", 0.6],
			[1, 2, "Larkspur LLC", "Beta SA", 0.4],
			[2, 1, "Larkspur LLC", null, null],
			[2, 2, "Gamma LP", null, null],
		]);
		expect(read.evidence[0]).toMatchObject({
			edition: "2024-08-29",
			attribution: expect.stringContaining("CC BY 4.0"),
		});
		expect(read.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["a unit outside the United States", 1],
			["no owner named", 1],
		]);
	});

	it("may omit a share", () => {
		expect(parseCompanies("EP Netherlands BV; Eneco NV [50%]")).toEqual([
			{ name: "EP Netherlands BV", share: null },
			{ name: "Eneco NV", share: 0.5 },
		]);
		expect(parseCompanies(null)).toEqual([]);
	});
});

it("Exhibit 21 lists a registrant's subsidiaries by CIK and filing", async () => {
	const read = await readEvidence(
		file(
			"labels.csv",
			"Filename,Subsidiary,Location of Incorporation,Ownership Percentage",
			"4904-0000004904-09-000040,AEP Texas Central Company,Texas,100.0",
			"4904-0000004904-09-000040,AEP Texas Central Company,Texas,100.0",
			"4904-0000004904-09-000040,,Texas,",
			"somewhere,Anybody,,",
		),
	);
	expect(read.evidence).toEqual([
		expect.objectContaining({ edition: "0000004904-09-000040", registrant_cik: 4904, share: 1, location: "Texas" }),
	]);
	expect(read.dropped.map(({ reason }) => reason)).toEqual([
		"exact repeat of another row",
		"no subsidiary named",
		"no registrant and filing",
	]);
	expect(read.rowsIn).toBe(4);
});

it("reference files are recognised and reported, other files refused", async () => {
	const labelled = file(
		"labelled_names.csv",
		"raw_name,source,expected_canonical,kind,certainty,note",
		"A,ercot,B,exact,sure,",
	);
	expect(await readEvidence(labelled)).toMatchObject({ source: null, rowsIn: 1, rowsKept: 0 });
	const forms = file("us_legal_forms.json", '{"legal_forms":{"en":{"limited liability company":["llc"]}}}');
	expect(await readEvidence(forms)).toMatchObject({ source: null, rowsIn: 1, rowsKept: 0 });
	await expect(readEvidence(file("any.csv", "a,b", "1,2"))).rejects.toThrow(StructureError);
	await expect(readEvidence(file("any.json", '{"legal_forms":[]}'))).rejects.toThrow(StructureError);
	await expect(readEvidence(file("cut.json", '{"legal_forms":'))).rejects.toThrow(StructureError);
});

it("SEC's list of listed companies yields each number once, whatever its tickers", async () => {
	const rows = {
		"0": { cik_str: 1326160, ticker: "DUK", title: "Duke Energy CORP" },
		"1": { cik_str: 1326160, ticker: "DUKB", title: "Duke Energy CORP" },
		"2": { cik_str: "no number", ticker: "X", title: "X" },
		"3": { cik_str: 7, ticker: "Y" },
	};
	const read = await readEvidence(file("company_tickers.json", JSON.stringify(rows)));
	expect(read).toMatchObject({ source: "sec_company_tickers", rowsIn: 4, rowsKept: 1 });
	expect(read.evidence).toEqual([
		expect.objectContaining({ raw_name: "Duke Energy CORP", registrant_cik: 1326160, row_number: 1 }),
	]);
	expect(read.dropped.map(({ reason, count }) => [reason, count])).toEqual([
		["another ticker of a company that is listed already", 1],
		["no company number or name", 2],
	]);
});
