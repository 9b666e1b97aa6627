/** Brings the curated register of developers, as it ships with this program, into the tables. */
import { hash } from "node:crypto";
import { normaliseName } from "#libs/names/normalise.ts";
import { parentCompany } from "#libs/names/parents.ts";
import { readSeed, type SeedDeveloper } from "#libs/names/seed.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/outbox.ts";
import { type FiledName, linkNames } from "./link-names.ts";
import { resolveOwners } from "./owner-names.ts";
import { refreshPortfolios, tellDevelopers } from "./portfolios.ts";
import { recordOwnership } from "./record-ownership.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/**
 * Does nothing when the tables hold this edition. Else: a developer that was renamed keeps its id and its former name; every filed
 * name is looked up again; projects whose developer is another now get a new version. One transaction, under the write lock.
 */
export async function syncRegister(sql: Sql, seed: readonly SeedDeveloper[] = readSeed()): Promise<boolean> {
	const sha256 = hash("sha256", JSON.stringify(seed), "hex");
	return sql.begin(async (tx) => {
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
		const [edition] = await tx<{ sha256: string }[]>`select sha256 from register_edition`;
		if (edition?.sha256 === sha256) return false;
		const touched = await writeRegister(tx, seed);
		await tx`
			insert into register_edition (sha256) values (${sha256})
			on conflict (only_row) do update set sha256 = excluded.sha256, applied_at = now()`;
		await relinkAll(tx);
		await resolveOwnersAgain(tx);
		await tellDevelopers(tx, touched);
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return true;
	});
}

interface Entry {
	canonical: string;
	full_key: string;
	tier: string;
	headquarters: string | null;
	parent: string | null;
	parent_name: string | null;
	certainty: string;
	ambiguous: boolean;
	contact_published: boolean;
	prefixes: string[];
	aliases: { alias: string; ambiguous: boolean }[];
}

/** Ids of the developers that are new or differ from what they were. */
async function writeRegister(tx: Transaction, seed: readonly SeedDeveloper[]): Promise<number[]> {
	const entries: Entry[] = seed.map((entry) => ({
		canonical: entry.canonical,
		full_key: normaliseName(entry.canonical).fullKey,
		tier: entry.tier,
		headquarters: entry.headquarters,
		parent: entry.parent,
		parent_name: parentCompany(entry.parent),
		certainty: entry.certainty === "V" ? "seen" : "known",
		ambiguous: entry.ambiguous,
		contact_published: entry.contactPublished,
		prefixes: entry.prefixes,
		aliases: entry.aliases,
	}));
	await tx`
		create temporary table register on commit drop as
		select t.*, null::integer as developer_id from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as t (
			canonical text, full_key text, tier text, headquarters text, parent text, parent_name text, certainty text, ambiguous boolean,
			contact_published boolean, prefixes text[], aliases jsonb)`;
	await recogniseRenamed(tx);
	const written = await tx<{ developer_id: number }[]>`
		insert into developers as d (canonical_name, full_key, tier, headquarters_state, parent_company, parent_name, certainty, known, ambiguous,
			contact_published, prefixes, portfolio)
		select canonical, full_key, tier, headquarters, parent, parent_name, certainty, true, ambiguous, contact_published, prefixes,
			portfolio_of(null)
		from register order by canonical
		on conflict (full_key) do update set canonical_name = excluded.canonical_name, tier = excluded.tier,
			headquarters_state = excluded.headquarters_state, parent_company = excluded.parent_company, parent_name = excluded.parent_name,
			certainty = excluded.certainty, known = true, ambiguous = excluded.ambiguous,
			contact_published = excluded.contact_published, prefixes = excluded.prefixes, version = d.version + 1,
			updated_at = now()
		where (d.canonical_name, d.tier, d.headquarters_state, d.parent_company, d.parent_name, d.certainty, d.known, d.ambiguous,
				d.contact_published, d.prefixes) is distinct from
			(excluded.canonical_name, excluded.tier, excluded.headquarters_state, excluded.parent_company, excluded.parent_name, excluded.certainty, true,
				excluded.ambiguous, excluded.contact_published, excluded.prefixes)
		returning developer_id`;
	await tx`update register r set developer_id = d.developer_id from developers d where d.full_key = r.full_key`;
	const renamed = await writeAliases(tx);
	return [...new Set([...written.map((row) => row.developer_id), ...renamed])];
}

/** A name of the register that a known developer had as its canonical name before is that developer, under a new name. */
async function recogniseRenamed(tx: Transaction): Promise<void> {
	await tx`
		with renamed as (
			select distinct on (d.developer_id) d.developer_id, d.canonical_name as former, r.full_key
			from register r cross join jsonb_to_recordset(r.aliases) as a (alias text)
			join developers d on d.known and d.canonical_name = a.alias
			where not exists (select from register o where o.full_key = d.full_key)
				and not exists (select from developers o where o.full_key = r.full_key)
			order by d.developer_id, r.full_key),
		kept as (
			insert into developer_aliases (developer_id, alias, ambiguous, origin)
			select developer_id, former, false, 'former' from renamed on conflict do nothing)
		update developers d set full_key = r.full_key
		from (select distinct on (full_key) * from renamed order by full_key, developer_id) r where r.developer_id = d.developer_id`;
}

/** Ids of the developers whose aliases differ from what they were. A former name stays, whatever the register says. */
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

/** Looks every filed name up again, under the register as it now is. */
async function relinkAll(tx: Transaction): Promise<void> {
	const before = await tx<{ developer_id: number | null }[]>`delete from developer_links returning developer_id`;
	const filed = await tx<FiledName[]>`
		select developer as name, coalesce(array_agg(distinct name) filter (where name is not null), '{}') as projects
		from projects where developer is not null group by developer order by developer`;
	await linkNames(tx, filed);
	const touched = await rewriteLinkedProjects(tx);
	await refreshPortfolios(tx, [...touched, ...before.flatMap((row) => row.developer_id ?? [])]);
}

/** The owners of plants are looked up again too; what differs is announced. */
async function resolveOwnersAgain(tx: Transaction): Promise<void> {
	const years = await tx<{ year: number }[]>`select distinct year from generator_ownership order by year`;
	for (const { year } of years) await recordOwnership(tx, year, resolveOwners);
}
