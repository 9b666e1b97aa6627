/** `/export/projects?after_seq=`: what changed since, by real lists of an operator. */
import { expect, it } from "vitest";
import { exportedColumns } from "#libs/contract/operations/projects/project-columns.ts";
import { type JsonRow, readCsv, readParquet } from "../support/export-files.ts";
import { misoJson, standing } from "./support/miso.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue = sharedQueue();

const columns = exportedColumns({ after_seq: 0 });
const one = { number: "J100", poi: "Panther 230kV Substation" };
const two = { number: "J101" };

/** Reads both formats, which are equal. */
async function since(after_seq: number, more: object = {}): Promise<JsonRow[]> {
	const { rows } = readCsv(Buffer.from(await queue.export({ after_seq, ...more })), columns);
	expect((await readParquet(await queue.exportBytes({ after_seq, ...more, format: "parquet" }), columns)).rows).toEqual(
		rows,
	);
	return rows;
}

it("an export since a change has the requests with a later change, and marks those that left the list", async () => {
	await queue.take("MISO", "2026-03-01", misoJson([one, two, ...standing()]));
	const first = await queue.lastSeq();
	expect(await since(first)).toEqual([]);
	await queue.take("MISO", "2026-03-02", misoJson([{ ...one, summer: 120, phase: "Phase 3" }, two, ...standing()]));
	const second = await queue.lastSeq();
	expect(second).toBeGreaterThan(first);
	expect(await since(first)).toMatchObject([{ id: "MISO-J100", capacity_mw: 120, listed: "listed", deleted: false }]);
	expect(await since(second)).toEqual([]);
	await queue.take("MISO", "2026-03-03", misoJson([two, ...standing()]));
	await queue.take("MISO", "2026-03-12", misoJson([two, { number: "J102" }, ...standing()]));
	expect(await since(second)).toMatchObject([
		{ id: "MISO-J100", capacity_mw: 120, listed: "disappeared", deleted: false },
		{ id: "MISO-J102", listed: "listed", deleted: false },
	]);
	expect(await since(second, { listed: ["listed"] })).toMatchObject([{ id: "MISO-J102" }]);
	expect(await since(second, { fields: ["capacity_mw"] })).toEqual([
		{ id: "MISO-J100", capacity_mw: 120, deleted: false },
		{ id: "MISO-J102", capacity_mw: expect.any(Number), deleted: false },
	]);
});

it("a change of a whole list counts as a change of each of its requests", async () => {
	const many = Array.from({ length: 130 }, (_, at) => ({
		number: `J5${String(at).padStart(3, "0")}`,
		phase: "Phase 2",
	}));
	await queue.take("MISO", "2026-04-01", misoJson([two, ...many, ...standing()]));
	const before = await queue.lastSeq();
	const recoded = [two, ...many, ...standing()].map((row) => ({ ...row, cycle: "Cycle of 2022" }));
	await queue.take("MISO", "2026-04-02", misoJson(recoded), { accept: true });
	const rows = await queue.changeRows(before);
	expect(rows.filter(([project]) => project === null).length).toBeGreaterThan(0);
	const ids = (await since(before)).map(({ id }) => id);
	for (const { number } of many) expect(ids).toContain(`MISO-${number}`);
});

it("a request that no longer exists has only its id, whatever fields are requested, until it is back", async () => {
	const seq = await queue.lastSeq();
	const [row] = await queue.sql<{ row: object }[]>`select to_json(p) as row from projects p where id = 'MISO-J101'`;
	await queue.sql`delete from project_aliases where project_id = 'MISO-J101'`;
	await queue.sql`delete from projects where id = 'MISO-J101'`;
	const [gone, ...others] = await since(seq, { state: "ZZ" });
	expect(others).toEqual([]);
	expect(Object.entries(gone ?? {}).filter(([, value]) => value !== null)).toEqual([
		["id", "MISO-J101"],
		["deleted", true],
	]);
	await queue.sql`insert into projects select * from json_populate_record(null::projects, ${JSON.stringify(row?.row)}::text::json)`;
	expect(await since(seq)).toEqual([]);
});

it("a future seq is refused, and so is a limit, because requests would be missed", async () => {
	const seq = await queue.lastSeq();
	await expect(queue.export({ after_seq: seq + 1 })).rejects.toMatchObject({
		status: 422,
		errors: [{ loc: ["query", "after_seq"], msg: `is higher than the newest change, ${seq}` }],
	});
	await expect(queue.export({ after_seq: seq, limit: 5 })).rejects.toThrow("cannot be combined with after_seq");
});
