/** Draws values from all lists and reads each again from its archived file, in one pass per file. */
import { hash } from "node:crypto";
import type { Reply } from "#libs/contract/index.ts";
import { type ListField, listFields } from "#libs/contract/records/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Feed } from "../sources/source.ts";
import { CellCache, type ReadRow, readAgain } from "./read-rows.ts";
import { findStatingLists, type StatingList } from "./stating-lists.ts";
import { findFacts, type RowReader, verify } from "./verify.ts";

interface DrawnValue {
	id: string;
	feed: Feed;
	field: ListField;
}

/** Draws known values of requests from lists with recorded rows. The same seed and data give the same values. */
export async function drawValues(sql: Sql, count: number, seed: string): Promise<DrawnValue[]> {
	const rows = await sql<{ id: string; feed: Feed; body: string; replaced: string[] }[]>`
		select p.id, p.feed, p.body, array(select jsonb_object_keys(p.as_filed)) as replaced from projects p
		where exists (select from snapshot_files f where f.feed = p.feed and f.tables is not null)
		order by md5(${seed}::text || p.id) limit ${count}`;
	const drawn: DrawnValue[] = [];
	for (let round = 0; drawn.length < count && rows.length > 0 && round < listFields.length; round++) {
		for (const { id, feed, body, replaced } of rows) {
			if (drawn.length === count) break;
			const state = JSON.parse(body) as Record<string, unknown>;
			const known = listFields.filter((field) => isKnown(state[field]) && !replaced.includes(field));
			const at = Number.parseInt(hash("sha1", `${seed}${id}`).slice(0, 8), 16) + round;
			const field = known[at % known.length];
			if (field !== undefined && round < known.length) drawn.push({ id, feed, field });
		}
	}
	return drawn;
}

const isKnown = (value: unknown): boolean =>
	value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

async function createBatchReader(sql: Sql, drawn: readonly DrawnValue[]): Promise<RowReader> {
	const wanted = new Map<string, { list: StatingList; rows: { table: number; row: number }[] }>();
	for (const { id, feed } of drawn)
		for (const list of await findStatingLists(sql, id, feed, {})) {
			const [mainRow] = list.origins;
			const task = wanted.get(list.sha256) ?? { list, rows: [] };
			if (mainRow !== undefined) task.rows.push(mainRow);
			wanted.set(list.sha256, task);
		}
	const reads = new Map<string, Promise<ReadRow[]>>();
	return async (list) => {
		const task = wanted.get(list.sha256);
		if (task === undefined) return undefined;
		const rows = reads.get(list.sha256) ?? readAgain(sql, list, task.rows);
		reads.set(list.sha256, rows);
		return findFacts(list, await rows);
	};
}

/** Yields every drawn value, whether or not it agrees. */
export async function* verifySample(sql: Sql, count: number, seed: string): AsyncGenerator<Reply<"verifyValue">> {
	const drawn = await drawValues(sql, count, seed);
	const readFacts = await createBatchReader(sql, drawn);
	const cellCache = new CellCache(sql);
	for (const { id, field } of drawn) yield await verify(sql, cellCache, readFacts, { id, field });
}
