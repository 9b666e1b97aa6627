/** The filters of requests choose the same rows as a predicate as they do in SQL, on the sample with its scores. */
import { describe, expect } from "vitest";
import type { z } from "zod";
import { matches } from "#libs/contract/filters/matches.ts";
import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import { projectFilters } from "#libs/contract/operations/projects/project.ts";
import { project } from "#libs/contract/records/project.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { test } from "../support/world.ts";

/** A connection in a transaction that changes one request, and that is rolled back. */
let sql: Sql;
/** Day of the later of the sample's two lists. */
let day: string;
let rows: z.output<typeof project>[];
let ids: string[];
let developerIds: number[];
/** Texts whose letters JavaScript and PostgreSQL could take apart otherwise, and characters that patterns of SQL give a meaning. */
const name = "Straße 100%_É İO ΟΔΟΣ \\ 'X'";

test.beforeAll(async ({ readOnlyWorld: world }) => {
	const connection = await world.sql.reserve();
	await connection`begin`;
	await connection`
		update projects set name = ${name}, counties = array['ÉVRY', 'Kern'], status = 'Ruhend ÀB', study_phase_filed = 'ÉTUDE', version = version + 1
		where id = (select id from projects where kind = 'generation' order by id limit 1)`;
	sql = connection as unknown as Sql;
	day = world.clock.now.toISOString().slice(0, 10);
	rows = (await sql<{ body: string }[]>`select body::text as body from projects order by id`).map(({ body }) =>
		project.parse(JSON.parse(body)),
	);
	ids = rows.filter((_, at) => at % 7 === 0).map(({ id }) => id);
	developerIds = [...new Set(rows.flatMap(({ developer_id }) => developer_id ?? []))].slice(0, 9);
	return async () => {
		await connection`rollback`;
		connection.release();
	};
});

type Given = ParamsInput<"listProjects">;
const everything = { population: "all", include_unlisted: true } as const;

/** @returns how many rows both choose */
async function chosen(given: Given): Promise<number> {
	const { page, per_page, sort, order, cursor, ...filters } = operations.listProjects.params.parse(given);
	const bySql = await sql<{ id: string }[]>`
		select id from projects p where ${projectCondition(sql, filters)} order by id`;
	const byPredicate = rows.filter((row) => matches(filters, row)).map(({ id }) => id);
	expect([given, byPredicate]).toEqual([given, bySql.map(({ id }) => id)]);
	return byPredicate.length;
}

const circle = { lat: 31, lon: -99, radius_km: 400 };

/** Values of every filter that exclude some rows and include others; a missing filter does not compile. */
const values = (): Record<keyof typeof projectFilters, Given[]> => ({
	iso: [{ iso: ["PJM"] }, { iso: "NEISO,ercot" }],
	region: [{ region: "MISO" }, { region: "CAISO,nyiso" }],
	state: [{ state: "tx" }, { state: "PA,TX" }],
	near: [
		{ near: "Kern, CA", radius_km: 200 },
		{ near: "Nueces County, Texas", radius_km: 300 },
	],
	county: [{ county: "kern County" }, { county: "Évry" }, { county: "évry county" }],
	fips: [{ fips: "48355" }, { fips: "06029,48355" }, { fips: "09110" }],
	fuel_type: [{ fuel_type: "solar" }, { fuel_type: "storage,WIND" }],
	active: [{ active: true }, { ...everything, active: false }],
	plant_state: [{ plant_state: "none" }, { plant_state: "operating,energized" }],
	request_class: [{ request_class: "replacement,surplus" }, { request_class: "new" }],
	kind: [{ kind: "load" }, { kind: "generation,load" }],
	status: [{ status: "withdrawn" }, { status: "active,ruhend àb" }, { status: "RUHEND ÀB" }],
	listed: [{ ...everything, include_unlisted: undefined, listed: "missing,disappeared" }],
	include_unlisted: [{ population: "all", include_unlisted: false }],
	id: [{ id: ids }, { id: "NONE-1" }],
	q: ["solar", "straße", "é i", "İo ο", "i̇o", "οδοσ", "οδος", "100%_", "σ \\", "'x'"].map((q) => ({ q })),
	developer: [{ developer: "energy" }, { developer: "LLC" }],
	developer_id: [{ developer_id: developerIds }, { developer_id: 1 }],
	poi: [{ poi: "kV" }, { poi: "SUBSTATION" }],
	poi_id: [{ poi_id: "CAISO-sce-windhub-230kv" }],
	utility: [{ utility: ["AEP"] }],
	capacity_min: [{ capacity_min: 100 }, { capacity_min: 0.5 }],
	capacity_max: [{ capacity_max: 200 }, { capacity_max: -1 }],
	date_from: [{ date_from: "2022-01-01" }],
	date_to: [{ date_to: "2021-01-01" }],
	cod_from: [{ cod_from: "2027-01-01" }],
	cod_to: [{ cod_to: "2027-01-01" }],
	ia_from: [{ ia_from: "2022-01-01" }],
	ia_to: [{ ia_to: "2022-01-01" }, { ia_to: "2040-01-01" }],
	withdrawn_from: [{ withdrawn_from: "2022-01-01" }],
	withdrawn_to: [{ withdrawn_to: "2022-01-01" }],
	updated_since: [{ updated_since: day }, { updated_since: "2100-01-01" }],
	lat: [circle, { ...circle, radius_km: 0.001 }],
	lon: [{ ...circle, lon: -118 }],
	radius_km: [
		{ ...circle, radius_km: 2_000 },
		{ lat: 90, lon: 180, radius_km: 2_000 },
	],
	bbox: [{ bbox: "-125,32,-114,42" }, { bbox: "-80,39,-70,46" }],
	// A triangle, an area with a hollow, and one whose edges cross; a county's request lies on an edge of the last.
	polygon: [
		{ polygon: "-125,32,-114,32,-120,42" },
		{ polygon: "-106,26,-93,26,-93,37,-100,30,-106,37" },
		{ polygon: "-125,25,-65,48,-65,25,-125,48" },
		{ polygon: "-95,49,-80,25,-120,38,-70,38,-110,25" },
		{ polygon: "-118.7282,35,-118.7282,36,-121,35.5" },
	],
	energy_community: [{ energy_community: true }, { energy_community: false }],
	low_income: [{ low_income: true }, { low_income: false }],
	has_tax_credit: [{ has_tax_credit: true }, { has_tax_credit: false }],
	construction_stage: [{ construction_stage: "early" }, { construction_stage: "mid,withdrawn" }],
	study_phase: [{ study_phase: "gia" }, { study_phase: "étude" }],
	ia_status: [{ ia_status: "ia executed" }, { ia_status: "Withdrawn" }],
	min_confidence: [{ min_confidence: 0.9 }],
	developer_tier: [{ developer_tier: "unknown" }, { developer_tier: "major_ipp,unknown" }],
	investable: [{ investable: true }, { investable: false }],
	needs_capital: [{ needs_capital: true }, { needs_capital: false }],
	min_score: [{ min_score: 40 }, { min_score: 60 }],
	population: [{ population: "transmission" }],
});

describe("the predicate selects the same requests as SQL", () => {
	test.each(Object.keys(projectFilters) as (keyof typeof projectFilters)[])("by %s", async (key) => {
		const counts: number[] = [];
		for (const given of values()[key]) counts.push(await chosen({ ...everything, ...given }));
		expect(counts.some((count) => count > 0)).toBe(true);
		expect(counts.some((count) => count < rows.length)).toBe(true);
	});

	test("without a filter, and by any two filters", async () => {
		expect(await chosen({})).toBeGreaterThan(50);
		expect(await chosen(everything)).toBe(rows.length);
		const all = Object.values(values()).flat();
		let found = 0;
		for (const [at, one] of all.entries()) {
			const given = { population: "all" as const, ...all[(at * 7 + 3) % all.length], ...one };
			if (operations.listProjects.params.safeParse(given).success) found += await chosen(given);
		}
		expect(found).toBeGreaterThan(rows.length);
	});
});
