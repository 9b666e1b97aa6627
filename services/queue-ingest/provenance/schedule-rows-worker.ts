/** Runs in a separate thread: returns the rows of a workbook of Form EIA-860, with the cells about plants and their owners. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { columnName, HeadedTable, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { headers } from "../plants/sources/schedule.ts";
import { column, generatorId, id, spellings } from "../sources/cells.ts";
import type { ScheduleSheet } from "./schedule-rows.ts";

const maxInflatedBytes = 256 * 1024 * 1024;
const plantCode = spellings(...headers.plant);

async function readSheets({ bytes }: { bytes: Uint8Array }): Promise<ScheduleSheet[]> {
	const sheets = await readWorkbook(bytes, { maxInflatedBytes });
	return sheets.filter((sheet) => isHeaded(sheet, [plantCode], 10)).map(toScheduleSheet);
}

function toScheduleSheet(sheet: Table): ScheduleSheet {
	const table = new HeadedTable(sheet, [plantCode], 10);
	const positions = Object.values(headers).map(([name, ...former]) => column(table, name, ...former));
	const [, , plantAt = -1, generatorAt = -1] = positions;
	const raw = (cell: Cell) => (cell instanceof Date ? null : text(cell));
	return {
		sheet: sheet.name,
		columns: positions.map((position) =>
			position < 0 ? null : { column: columnName(position, sheet.name), header: table.filedHeaders[position] ?? null },
		),
		rows: table.rows.flatMap((row) => {
			const plant = id(row[plantAt]);
			if (plant === null) return [];
			const texts = positions.map((position) => raw(row[position]));
			return { plant, generator: generatorId(row[generatorAt]), row: table.rowNumber(row), texts };
		}),
	};
}

answerInThread(readSheets);
