/** Runs in a separate thread: reads a file again, and returns the facts of single rows, or the packed cells of all rows. */
import { deflateRawSync } from "node:zlib";
import { answerInThread } from "#libs/files/in-thread.ts";
import type { Cell } from "#libs/files/values.ts";
import { factColumns } from "../queues/columns.ts";
import { operators, sourceOf } from "../queues/sources/index.ts";
import { standardiseList } from "../queues/standardise.ts";
import type { ReadTable } from "../sources/filed-cells.ts";
import { type PackedTable, type ReadRow, type RowTask, rowsOfBlock } from "./read-rows.ts";

async function readRows(task: RowTask): Promise<ReadRow[] | PackedTable[]> {
	const source = sourceOf(task.feed);
	const { requests, tables = [] } = await source.parse({ name: task.name, bytes: task.bytes }, task.mapped);
	if (task.rows === "cells") return tables.map(packTable);
	const operator = source.region === null ? null : operators[source.region];
	const wanted = new Set(task.rows.map(({ table, row }) => `${table} ${row}`));
	return standardiseList(requests, { operator, asOf: task.asOf }).flatMap((request) => {
		const [mainRow] = request.origins ?? [];
		if (mainRow === undefined || !wanted.has(`${mainRow.table} ${mainRow.row}`)) return [];
		const facts = factColumns.map(({ name, value }) => [name, value(request)]);
		return [
			{ table: mainRow.table, row: mainRow.row, facts: { queue_id: request.number, ...Object.fromEntries(facts) } },
		];
	});
}

function packTable({ cells }: ReadTable): PackedTable {
	const blocks = new Map<number, Record<number, (string | number | boolean | null)[]>>();
	for (const [row, values] of cells()) {
		const at = Math.floor(row / rowsOfBlock);
		const block = blocks.get(at) ?? {};
		block[row] = values.map(toJsonValue);
		blocks.set(at, block);
	}
	return [...blocks].map(([at, block]) => [at, deflateRawSync(JSON.stringify(block))]);
}

function toJsonValue(cell: Cell): string | number | boolean | null {
	if (cell instanceof Date) return cell.toISOString().slice(0, 10);
	return cell ?? null;
}

answerInThread(readRows);
