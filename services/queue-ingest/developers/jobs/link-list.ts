/** Names the developers behind a staged list, and counts their portfolios again once the list is written. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { refreshPortfolios } from "../../events/portfolios.ts";
import { filedNames, linkNames } from "./link-names.ts";

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

/** Every developer that has, or had, one of the written projects. */
export async function writePortfolios(tx: Transaction): Promise<void> {
	const affected = await tx<{ id: number }[]>`
		select p.developer_id as id from written w join projects p using (id) where p.developer_id is not null
		union select developer_id from reassigned where developer_id is not null`;
	await refreshPortfolios(
		tx,
		affected.map((row) => row.id),
	);
}
