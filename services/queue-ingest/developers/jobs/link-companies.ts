/** Brings the companies behind requests up to what the EIA's editions and the register say now. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { linkAllStates } from "../../plants/jobs/link-plants.ts";
import { identifyDevelopers } from "./identify-developers.ts";
import { linkRequests } from "./link-requests.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/** After files of the EIA were taken in. Does nothing where it has run on these editions; answers whether it did. */
export async function linkCompanies(sql: Sql): Promise<boolean> {
	return sql.begin(async (tx) => {
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
		const [stamp] = await tx<{ editions: string; linked: string | null }[]>`
			select eia_editions() as editions, (select editions from linked_editions) as linked`;
		if (stamp === undefined || stamp.editions === stamp.linked) return false;
		await linkAllStates(tx);
		await linkAnew(tx);
		await tx`
			insert into linked_editions (editions) values (${stamp.editions})
			on conflict (only_row) do update set editions = excluded.editions, linked_at = now()`;
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return true;
	});
}

/** Expects the links to plants, and the schema-wide write lock. */
export async function linkAnew(tx: Transaction): Promise<void> {
	if (await linkRequests(tx)) await refreshPortfolios(tx, await rewriteLinkedProjects(tx, { whole: true }));
	await identifyDevelopers(tx);
}
