/** Distinguishes values that the operator renamed in the whole list from changes of many requests. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";

/** The changes of a field are listed one by one unless more than this share and more than this number of requests have one. */
const bulkShare = 0.2;
const bulkRows = 100;
/** Share of the rows with a renamed value that must follow the renaming. */
const explainedShare = 0.95;

/**
 * Marks differences as `recoded` if the values of their field were renamed in bulk: nearly all requests with the same old value, changed or
 * not, have the same new value. Not marked are exceptions, values that appear or vanish, and values of a single request, unless only the
 * spelling differs. `valuesOf` returns the statement for a field's values (`old`, `new`) in all requests of both lists, or null if the field
 * is never recoded.
 */
export async function markRecoded(
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
			with transitions as (
				select old, new, count(*) as n, sum(count(*)) over (partition by old) as total,
					bool_or(old is distinct from new) over (partition by old) as is_changed
				from (${values}) v group by old, new),
			usual as (
				select distinct on (old) *, old is not distinct from new
					or old <> new and (total > 1 or spelling(old) = spelling(new)) as follows
				from transitions where is_changed order by old, n desc, new),
			renamed as (
				select old, new from usual where follows and old <> new
					and (select sum(n) filter (where follows) >= ${explainedShare}::float8 * sum(total) from usual))
			update ${tx(table)} d set recoded = true from renamed r
			where d.field_name = ${field} and spelling(d.old_value) = spelling(r.old) and spelling(d.new_value) = spelling(r.new)
				and (select sum(n) from usual join renamed using (old, new)) > ${bulkRows}`;
	}
}
