import { invalid } from "#libs/contract/errors.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { newestSeq } from "../history/newest-seq.ts";

/**
 * The newest change. `asked`: the one that a caller has read to, by the name of its parameter. @throws AppError 422 when there is none
 * of that number yet.
 */
export async function readSeq(sql: Sql, asked: Record<string, number | undefined>): Promise<number> {
	const seq = await newestSeq(sql);
	const errors = Object.entries(asked).flatMap(([name, value = 0]) =>
		value > seq ? [{ loc: ["query", name], msg: `is not yet: the newest change is ${seq}` }] : [],
	);
	if (errors.length > 0) throw invalid(errors);
	return seq;
}
