/** The structure of the lists that were taken in, and how it drifts, as /source-contracts answers it. */
import { expect, it } from "vitest";
import { subjectOf } from "#libs/contract/events/event.ts";
import { listDrifted } from "#libs/contract/events/queue-ingest.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { type MisoRow, misoJson } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue = sharedQueue();

const contract = async (source: string, outcome = "applied") => {
	const { data } = await queue.ask("getSourceContracts");
	const found = data.find((one) => one.source === source && one.outcome === outcome);
	if (found === undefined) throw new Error(`no structure of ${source}`);
	return found;
};

const drifts = async ({ sql }: Queue) => {
	const rows = await sql<{ id: string; payload: string }[]>`
		select event_id as id, payload from outbox where subject = ${subjectOf(listDrifted)} order by id`;
	return rows.map(({ id, payload }) => {
		const event = listDrifted.payload.parse(JSON.parse(payload));
		expect(event.id).toBe(id);
		return event;
	});
};

it("a source contract begins with the first list, compares the next one, and restarts with another format", async () => {
	const rows = queueRows("miso");
	await queue.take("MISO", "2026-01-05", await queueFile("miso", rows, { layout: "json" }));
	const first = await contract("miso");
	expect(first).toMatchObject({
		...{ region: "MISO", format: "json", as_of: "2026-01-05T06:00:00Z", layout_since: "2026-01-05T06:00:00Z" },
		...{ compared_with: null, not_compared: "first_list", drift: [] },
	});
	expect(first.sheets.map(({ rows }) => rows)).toEqual([rows.length]);
	const status = first.sheets[0]?.columns.find(({ header }) => header === "applicationStatus");
	expect(status).toMatchObject({
		fields: expect.arrayContaining(["status"]),
		filled: 1,
		words: expect.arrayContaining(["Active", "Withdrawn"]),
	});

	await queue.take(
		"MISO",
		"2026-01-12",
		await queueFile("miso", queueRows("miso", { count: 121 }), { layout: "json" }),
	);
	expect(await contract("miso")).toMatchObject({
		...{ as_of: "2026-01-12T06:00:00Z", layout: first.layout, layout_since: "2026-01-05T06:00:00Z" },
		...{
			compared_with: { snapshot_id: first.snapshot_id, as_of: "2026-01-05T06:00:00Z" },
			not_compared: null,
			drift: [],
		},
	});

	await queue.take("MISO", "2026-01-19", await queueFile("miso", queueRows("miso", { count: 122 }), { layout: "csv" }));
	expect(await contract("miso")).toMatchObject({
		...{ format: "csv", compared_with: null, not_compared: "another_format", drift: [] },
		...{ layout_since: "2026-01-19T06:00:00Z" },
	});
	expect(await drifts(queue)).toEqual([]);
});

it("a source contract reports an unknown status, also in a list that a guard holds back", async () => {
	await using other = await openQueue();
	const rows = Array.from({ length: 120 }, (_, at): MisoRow => ({ number: `J${100 + at}` }));
	await other.take("MISO", "2026-01-05", misoJson(rows));
	const paused = rows.map((row, at): MisoRow => (at < 2 ? { ...row, status: "Paused" } : row));
	await other.take("MISO", "2026-01-12", misoJson(paused));
	const { data } = await other.ask("getSourceContracts", { region: ["MISO"], columns: false });
	expect(data.map(({ drift }) => drift)).toEqual([
		[{ class: "word_new", severity: "warning", sheet: null, column: "status", before: null, after: "Paused" }],
	]);
	expect(data[0]?.sheets).toEqual([{ sheet: null, rows: 120, columns: [] }]);

	expect(await other.take("MISO", "2026-01-19", misoJson(paused.slice(0, 6)))).toMatchObject({
		outcome: "quarantined",
	});
	const held = (await other.ask("getSourceContracts")).data;
	expect(held.map(({ outcome, drift }) => [outcome, drift.map((one) => one.class)])).toEqual([
		["applied", ["word_new"]],
		["quarantined", ["rows_jumped"]],
	]);

	const published = await drifts(other);
	expect(published.map(({ as_of, severity, drift }) => [as_of, severity, drift.map((one) => one.class)])).toEqual([
		["2026-01-12T06:00:00Z", "warning", ["word_new"]],
		["2026-01-19T06:00:00Z", "warning", ["rows_jumped"]],
	]);
	const [first, second] = published;
	expect(second).toMatchObject({
		...{ feed: "miso", region: "MISO", format: "json", sha256: held[1]?.sha256, snapshot_id: held[1]?.snapshot_id },
		...{ compared_with: { snapshot_id: first?.snapshot_id, as_of: first?.as_of }, drift: held[1]?.drift },
	});
	expect(await other.release("MISO")).toMatchObject({ outcome: "applied" });
	expect(await other.take("MISO", "2026-01-20", misoJson(paused.slice(0, 6)))).toMatchObject({ outcome: "unchanged" });
	expect(await drifts(other)).toEqual(published);
});
