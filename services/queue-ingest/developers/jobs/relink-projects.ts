/** Gives projects the developer that their filed name is now known to be, or that was found behind them: no change of the queue, a new version of the project. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishProjects, withoutChanges } from "../../events/publish-projects.ts";

/** Ids of the developers that gained or lost a project. */
export async function rewriteLinkedProjects(tx: Transaction): Promise<number[]> {
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
	await tx`
		update project_versions v set valid_to = now()
		from relinked r join projects p on p.id = r.id where v.project_id = p.id and v.version = p.version - 1`;
	await tx`
		insert into project_versions (project_id, version, valid_from, snapshot_id, body)
		select p.id, p.version, now(), v.snapshot_id, p.body
		from relinked r join projects p on p.id = r.id
		join project_versions v on v.project_id = p.id and v.version = p.version - 1`;
	await publishProjects(tx, withoutChanges(tx, tx`select id from relinked`));
	const affected = await tx<{ id: number }[]>`
		select before_id as id from relinked where before_id is not null
		union select developer_id from relinked where developer_id is not null`;
	await tx`drop table relinked`;
	return affected.map((row) => row.id);
}
