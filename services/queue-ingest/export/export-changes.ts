import type { Handler, Params } from "#libs/contract/index.ts";
import { changeTable } from "#libs/contract/operations/change.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { asText, piece, type Select } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readSeq } from "../history/newest-seq.ts";
import { checkDay } from "../history/past.ts";
import { changeCondition } from "../queues/operations/change-rows.ts";
import type { Resources } from "../resources.ts";

type Input = Params<"exportChanges">;

/** The rows of the log, oldest first. */
export function exportChanges(resources: Resources): Handler<"exportChanges"> {
	return (params, context) => {
		checkDay(resources, params);
		const choose = async (connection: Sql) => ({
			select: changeSelect(params),
			head: { "x-seq": String(await reached(connection, params)) },
		});
		return exportFile(resources.sql, params, { table: changeTable, by: ["seq"], choose }, context);
	};
}

function changeSelect({ after, limit: _, format: __, compression: ___, fields: ____, ...filters }: Input): Select {
	return piece`select c.* from changes c where c.seq > ${after} and ${changeCondition(piece, filters)}`;
}

/** Where the next file goes on: with as many rows as were asked for at the last of them, for more may follow it. */
async function reached(sql: Sql, { limit, ...params }: Input): Promise<number> {
	const seq = await readSeq(sql, { after: params.after });
	if (limit === undefined) return seq;
	const last = piece`select seq from (${changeSelect(params)}) c order by seq limit 1 offset ${limit - 1}`;
	const [row] = await sql.unsafe<{ seq: number }[]>(await asText(sql, last));
	return row?.seq ?? seq;
}
