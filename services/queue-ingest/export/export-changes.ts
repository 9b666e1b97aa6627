import { chosenColumns } from "#libs/contract/columns.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { changeTable } from "#libs/contract/operations/change.ts";
import { exportFile, type FileOptions } from "#libs/exports/file.ts";
import { asText, columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readSeq } from "../history/newest-seq.ts";
import { checkDay } from "../history/past.ts";
import { changeCondition } from "../queues/operations/change-rows.ts";
import type { Resources } from "../resources.ts";

export function exportChanges(resources: Resources): Handler<"exportChanges"> {
	return async function* (params, context) {
		checkDay(resources, params);
		const file: FileOptions = {
			table: changeTable,
			columns: chosenColumns(changeTable, params.fields),
			format: params.format,
			compression: params.compression,
			safe: params.safe,
			choose: async (connection) => ({
				select: changeSelect(params),
				head: { "x-seq": String(await reached(connection, params)) },
			}),
		};
		yield* exportFile(resources.sql, file, context);
	};
}

type Input = Params<"exportChanges">;

/** The rows of the log, oldest first. */
function changeSelect({ after, limit, format = "csv", compression: _, fields, ...filters }: Input): Select {
	const columns = columnsOf(chosenColumns(changeTable, fields), "c", format);
	return piece`select ${columns} from changes c where c.seq > ${after} and ${changeCondition(piece, filters)}
		order by c.seq${most(limit)}`;
}

/** Where the next file goes on: with as many rows as were asked for at the last of them, for more may follow it. */
async function reached(sql: Sql, params: Input): Promise<number> {
	const seq = await readSeq(sql, { after: params.after });
	if (params.limit === undefined) return seq;
	const chosen = await asText(sql, changeSelect({ ...params, fields: ["seq"], format: "csv" }));
	const [last] = await sql.unsafe<{ rows: number; seq: number | null }[]>(
		`select count(*) as rows, max(seq) as seq from (${chosen}) as chosen`,
	);
	return last?.rows === params.limit ? (last.seq ?? seq) : seq;
}
