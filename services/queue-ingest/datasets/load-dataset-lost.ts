/** Which of the stored rows of an edition a new file of it lacks: a list that was cut at the end of a line is well-formed. */
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset, DatasetFile } from "../sources/dataset.ts";
import type { Lost } from "./load-dataset-guard.ts";

/** Null where the rows of the dataset have no ids. */
export async function lostOf(tx: Transaction, { feed, keptIn }: Dataset, file: DatasetFile): Promise<Lost | null> {
	if (keptIn === undefined) return null;
	const { table, part } = keptIn;
	const ids = file.rows.map((row) => (row as { id: string }).id);
	// Where there are no parts to lose, the whole list is one, and that it is empty is said elsewhere.
	const [lost] = await tx<Lost[]>`
		with stored as (
			select ${part === undefined ? tx`null::text` : tx`${tx(part)}::text`} as part, n.id is null as vanished
			from ${tx(table)} t left join unnest(${ids}::text[]) as n (id) using (id)
			where t.source = ${feed} and t.edition = ${file.edition}),
		parts as (select part, bool_and(vanished) as vanished from stored where part is not null group by part)
		select count(*) as known, count(*) filter (where vanished) as vanished,
			array(select ${part ?? ""} || ' ' || part from parts where vanished order by 1) as parts
		from stored`;
	return lost ?? null;
}
