/** Published ids without a request. An id is never given to another request, and its reason is stored for ever. */
import type { Sql } from "#libs/postgres/connect.ts";

/** By id: the reason why its request is gone. Ids that were never published have no entry. */
export async function goneIds(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
	if (ids.length === 0) return new Map();
	const rows = await sql<{ id: string; isRetracted: boolean; goneOn: string }[]>`
		select d.id, exists (select from changes c where c.project_id = d.id) as "isRetracted",
			to_char(d.deleted_at at time zone 'UTC', 'YYYY-MM-DD') as "goneOn"
		from deleted_projects d
		where d.id = any(${[...new Set(ids)]}::text[]) and not exists (select from projects p where p.id = d.id)`;
	return new Map(
		rows.map(({ id, isRetracted, goneOn }) => [
			id,
			isRetracted
				? `${id} was only in lists that were retracted as mistaken`
				: `${id} was a request of data that were removed as a whole on ${goneOn}, as the bundled sample is when a real list replaces it`,
		]),
	);
}
