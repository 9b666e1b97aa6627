/** Names the developers behind a staged list, and counts their portfolios again once the list is written. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { identifyDevelopers } from "./identify-developers.ts";
import { filedNames, linkNames } from "./link-names.ts";
import { linkRequests } from "./link-requests.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/** Creates `reassigned`: projects whose row is about to change, with the developer that they have before. */
export async function linkStaged(tx: Transaction): Promise<void> {
	await refreshPortfolios(tx, await linkNames(tx, await filedNames(tx, "staged")));
	await tx`drop table if exists reassigned`;
	await tx`
		create temporary table reassigned on commit drop as
		select p.id, p.developer_id, p.developer_canonical as canonical, p.developer as filed,
			exists (select from differences d where d.id = p.id and d.field_name = 'developer') as differs
		from staged s join projects p using (id) where p.row_hash <> s.row_hash`;
}

/**
 * Finds the companies behind requests anew, and gives those of `written` theirs, in the version that is being written. Answers the ids of the
 * developers that they had and have; null where nothing of the EIA is loaded.
 */
export async function linkWritten(tx: Transaction): Promise<number[] | null> {
	if (!(await linkRequests(tx))) return null;
	const moved = await tx<{ before: number | null; after: number | null }[]>`
		with other as (
			select p.id, p.developer_id as before, n.developer_id, n.canonical_name, coalesce(n.tier, 'unknown') as tier, n.needs_capital
			from written w join projects p using (id) left join lateral request_developer(p.id, p.developer) n on true
			where p.developer_id is distinct from n.developer_id)
		update projects p set developer_id = o.developer_id, developer_canonical = o.canonical_name, developer_tier = o.tier,
			needs_capital = o.needs_capital
		from other o where o.id = p.id
		returning o.before, p.developer_id as after`;
	return moved.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
}

/** Gives the requests of other lists theirs, where a series or a plant that they share with this list's says something else now. */
export async function linkOthers(tx: Transaction): Promise<void> {
	await refreshPortfolios(tx, await rewriteLinkedProjects(tx));
}

/** Every developer that has, or had, one of the written projects; `moved`: and these. */
export async function writePortfolios(tx: Transaction, moved: readonly number[]): Promise<void> {
	const affected = await tx<{ id: number }[]>`
		select p.developer_id as id from written w join projects p using (id) where p.developer_id is not null
		union select developer_id from reassigned where developer_id is not null`;
	await refreshPortfolios(tx, [...affected.map((row) => row.id), ...moved]);
	await identifyDevelopers(tx);
}
