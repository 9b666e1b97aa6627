/** Reads the archived file of a value again, and compares the row with the stored values. */
import { invalid, notFound } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { ListField } from "#libs/contract/records/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { factColumns } from "../queues/columns.ts";
import { iaStatusByPhase } from "../queues/standardise.ts";
import { cellsOfField, findDecidingRow } from "./cells-of-field.ts";
import { type CellCache, DamagedArchive, type ReadRow, readAgain } from "./read-rows.ts";
import { byPrecedence, findStatingLists, type StatingList, stateOf } from "./stating-lists.ts";

type Facts = Record<string, unknown>;

export type RowReader = (list: StatingList) => Promise<Facts | undefined>;

export const rowReader =
	(sql: Sql): RowReader =>
	async (list) => {
		const [own] = list.origins;
		if (own === undefined) return undefined;
		return factsOf(list, await readAgain(sql, list, [own]));
	};

export function factsOf({ origins: [own] }: StatingList, rows: readonly ReadRow[]): Facts | undefined {
	return rows.find(({ table, row }) => table === own?.table && row === own.row)?.facts;
}

/** Throws 404 if no list states the request for the day, 422 for a field that another publisher's report decides. */
export async function verify(
	sql: Sql,
	kept: CellCache,
	read: RowReader,
	{ id, field, ...asOf }: { id: string; field: ListField } & AsOf,
): Promise<Reply<"verifyValue">> {
	const state = await stateOf(sql, id, asOf);
	const lists = state === undefined ? [] : await findStatingLists(sql, id, state.feed, asOf);
	const [newest] = lists;
	if (state === undefined || newest === undefined) throw notFound(`no list states ${id} for the requested day`);
	if (newest.origins.length === 0) throw notFound(`${newest.name} does not record which row states ${id}`);
	if (state.asFiled !== null && field in state.asFiled)
		throw invalid([
			{ loc: ["query", "field"], msg: `${field} of ${id} comes from a separate report, not from the operator's lists` },
		]);
	const stored = (state.body[field] ?? null) as Reply<"verifyValue">["stored"];
	const list = byPrecedence(field, lists)[0] ?? newest;
	const result = { project_id: id, field, stored, sha256: list.sha256, file: list.name };
	try {
		const rows: Facts[] = [];
		for (const each of lists) rows.push((await read(each)) ?? {});
		const facts = mergeRows(rows);
		const again = (facts[field] ?? null) as Reply<"verifyValue">["read_again"];
		const row = findDecidingRow(field, list.origins);
		const cells = row === undefined ? undefined : await kept.row(list, row.table, row.row);
		const found = list.tables === null ? undefined : cellsOfField(field, list.tables, list.origins, cells);
		const agrees = normaliseValue(again) === normaliseValue(stored) || comesFromOlderList(field, state.body, facts);
		return { ...result, read_again: again, agrees, archive: "intact", cell: found?.cell ?? null };
	} catch (error) {
		if (!(error instanceof DamagedArchive)) throw error;
		return { ...result, read_again: null, agrees: false, archive: "damaged", cell: null };
	}
}

/** A row that differs only in spelling does not change the stored values (`rowHash`). */
const normaliseValue = (value: unknown): string => JSON.stringify(value).toLowerCase().replaceAll(" ", "");

/** Whether the stored value comes from lists before the newest (`compareWithPast`, `mergePartialRows`). */
function comesFromOlderList(field: ListField, body: Facts, again: Facts): boolean {
	if (field === "queue_date" || field === "queue_date_current") return again.queue_date === body.queue_date_current;
	if (field === "type_std") return again.type_std === "Unknown";
	const ofModifications: readonly ListField[] = ["request_class", "incremental_mw", "added_type_std"];
	return ofModifications.includes(field) && body.request_class === "modification" && again.request_class === "new";
}

/** Merges rows, those of the newest list first, as `mergePartialRows` does. */
function mergeRows(rows: readonly Facts[]): Facts {
	const [whole = {}, ...partial] = [...rows].reverse();
	let known = whole;
	for (const row of partial) {
		const next: Facts = { ...known, queue_id: row.queue_id };
		for (const { name, type, partial: prefers } of factColumns) {
			const [first, second] = prefers === "keep" ? [known[name], row[name]] : [row[name], known[name]];
			const isUnknown = name === "type_std" && prefers === "keep" && first === "Unknown";
			const empty = type === "text[]" ? (first as unknown[] | undefined)?.length === 0 : isUnknown;
			next[name] = empty ? second : (first ?? second);
		}
		if (next.status_std === "Withdrawn") next.study_phase = null;
		const phase = next.study_phase as keyof typeof iaStatusByPhase | null;
		const open = next.status_std === "Active" || next.status_std === "Suspended";
		if (open && phase !== null && next.ia_status !== "Construction") next.ia_status = iaStatusByPhase[phase];
		known = next;
	}
	return known;
}
