import type { Fragment, Sql, Transaction } from "./connect.ts";

/**
 * Finds a developer by ID, by canonical name, or by an alias that no other developer has. `developers` must have the columns developer_id and
 * canonical_name, `aliases` the columns developer_id and alias.
 */
export async function findDeveloper(
	sql: Sql | Transaction,
	idOrName: string,
	{ developers, aliases }: { developers: Fragment; aliases: Fragment },
): Promise<number | undefined> {
	const number = /^\d{1,9}$/.test(idOrName) ? Number(idOrName) : null;
	const [developer] = await sql<{ developer_id: number }[]>`
		select developer_id, 0 as rank from ${developers} where developer_id = ${number}::integer
		union all
		select developer_id, 1 from ${developers} where lower(canonical_name) = lower(${idOrName})
		union all
		select min(developer_id), 2 from ${aliases} where lower(alias) = lower(${idOrName})
		having count(distinct developer_id) = 1
		order by rank, developer_id limit 1`;
	return developer?.developer_id;
}
