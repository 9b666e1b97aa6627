/** Finds the company behind each request whose filed name is not that of a developer, and stores it with the evidence. */
import { normaliseName } from "#libs/names/normalise.ts";
import { tidyName } from "#libs/names/tidy-name.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { refreshPortfolios } from "../../history/events/portfolios.ts";
import { linkAllStates } from "../../plants/jobs/link-plants.ts";
import type { FollowLinks } from "../../plants/jobs/load-eia860.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { lockWriters } from "../../sources/locks.ts";
import {
	type FoundCompany,
	findCompaniesBySeries,
	findCompanyByFiledName,
	findCompanyByPlant,
	type LinkedPlant,
} from "../behind-request.ts";
import { seriesOf } from "../company-kind.ts";
import { identifyDevelopers } from "./identify-developers.ts";
import { addDevelopers, linkNames, readFiledNames } from "./link-names.ts";
import { rateTiers } from "./rate-tiers.ts";
import { readCompanies, readLinkedPlants, readReplacedPlants } from "./read-companies.ts";
import { rewriteLinkedProjects } from "./relink-projects.ts";

/**
 * Links all requests again, because the sponsor of a series of companies is derived from all of them. Requires current links to plants and the
 * schema-wide write lock. Does not rewrite the requests. @returns false if no EIA data is loaded
 */
export async function linkRequests(tx: Transaction): Promise<boolean> {
	const [loaded] = await tx<{ exists: boolean }[]>`
		select exists (select from eia_schedules) or exists (select from grid_units)
			or exists (select from project_developers) as exists`;
	if (loaded?.exists !== true) return false;
	const unnamed = await tx<{ id: string; filed: string | null }[]>`
		select id, developer as filed from projects p
		where kind = 'generation' and not exists (select from named_developers n where n.raw_name = p.developer) order by id`;
	await writeLinks(tx, await findCompanies(tx, unnamed));
	await rateTiers(tx);
	return true;
}

async function findCompanies(
	tx: Transaction,
	unnamed: readonly { id: string; filed: string | null }[],
): Promise<Map<string, FoundCompany>> {
	const { book, isCompany, plants: standingPlants } = await readCompanies(tx);
	const ids = unnamed.map(({ id }) => id);
	const plants = await readLinkedPlants(tx, ids);
	const replaced = await readReplacedPlants(tx, standingPlants);
	const companies = new Map<string, FoundCompany>();
	for (const { id, filed } of unnamed) {
		const findByPlant = (plant: LinkedPlant | undefined) => plant && findCompanyByPlant(plant, book, isCompany);
		const plantCompany = findByPlant(plants.get(id));
		const company = (filed === null ? undefined : findCompanyByFiledName(filed, book, plantCompany)) ?? plantCompany;
		const replacedCompany = company === undefined ? findByPlant(replaced.get(id)) : undefined;
		if (company !== undefined) companies.set(id, company);
		else if (replacedCompany !== undefined) companies.set(id, { ...replacedCompany, method: "replaced_plant" });
	}
	const families = unnamed.map(({ id, filed }) => ({ id, family: filed === null ? null : seriesOf(filed) }));
	for (const [id, company] of findCompaniesBySeries(families, companies)) companies.set(id, company);
	return companies;
}

async function writeLinks(tx: Transaction, companies: ReadonlyMap<string, FoundCompany>): Promise<void> {
	const unknown = [...companies.values()].flatMap(({ developerId, company }) => (developerId === null ? company : []));
	const names = [...new Set(unknown)].map((name) => ({
		name,
		resolution: { kind: "new" as const, name: tidyName(name) },
	}));
	const idsByKey = await addDevelopers(tx, names);
	const rows = [...companies].flatMap(([project_id, found]) => {
		const developer_id = found.developerId ?? idsByKey.get(normaliseName(found.company).fullKey);
		if (developer_id === undefined) return [];
		const { method, confidence, company, evidence, plantId } = found;
		return { project_id, developer_id, method, confidence, company, evidence, plant_id: plantId };
	});
	await tx`delete from project_developers`;
	await insertRows(tx, "project_developers", rows);
}

/** Links the developer names in `staged`. Creates `reassigned`: projects whose row is about to change, with their current developer. */
export async function linkStaged(tx: Transaction): Promise<void> {
	await refreshPortfolios(tx, await linkNames(tx, await readFiledNames(tx, "staged")));
	await tx`drop table if exists reassigned`;
	await tx`
		create temporary table reassigned on commit drop as
		select p.id, p.developer_id, p.developer_canonical as canonical, p.developer as filed,
			exists (select from differences d where d.id = p.id and d.field_name = 'developer') as differs
		from staged s join projects p using (id) where p.row_hash <> s.row_hash`;
}

/**
 * Finds the companies behind all requests again, and updates the developers of requests in `written`, which have their new version already.
 * @returns the ids of their former and new developers; null if no EIA data is loaded
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

/** Updates the developers of requests in other lists, which may share a series of companies or a plant with this list. */
export async function linkOtherLists(tx: Transaction): Promise<void> {
	await refreshPortfolios(tx, await rewriteLinkedProjects(tx));
}

export async function writePortfolios(tx: Transaction, moved: readonly number[]): Promise<void> {
	const affected = await tx<{ id: number }[]>`
		select p.developer_id as id from written w join projects p using (id) where p.developer_id is not null
		union select developer_id from reassigned where developer_id is not null`;
	await refreshPortfolios(tx, [...affected.map((row) => row.id), ...moved]);
	await identifyDevelopers(tx);
}

/**
 * Links all requests to plants and companies, once for each set of loaded EIA editions. `follow` updates the data that depends on
 * the links to plants. @returns whether anything was linked
 */
export async function linkCompanies(sql: Sql, follow?: FollowLinks): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		const [stamp] = await tx<{ editions: string; linked: string | null }[]>`
			select eia_editions() as editions, (select editions from linked_editions) as linked`;
		if (stamp === undefined || stamp.editions === stamp.linked) return false;
		await linkAllStates(tx);
		await relinkRequests(tx);
		const [newest] = await tx<{ snapshotId: number | null; asOf: string }[]>`
			select max(snapshot_id) as "snapshotId", iso(max(published_on)) as "asOf" from dataset_editions where database = 'grid'`;
		if (newest?.snapshotId) await follow?.(tx, { snapshotId: newest.snapshotId, asOf: newest.asOf });
		await tx`
			insert into linked_editions (editions) values (${stamp.editions})
			on conflict (only_row) do update set editions = excluded.editions, linked_at = now()`;
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return true;
	});
}

/** Links all requests again and rewrites them. Requires current links to plants and the schema-wide write lock. */
export async function relinkRequests(tx: Transaction): Promise<void> {
	if (await linkRequests(tx)) await refreshPortfolios(tx, await rewriteLinkedProjects(tx, { whole: true }));
	await identifyDevelopers(tx);
}
