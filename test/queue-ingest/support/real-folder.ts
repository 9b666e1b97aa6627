/** The operators' real files, loaded as `npm run up -- --data` does: one load, and facts about the changes. */

import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatCoverage } from "../../../services/queue-ingest/quality/coverage/coverage.ts";
import { loadFolder, type ReportedResult } from "../../../services/queue-ingest/queues/jobs/load-folder.ts";
import { spp } from "../../../services/queue-ingest/queues/sources/spp.ts";
import { realData } from "../../../tools/bench/real-data.ts";
import { describeReal, readReal } from "../../support/real-files.ts";
import { feedChanges, readChanges } from "./change-reader.ts";
import { type ChangeRow, openQueue, type Queue } from "./queue.ts";

/** Lists that follow one another: of the operator with the smallest ones, two workbooks and two texts. */
const pairs = [
	"spp/2024-07-12/GI_ActiveRequest.xlsx",
	"spp/2025-01-22/GI_ActiveRequest.xlsx",
	"spp/2026-06-29/raw_spp.csv",
	"spp/2026-06-30/raw_spp.csv",
];

/** Facts about the pairs, or with `every` about the whole folder. */
export function describeRealFolder(every: boolean): void {
	describeReal(`${every ? "the whole folder" : "pairs"} of real files, oldest first`, ["spp"], () => {
		let folder = realData;
		let queue: Queue;
		let failed: number;
		const results = new Map<string, ReportedResult>();
		const ignored: string[] = [];
		const count = every ? 39 : pairs.length;
		const [itWhole, itPairs] = [it.runIf(every), it.skipIf(every)];

		const load = (report: (line: string, result: ReportedResult | null) => void) =>
			loadFolder(queue.sql, folder, { asOf: null, now: () => new Date("2026-11-20T12:00:00Z"), report });

		beforeAll(async () => {
			if (!every) {
				folder = await mkdtemp(join(tmpdir(), "real-files-"));
				for (const path of pairs) {
					await mkdir(dirname(join(folder, path)), { recursive: true });
					await copyFile(join(realData, path), join(folder, path));
				}
			}
			queue = await openQueue();
			queue.now = "2026-11-20T12:00:00Z";
			({ failed } = await load((line, result) => {
				const [path = ""] = line.split(": ");
				if (result === null) ignored.push(path);
				else results.set(path, result);
			}));
			for (const line of await formatCoverage(queue.sql)) console.log(line);
		}, 300_000);
		afterAll(async () => {
			await queue[Symbol.asyncDispose]();
			if (!every) await rm(folder, { recursive: true });
		});

		/** Changes of each kind in one file, and the summaries in words. */
		async function changesOf(path: string): Promise<{ counts: Record<string, number>; summaries: ChangeRow[] }> {
			const rows = await queue.sql<{ kind: string; change: ChangeRow }[]>`
			select case when c.change_type = 'field_update' then c.field_name else c.change_type end as kind,
				json_build_array(c.project_id, c.change_type, c.field_name, c.old_value, c.new_value) as change
			from changes c join snapshot_files f using (snapshot_id) where f.name = ${path} and c.change_type not in ('first_listed', 'raw_update') order by c.seq`;
			const counts: Record<string, number> = {};
			for (const { kind, change } of rows) if (change[0] !== null) counts[kind] = (counts[kind] ?? 0) + 1;
			return { counts, summaries: rows.map((row) => row.change).filter(([project]) => project === null) };
		}

		it("is accepted file by file, with a reason for what is no queue", () => {
			const held = [...results].filter(([, { outcome }]) => outcome !== "applied").map(([path]) => path);
			expect(held).toEqual(every ? ["pjm/2024-08-19/PJM_PlanningQueues.xlsx"] : []);
			expect(failed).toBe(held.length);
			expect(results.size).toBe(count);
			if (!every) return;
			expect(ignored).toEqual([
				"README.md",
				"caiso/PreliminaryCluster14ProjectListasofMay20-2021.xlsx",
				"ercot/2026-06-29-ercotqueue.com-projects.json",
				"lbnl/interconnection-atlas-projects.json",
				"lbnl/intq.rda",
				"lbnl/queues_codebook.csv",
				"pjm/2026-05-05/2026-05-05.parquet",
			]);
		});

		it("loses no row: rows in are rows out and rows dropped with a reason", async () => {
			const files = await queue.sql<{ name: string; lost: number }[]>`
			select name, rows_in - requests - (select coalesce(sum((d ->> 'count')::int), 0)
				from jsonb_array_elements(dropped) d where d ->> 'reason' not like '%other list%') as lost
			from snapshot_files`;
			// Berkeley Lab's files have a list for each of its utilities, too.
			expect(new Set(files.map(({ name }) => name)).size).toBe(count);
			expect(files.filter((file) => file.lost !== 0)).toEqual([]);
			const unexplained = await queue.sql`
			select name from snapshot_files, jsonb_array_elements(dropped) d where coalesce(d ->> 'reason', '') = ''`;
			expect([...unexplained]).toEqual([]);
		});

		itPairs("has the structure of the lists before, with every column that a field is read from", async () => {
			const { data } = await queue.ask("getSourceContracts", { columns: false });
			const compared = data.filter(({ compared_with }) => compared_with !== null).map(({ source }) => source);
			expect(compared).toEqual(["spp"]);
			const errors = data.flatMap(({ source, drift }) =>
				drift.filter(({ severity }) => severity === "error").map((one) => ({ source, ...one })),
			);
			expect(errors).toEqual([]);
		});

		describe("pairs of data/README.md", () => {
			// 59 and 22 by row: one of each is MISO's test row ("AA1234", "MSG KEEP"), and two of the 17 gone are such rows.
			itWhole("MISO 2024-07 > 2025-01: 58 new, none gone, 112 statuses, 100 withdrawal dates", async () => {
				const path = "miso/2025-01-23/GI Interactive Queue.csv";
				expect(results.get(path)).toMatchObject({ new: 58, status_changes: 112, withdrawn: 76, disappeared: 0 });
				expect((await changesOf(path)).counts).toMatchObject({
					new_project: 58,
					status_change: 112,
					withdrawn_date: 100,
				});
			});

			itWhole("MISO 2025-01 > 2025-05: 21 new, 15 gone, 456 statuses, and 2,228 study phases", async () => {
				const path = "miso/2025-05-11/GI Interactive Queue.csv";
				expect(results.get(path)).toMatchObject({ new: 21, status_changes: 456, disappeared: 15 });
				const { counts, summaries } = await changesOf(path);
				expect(counts).toMatchObject({ new_project: 21, status_change: 456, study_phase_change: 2228 });
				expect(summaries).toEqual([]);
			});

			itWhole("MISO 2026-06-29 > 06-30: 17 statuses and 4 dates, though every row has another id", async () => {
				expect((await changesOf("miso/2026-06-30/raw_miso.csv")).counts).toEqual({ status_change: 17, cod_change: 4 });
			});

			itWhole("MISO's CSV and JSON of one day are the same list", async () => {
				for (const day of ["2026-06-29", "2026-06-30"]) {
					const path = `miso/${day}/raw_miso.json`;
					expect(results.get(path)).toMatchObject({ rows: 3792, new: 0, changed: 0, disappeared: 0 });
					expect(await changesOf(path)).toEqual({ counts: {}, summaries: [] });
				}
			});

			// The 27th of those gone had reached commercial operation, and may leave a list of active requests.
			it("SPP 2024-07 > 2025-01: 82 new, 26 newly missing, 97 statuses", async () => {
				const path = "spp/2025-01-22/GI_ActiveRequest.xlsx";
				expect(results.get(path)).toMatchObject({ new: 82, status_changes: 97, withdrawn: 0, disappeared: 26 });
				expect((await changesOf(path)).counts).toMatchObject({ new_project: 82, status_change: 97 });
				const read = async (name: string) => {
					const { requests } = await spp.parse(readReal(name));
					return new Map(requests.map((request) => [spp.key(request.number), request]));
				};
				const later = await read(path);
				const gone = [...(await read("spp/2024-07-12/GI_ActiveRequest.xlsx"))].filter(([key]) => !later.has(key));
				expect(gone).toHaveLength(27);
				expect(gone.filter(([, request]) => request.statusStd === "Operational")).toHaveLength(1);
			});

			it("SPP 2026-06-29 > 06-30: one gone, which is no change", async () => {
				const path = "spp/2026-06-30/raw_spp.csv";
				expect(results.get(path)).toMatchObject({ new: 0, changed: 0, disappeared: 1 });
				expect(await changesOf(path)).toEqual({ counts: {}, summaries: [] });
			});

			itWhole("PJM's list labelled 2024-08-19 is of March, and held", async () => {
				expect(results.get("pjm/2024-08-19/PJM_PlanningQueues.xlsx")).toMatchObject({
					outcome: "quarantined",
					reason: expect.stringContaining(
						"the newest event in the list is from 2024-03-19, but the previous list has one from 2024-06-28",
					),
				});
			});

			itWhole("a renamed column makes no raw_update: all of MISO's in 2026, some of NYISO's in 2024", async () => {
				const onlyOne = (after: string, before: string) => queue.sql`
					select distinct c.field_name from changes c join snapshot_files f using (snapshot_id)
					where c.change_type = 'raw_update' and f.name = ${after} and not exists (
						select from snapshot_files b, jsonb_array_elements(b.tables) t
						where b.name = ${before} and t -> 'headers' ? c.field_name)`;
				const { counts } = await changesOf("miso/2026-06-29/raw_miso.csv");
				expect(counts.status_change).toBeGreaterThan(100);
				for (const [after, before] of [
					["miso/2026-06-29/raw_miso.csv", "miso/2025-05-11/GI Interactive Queue.csv"],
					["nyiso/2024-12-10/NYISO-Interconnection-Queue.xlsx", "nyiso/2020-11-19/NYISO-Interconnection-Queue.xlsx"],
				] as const)
					expect([...(await onlyOne(after, before))]).toEqual([]);
			});

			itWhole("PJM 2024-07 > 2025-01: a filtered export becomes a whole one, which is one change", async () => {
				const path = "pjm/2025-01-23/PlanningQueues.xlsx";
				expect(results.get(path)).toMatchObject({ disappeared: 0 });
				const { summaries } = await changesOf(path);
				expect(summaries).toEqual([
					[null, "field_update", "requests", null, expect.stringMatching(/^[56]\d{3} requests newly listed$/)],
				]);
				const { counts } = await changesOf("pjm/2026-05-05/PlanningQueues-2026-05-05.derived.csv");
				expect(counts).not.toHaveProperty("correction");
				expect(counts).not.toHaveProperty("disappeared");
			});

			itWhole("PJM's first cycle list changes only what it shows withdrawn or built; none is new", async () => {
				const path = "pjm/2026-06-29/raw_pjm_cycle_transition.csv";
				const { counts, summaries } = await changesOf(path);
				expect(Object.keys(counts)).toEqual(["status_change"]);
				expect(counts.status_change).toBe(results.get(path)?.status_changes);
				expect(summaries).toEqual([]);
			});

			// 63 leave the sheets of details: cancelled, inactive or in operation by the other sheets, but for one.
			itWhole("ERCOT 2025-09 > 2025-10: 26 new, and who left is explained but for one", async () => {
				const path = "ercot/GIS_Report_October2025.xlsx";
				expect(results.get(path)).toMatchObject({ new: 26, withdrawn: 44, disappeared: 1 });
				const rows = await queue.sql<{ change: string; n: number }[]>`
				select c.old_value || ' > ' || c.new_value as change, count(*)::int as n
				from changes c join snapshot_files f using (snapshot_id)
				where f.name = ${path} and c.change_type = 'status_change' group by 1 order by 2 desc, 1`;
				expect(rows.slice(0, 5)).toEqual([
					{ change: "Active > Cancelled", n: 42 },
					{ change: "Active > Commercial Operation Approved by ERCOT", n: 11 },
					{ change: "Active > Inactive", n: 10 },
					{ change: "Inactive > Active", n: 2 },
					{ change: "Inactive > Cancelled", n: 2 },
				]);
				const gone = await queue.sql`select id from projects where region = 'ERCOT' and missing_since = '2025-10-31'`;
				expect([...gone]).toEqual([{ id: "ERCOT-23INR0537" }]);
			});

			it.each([
				["SPP", "spp/2024-07-12/GI_ActiveRequest.xlsx", "spp/2025-01-22/GI_ActiveRequest.xlsx"],
				...(every
					? ([
							["CAISO", "caiso/2024-07-13/publicqueuereport.xlsx", "caiso/2025-01-23/publicqueuereport.xlsx"],
							["ERCOT", "ercot/GIS_Report_December2024.xlsx", "ercot/GIS_Report_September2025.xlsx"],
							["ERCOT", "ercot/GIS_Report_September2025.xlsx", "ercot/GIS_Report_October2025.xlsx"],
						] as const)
					: []),
			] as const)(
				"%s: %s > %s has the changes of a reader of its own, request by request",
				async (region, before, after) => {
					const read = await readChanges(region, join(folder, before), join(folder, after));
					expect(read.changes.length).toBeGreaterThan(100);
					expect(await feedChanges(queue.sql, after, read)).toEqual(read.changes);
				},
			);

			itWhole(
				"CAISO 2024-07 > 2025-01: three columns fewer are no change; 17 withdrawals, none new or gone",
				async () => {
					const path = "caiso/2025-01-23/publicqueuereport.xlsx";
					expect(results.get(path)).toMatchObject({ new: 0, status_changes: 39, withdrawn: 17, disappeared: 0 });
				},
			);

			itWhole("CAISO 2025-12 > 2026-01: one date, and the one that is gone a second time", async () => {
				expect(await changesOf("caiso/weekly/publicqueuereport-01052026.xlsx")).toEqual({
					counts: { cod_change: 1, disappeared: 1 },
					summaries: [],
				});
			});

			itWhole(
				"NYISO 2024-12 > 2025-01: one new, and of 37 developers' names only Granada Solar's is another",
				async () => {
					const path = "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx";
					expect(results.get(path)).toMatchObject({ new: 1, withdrawn: 8, disappeared: 0 });
					const rows = await queue.sql`
				select c.project_id, c.old_value, c.new_value from changes c join snapshot_files f using (snapshot_id)
				where f.name = ${path} and c.change_type = 'developer_change'`;
					expect([...rows]).toEqual([
						{ project_id: "NYISO-0832", old_value: "Granada Solar, LLC", new_value: "Hawthorn Solar, LLC" },
					]);
				},
			);

			// 59 project statuses and 49 withdrawals, of which 14 are both.
			itWhole("ISO-NE 2024-08 > 2025-01: 94 statuses, 49 of them withdrawals, repeats kept apart", async () => {
				const path = "isone/2025-01-07/QueueReport_20250107130953.xlsx";
				expect(results.get(path)).toMatchObject({ new: 2, status_changes: 94, withdrawn: 49, disappeared: 0 });
				expect((await changesOf("isone/2025-01-23/QueueReport.xlsx")).counts).toMatchObject({
					new_project: 1,
					status_change: 13,
				});
			});

			itWhole("ISO-NE's CSV and JSON of one day are the same list", async () => {
				expect(await changesOf("isone/2026-06-29/raw_isone.json")).toEqual({ counts: {}, summaries: [] });
			});
		});

		itWhole("gives one consistent set: what the newest lists show is what is current", async () => {
			const feeds = await queue.sql<{ feed: string; listed: number; current: number }[]>`
		select f.feed, f.requests as listed, (select count(*)::int from projects p where p.feed = f.feed and missing_since is null) as current
		from feeds f where f.feed in ('pjm-cycle', 'miso', 'caiso', 'caiso-cluster-15', 'nyiso', 'isone') order by f.feed`;
			expect([...feeds]).toEqual([
				{ feed: "caiso", listed: 2278, current: 2278 },
				{ feed: "caiso-cluster-15", listed: 170, current: 170 },
				{ feed: "isone", listed: 1741, current: 1741 },
				{ feed: "miso", listed: 3792, current: 3792 },
				{ feed: "nyiso", listed: 2106, current: 2106 },
				{ feed: "pjm-cycle", listed: 968, current: 968 },
			]);
			const [lbnl] = await queue.sql<{ n: number }[]>`select count(*)::int as n from lbnl_requests`;
			expect(lbnl?.n).toBe(14_328);
			const [seq] = await queue.sql<{ first: number; last: number; n: number }[]>`
		select min(seq) as first, max(seq) as last, count(*) as n from changes`;
			expect(seq).toEqual({ first: 1, last: seq?.n, n: seq?.n });
		});

		itWhole(
			"covers of the developers what the operators publish: NYISO, ERCOT's details, PJM's cycle rows",
			async () => {
				const { snapshot } = await queue.ask("getQueueIntegrity");
				const developer = Object.fromEntries(
					Object.entries(snapshot.regions).map(([region, facts]) => [region, facts.coverage.developer]),
				);
				expect(developer).toMatchObject({ CAISO: 0, "ISO-NE": 0, MISO: 0, SPP: 0 });
				expect(developer.NYISO).toBeGreaterThan(99);
				// A request that only ERCOT's update sheets show has no developer there.
				expect(developer.ERCOT).toBeGreaterThan(93);
				expect(developer.PJM).toBeGreaterThan(9);
				expect(developer.PJM).toBeLessThan(13);
				const [named] = await queue.sql<{ ercot: number; cycle: number }[]>`
		select round(100.0 * count(developer) filter (where feed = 'ercot') / count(*) filter (where feed = 'ercot')) as ercot,
			round(100.0 * count(developer) filter (where feed = 'pjm-cycle') / count(*) filter (where feed = 'pjm-cycle')) as cycle
		from projects where kind = 'generation' and (feed = 'pjm-cycle' or status = 'Active')`;
				expect(named).toEqual({ ercot: 100, cycle: 100 });
			},
		);

		it("is left alone when it is loaded again", async () => {
			const seq = await queue.lastSeq();
			const lines: string[] = [];
			await load((line) => lines.push(line.split(": ")[1] ?? ""));
			expect(lines.filter((line) => line === "already loaded")).toHaveLength(every ? count - 1 : count);
			expect(await queue.lastSeq()).toBe(seq);
		}, 60_000);
	});
}
