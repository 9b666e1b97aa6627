/** Pages of the lists of scored requests equal, under any filter, what joining, sorting and counting everything gives. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations as contract } from "#libs/contract/index.ts";
import type { InvestableCriteria } from "#libs/contract/vocabulary.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { random as randomBy } from "../support/file-formats.ts";
import { type Delivery, project } from "./support/deliver.ts";
import { pick, projectEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());

const perPage = 4;
const versions = 8;

/** Another place, technology and size with each version; some are withdrawn for a while. */
const request = (id: number, version: number): Delivery => {
	const random = randomBy(id * 1000 + version);
	return project(
		projectEvent(`PJM-${String(id).padStart(4, "0")}`, version, {
			region: pick(random, ["PJM", "PJM", "SPP"] as const),
			state: pick(random, ["TX", "OH", null] as const),
			type_std: pick(random, ["Solar", "Wind", "Storage", "Solar + Storage"] as const),
			capacity_mw: pick(random, [20, 100, 100, 450, null] as const),
			status_std: pick(random, ["Active", "Active", "Active", "Withdrawn"] as const),
			construction_stage: pick(random, ["mid", "late", "construction"] as const),
			ia_status: pick(random, ["Facility Study", "IA Executed"] as const),
		}),
	);
};

const places = [
	{},
	{ state: "TX" },
	{ region: "PJM" },
	{ region: "MISO" },
	{ state: "OH", technology: "solar" },
	{ capacity_min: 100 },
];
const lists = [
	...places.flatMap((place) => [
		{ name: "listInvestable" as const, params: place },
		{ name: "listItcDeals" as const, params: place },
	]),
	{ name: "listInvestable" as const, params: { min_score: 30 } },
	{ name: "listInvestable" as const, params: { min_p: 0.1, min_mw: 100, region: "PJM" } },
	{ name: "listItcDeals" as const, params: { min_rate: 0.3, status: "eligible" as const } },
	{ name: "listItcDeals" as const, params: { sort: "estimated_credit_value" as const } },
];

interface Filters {
	state?: string;
	region?: string;
	technology?: string;
	capacity_min?: number;
	min_score?: number;
	min_p?: number;
	min_mw?: number;
	min_rate?: number;
	status?: string;
	sort?: "estimated_credit_value";
}

/** Ids of all rows, in order. */
async function plainly({ name, params }: (typeof lists)[number]): Promise<string[]> {
	const { state, region, technology, capacity_min, min_score, min_p, min_mw, min_rate, status, sort }: Filters = params;
	const { sql } = service;
	const isInvestable = sql`s.inputs ->> 'status' = 'Active' and (s.inputs ->> 'has_ia')::boolean
		and s.inputs ->> 'cod_position' = 'ahead' and s.p_cod_36 >= ${min_p ?? 0.5} and s.cod_months <= 36
		and (s.inputs ->> 'incremental_mw')::float8 >= ${min_mw ?? 5}`;
	const rows = await sql<{ id: string }[]>`
		select project_id as id from scores s join projects p using (project_id) join credits c using (project_id)
		where s.score_version = (select active_version from settings)
			and ${name === "listItcDeals" ? sql`c.credit_type = 'ITC' and c.effective_rate > 0` : isInvestable}
			and (${state ?? null}::text is null or p.state = ${state ?? null}) and (${region ?? null}::text is null or p.region = ${region ?? null})
			and (${technology ?? null}::text is null or p.type_std ilike '%' || ${technology ?? null} || '%')
			and (${capacity_min ?? null}::float8 is null or p.capacity_mw >= ${capacity_min ?? null})
			and s.score >= ${min_score ?? 0} and c.effective_rate >= ${min_rate ?? 0}
			and (${status ?? null}::text is null or c.status = ${status ?? null})
		order by ${
			name === "listInvestable"
				? sql`s.score desc, p.capacity_mw desc nulls last, p.project_id`
				: sql`${sql(sort === undefined ? "expected_value" : "estimated_value")} desc nulls last, c.effective_rate desc, p.project_id`
		}`;
	return rows.map(({ id }) => id);
}

/** Reads through one process, which caches what it has read. */
function asking() {
	const handlers = operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" });
	const context = { signal: new AbortController().signal };
	return async ({ name, params }: (typeof lists)[number], cut: { page: number; per_page: number }) => {
		const parsed = contract[name].params.parse({ ...params, ...cut });
		const { json } = await (handlers[name] as (typeof handlers)["listItcDeals"])(parsed as never, context);
		return contract[name].reply.parse(JSON.parse(json.toString()));
	};
}

test("every page under every filter is up to date while requests are added, changed and removed", async () => {
	const ask = asking();
	for (let version = 1; version <= versions; version++) {
		const some = Array.from({ length: 120 }, (_, at) => at).filter(
			(at) => version === 1 || (at * 7 + version) % 4 === 0,
		);
		await service.deliver(...some.map((id) => request(id, version)));
		// Once what came is copied and nothing computed of it yet, once with it.
		for (const computed of [false, true]) {
			if (computed) await service.compute();
			// Credits of no known value are the last.
			if (computed)
				await service.sql`update credits set (estimated_value, expected_value) = (null, null) where project_id ~ '[13579]$'`;
			// The rest of the versions brings requests that are changed and removed.
			if (version % 4 !== 0) continue;
			for (const list of lists) {
				const where = `version ${version}, computed ${computed}: ${JSON.stringify(list)}`;
				const all = await plainly(list);
				const pages = Math.ceil(all.length / perPage);
				for (let page = 1; page <= pages + 1; page++) {
					const { data, meta } = await ask(list, { page, per_page: perPage });
					expect(meta, where).toMatchObject({ total: all.length, page, per_page: perPage, pages });
					expect(
						data.map(({ id }) => id),
						where,
					).toEqual(all.slice((page - 1) * perPage, page * perPage));
				}
				if (version === versions && computed && !("region" in list.params && list.params.region === "MISO"))
					expect(all.length, where).toBeGreaterThan(perPage);
			}
		}
	}
});

test("requests that are not listed are counted by the first criterion that they miss", async () => {
	const ask = asking();
	const { meta } = await ask({ name: "listInvestable", params: {} }, { page: 1, per_page: 1 });
	const { left_out } = meta as { left_out: Record<string, number> } & typeof meta;
	const scored = await service.sql<{ suspended: number; no_agreement: number; all: number }[]>`
		select count(*)::int as all, count(*) filter (where inputs ->> 'status' = 'Suspended')::int as suspended,
			count(*) filter (where inputs ->> 'status' = 'Active' and not (inputs ->> 'has_ia')::boolean)::int as no_agreement
		from scores where score_version = (select active_version from settings)`;
	const [{ all, ...some } = { all: 0 }] = scored;
	expect(left_out).toMatchObject(some);
	expect(Object.values(left_out).reduce((sum, missed) => sum + missed, meta.total)).toBe(all);
	expect(Object.values(left_out).filter((missed) => missed > 0).length).toBeGreaterThan(2);
	const none = { name: "listInvestable", params: { min_p: 1 } } as (typeof lists)[number];
	expect((await ask(none, { page: 1, per_page: 1 })).meta).toMatchObject({
		total: 0,
		left_out: { ...left_out, chance_too_low: (left_out.chance_too_low ?? 0) + meta.total },
	});
});

test("without criteria the list equals the field investable; wider criteria list more, narrower ones fewer", async () => {
	const ask = asking();
	const listed = async (params: Partial<InvestableCriteria>) => {
		const { data } = await ask({ name: "listInvestable", params } as (typeof lists)[number], {
			page: 1,
			per_page: 200,
		});
		return data;
	};
	const [usual, wide, narrow] = [
		await listed({}),
		await listed({ min_p: 0, max_months: 120, min_mw: 0 }),
		await listed({ min_p: 0.9 }),
	];
	const field = await service.sql<{ id: string }[]>`select project_id as id from scores where investable order by 1`;
	expect(usual.length).toBeGreaterThan(0);
	expect(usual.map(({ id }) => id).sort()).toEqual(field.map(({ id }) => id));
	expect(usual.every(({ p_cod_36 }) => p_cod_36 !== null && p_cod_36 >= 0.5)).toBe(true);
	expect(wide.length).toBeGreaterThan(usual.length);
	expect(narrow.length).toBeLessThan(usual.length);
});

test("rows state the day of their list, the posted security and the network upgrades by the request's study, or null", async () => {
	const { sql } = service;
	const ask = asking();
	const cut = { page: 1, per_page: 200 };
	const [first] = (await ask({ name: "listItcDeals", params: {} }, cut)).data;
	await sql`update projects set security_posted = true where project_id = ${first?.id ?? ""}`;
	await sql`
		insert into interconnection_costs (project_id, cost_usd_per_kw, network_usd_per_kw, sha256)
		values (${first?.id ?? ""}, 120, 90, '')`;
	await sql`
		insert into feeds (feed, as_of, snapshot_id) select distinct feed, timestamptz '2026-06-29', 0 from projects where feed is not null
		on conflict (feed) do update set as_of = excluded.as_of`;
	await sql.begin((tx) => raiseDataVersion(tx));
	const facts = (await ask({ name: "listItcDeals", params: {} }, cut)).data.map((row) => [
		row.facts_as_of,
		row.security_posted,
		row.network_upgrade_usd_per_kw,
	]);
	expect(facts[0]).toEqual(["2026-06-29", true, 90]);
	expect(facts[1]).toEqual(["2026-06-29", null, null]);
});

test("distant pages, in any order and of any length, are those of the whole list", async () => {
	const { sql } = service;
	for (const table of ["projects", "credits", "scores"]) {
		const columns = await sql<{ name: string }[]>`
			select column_name as name from information_schema.columns
			where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`;
		const names = columns.map(({ name }) => name);
		const copied = names.map((name) => (name === "project_id" ? "project_id || '+' || copy" : name));
		await sql.unsafe(
			`insert into ${table} (${names.join()}) select ${copied.join()} from ${table}, generate_series(1, 120) as copy`,
		);
	}
	await sql`analyze projects, credits, scores`;
	await sql.begin((tx) => raiseDataVersion(tx));
	const ask = asking();
	const chance = randomBy(8);
	for (const list of [
		{ name: "listInvestable", params: {} },
		{ name: "listItcDeals", params: {} },
	] as const) {
		const all = await plainly(list);
		expect(all.length).toBeGreaterThan(1_000);
		for (let step = 0; step < 15; step++) {
			const per_page = 1 + Math.floor(chance() * 100);
			const page = 1 + Math.floor((chance() * all.length) / per_page);
			const { data } = await ask(list, { page, per_page });
			expect(
				data.map(({ id }) => id),
				`${list.name}, page ${page} of ${per_page}`,
			).toEqual(all.slice((page - 1) * per_page, page * per_page));
		}
	}
});
