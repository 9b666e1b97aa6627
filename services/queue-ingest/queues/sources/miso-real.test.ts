import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutOrigins } from "../../sources/collector.ts";
import { miso } from "./miso.ts";

const dir = join(process.env.REAL_DATA_DIR ?? "../shared/data", "miso");
if (!existsSync(dir)) console.warn(`Skipped: MISO's real files, as ${dir} does not exist (REAL_DATA_DIR).`);

describe.skipIf(!existsSync(dir))("MISO's real files", () => {
	const page = "GI Interactive Queue.csv";
	const real = (name: string) => ({ name, bytes: new Uint8Array(readFileSync(join(dir, name))) });
	const byKey = async (name: string) => {
		const { requests } = await miso.parse(real(name));
		return new Map(requests.map((request) => [miso.key(request.number), request]));
	};
	const compare = async (before: string, after: string) => {
		const [a, b] = [await byKey(before), await byKey(after)];
		const common = [...a].flatMap(([key, old]) => {
			const now = b.get(key);
			return now ? [[old, now] as const] : [];
		});
		return {
			added: b.size - common.length,
			gone: a.size - common.length,
			status: common.filter(([old, now]) => old.status !== now.status).length,
			studyPhase: common.filter(([old, now]) => old.studyPhaseFiled !== now.studyPhaseFiled).length,
		};
	};

	it.each([
		[`2024-07-approx/${page}`, 3220],
		[`2025-01-23/${page}`, 3274],
		[`2025-05-11/${page}`, 3279],
		["2026-06-29/raw_miso.csv", 3792],
		["2026-06-29/raw_miso.json", 3792],
	])("accounts for every row of %s, and knows all its values and columns", async (name, rows) => {
		expect(miso.recognises(real(name))).toBe(true);
		const parsed = await miso.parse(real(name));
		const dropped = parsed.dropped.reduce((sum, { count }) => sum + count, 0);
		expect(parsed).toMatchObject({ rowsIn: rows, unknownValues: [], unknownColumns: [] });
		expect(parsed.requests.length + dropped).toBe(rows);
	});

	it("gives equal requests for the JSON and the CSV of one day", async () => {
		const [json, csvFile] = [real("2026-06-29/raw_miso.json"), real("2026-06-29/raw_miso.csv")];
		expect((await miso.parse(json)).requests.map(withoutOrigins)).toEqual(
			(await miso.parse(csvFile)).requests.map(withoutOrigins),
		);
	});

	// Counted without the rows AA1234, N/A and MSG KEEP, which come and go.
	it("shows the known changes between two files", async () => {
		expect(await compare(`2024-07-approx/${page}`, `2025-01-23/${page}`)).toMatchObject({
			added: 58,
			gone: 0,
			status: 112,
		});
		expect(await compare(`2025-01-23/${page}`, `2025-05-11/${page}`)).toEqual({
			added: 21,
			gone: 15,
			status: 456,
			studyPhase: 2228,
		});
		const day = await compare("2026-06-29/raw_miso.json", "2026-06-30/raw_miso.json");
		expect(day).toEqual({ added: 0, gone: 0, status: 17, studyPhase: 0 });
	});
});
