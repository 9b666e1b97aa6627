/**
 * Seven years of ERCOT's monthly reports, loaded in order as `npm run up -- --data` does. The change feed of twelve months is compared with
 * what a reader of its own finds in the same workbooks: it looks for a heading and for numbers of requests, and knows nothing of the product's.
 */

import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFolder, snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { numberKey, requestsIn, tablesOf } from "../../tools/truth/files.ts";
import { random } from "../support/file-formats.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const sources = [join(realData, "../archive/ercot"), join(realData, "ercot")];
const missing = !sources.every((folder) => existsSync(folder));
if (missing) console.warn(`Skipped: the series of ERCOT's reports, as ${sources.join(" or ")} is absent.`);

/** Rows of each request in a report's sheets of details, and every number that it has anywhere. */
interface Month {
	cod: Map<string, string>;
	named: Set<string>;
}

async function readMonth(path: string): Promise<Month> {
	const month: Month = { cod: new Map(), named: new Set() };
	for (const { sheet, rows } of await tablesOf(path))
		for (const [number, cells] of requestsIn(rows, ["INR"])) {
			if (!/^\d\dINR\d{4}/i.test(number)) continue;
			const key = numberKey(number);
			month.named.add(key);
			// Some months write dates as text, `MM/DD/YYYY`.
			const day = (cells.get("projected cod") ?? "").replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2");
			if (/details/i.test(sheet) && !month.cod.has(key)) month.cod.set(key, day.slice(0, 10));
		}
	return month;
}

describe.skipIf(missing)("the series of ERCOT's reports since December 2018", () => {
	let folder: string;
	let queue: Queue;
	const outcomes: string[] = [];
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "ercot-"));
		await mkdir(join(folder, "ercot"));
		for (const from of sources)
			for (const name of (await readdir(from)).filter((each) => each.endsWith(".xlsx")))
				await copyFile(join(from, name), join(folder, "ercot", name));
		queue = await openQueue();
		await loadFolder(queue.sql, folder, {
			asOf: null,
			now: () => new Date("2026-11-20T12:00:00Z"),
			report: (line) => outcomes.push(line),
		});
	}, 1_800_000);
	afterAll(async () => {
		await queue?.[Symbol.asyncDispose]();
		if (folder !== undefined) await rm(folder, { recursive: true });
	});

	test("is accepted completely, month by month", async () => {
		expect(outcomes.filter((line) => !/: applied as of/.test(line))).toEqual([]);
		const months = await queue.sql`select distinct as_of from snapshots where outcome = 'applied'`;
		expect(months.count).toBe(83);
	});

	test("yields the changes that an independent reader finds, in twelve random months", async () => {
		const { files } = await snapshotFiles(folder);
		const months = await Promise.all(
			[...Map.groupBy(files, ({ date }) => date)].map(async ([date, ofDate]) => ({
				date,
				files: ofDate,
				read: await readMonth(join(folder, ofDate.at(-1)?.path ?? "")),
			})),
		);
		const next = random(20_181_231);
		const drawn = new Set<number>();
		while (drawn.size < 12) {
			const at = 1 + Math.floor(next() * (months.length - 1));
			// A month with a correction is two lists, each with changes of its own.
			if (months[at]?.files.length === 1) drawn.add(at);
		}
		for (const at of drawn) {
			const [before, month] = [months[at - 1], months[at]];
			if (before === undefined || month === undefined) throw new Error("no such month");
			const known = new Set(months.slice(0, at).flatMap(({ read }) => [...read.named]));
			const moved = [...month.read.cod].flatMap(([number, cod]) => {
				const old = before.read.cod.get(number);
				return old === undefined || old === cod ? [] : [`ERCOT-${number} ${old} ${cod}`];
			});
			const fresh = [...month.read.named].filter((number) => !known.has(number)).map((number) => `ERCOT-${number}`);
			const changes = await queue.sql<
				{ change_type: string; text: string; id: string | null; new_value: string | null }[]
			>`
				select c.change_type, c.new_value, upper(project_id) as id, upper(project_id) || ' ' || coalesce(old_value, '') || ' ' || coalesce(new_value, '') as text
				from changes c join snapshot_files f using (snapshot_id) where f.name = ${month.files[0]?.path ?? ""}`;
			const of = (type: string) => changes.filter(({ change_type }) => change_type === type);
			const movedInFeed = of("cod_change").filter(
				({ id }) => id !== null && before.read.cod.has(id.slice("ERCOT-".length)),
			);
			expect({ month: month.date, moved: movedInFeed.map(({ text }) => text).sort() }).toEqual({
				month: month.date,
				moved: moved.sort(),
			});
			expect({
				month: month.date,
				fresh: of("new_project")
					.map(({ id }) => id)
					.sort(),
			}).toEqual({
				month: month.date,
				fresh: fresh.sort(),
			});
		}
	});
});
