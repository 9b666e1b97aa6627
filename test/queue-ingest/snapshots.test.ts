/** Snapshots of several lists, the same one twice at once, and lists that are put back. */
import { describe, expect, it } from "vitest";
import { migrate } from "../../services/queue-ingest/migrate.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type QueueRow, queueFile, queueRows } from "../support/queue-files.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue } from "./support/queue.ts";

const withFirst = (rows: QueueRow[], change: Partial<QueueRow>): QueueRow[] =>
	rows.map((row, at) => (at === 0 ? { ...row, ...change } : row));

describe("a snapshot of several lists", () => {
	it("gives each the date that its own file states", async () => {
		await using queue = await openQueue();
		const main = await queueFile("caiso", queueRows("caiso"), { publishedOn: "2026-01-05" });
		const cluster = await queueFile("caiso-cluster-15", queueRows("caiso-cluster-15"), {
			name: "cluster-15-interconnection-requests-2026-07-16.xlsx",
		});
		const files = [main, cluster].map((file) => ({ ...file, path: file.name }));
		const result = await ingestSnapshot(queue.sql, { region: "CAISO", files, asOf: null });
		expect(result).toMatchObject({ outcome: "applied", as_of: "2026-07-16T00:00:00Z" });
		const dates = await queue.sql`select feed, iso(applied_as_of) as at from feeds order by feed`;
		expect([...dates]).toEqual([
			{ feed: "caiso", at: "2026-01-05T00:00:00Z" },
			{ feed: "caiso-cluster-15", at: "2026-07-16T00:00:00Z" },
		]);
	});

	it("holds each list once, even where one of two files is applied already", async () => {
		await using queue = await openQueue();
		const old = misoJson(standing());
		const applied = misoJson([{ number: "J100" }, ...standing()]);
		await queue.take("MISO", "2026-03-01", applied);
		expect(await queue.take("MISO", "2026-03-02", [old, applied])).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("a second file of"),
		});
		expect(await queue.sql`select from projects where missing_since is not null`).toHaveLength(0);
	});
});

it("the same list twice at once is applied once", async () => {
	await using queue = await openQueue();
	const rows = queueRows("spp");
	await queue.take("SPP", "2026-03-01", await queueFile("spp", rows));
	const next = await queueFile("spp", withFirst(rows, { mw: 12.5 }));
	const results = await Promise.all([1, 2, 3].map(() => queue.take("SPP", "2026-03-02", next)));
	expect(results.map((result) => result.outcome).sort()).toEqual(["applied", "unchanged", "unchanged"]);
	expect(await queue.changeRows()).toHaveLength(1);
});

describe("a list that is put back", () => {
	it("is listed as corrections, keeps its own time, and a second retraction goes one list further", async () => {
		await using queue = await openQueue();
		const rows = queueRows("spp");
		const list = async (mw: number) => queueFile("spp", withFirst(rows, { mw }));
		for (const [day, mw] of [
			[1, 10],
			[2, 20],
			[3, 30],
		] as const)
			await queue.take("SPP", `2026-03-0${day}`, await list(mw));
		const id = `SPP-${rows[0]?.number}`;
		const before = await queue.lastSeq();
		expect(await queue.retract("SPP", "2026-04-01")).toMatchObject({ outcome: "applied", changed: 1 });
		expect(await queue.retract("SPP", "2026-04-02")).toMatchObject({ outcome: "applied", changed: 1 });
		expect(await queue.changeRows(before)).toEqual([
			[id, "correction", "capacity_mw", "30", "20"],
			[id, "correction", "capacity_mw", "20", "10"],
		]);
		expect(await queue.take("SPP", "2026-03-05", await list(40))).toMatchObject({ outcome: "applied", changed: 1 });
	});
});

it("transmission rows are flagged among the changes and left out of the summaries", async () => {
	await using queue = await openQueue();
	const line = { number: "J900", fuel: "High Voltage DC", facility: "High Voltage DC" };
	await queue.take("MISO", "2026-03-01", misoJson(standing()));
	await queue.take("MISO", "2026-03-02", misoJson([{ number: "J100" }, line, ...standing()]));
	const { data } = await queue.ask("listChanges", {});
	expect(data.map((change) => [change.queue_id, change.kind]).sort()).toEqual([
		["J100", "generation"],
		["J900", "transmission"],
	]);
	const { new_entries_by_region } = await queue.ask("summariseChanges", {});
	expect(new_entries_by_region).toMatchObject([{ region: "MISO", new_projects: 1 }]);
});

it("a migration that was changed after it was applied stops the next one", async () => {
	await using queue = await openQueue();
	await queue.sql`update migrations set sha256 = 'another' where name = '0003_queues.sql'`;
	await expect(migrate(queue.url)).rejects.toThrow("0003_queues.sql was changed after it was applied");
});
