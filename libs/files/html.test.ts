import { describe, expect, it } from "vitest";
import { readHtmlTable } from "./html.ts";
import { StructureError } from "./structure-error.ts";

const bytes = (html: string) => new TextEncoder().encode(html);

describe("readHtmlTable", () => {
	it("reads the table with the id: text, icons by their title, entities, other tables left out", () => {
		const page = `<!doctype html><html><head><style>td{}</style></head><body>As of: <b>10/1/2026</b>
			<table id="other"><tr><td>not this</td></tr></table>
			<table id="queue"><thead><tr><th>QP</th><th>Name</th><th>SIS</th></tr></thead><tbody>
			<tr><td>1</td><td> Salt&nbsp;&amp;<br>Rush </td><td><img src="x.png" title="Document Posted"></td></tr>
			<tr><td>2<td>Unclosed<td><table><tr><td>inner</td></tr></table></tr></tbody></table></body></html>`;
		const { table, text } = readHtmlTable(bytes(page), "page.html", "queue");
		expect(table.rows).toEqual([
			["QP", "Name", "SIS"],
			["1", "Salt & Rush", "Document Posted"],
			["2", "Unclosed", "inner"],
		]);
		expect(text).toContain("As of: 10/1/2026");
		expect(text).not.toContain("td{}");
	});

	it.each([
		["a page without the table", "<html><body>Sign in</body></html>", /no table "queue"/],
		["a page that nests without end", "<div>".repeat(1_000_000), /nested more than 256 deep/],
		["a cut page", '<table id="queue"><tr><td>1</td></tr><tr><td>2', /is truncated/],
	])("refuses %s", (_, page, message) => {
		expect(() => readHtmlTable(bytes(page), "page.html", "queue")).toThrow(message);
		expect(() => readHtmlTable(bytes(page), "page.html", "queue")).toThrow(StructureError);
	});

	it("refuses bytes that are not text", () => {
		expect(() => readHtmlTable(Uint8Array.of(0xff, 0xfe, 0x80), "page.html", "queue")).toThrow("not UTF-8");
	});
});
