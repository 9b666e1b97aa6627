/** Reads the archived file of a value again, and compares the row with the stored value. */
import { invalid, notFound } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { ListField } from "#libs/contract/records/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { factColumns } from "../queues/columns.ts";
import { iaStatusByPhase } from "../queues/standardise.ts";
import { findDecidingRow, findFieldOrigin } from "./cells-of-field.ts";
import { type CellCache, DamagedArchive, type ReadRow, readAgain } from "./read-rows.ts";
import { byPrecedence, findStatingLists, readState, type StatingList } from "./stating-lists.ts";

type Facts = Record<string, unknown>;

export type RowReader = (list: StatingList) => Promise<Facts | undefined>;

export const createRowReader =
	(sql: Sql): RowReader =>
	async (list) => {
		const [mainRow] = list.origins;
		if (mainRow === undefined) return undefined;
		return findFacts(list, await readAgain(sql, list, [mainRow]));
	};

export function findFacts({ origins: [mainRow] }: StatingList, rows: readonly ReadRow[]): Facts | undefined {
	return rows.find(({ table, row }) => table === mainRow?.table && row === mainRow.row)?.facts;
}

/** @throws AppError 404 if no list contains the request on the day, 422 if the field comes from another publisher's report */
export async function verify(
	sql: Sql,
	cellCache: CellCache,
	readFacts: RowReader,
	{ id, field, ...asOf }: { id: string; field: ListField } & AsOf,
): Promise<Reply<"verifyValue">> {
	const state = await readState(sql, id, asOf);
	const lists = state === undefined ? [] : await findStatingLists(sql, id, state.feed, asOf);
	const [newest] = lists;
	if (state === undefined || newest === undefined) throw notFound(`no list contains ${id} on the requested day`);
	if (newest.origins.length === 0) throw notFound(`the row of ${id} in ${newest.name} was not recorded`);
	if (state.asFiled !== null && field in state.asFiled)
		throw invalid([
			{ loc: ["query", "field"], msg: `${field} of ${id} comes from a separate report, not from the operator's lists` },
		]);
	const stored = (state.body[field] ?? null) as Reply<"verifyValue">["stored"];
	const list = byPrecedence(field, lists)[0] ?? newest;
	const result = { project_id: id, field, stored, sha256: list.sha256, file: list.name };
	try {
		const rows: Facts[] = [];
		for (const one of lists) rows.push((await readFacts(one)) ?? {});
		const facts = mergeRows(rows);
		const newValue = (facts[field] ?? null) as Reply<"verifyValue">["read_again"];
		const row = findDecidingRow(field, list.origins);
		const cells = row === undefined ? undefined : await cellCache.row(list, row.table, row.row);
		const origin = list.tables === null ? undefined : findFieldOrigin(field, list.tables, list.origins, cells);
		const agrees = normalizeValue(newValue) === normalizeValue(stored) || comesFromOlderList(field, state.body, facts);
		return { ...result, read_again: newValue, agrees, archive: "intact", cell: origin?.cell ?? null };
	} catch (error) {
		if (!(error instanceof DamagedArchive)) throw error;
		return { ...result, read_again: null, agrees: false, archive: "damaged", cell: null };
	}
}

/** Ignores differences in case and spaces, because a row that differs only in spelling does not change the stored values (`rowHash`). */
const normalizeValue = (value: unknown): string => JSON.stringify(value).toLowerCase().replaceAll(" ", "");

/** Whether the stored value comes from lists before the newest one (`compareWithPast`, `mergePartialRows`). */
function comesFromOlderList(field: ListField, body: Facts, facts: Facts): boolean {
	if (field === "queue_date" || field === "queue_date_current") return facts.queue_date === body.queue_date_current;
	if (field === "type_std") return facts.type_std === "Unknown";
	const modificationFields: readonly ListField[] = ["request_class", "incremental_mw", "added_type_std"];
	return modificationFields.includes(field) && body.request_class === "modification" && facts.request_class === "new";
}

/** Merges rows as `mergePartialRows` does. `rows`: that of the newest list first. */
function mergeRows(rows: readonly Facts[]): Facts {
	const [completeRow = {}, ...partialRows] = [...rows].reverse();
	let merged = completeRow;
	for (const row of partialRows) {
		const next: Facts = { ...merged, queue_id: row.queue_id };
		for (const { name, type, partial: prefers } of factColumns) {
			const [first, second] = prefers === "keep" ? [merged[name], row[name]] : [row[name], merged[name]];
			const isUnknown = name === "type_std" && prefers === "keep" && first === "Unknown";
			const isEmpty = type === "text[]" ? (first as unknown[] | undefined)?.length === 0 : isUnknown;
			next[name] = isEmpty ? second : (first ?? second);
		}
		if (next.status_std === "Withdrawn") next.study_phase = null;
		const phase = next.study_phase as keyof typeof iaStatusByPhase | null;
		const isOpen = next.status_std === "Active" || next.status_std === "Suspended";
		if (isOpen && phase !== null && next.ia_status !== "Construction") next.ia_status = iaStatusByPhase[phase];
		merged = next;
	}
	return merged;
}
