/** Classifies developers that no register contains: by kind and, for sponsors, by a tier from their operating and planned capacity in EIA lists. */
import type { CompanyKind, DeveloperTier } from "#libs/contract/vocabulary.ts";
import { normaliseName, projectFamily } from "#libs/names/normalise.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { publishDevelopers } from "../../history/events/portfolios.ts";
import { classifyCompany, seriesOf } from "../company-kind.ts";
import { readProjectFamilies } from "./read-companies.ts";

/** Sets tier, kind and company group of developers that no register contains. Requires the schema-wide write lock. The caller rewrites their requests. */
export async function rateTiers(tx: Transaction): Promise<void> {
	const rows = await tx<Row[]>`
		select d.developer_id, d.canonical_name as name, d.full_key, d.tier, d.company_kind, d.company_group,
			coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as projects,
			count(distinct (p.state, p.county))::integer as counties
		from developers d left join projects p on p.developer_id = d.developer_id and p.kind = 'generation'
		where not d.known group by d.developer_id order by d.developer_id`;
	if (rows.length === 0) return;
	const fleets = Map.groupBy(await readFleets(tx), ({ name }) => normaliseName(name).fullKey);
	const plants = await readProjectFamilies(tx);
	const rated = rows.map((row) => {
		const families = new Set([...row.projects.map(projectFamily), ...(plants.get(row.full_key) ?? [])]);
		const company_kind = classifyCompany(row.name, families, row.counties);
		const isSponsor = company_kind === "sponsor";
		const tier: DeveloperTier = isSponsor ? tierOf(sumFleets(fleets.get(row.full_key) ?? [])) : "unknown";
		return {
			row,
			developer_id: row.developer_id,
			tier,
			company_kind,
			company_group: isSponsor ? null : seriesOf(row.name),
		};
	});
	const series = Map.groupBy(rated, ({ company_group }) => company_group);
	const changed = rated
		.map((one) => ({
			...one,
			company_group: (series.get(one.company_group)?.length ?? 0) > 1 ? one.company_group : null,
		}))
		.filter((one) => (["tier", "company_kind", "company_group"] as const).some((name) => one[name] !== one.row[name]))
		.map(({ row: _, ...one }) => one);
	if (changed.length === 0) return;
	await tx`
		update developers d set tier = t.tier, company_kind = t.company_kind, company_group = t.company_group, version = d.version + 1,
			updated_at = now()
		from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb)
			as t (developer_id integer, tier text, company_kind text, company_group text)
		where d.developer_id = t.developer_id`;
	await publishDevelopers(
		tx,
		changed.map(({ developer_id }) => developer_id),
	);
}

interface Row {
	developer_id: number;
	name: string;
	full_key: string;
	tier: DeveloperTier;
	company_kind: CompanyKind;
	company_group: string | null;
	projects: string[];
	counties: number;
}

const emptyFleet: Fleet = { operatingMw: 0, plannedMw: 0, utilityMw: 0 };

const sumFleets = (fleets: readonly Fleet[]): Fleet =>
	fleets.reduce(
		(sum, fleet) => ({
			operatingMw: sum.operatingMw + fleet.operatingMw,
			plannedMw: sum.plannedMw + fleet.plannedMw,
			utilityMw: sum.utilityMw + fleet.utilityMw,
		}),
		emptyFleet,
	);

/**
 * Sums the MW of each company. A plant's units are those of its newest EIA-860 report, if it is of the two newest years loaded; otherwise those of
 * the monthly lists, in which a planned unit must be in the newest one. Owners have their share of the MW; without owners, they are the reporting
 * company's.
 */
function readFleets(tx: Transaction): Promise<(Fleet & { name: string })[]> {
	return tx<(Fleet & { name: string })[]>`
		with reported as (
			select plant_id, max(year) as year from generators where year >= (select max(year) - 1 from generators) group by 1),
		newest as (select source, max(as_of) as as_of from grid_units_dated group by 1),
		monthly as (
			select distinct on (plant_id, generator_id) plant_id, entity_name as name, coalesce(capacity_mw, summer_mw) as mw,
				status is null as runs, producer_type = 'Electric Utility' as is_utility
			from grid_units_dated u join newest n using (source)
			where entity_name is not null and source <> 'eia860m-cancelled' and (status is null or u.as_of = n.as_of)
				and not exists (select from reported r where r.plant_id = u.plant_id)
			order by plant_id, generator_id, status is null desc, u.as_of desc),
		utilities_named as (
			select distinct entity_name as name from grid_units where producer_type = 'Electric Utility'),
		shares as (
			select year, plant_id, generator_id, owner_name,
				coalesce(fraction, 1.0 / count(*) over (partition by year, plant_id, generator_id)) as share
			from plant_owners),
		owned as (
			select coalesce(o.owner_name, g.utility_name) as name, g.capacity_mw * coalesce(o.share, 1) as mw, g.stage = 'operable' as runs
			from generators g join reported using (plant_id, year) left join shares o using (year, plant_id, generator_id)
			where g.stage <> 'retired'),
		all_units as (
			select name, mw, runs, is_utility from monthly
			union all
			select o.name, o.mw, o.runs, u.name is not null from owned o left join utilities_named u using (name) where o.name is not null)
		select name, coalesce(sum(mw) filter (where runs), 0)::float8 as "operatingMw",
			coalesce(sum(mw) filter (where not runs), 0)::float8 as "plannedMw",
			coalesce(sum(mw) filter (where is_utility), 0)::float8 as "utilityMw"
		from all_units where mw > 0 group by name`;
}

/** Nameplate capacity in MW. Jointly owned units count by share. */
interface Fleet {
	operatingMw: number;
	plannedMw: number;
	utilityMw: number;
}

const majorOperatingMw = 2_000;
const platformTotalMw = 500;

/** The actual fleet may be larger, because the loaded lists may lack plants. */
export function tierOf({ operatingMw, plannedMw, utilityMw }: Fleet): DeveloperTier {
	const allMw = operatingMw + plannedMw;
	if (allMw <= 0) return "unknown";
	if (utilityMw > allMw / 2) return "major_utility";
	if (operatingMw >= majorOperatingMw) return "major_ipp";
	return allMw >= platformTotalMw ? "mid_platform" : "independent";
}
