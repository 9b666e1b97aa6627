/** Distinguishes values that the operator renamed in its whole list from changes of many requests. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";

/** Below this share of changed values of a field, changes are listed one by one. */
const bulkShare = 0.2;
const bulkRows = 100;
/** Share of the rows with a renamed value that must follow the renaming. */
const explainedShare = 0.95;

/**
 * Marks as `folded` the rows of a table of differences whose field was renamed in bulk: for nearly all requests with an old value,
 * unchanged ones included, one new value follows from it. Not folded are exceptions, values that appear or vanish, and values of one
 * request only, unless just the spelling differs. `valuesOf` gives the statement for a field's values (`old`, `new`) in all requests of
 * both lists; null where the field is never folded.
 */
export async function foldRenamings(
	tx: Transaction,
	table: "differences" | "filed_differences",
	valuesOf: (field: string) => Fragment | null,
): Promise<void> {
	const fields = await tx<{ field: string }[]>`
		select field_name as field from ${tx(table)} group by field_name
		having count(*) > ${bulkRows} and count(*) > ${bulkShare}::float8 * (select count(*) from staged where not is_new)`;
	for (const { field } of fields) {
		const values = valuesOf(field);
		if (values === null) continue;
		await tx`
			with courses as (
				select old, new, count(*) as n, sum(count(*)) over (partition by old) as total,
					bool_or(old is distinct from new) over (partition by old) as moves
				from (${values}) v group by old, new),
			usual as (
				select distinct on (old) *, old is not distinct from new
					or old <> new and (total > 1 or spelling(old) = spelling(new)) as follows
				from courses where moves order by old, n desc, new),
			renamed as (
				select old, new from usual where follows and old <> new
					and (select sum(n) filter (where follows) >= ${explainedShare}::float8 * sum(total) from usual))
			update ${tx(table)} d set folded = true from renamed r
			where d.field_name = ${field} and spelling(d.old_value) = spelling(r.old) and spelling(d.new_value) = spelling(r.new)
				and (select sum(n) from usual join renamed using (old, new)) > ${bulkRows}`;
	}
}
