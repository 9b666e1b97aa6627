/** Compares each operator's list with the units of the newest loaded year of form EIA-860. */
import { operatorTerms, type Region, regions } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { type Family, familiesOf } from "../../plants/plant-families.ts";
import { generatorSchedules } from "../../plants/sources/schedule.ts";
import { judgePlants, type PlannedRequest, type ReportedUnit } from "./judge-plants.ts";
import { findListDay, readOurs } from "./read-requests.ts";
import { type Reconciliation, sumLines } from "./sum-lines.ts";

const notes = [
	"Their records are generating units: operable ones (status OP, SB, OA, OS) are compared with what is operational here, proposed ones with Active. Retired and cancelled units are left out.",
	"A plant belongs to the operator that is its balancing authority in the newest loaded Schedule 2. Units of plants without a Schedule 2 are in no region.",
	"Their MW are nameplate; ours are limits at the point of interconnection. Requests are linked to plants by name, company, county, capacity and year.",
];

export async function compareWithEia860(tx: Transaction): Promise<Reconciliation[]> {
	const [form] = await tx<{ year: number; schedules: string[] }[]>`
		select year, array_agg(schedule) as schedules from eia_schedules where schedule = any(${[...generatorSchedules, "generator"]}::text[])
		group by year order by year desc limit 1`;
	if (form === undefined) return [];
	const edition = `${form.year}-12-31`;
	const comparisons: Reconciliation[] = [];
	for (const region of regions) {
		const listDay = await findListDay(tx, region, edition);
		const theirs = await readUnits(tx, region, form.year);
		if (listDay === null || theirs.length === 0) continue;
		const ours = await readPlanned(tx, region, listDay);
		const years = ours.counted.flatMap(({ queueDate }) => (queueDate === null ? [] : Number(queueDate.slice(0, 4))));
		const lines = judgePlants({
			year: form.year,
			families: form.schedules.includes("generator") ? null : familiesIn(theirs),
			firstYear: years.length === 0 ? null : years.reduce((first, year) => Math.min(first, year)),
			ours: ours.counted.filter(({ status }) => status !== "Withdrawn"),
			theirs,
		});
		comparisons.push({
			source: "eia860",
			region,
			title: `EIA-860 of ${form.year} (${[...form.schedules].sort().join(", ")})`,
			edition,
			compared_on: listDay,
			sha256: null,
			...sumLines(lines),
			notes,
		});
	}
	return comparisons;
}

const familiesIn = (units: readonly ReportedUnit[]): Family[] => [
	...new Set(units.flatMap(({ technology }) => familiesOf(technology))),
];

async function readUnits(tx: Transaction, region: Region, year: number): Promise<ReportedUnit[]> {
	return tx<ReportedUnit[]>`
		with newest_plants as (select distinct on (plant_id) plant_id, balancing_authority from plants order by plant_id, year desc),
		units as (
			select distinct on (g.plant_id, g.generator_id) g.* from generators g join newest_plants h using (plant_id)
			where g.year = ${year} and g.stage <> 'retired' and h.balancing_authority = ${operatorTerms[region].balancingAuthority}
			order by g.plant_id, g.generator_id, schedule_place(g.schedule))
		select plant_id as "plantId", generator_id as "generatorId", technology, stage = 'operable' as "isOperable", capacity_mw as mw,
			operating_year as "operatingYear", coalesce(sum(capacity_mw) over (partition by plant_id), 0) as "plantMw"
		from units order by plant_id, generator_id`;
}

async function readPlanned(tx: Transaction, region: Region, day: string): Promise<{ counted: PlannedRequest[] }> {
	const { counted } = await readOurs(tx, region, day, []);
	const links = await tx<{ id: string; plantId: number | null; isLate: boolean }[]>`
		select p.id, l.plant_id as "plantId", p.construction_stage in ('late', 'construction') as "isLate"
		from projects p left join project_plants l on l.project_id = p.id where p.region = ${region}`;
	const byId = new Map(links.map((link) => [link.id, link]));
	return {
		counted: counted.map((request) => {
			const { plantId = null, isLate = false } = byId.get(request.id) ?? {};
			return { ...request, plantId, isLate };
		}),
	};
}
