/** Reads companies from the tables: their notice addresses, the plants that they report or own, and the names in the register. */
import { normaliseName, projectFamily } from "#libs/names/normalise.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { countyKey } from "../../plants/link-pair.ts";
import { findReplacedPlant, type ReplacingRequest, type StandingPlant } from "../../plants/replaced-plant.ts";
import type { LinkedPlant, PlantCompany } from "../behind-request.ts";
import { type CompanyBook, createCompanyBook, type Notice } from "../company-book.ts";
import { isProjectShell } from "../name-groups.ts";
import { loadResolver } from "./link-names.ts";

interface Companies {
	book: CompanyBook;
	isCompany: (name: string) => boolean;
	/** Plants by county key (`countyKey`). */
	plants: ReadonlyMap<string, readonly StandingPlant[]>;
}

/** Companies of the editions read last. Reading thousands of names takes longer than linking most lists, so they are cached. */
let cached: { editions: string; companies: Companies } | undefined;

export async function readCompanies(tx: Transaction): Promise<Companies> {
	// The newest id changes whenever a developer is added, because the ids of a rolled-back transaction are never reused.
	const [stamp] = await tx<{ editions: string }[]>`
		select eia_editions() || ':' || coalesce(max(developer_id), 0) as editions from developers`;
	if (stamp !== undefined && cached?.editions === stamp.editions) return cached.companies;
	const resolver = await loadResolver(tx);
	const notices = await tx<Notice[]>`
		select distinct on (name) name, street, zip from (
			select name, street, zip, year from utilities
			union all select owner_name, owner_street, owner_zip, year from plant_owners) n
		where street is not null order by name, year desc`;
	const aliases = await readAliases(tx);
	const families = await readProjectFamilies(tx);
	const companies: Companies = {
		book: createCompanyBook({ notices, aliases, partners: await readPartners(tx) }, (name) => resolver.resolve(name)),
		isCompany: (name) =>
			["new", "shell"].includes(resolver.resolve(name).kind) &&
			!isProjectShell(name, {
				fresh: [name],
				linked: [],
				families: families.get(normaliseName(name).fullKey) ?? new Set(),
			}),
		plants: await readStandingPlants(tx),
	};
	if (stamp !== undefined) cached = { editions: stamp.editions, companies };
	return companies;
}

/** Reads one-word aliases that contain a digit ("8me"), and so are not ordinary words, and that only one developer has. */
async function readAliases(tx: Transaction): Promise<Map<string, number>> {
	const rows = await tx<{ alias: string; id: number }[]>`
		select lower(alias) as alias, min(developer_id) as id from developer_aliases
		where alias ~ '^[A-Za-z]*[0-9]+[A-Za-z]+$' group by lower(alias) having count(distinct developer_id) = 1`;
	return new Map(rows.map(({ alias, id }) => [alias, id]));
}

async function readPartners(tx: Transaction): Promise<Map<string, Set<string>>> {
	const rows = await tx<{ names: string[] }[]>`
		select array_agg(distinct name) as names from plant_companies group by plant_id having count(distinct name) > 1`;
	const partners = new Map<string, Set<string>>();
	for (const { names } of rows)
		for (const name of names) {
			const key = normaliseName(name).fullKey;
			partners.set(key, new Set([...(partners.get(key) ?? []), ...names]));
		}
	return partners;
}

/** Reads the families (see `projectFamily`) of the plants that each company reports. A developer has several; a project company has one. */
export async function readProjectFamilies(tx: Transaction): Promise<Map<string, Set<string>>> {
	const rows = await tx<{ name: string; plants: string[] }[]>`
		select name, array_agg(distinct plant_name) as plants from plant_companies where plant_name is not null group by name`;
	const families = new Map<string, Set<string>>();
	for (const { name, plants } of rows) {
		const key = normaliseName(name).fullKey;
		const known = families.get(key) ?? new Set<string>();
		families.set(key, known);
		for (const plant of plants) known.add(projectFamily(plant));
	}
	return families;
}

type PlantLink = Omit<LinkedPlant, "companies"> & { id: string };

export async function readLinkedPlants(tx: Transaction, ids: readonly string[]): Promise<Map<string, LinkedPlant>> {
	const links = await tx<PlantLink[]>`
		select project_id as id, plant_id as "plantId", confidence, evidence from project_plants
		where project_id = any(${[...ids]}::text[])`;
	return withCompanies(tx, links);
}

async function readStandingPlants(tx: Transaction): Promise<Companies["plants"]> {
	const plants = await tx<StandingPlant[]>`
		select distinct on (plant_id) plant_id as "plantId", name, state, county, utility_name as operator, mw
		from plants left join (
			-- The schedule of plants with several fuels contains only some of their generators.
			select plant_id, sum(capacity_mw) as mw from generators join (
				select plant_id, max(year) as year from generators group by plant_id having every(schedule <> 'multifuel')) y
				using (plant_id, year)
			group by plant_id) g using (plant_id)
		where name is not null and state is not null order by plant_id, year desc`;
	return Map.groupBy(plants, ({ county }) => countyKey(county ?? ""));
}

/** Reads the plants whose interconnection rights replacement and surplus requests use, by request id. */
export async function readReplacedPlants(
	tx: Transaction,
	plants: Companies["plants"],
): Promise<Map<string, LinkedPlant>> {
	const requests = await tx<(ReplacingRequest & { id: string })[]>`
		select id, request_class as class, state, poi, utility, capacity_mw as mw,
			-- The column counties omits a county that was filed without a state.
			case when counties = '{}' and county is not null then array[county] else counties end as counties
		from projects
		where kind = 'generation' and request_class in ('replacement', 'surplus') and poi is not null`;
	const links = requests.flatMap(({ id, ...request }) => {
		const plant = findReplacedPlant(
			request,
			request.counties.flatMap((county) => plants.get(countyKey(county)) ?? []),
		);
		return plant === null ? [] : { id, ...plant };
	});
	return withCompanies(tx, links);
}

async function withCompanies(tx: Transaction, links: readonly PlantLink[]): Promise<Map<string, LinkedPlant>> {
	const companies = await readPlantCompanies(tx, [...new Set(links.map(({ plantId }) => plantId))]);
	return new Map(links.map(({ id, ...link }) => [id, { ...link, companies: companies.get(link.plantId) ?? [] }]));
}

export async function readPlantCompanies(
	tx: Transaction,
	plants?: readonly number[],
): Promise<Map<number, PlantCompany[]>> {
	const rows = await tx<PlantCompany[]>`
		select plant_id as "plantId", name, role, max(as_of - date '1970-01-01') as "asOf", max(share) as share
		from plant_companies where ${plants === undefined ? tx`true` : tx`plant_id = any(${[...plants]}::integer[])`}
		group by plant_id, name, role`;
	return Map.groupBy(rows, ({ plantId }) => plantId);
}
