import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../test/signals/support/real-files.ts";
import { readCompanyTickers } from "./json-feeds.ts";

const read = (source: string) => readCompanyTickers(new TextEncoder().encode(source), "company_tickers.json");

describe("readCompanyTickers", () => {
	it("reads a row for each ticker", () => {
		const { records } = read(
			'{"0":{"cik_str":123456,"ticker":"JAY","title":"Blue Jay Energy Inc"},"1":{"cik_str":123456,"ticker":"JAY-PA","title":"Blue Jay Energy Inc"}}',
		);
		expect(records.map(({ cik, ticker, title }) => [cik, ticker, title])).toEqual([
			["123456", "JAY", "Blue Jay Energy Inc"],
			["123456", "JAY-PA", "Blue Jay Energy Inc"],
		]);
	});

	it("drops an incomplete row", () => {
		const parsed = read(
			'{"0":{"cik_str":1,"ticker":"A","title":"A"},"1":{"cik_str":0,"ticker":"B","title":"B"},"2":null}',
		);
		expect(parsed).toMatchObject({ rowsIn: 3, dropped: [{ count: 2, examples: ["1", "2"] }] });
	});

	it.each([
		["a cut file", '{"0":{"cik_str":1,"ticker":"A"'],
		["another object", '{"fields":["cik"],"data":[]}'],
		["a page", "<html></html>"],
	])("refuses %s", (_, source) => {
		expect(() => read(source)).toThrow(StructureError);
	});
});

describeRealFiles("sec", (files) => {
	it("list 9,610 tickers", () => {
		const [file] = files().filter(({ name }) => name === "company_tickers.json");
		const { rowsIn, records } = readCompanyTickers(file?.bytes ?? new Uint8Array(), "company_tickers.json");
		expect([rowsIn, records.length]).toEqual([9610, 9610]);
		expect(records.find(({ ticker }) => ticker === "CWEN")).toEqual({
			cik: "1567683",
			ticker: "CWEN",
			title: "Clearway Energy, Inc.",
		});
	});
});
