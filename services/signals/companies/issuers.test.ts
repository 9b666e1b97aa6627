import { describe, expect, it } from "vitest";
import { describeRealFiles } from "../../../test/signals/support/real-files.ts";
import { issuers, readIssuers } from "./issuers.ts";

const header = "cik|issuer|developer|parent";

describe("issuers", () => {
	it("name a developer if the issuer is one, and only a parent for a group", () => {
		expect(issuers.get("1567683")).toMatchObject({ developer: "Clearway Energy Group" });
		expect(issuers.get("753308")).toMatchObject({ developer: null, parent: "NextEra Energy" });
		expect(issuers.get("41091")).toMatchObject({ developer: "Georgia Power", parent: "Southern Company" });
	});

	it("do not contain companies that only share a name", () => {
		// Constellation Brands, Dominion's namesake, and the gas company EQT.
		for (const cik of ["16918", "878927", "33213"]) expect(issuers.has(cik)).toBe(false);
	});

	it.each([
		["another header", "a|b\n1|2|3|4"],
		["a number with zeros before it", `${header}\n007|Jay||Jay`],
		["a number that is repeated", `${header}\n7|Jay||Jay\n7|Wren||Wren`],
		["a field too many", `${header}\n7|Jay||Jay|x`],
	])("refuse %s", (_, source) => {
		expect(() => readIssuers(source)).toThrow("issuers:");
	});
});

describeRealFiles("sec", (files) => {
	it("confirm the numbers of all issuers except seven without a ticker", () => {
		const [file] = files().filter(({ name }) => name === "company_tickers.json");
		const rows: { cik_str: number; title: string }[] = Object.values(JSON.parse(new TextDecoder().decode(file?.bytes)));
		const titles = new Map(rows.map(({ cik_str, title }) => [String(cik_str), title]));
		const unlisted = [...issuers.values()].filter(({ cik, name }) => titles.get(cik) !== name);
		expect(unlisted.map(({ name }) => name)).toEqual([
			"VIRGINIA ELECTRIC & POWER CO",
			"WISCONSIN ELECTRIC POWER CO",
			"WISCONSIN PUBLIC SERVICE CORP",
			"PPL ELECTRIC UTILITIES CORP",
			"TerraForm Power, Inc.",
			"Fermi Inc.",
			"Greenbacker Renewable Energy Co LLC",
		]);
	});
});
