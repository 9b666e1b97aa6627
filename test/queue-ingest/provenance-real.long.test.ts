/** Values of the operators' newest real lists: the cell that is named holds them, by readers of another make. */
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { date, megawatts } from "#libs/files/values.ts";
import { drawValues, verifySample } from "../../services/queue-ingest/provenance/verify-sample.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import { type OtherFile, readOtherwise } from "./support/other-reader.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const lists = [
	["CAISO", "caiso/weekly/publicqueuereport-07202026.xlsx"],
	["CAISO", "caiso/cluster-15-interconnection-requests.xlsx"],
	["ERCOT", "ercot/GIS_Report_September2025.xlsx"],
	["ERCOT", "ercot/GIS_Report_October2025.xlsx"],
	["ISO-NE", "isone/2026-06-29/raw_isone.json"],
	["MISO", "miso/2026-06-30/raw_miso.csv"],
	["NYISO", "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx"],
	["PJM", "pjm/2025-01-23/PlanningQueues.xlsx"],
	["PJM", "pjm/2026-06-29/raw_pjm_cycle_transition.csv"],
	["SPP", "spp/2026-06-30/raw_spp.csv"],
] as const;

type Origin = Reply<"getProjectProvenance">["data"][number];

const plain = (text: string) => text.replace(/[\s\p{Cc}\u200b\ufeff]+/gu, " ").trim();
const fromSerial = (text: string) =>
	/^\d+(\.\d+)?$/.test(text)
		? new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(text)) * 86_400_000).toISOString().slice(0, 10)
		: text;

/** Describes how the other reader's cell differs from the named one; null if they agree. */
function differs(origin: Origin, other: OtherFile): string | null {
	const { sheet, row, column, raw, rule, value, header } = origin;
	if (row === null) return "no row is named";
	if (column === null) return raw === null ? null : "a raw text without a column";
	const cell = other.cell(sheet, row, column);
	const isDay = /^\d{4}-\d{2}-\d{2}$/.test(raw ?? "");
	const texts = [cell, cell === undefined ? undefined : fromSerial(cell)].map((text) => plain(text ?? ""));
	const sameNumber = raw !== null && cell !== undefined && Number(raw) === Number(cell);
	if (!texts.includes(plain(raw ?? "")) && !sameNumber && !(isDay && texts.includes(raw ?? "")))
		return `the cell holds ${cell}, not ${raw}`;
	const named = plain(header ?? "");
	if (named === "") return "no header";
	if (rule === "text" && plain(cell ?? "") !== String(value)) return `${cell} is not ${value}`;
	if (rule === "day" && date(isDay ? raw : (cell ?? null)) !== value) return `${cell} is not ${value}`;
	if (rule === "megawatts" && megawatts(cell ?? null) !== value) return `${cell} is not ${value}`;
	return null;
}

/** Values drawn from all lists. */
const count = 1_000;

describeReal("values of the operators' newest real lists", ["caiso"], () => {
	const queue: Queue = sharedQueue(async () => {
		for (const [region, path] of lists) {
			const file = { ...readReal(path), name: path };
			const taken = await queue.take(region, dayOf(path), file, { accept: true });
			expect([path, taken.outcome, taken.reason]).toEqual([path, "applied", null]);
		}
	});

	test("are in the named cell, by an independent reader", async () => {
		const drawn = await drawValues(queue.sql, count, "cells");
		const others = new Map<string, OtherFile>();
		const wrong: unknown[] = [];
		for (const { id, field } of drawn) {
			const { data } = await queue.ask("getProjectProvenance", { project_id: id, field });
			const [origin] = data;
			if (origin === undefined || origin.file === null) {
				wrong.push({ id, field, why: "no file is named" });
				continue;
			}
			const path = lists.map(([, each]) => each).find((each) => each === origin.file) ?? basename(origin.file);
			const other = others.get(path) ?? readOtherwise(join(realData, path));
			others.set(path, other);
			const why = differs(origin, other);
			if (why !== null) wrong.push({ id, field, why, origin });
		}
		expect(drawn).toHaveLength(count);
		expect(wrong.slice(0, 5)).toEqual([]);
		expect(wrong).toHaveLength(0);
	}, 120_000);

	test("are equal when their files are read again", async () => {
		const disagreeing: Reply<"verifyValue">[] = [];
		let read = 0;
		for await (const value of verifySample(queue.sql, count, "again")) {
			read++;
			if (!value.agrees) disagreeing.push(value);
		}
		expect(read).toBe(count);
		expect(disagreeing.slice(0, 5)).toEqual([]);
		expect(disagreeing).toHaveLength(0);
	}, 120_000);

	test("that Berkeley Lab's edition of 2020 overrules are in the named cell, by an independent reader", async () => {
		const path = "lbnl/lbnlisoqueues_2020.xlsx";
		const loaded = await loadLbnl(queue.sql, readReal(path), new Date(queue.now));
		expect([loaded.outcome, loaded.reason]).toEqual(["applied", null]);
		const other = readOtherwise(join(realData, path));
		const rows = await queue.sql<{ id: string }[]>`
			select a.project_id as id from project_aliases a
			join lbnl_requests l on l.lbnl_region = a.region and l.key = a.key
			group by 1 order by md5(a.project_id) limit 120`;
		const wrong: unknown[] = [];
		const sheets = new Set<string | null>();
		let cells = 0;
		for (const { id } of rows) {
			const { data, files } = await queue.ask("getProjectProvenance", { project_id: id });
			const edition = files.find(({ feed }) => feed === "lbnl");
			for (const { field, overruled } of data)
				for (const { sheet, row, column, header, raw, sha256 } of overruled) {
					if (edition === undefined || sha256 !== edition.sha256) continue;
					cells++;
					sheets.add(sheet);
					const cell = other.cell(sheet, row ?? 0, column ?? "");
					const texts = [cell, fromSerial(cell ?? "")].map((text) => plain(text ?? ""));
					const same = texts.includes(raw ?? "") || Number(cell) === Number(raw);
					if (!same || header === null) wrong.push({ id, field, sheet, row, column, raw, cell });
				}
		}
		expect(wrong.slice(0, 5)).toEqual([]);
		expect(sheets).toEqual(new Set(["active", "completed", "withdrawn"]));
		expect(cells).toBeGreaterThan(300);
	}, 120_000);
});

function dayOf(path: string): string {
	if (path.includes("September2025")) return "2025-09-30";
	if (path.includes("October2025")) return "2025-10-31";
	return /(\d{4}-\d\d-\d\d)/.exec(path)?.[1] ?? "2026-07-20";
}
