import type { Fragment, Sql, Transaction } from "./connect.ts";

/**
 * Finds a developer by its number, its canonical name, or an alias that no other developer has. Columns: `developers` has developer_id and
 * canonical_name, `aliases` developer_id and alias.
 */
export async function findDeveloper(
	sql: Sql | Transaction,
	wanted: string,
	{ developers, aliases }: { developers: Fragment; aliases: Fragment },
): Promise<number | undefined> {
	const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : null;
	const [found] = await sql<{ developer_id: number }[]>`
		select developer_id, 0 as rank from ${developers} where developer_id = ${number}::integer
		union all
		select developer_id, 1 from ${developers} where lower(canonical_name) = lower(${wanted})
		union all
		select min(developer_id), 2 from ${aliases} where lower(alias) = lower(${wanted})
		having count(distinct developer_id) = 1
		order by rank, developer_id limit 1`;
	return found?.developer_id;
}
