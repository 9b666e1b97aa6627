/** Ids that were published and stand for no request now. An id is never given to another request, and what it was is never forgotten. */
import type { Sql } from "#libs/postgres/connect.ts";

/** By id: why it stands for nothing now. What was never published has no entry. */
export async function goneIds(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
	if (ids.length === 0) return new Map();
	const rows = await sql<{ id: string; shownLast: string | null; isBelieved: boolean | null; goneOn: string | null }[]>`
		select w.id, h.shown_last as "shownLast", h.is_believed as "isBelieved", to_char(d.deleted_at at time zone 'UTC', 'YYYY-MM-DD') as "goneOn"
		from unnest(${[...new Set(ids)]}::text[]) as w (id)
		left join deleted_projects d on d.id = w.id
		left join lateral (
			select to_char(max(coalesce(v.valid_to, v.valid_from)) at time zone 'UTC', 'YYYY-MM-DD') as shown_last, bool_or(v.believed) as is_believed
			from project_versions v where v.project_id = w.id having count(*) > 0) h on true
		where (d.id is not null or h.shown_last is not null) and not exists (select from projects p where p.id = w.id)`;
	return new Map(rows.map((row) => [row.id, reasonOf(row)]));
}

function reasonOf(row: {
	id: string;
	shownLast: string | null;
	isBelieved: boolean | null;
	goneOn: string | null;
}): string {
	const { id, shownLast, isBelieved, goneOn } = row;
	if (shownLast === null)
		return `${id} was a request of data that were removed as a whole on ${goneOn}, as the bundled sample is when a real list replaces it`;
	if (isBelieved === false) return `${id} was in lists alone that were taken back as mistaken`;
	return `${id} is in lists of the past alone, until ${shownLast}: ask with as_of`;
}
