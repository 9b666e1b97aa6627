import { describe, expect, test } from "vitest";
import { storeArchive } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { readGkg } from "./gkg.ts";

/** A row of 27 columns; the given ones by their position. */
function row(cells: Record<number, string> = {}): string {
	const defaults: Record<number, string> = {
		0: "20260918031500-1",
		1: "20260918031500",
		2: "1",
		3: "example.com",
		4: "https://www.example.com/a",
		7: "ENV_SOLAR;",
		13: "pine gate renewables;nofar",
		14: "Pine Gate Renewables,120;Nofar Energy, Ltd,310;Pine Gate Renewables,500",
		15: "-1.2,2.1,3.3,5.4,20.1,0.1,120",
		26: "<PAGE_LINKS>https://x.com</PAGE_LINKS><PAGE_TITLE>Pine Gate&#x2019;s lenders sell 1&nbsp;GW &amp; more</PAGE_TITLE>",
	};
	return Array.from({ length: 27 }, (_, at) => cells[at] ?? defaults[at] ?? "").join("\t");
}

function file(...rows: string[]): Buffer {
	return Buffer.from(rows.map((line) => `${line}\n`).join(""));
}

function read(...rows: string[]) {
	return readGkg(file(...rows), "20260918031500.gkg.csv");
}

describe("readGkg", () => {
	test("reads a page", async () => {
		expect(await read(row())).toEqual({
			rowsIn: 1,
			records: [
				{
					url: "https://www.example.com/a",
					title: "Pine Gate’s lenders sell 1 GW & more",
					domain: "example.com",
					publishedAt: "2026-09-18T03:15:00Z",
					source: "GDELT GKG",
					sourceCountry: null,
					organizations: ["Pine Gate Renewables", "Nofar Energy, Ltd"],
					snippet: null,
				},
			],
			dropped: [],
			notes: [],
		});
	});

	test("reads the same from the archive as from the file in it", async () => {
		const content = file(row(), row({ 4: "https://www.example.com/b" }));
		const archive = storeArchive(new Map([["20260918031500.gkg.csv", content]]));
		expect(await readGkg(archive, "x.zip")).toEqual(await readGkg(content, "x.csv"));
	});

	test("an archive truncated anywhere is refused", async () => {
		const archive = storeArchive(new Map([["20260918031500.gkg.csv", file(row())]]));
		for (let length = 4; length < archive.length; length += 31) {
			await expect(readGkg(archive.subarray(0, length), "x.zip")).rejects.toThrow(StructureError);
		}
	});

	test("an archive of something else is refused", async () => {
		const archive = storeArchive(new Map([["20260918031500.export.CSV", file(row())]]));
		await expect(readGkg(archive, "x.zip")).rejects.toThrow("x.zip: the archive contains no .gkg.csv");
	});

	test("a file that ends within a line is refused", async () => {
		await expect(readGkg(file(row(), row()).subarray(0, -5), "x.csv")).rejects.toThrow("the file is truncated");
		await expect(readGkg(new Uint8Array(0), "x.csv")).rejects.toThrow("the file is empty");
	});

	test("without offsets the organisations are read from the older column", async () => {
		const { records } = await read(row({ 14: "" }));
		expect(records[0]?.organizations).toEqual(["pine gate renewables", "nofar"]);
	});

	test("blank organisations yield none", async () => {
		expect((await read(row({ 13: "", 14: "" }))).records[0]?.organizations).toEqual([]);
	});

	test("at most a hundred organisations are kept, without overlong names", async () => {
		const many = Array.from({ length: 5_000 }, (_, at) => `Company ${at},${at}`).join(";");
		const { records } = await read(row({ 14: `${"x".repeat(100_000)},1;${many}` }));
		expect(records[0]?.organizations).toHaveLength(100);
		expect(records[0]?.organizations[0]).toBe("Company 0");
	});

	test("the page's time has precedence over the file's", async () => {
		const own = (stamp: string) =>
			read(
				row({ 26: `<PAGE_PRECISEPUBTIMESTAMP>${stamp}</PAGE_PRECISEPUBTIMESTAMP><PAGE_TITLE>Solar farm</PAGE_TITLE>` }),
			);
		expect((await own("20260917220000")).records[0]?.publishedAt).toBe("2026-09-17T22:00:00Z");
		expect((await own("soon")).records[0]?.publishedAt).toBe("2026-09-18T03:15:00Z");
	});

	test("a page newer than its file has the file's time", async () => {
		const extras =
			"<PAGE_PRECISEPUBTIMESTAMP>20270101000000</PAGE_PRECISEPUBTIMESTAMP><PAGE_TITLE>Solar farm</PAGE_TITLE>";
		expect((await read(row({ 26: extras }))).records[0]?.publishedAt).toBe("2026-09-18T03:15:00Z");
	});

	test("rows that are not articles are counted with line and reason", async () => {
		const parsed = await read(
			row(),
			row().split("\t").slice(0, 12).join("\t"),
			`${row()}\tmore`,
			row({ 2: "2", 4: "BBC Monitoring 17" }),
			row({ 26: "<PAGE_LINKS>https://x.com</PAGE_LINKS>" }),
			row({ 26: "<PAGE_TITLE>never closed" }),
			row({ 26: `<PAGE_TITLE>${"x".repeat(2_000_000)}</PAGE_TITLE>` }),
			row({ 1: "now" }),
			row({ 4: "not-an-address" }),
			"x".repeat(5_000_000),
		);
		expect(parsed.rowsIn).toBe(10);
		expect(parsed.records).toHaveLength(1);
		expect(parsed.dropped).toEqual([
			{ reason: "row does not have 27 columns", count: 2, examples: ["line 2", "line 3"] },
			{ reason: "the source is not a web page", count: 1, examples: ["line 4: collection 2"] },
			{
				reason: "no title",
				count: 2,
				examples: ["line 5: https://www.example.com/a", "line 6: https://www.example.com/a"],
			},
			{ reason: "title longer than 1000 characters", count: 1, examples: ["line 7: https://www.example.com/a"] },
			{ reason: "no readable date", count: 1, examples: ["line 8: https://www.example.com/a"] },
			{ reason: "not a web address", count: 1, examples: ["line 9: not-an-address"] },
			{ reason: "row longer than 4194304 bytes", count: 1, examples: ["line 10"] },
		]);
	});

	test("stray Latin-1 bytes are repaired and counted, and ignored in unread columns", async () => {
		const titled = file(row({ 26: "<PAGE_TITLE>@rsted sells wind farm</PAGE_TITLE>" }));
		titled[titled.indexOf("@")] = 0xd8;
		const themed = file(row({ 7: "@" }));
		themed[themed.indexOf("@")] = 0xd8;
		const whole = file(row({ 26: "<PAGE_TITLE>Ørsted sells wind farm</PAGE_TITLE>" }));
		const parsed = await readGkg(Buffer.concat([titled, themed, whole]), "x.csv");
		expect(parsed.records.map(({ title }) => title).filter((title) => title.startsWith("Ørsted"))).toHaveLength(2);
	});

	test("blank lines and carriage returns are not rows", async () => {
		const parsed = await readGkg(Buffer.from(`${row()}\r\n\r\n\n${row()}\n`), "x.csv");
		expect(parsed.rowsIn).toBe(2);
		expect(parsed.records).toHaveLength(2);
	});
});
