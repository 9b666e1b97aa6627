/** Writes the curated register of developers, which is part of this program, to the tables. */
import { editionOf, readSeed, type SeedDeveloper } from "#libs/names/seed.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { publishDevelopers, refreshPortfolios } from "../../history/events/portfolios.ts";
import { recordOwnership } from "../../history/events/record-ownership.ts";
import { isSample, sponsors } from "../../history/events/remove-sample.ts";
import { linkStates } from "../../plants/jobs/link-plants.ts";
import { lockWriters } from "../../sources/locks.ts";
import { linkNames, readFiledNames, resolveOwners } from "./link-names.ts";
import { linkAnew } from "./link-requests.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";
import { writeRegister } from "./write-register.ts";

/**
 * Does nothing if the tables contain this edition. Otherwise a renamed developer keeps its id and its former name as an alias, every filed
 * name is linked again, and projects with another developer get a new version. Runs in one transaction, under the write lock.
 */
export async function syncRegister(sql: Sql, edition?: readonly SeedDeveloper[]): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		const seed = edition ?? ((await isSample(tx)) ? [...readSeed(), ...sponsors] : readSeed());
		const sha256 = editionOf(seed);
		const [known] = await tx<{ sha256: string }[]>`select sha256 from register_edition`;
		if (known?.sha256 === sha256) return false;
		const affected = await writeRegister(tx, seed);
		await tx`
			insert into register_edition (sha256) values (${sha256})
			on conflict (only_row) do update set sha256 = excluded.sha256, applied_at = now()`;
		await relinkAll(tx);
		await relinkOwners(tx);
		await linkAnew(tx);
		await publishDevelopers(tx, affected);
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return true;
	});
}

async function relinkAll(tx: Transaction): Promise<void> {
	const before = await tx<{ developer_id: number | null }[]>`delete from developer_links returning developer_id`;
	await linkNames(tx, await readFiledNames(tx, "projects"));
	const affected = await rewriteLinkedProjects(tx, { whole: true });
	await refreshPortfolios(tx, [...affected, ...before.flatMap((row) => row.developer_id ?? [])]);
}

/** Links owners to developers and requests to plants again, and publishes differences. */
async function relinkOwners(tx: Transaction): Promise<void> {
	const years = await tx<{ year: number }[]>`select distinct year from generator_ownership order by year`;
	for (const { year } of years) {
		await recordOwnership(tx, year, resolveOwners);
		await linkStates(tx, year);
	}
}
