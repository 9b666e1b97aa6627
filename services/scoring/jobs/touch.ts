/**
 * Marks what has to be computed again, in the transaction that changed what it is computed from. A mark that is there is raised, not
 * left: the row lock makes whoever is computing wait for this transaction, or come back after it.
 */
import type { Transaction } from "#libs/postgres/connect.ts";

/** Wakes whoever computes. Suffixed with the schema. */
export const touchedChannel = (schema: string): string => `${schema}_touched`;

export async function touchProjects(tx: Transaction, ids: readonly string[]): Promise<void> {
	if (ids.length === 0) return;
	await tx`
		insert into touched_projects as t (project_id) select distinct id from unnest(${[...ids]}::text[]) as id order by id
		on conflict (project_id) do update set marked = t.marked + 1`;
	await wakeScoring(tx);
}

export async function touchDevelopers(tx: Transaction, ids: readonly (number | null)[]): Promise<void> {
	const known = ids.filter((id) => id !== null);
	if (known.length === 0) return;
	await tx`
		insert into touched_developers as t (developer_id) select distinct id from unnest(${known}::integer[]) as id order by id
		on conflict (developer_id) do update set marked = t.marked + 1`;
	await wakeScoring(tx);
}

/** Everything that is scored or rated. */
export async function touchAll(tx: Transaction): Promise<void> {
	await tx`
		insert into touched_projects as t (project_id) select project_id from projects where open order by project_id
		on conflict (project_id) do update set marked = t.marked + 1`;
	await tx`
		insert into touched_developers as t (developer_id) select developer_id from developers order by developer_id
		on conflict (developer_id) do update set marked = t.marked + 1`;
	await wakeScoring(tx);
}

/** Takes effect at commit. */
export async function wakeScoring(tx: Transaction): Promise<void> {
	await tx`select pg_notify(current_schema() || '_touched', '')`;
}
