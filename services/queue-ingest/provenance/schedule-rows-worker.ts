/** Runs in a separate thread: returns a plant's rows of a workbook of form EIA-860, with the cells about its owners. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { columnName, HeadedTable, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { headers } from "../plants/sources/schedule.ts";
import { column, generatorId, id, spellings } from "../sources/cells.ts";
import type { ScheduleSheet } from "./schedule-rows.ts";

const maxInflatedBytes = 256 * 1024 * 1024;
const plantCode = spellings(...headers.plant);

async function read({ bytes }: { bytes: Uint8Array }): Promise<ScheduleSheet[]> {
	const sheets = await readWorkbook(bytes, { maxInflatedBytes });
	return sheets.filter((sheet) => isHeaded(sheet, [plantCode], 10)).map(rowsOf);
}

function rowsOf(sheet: Table): ScheduleSheet {
	const table = new HeadedTable(sheet, [plantCode], 10);
	const at = Object.values(headers).map(([name, ...former]) => column(table, name, ...former));
	const [, , plantAt = -1, generatorAt = -1] = at;
	const raw = (cell: Cell) => (cell instanceof Date ? null : text(cell));
	return {
		sheet: sheet.name,
		columns: at.map((one) =>
			one < 0 ? null : { column: columnName(one, sheet.name), header: table.filedHeaders[one] ?? null },
		),
		rows: table.rows.flatMap((row) => {
			const plant = id(row[plantAt]);
			if (plant === null) return [];
			const texts = at.map((one) => raw(row[one]));
			return { plant, generator: generatorId(row[generatorAt]), row: table.rowNumber(row), texts };
		}),
	};
}

answerInThread(read);
