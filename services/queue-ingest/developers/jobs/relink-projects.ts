/** Updates the developers of projects and of their past states from the current links. Projects get a new version, but no entry in the change feed. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishProjects, withoutChanges } from "../../history/events/publish.ts";
import { allStates, restateDevelopers, statesOfDevelopers } from "../../history/restate-developers.ts";

/** `whole`: updates the history of every request, not only of requests that differ. @returns the ids of developers that gained or lost a project */
export async function rewriteLinkedProjects(tx: Transaction, { whole = false } = {}): Promise<number[]> {
	await tx`
		create temporary table relinked on commit drop as
		select p.id, p.developer_id as before_id, n.developer_id, n.canonical_name, coalesce(n.tier, 'unknown') as tier,
			n.needs_capital
		from projects p left join lateral request_developer(p.id, p.developer) n on true
		where (p.developer_id, p.developer_canonical, p.developer_tier) is distinct from
			(n.developer_id, n.canonical_name, coalesce(n.tier, 'unknown'))`;
	await tx`
		update projects p set developer_id = r.developer_id, developer_canonical = r.canonical_name, developer_tier = r.tier,
			needs_capital = r.needs_capital, version = p.version + 1
		from relinked r where r.id = p.id`;
	const changedStates = () =>
		statesOfDevelopers(
			tx,
			tx`select id from relinked`,
			tx`select before_id from relinked union select developer_id from relinked`,
		);
	await restateDevelopers(tx, whole ? allStates(tx) : changedStates());
	await publishProjects(tx, withoutChanges(tx, tx`select id from relinked`));
	const affected = await tx<{ id: number }[]>`
		select before_id as id from relinked where before_id is not null
		union select developer_id from relinked where developer_id is not null`;
	await tx`drop table relinked`;
	return affected.map((row) => row.id);
}
