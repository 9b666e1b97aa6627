/** Writes the curated register of developers, which is part of this program, to the tables. */
import { normaliseName } from "#libs/names/normalise.ts";
import { parentCompany } from "#libs/names/parents.ts";
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
import { relinkRequests } from "./link-requests.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/**
 * Does nothing if the tables contain this edition. Otherwise links every filed name again and gives projects whose developer changes a new
 * version. A renamed developer keeps its id, and its former name as an alias. Runs in one transaction, under the write lock.
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
		await relinkNames(tx);
		await relinkOwners(tx);
		await relinkRequests(tx);
		await publishDevelopers(tx, affected);
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return true;
	});
}

/** Writes new, renamed, dropped and changed developers of an edition to the tables of the register. Set-based. @returns the ids of those that changed */
async function writeRegister(tx: Transaction, seed: readonly SeedDeveloper[]): Promise<number[]> {
	const entries = seed.map((entry) => ({
		...entry,
		full_key: normaliseName(entry.canonical).fullKey,
		parent_name: parentCompany(entry.parent),
		certainty: entry.certainty === "V" ? "seen" : "known",
		contact_published: entry.contactPublished,
	}));
	await tx`
		create temporary table register on commit drop as
		select t.*, null::integer as developer_id from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as t (
			canonical text, full_key text, tier text, headquarters text, parent text, parent_name text, certainty text, ambiguous boolean,
			contact_published boolean, prefixes text[], aliases jsonb)`;
	await recogniseRenamed(tx);
	const dropped = await demoteDropped(tx);
	const written = await tx<{ developer_id: number }[]>`
		insert into developers as d (canonical_name, full_key, tier, headquarters_state, parent_company, parent_name, certainty, known, ambiguous,
			contact_published, prefixes, portfolio)
		select canonical, full_key, tier, headquarters, parent, parent_name, certainty, true, ambiguous, contact_published, prefixes,
			(select portfolio from portfolios_of(array[null]::integer[]))
		from register order by canonical
		on conflict (full_key) do update set canonical_name = excluded.canonical_name, tier = excluded.tier,
			headquarters_state = excluded.headquarters_state, parent_company = excluded.parent_company, parent_name = excluded.parent_name,
			certainty = excluded.certainty, known = true, company_kind = 'sponsor', company_group = null, ambiguous = excluded.ambiguous,
			contact_published = excluded.contact_published, prefixes = excluded.prefixes, version = d.version + 1,
			updated_at = now()
		where (d.canonical_name, d.tier, d.headquarters_state, d.parent_company, d.parent_name, d.certainty, d.known, d.ambiguous,
				d.contact_published, d.prefixes) is distinct from
			(excluded.canonical_name, excluded.tier, excluded.headquarters_state, excluded.parent_company, excluded.parent_name, excluded.certainty, true,
				excluded.ambiguous, excluded.contact_published, excluded.prefixes)
		returning developer_id`;
	await tx`update register r set developer_id = d.developer_id from developers d where d.full_key = r.full_key`;
	const renamed = await writeAliases(tx);
	return [...new Set([...written.map((row) => row.developer_id), ...dropped, ...renamed])];
}

/**
 * A known developer that the register lacks was renamed if its name is now an alias of another entry, or if that entry's name was its alias. If
 * a queue already used the new name, that company is merged into the developer: its filed names and requests are linked by name.
 */
async function recogniseRenamed(tx: Transaction): Promise<void> {
	await tx`
		create temporary table renamed on commit drop as
		select distinct on (full_key) * from (
			select distinct on (d.developer_id) d.developer_id, d.canonical_name as former, r.full_key
			from register r join developers d on d.known and (
				exists (select from jsonb_to_recordset(r.aliases) as a (alias text) where a.alias = d.canonical_name)
				or exists (select from developer_aliases a where a.developer_id = d.developer_id and a.alias = r.canonical))
			where not exists (select from register o where o.full_key = d.full_key)
				and not exists (select from developers o where o.full_key = r.full_key and o.known)
			order by d.developer_id, r.full_key) one
		order by full_key, developer_id`;
	await tx`
		update developers d set full_key = d.full_key || ' (until ' || now() || ')',
			canonical_name = d.canonical_name || ' (until ' || now() || ')', version = d.version + 1, updated_at = now()
		from renamed r where d.full_key = r.full_key`;
	await tx`
		insert into developer_aliases (developer_id, alias, ambiguous, origin)
		select developer_id, former, false, 'former' from renamed on conflict do nothing`;
	await tx`update developers d set full_key = r.full_key from renamed r where r.developer_id = d.developer_id`;
}

/** Turns developers that the register no longer has into companies that only queues name. @returns their ids */
async function demoteDropped(tx: Transaction): Promise<number[]> {
	const dropped = await tx<{ developer_id: number }[]>`
		update developers d set known = false, prefixes = '{}', version = d.version + 1, updated_at = now()
		where d.known and not exists (select from register r where r.full_key = d.full_key)
		returning d.developer_id`;
	const ids = dropped.map((row) => row.developer_id);
	await tx`delete from developer_aliases where developer_id = any(${ids}::integer[]) and origin = 'register'`;
	return ids;
}

/** Updates the aliases, and retains former names. @returns the ids of the developers whose aliases changed */
async function writeAliases(tx: Transaction): Promise<number[]> {
	const changed = await tx<{ developer_id: number }[]>`
		with wanted as (
			select r.developer_id, a.alias, bool_or(a.ambiguous) as ambiguous
			from register r cross join jsonb_to_recordset(r.aliases) as a (alias text, ambiguous boolean) group by 1, 2),
		gone as (
			delete from developer_aliases a using register r
			where r.developer_id = a.developer_id and a.origin = 'register'
				and not exists (select from wanted w where w.developer_id = a.developer_id and w.alias = a.alias)
			returning a.developer_id),
		added as (
			insert into developer_aliases as a (developer_id, alias, ambiguous, origin)
			select developer_id, alias, ambiguous, 'register' from wanted
			on conflict (developer_id, alias) do update set ambiguous = excluded.ambiguous, origin = 'register'
			where a.ambiguous <> excluded.ambiguous
			returning a.developer_id)
		update developers d set version = d.version + 1, updated_at = now()
		where d.developer_id in (select developer_id from gone union select developer_id from added)
			and d.updated_at < now()
		returning d.developer_id`;
	return changed.map((row) => row.developer_id);
}

async function relinkNames(tx: Transaction): Promise<void> {
	const before = await tx<{ developer_id: number | null }[]>`delete from developer_links returning developer_id`;
	await linkNames(tx, await readFiledNames(tx, "projects"));
	const affected = await rewriteLinkedProjects(tx, { whole: true });
	await refreshPortfolios(tx, [...affected, ...before.flatMap((row) => row.developer_id ?? [])]);
}

/** Links owners to developers and requests to plants again, and publishes the differences. */
async function relinkOwners(tx: Transaction): Promise<void> {
	const years = await tx<{ year: number }[]>`select distinct year from generator_ownership order by year`;
	for (const { year } of years) {
		await recordOwnership(tx, year, resolveOwners);
		await linkStates(tx, year);
	}
}
