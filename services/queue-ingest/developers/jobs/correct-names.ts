/** What a person said a filed name to be wins over the ladder of names, in every spelling. */
import type { Transaction } from "#libs/postgres/connect.ts";

/** Puts the corrections that stand over the links, as these were found. */
export async function correctNames(tx: Transaction): Promise<void> {
	await tx`
		update developer_links l set outcome = case when c.developer_id is null then 'none' else 'matched' end,
			developer_id = c.developer_id, method = 'correction', confidence = 1, matched_text = d.canonical_name, candidates = null,
			reason = correction_text(c), linked_at = now()
		from corrections c left join developers d using (developer_id)
		where c.about = 'name' and c.ended_at is null and c.full_key = l.full_key
			and (l.developer_id, l.method, l.reason) is distinct from (c.developer_id, 'correction', correction_text(c))`;
}

/** The developer of each corrected name, by its full key; null: none. */
export async function correctedNames(tx: Transaction): Promise<Map<string, number | null>> {
	const rows = await tx<{ key: string; id: number | null }[]>`
		select full_key as key, developer_id as id from corrections where about = 'name' and ended_at is null`;
	return new Map(rows.map(({ key, id }) => [key, id]));
}
