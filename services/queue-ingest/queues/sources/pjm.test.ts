import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv } from "#libs/files/csv.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { csvOf, cycleExample, file, rowsOf, serialExample, xmlOf } from "../../../../test/support/pjm-files.ts";
import { withoutOrigins } from "../../sources/collector.ts";
import type { RawFile } from "../../sources/source.ts";
import { miso } from "./miso.ts";
import { pjmCycle } from "./pjm/cycle.ts";
import { pjmSerial } from "./pjm/serial.ts";
import { spp } from "./spp.ts";

describe("recognition", () => {
	it("distinguishes PJM's two queues in XML and CSV", () => {
		for (const layout of [xmlOf, csvOf]) {
			const files = [layout(rowsOf(serialExample, [{}])), layout(rowsOf(cycleExample, [{}]))];
			expect(files.map((item) => pjmSerial.recognises(item))).toEqual([true, false]);
			expect(files.map((item) => pjmCycle.recognises(item))).toEqual([false, true]);
		}
	});

	it("recognises neither HTML pages nor other lists", () => {
		for (const content of ["<html></html>", "a,b\n1,2\n", "", "[]", "PAR1\u0000"]) {
			for (const source of [pjmSerial, pjmCycle, miso, spp]) {
				expect(source.recognises(file(content, "2026-05-05.parquet"))).toBe(false);
			}
		}
	});
});

const dir = join(process.env.REAL_DATA_DIR ?? "../shared/data", "pjm");
if (!existsSync(dir)) console.warn(`Skipped: PJM's real files, as ${dir} does not exist (REAL_DATA_DIR).`);

describe.skipIf(!existsSync(dir))("PJM's real files", () => {
	const real = (name: string): RawFile => ({
		name: basename(name),
		bytes: new Uint8Array(readFileSync(join(dir, name))),
	});
	const workbook = "2024-07-approx/PlanningQueues.xlsx";
	const derived = "2026-05-05/PlanningQueues-2026-05-05.derived.csv";
	const known = new Map<string, ReturnType<typeof pjmSerial.parse>>();
	/** Each is read once. */
	const parsed = (name: string, source = pjmSerial) => {
		const reading = known.get(name) ?? source.parse(real(name));
		known.set(name, reading);
		return reading;
	};
	afterAll(() => known.clear());

	it.each([
		// The larger workbooks: test/queue-ingest/list-readings.long.test.ts.
		[workbook, pjmSerial, 2864, 210],
		[derived, pjmSerial, 9251, 917],
		["2026-06-29/raw_pjm_cycle_transition.csv", pjmCycle, 968, 0],
	])("accounts for every row of %s, without unknown values or columns", async (name, source, rows, moved) => {
		expect([pjmSerial, pjmCycle, miso, spp].filter((other) => other.recognises(real(name)))).toEqual([source]);
		const { requests, stillListed = [], ...found } = await parsed(name, source);
		expect(found).toMatchObject({ rowsIn: rows, unknownValues: [], unknownColumns: [] });
		expect(stillListed).toHaveLength(moved);
		expect(requests).toHaveLength(rows - moved);
		expect(new Set(requests.map(({ number }) => source.key(number))).size).toBe(rows - moved);
	});

	it("gives equal requests for the workbook, the CSV and the XML of one list", async () => {
		const [data] = await readWorkbook(real(workbook).bytes);
		const requests = (await parsed(workbook)).requests.map(withoutOrigins);
		expect((await pjmSerial.parse(csvOf(data?.rows ?? []))).requests.map(withoutOrigins)).toEqual(requests);
		expect((await pjmSerial.parse(xmlOf(data?.rows ?? []))).requests.map(withoutOrigins)).toEqual(requests);
	});

	it("gives equal requests for the cycle queue's CSV and XML", async () => {
		const list = real("2026-06-29/raw_pjm_cycle_transition.csv");
		const { rows } = readCsv(list.bytes, list.name);
		expect((await pjmCycle.parse(xmlOf(rows))).requests.map(withoutOrigins)).toEqual(
			(await parsed("2026-06-29/raw_pjm_cycle_transition.csv", pjmCycle)).requests.map(withoutOrigins),
		);
	});

	it("lacks only two generators of 2024 in 2026, counting moved ones as listed", async () => {
		const [before, after] = [await parsed(workbook), await parsed(derived)];
		const listed = new Set([...after.requests.map(({ number }) => number), ...(after.stillListed ?? [])]);
		expect(before.requests.map(({ number }) => number).filter((number) => !listed.has(number))).toEqual([
			"AG1-326",
			"AG1-401",
		]);
	});
});
