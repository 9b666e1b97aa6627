/** Updates the developers' numbers in other registers when files, names or corrections change. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishDevelopers } from "../../history/events/portfolios.ts";
import {
	createRegisterBook,
	type DeveloperIdentifier,
	type DeveloperName,
	identify,
	type RegisterBook,
	type RegisterEntry,
} from "../identify.ts";

/** Registers that this process read last. */
let cached: { files: string; book: RegisterBook } | undefined;

/**
 * Does nothing if names, files and corrections are unchanged. Requires the schema-wide write lock; the caller raises the data version.
 * @returns whether a developer gained or lost a number
 */
export async function identifyDevelopers(tx: Transaction): Promise<boolean> {
	const [stamp] = await tx<{ files: string; editions: string; known: string | null }[]>`
		with files as (select md5(concat(eia_editions(), (select string_agg(distinct sha256, ',' order by sha256) from company_evidence))) as files)
		select files, files || ':' || (select coalesce(max(developer_id), 0) from developers) || ':'
				|| (select count(*) || ':' || count(ended_at) from corrections where about = 'identifier') as editions,
			(select editions from identified_editions) as known
		from files`;
	if (stamp === undefined || stamp.editions === stamp.known) return false;
	if (cached?.files !== stamp.files)
		cached = { files: stamp.files, book: createRegisterBook(await readRegistered(tx)) };
	const affected = await writeIdentifiers(tx, identify(await readOwnNames(tx), cached.book));
	await tx`
		insert into identified_editions (editions) values (${stamp.editions})
		on conflict (only_row) do update set editions = excluded.editions`;
	if (affected.length === 0) return false;
	const raised = await tx<{ developer_id: number }[]>`
		update developers set version = version + 1, updated_at = now() where developer_id = any(${affected}::integer[])
		returning developer_id`;
	const ids = raised.map((row) => row.developer_id);
	await publishDevelopers(tx, ids);
	return true;
}

const readOwnNames = (tx: Transaction): Promise<DeveloperName[]> => tx<DeveloperName[]>`
	select developer_id as "developerId", canonical_name as name, 'canonical' as kind, known, ambiguous, canonical_name as canonical, parent_name as parent
	from developers
	union all
	select developer_id, a.alias, 'alias', d.known, a.ambiguous,
		d.canonical_name, d.parent_name
	from developer_aliases a join developers d using (developer_id)`;

/** Reads each number once, with the newest name filed under it, because the company may have been renamed or sold. */
const readRegistered = (tx: Transaction): Promise<RegisterEntry[]> => tx<RegisterEntry[]>`
	select distinct on (scheme, value) scheme, value, name, source, place as "where", trader as "isTrader" from (
		select 'cik' as scheme, registrant_cik::text as value, raw_name as name, source, 'SEC''s list of listed companies' as place, 0 as year,
			false as trader
		from company_evidence where source = 'sec_company_tickers'
		union all
		select 'eia_utility', utility_id::text, raw_name, source, 'EIA-861 of ' || edition, edition::integer,
			coalesce(ownership_type, '') ~* 'marketer'
		from company_evidence where source = 'eia_861' and utility_id is not null
		union all
		select 'eia_utility', utility_id::text, name, 'eia_860', 'EIA-860 of ' || year || ', utilities', year, false from utilities
		union all
		select 'eia_entity', owner_id::text, owner_name, 'eia_860', 'EIA-860 of ' || year || ', owners', year, false
		from plant_owners where owner_id is not null
		union all
		select 'eia_entity', entity_id::text, entity_name, source, 'EIA-860M of ' || to_char(as_of, 'YYYY-MM'),
			extract(year from as_of)::integer, false
		from grid_units_dated where entity_id is not null and entity_name is not null) r
	order by scheme, value, year desc, name`;

/** Corrections by people take precedence over matches. @returns the ids of developers that gained or lost a number */
async function writeIdentifiers(tx: Transaction, identifiers: readonly DeveloperIdentifier[]): Promise<number[]> {
	await tx`drop table if exists identified`;
	await tx`
		create temporary table identified on commit drop as
		select scheme, value, "developerId" as developer_id, method, confidence, evidence, source
		from jsonb_to_recordset(${JSON.stringify(identifiers)}::text::jsonb) as t (scheme text, value text, "developerId" integer, method text,
			confidence float8, evidence text, source text)`;
	await tx`
		delete from identified i using corrections c
		where c.about = 'identifier' and c.ended_at is null and c.scheme = i.scheme and c.value = i.value`;
	await tx`
		insert into identified
		select scheme, value, developer_id, 'correction', 1, correction_text(c), 'correction' from corrections c
		where about = 'identifier' and ended_at is null and developer_id is not null`;
	const affected = await tx<{ id: number }[]>`
		with gone as (
			delete from developer_identifiers o
			where not exists (select from identified i where (i.scheme, i.value, i.developer_id) = (o.scheme, o.value, o.developer_id))
			returning developer_id),
		added as (
			insert into developer_identifiers as o (scheme, value, developer_id, method, confidence, evidence, source)
			select i.* from (select scheme, value, developer_id, method, confidence, evidence, source from identified) i
			where not exists (select from developer_identifiers k where (k.scheme, k.value) = (i.scheme, i.value) and k.developer_id <> i.developer_id)
			on conflict (scheme, value) do update set method = excluded.method, confidence = excluded.confidence,
				evidence = excluded.evidence, source = excluded.source
			where (o.method, o.confidence, o.evidence, o.source)
				is distinct from (excluded.method, excluded.confidence, excluded.evidence, excluded.source)
			returning developer_id)
		select developer_id as id from gone union select developer_id from added`;
	// A number that moves to another developer can be inserted only after the former developer's row is deleted.
	const moved = await tx<{ id: number }[]>`
		insert into developer_identifiers (scheme, value, developer_id, method, confidence, evidence, source)
		select scheme, value, developer_id, method, confidence, evidence, source from identified
		on conflict (scheme, value) do nothing returning developer_id as id`;
	return [...new Set([...affected, ...moved].map((row) => row.id))];
}
