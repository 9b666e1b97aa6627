/** Filters of interconnection requests mean what they say; what the newest list does not show is left out unless it is asked for. */
import { expect, test } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const rows = [
	{ number: "J101", fuel: "Solar", state: "TX", county: "Harris", owner: "ENTERGY TEXAS", summer: 100, winter: 100 },
	{
		number: "J102",
		fuel: "Solar",
		facility: "Solar + Storage",
		state: "LA",
		county: "Caddo",
		summer: 200,
		winter: 200,
	},
	{
		...{ number: "J103", fuel: "Wind", facility: "Wind Turbine", state: "IA", county: "O'Brien" },
		...{ summer: 300, winter: 300, negotiated: "2029-06-01" },
	},
	{ number: "J104", fuel: "Battery", facility: "Battery", status: "Withdrawn", withdrawn: "2025-01-02", state: "TX" },
	{ number: "J105", fuel: "Solar", state: "TX", county: "Harris" },
];

const queue: Queue = sharedQueue(async () => {
	const [first, ...others] = standing(60);
	const rest = [{ number: "J9001", ...first, state: "SD", county: "Shannon" }, ...others];
	expect((await queue.take("MISO", "2026-03-01T12:00:00Z", misoJson([...rows, ...rest]))).outcome).toBe("applied");
	for (const day of ["05", "10"])
		await queue.take("MISO", `2026-03-${day}T12:00:00Z`, misoJson([...rows.slice(0, 4), ...rest.slice(0, -1)]));
	// Absent from the newest list only.
	await queue.take("MISO", "2026-03-11T12:00:00Z", misoJson([...rows.slice(0, 4), ...rest.slice(0, -2)]));
});

async function numbers(params: ParamsInput<"listProjects">): Promise<string[]> {
	const { data, meta } = await queue.ask("listProjects", { per_page: 500, ...params });
	expect(meta.total).toBe(data.length);
	return data.map(({ queue_id }) => queue_id).filter((id) => /^J10\d$/.test(id));
}

test.each<[object, string[]]>([
	[{}, ["J101", "J102", "J103", "J104"]],
	[{ fuel_type: "solar" }, ["J101"]],
	[{ fuel_type: "Solar + Storage" }, ["J102"]],
	[{ fuel_type: "storage   solar" }, ["J102"]],
	[{ fuel_type: "WIND,storage" }, ["J103", "J104"]],
	[{ fuel_type: ["wind", "Solar"] }, ["J101", "J103"]],
	[{ state: "tx,LA" }, ["J101", "J102", "J104"]],
	[{ state: "Texas, louisiana" }, ["J101", "J102", "J104"]],
	[{ cod_from: "2029-06-01" }, ["J103"]],
	[{ cod_to: "2029-05-31", state: "TX,IA" }, ["J101", "J104"]],
	[{ withdrawn_from: "2025-01-02", withdrawn_to: "2025-01-02" }, ["J104"]],
	[{ withdrawn_from: "2025-01-03" }, []],
	[{ ia_from: "2000-01-01" }, []],
	[{ status: "withdrawn" }, ["J104"]],
	[{ status: "active,withdrawn", state: "TX" }, ["J101", "J104"]],
	[{ county: "harris County" }, ["J101"]],
	[{ county: "o'brien" }, ["J103"]],
	[{ fips: "48201,19141" }, ["J101", "J103"]],
	[{ id: "MISO-J102,MISO-J103,MISO-NONE" }, ["J102", "J103"]],
	[{ q: "j102 tap" }, ["J102"]],
	[{ poi: "J103 TAP" }, ["J103"]],
	[{ construction_stage: "withdrawn,operational" }, ["J104"]],
	[{ updated_since: "2026-03-02" }, []],
	[{ updated_since: "2026-03-01", fuel_type: "solar" }, ["J101"]],
	// A county's request lies at its centre: Harris 29.86 N, 95.39 W; O'Brien 43.08 N, 95.62 W.
	[{ bbox: "-96,29,-95,31", state: "TX,IA" }, ["J101"]],
	[{ polygon: "-96,29,-95,29,-95,31,-96,31", state: "TX,IA" }, ["J101"]],
	[{ polygon: "-96,29,-95,29,-96,29.1", state: "TX,IA" }, []],
	[{ lat: 43, lon: -95.6, radius_km: 30 }, ["J103"]],
	[{ near: "O'Brien County, Iowa", radius_km: 30 }, ["J103"]],
	[{ near: "harris tx", radius_km: 1, fuel_type: "solar" }, ["J101"]],
	[{ listed: "disappeared" }, ["J105"]],
	[{ include_unlisted: true, county: "Harris" }, ["J101", "J105"]],
	[{ include_unlisted: false, county: "Harris" }, ["J101"]],
])("%j", async (params, expected) => expect(await numbers(params)).toEqual(expected));

test("groups of requests near a county state the centre", async () => {
	const { data, meta } = await queue.ask("groupProjects", { by: "county", near: "harris tx", radius_km: 1 });
	expect(meta.near).toEqual({ lat: data[0]?.lat, lon: data[0]?.lon });
	expect((await queue.ask("groupProjects", { lat: 43, lon: -95.6, radius_km: 30 })).meta).not.toHaveProperty("near");
});

test.each<[ParamsInput<"listProjects">, string]>([
	[{ status: "Activ" }, 'status: "Activ" is neither a standard status nor filed in any list; did you mean "Active"?'],
	[
		{ status: "active,in limbo" },
		'status: "in limbo" is neither a standard status nor filed in any list: Active, Withdrawn, Operational, Suspended, Unknown',
	],
	[
		{ study_phase: "Fase 2", as_of: "2026-03-01" },
		'study_phase: "Fase 2" is neither a standard study phase nor filed in any list; did you mean "Phase 2"?',
	],
	[{ near: "Haris, TX", radius_km: 1 }, 'near: "Haris, TX" is not a county and its state; did you mean "Harris, TX"?'],
	[{ county: "Haris" }, 'county: "Haris" is neither a county nor filed in any list; did you mean "Harris"?'],
	[
		{ county: "Midland, TX" },
		'county: "Midland, TX" is neither a county nor filed in any list; did you mean "Midland"?',
	],
])("%j, which no list contains, is refused", async (params, reason) => {
	await expect(queue.ask("listProjects", params)).rejects.toThrow(reason);
	await expect(queue.export(params as object)).rejects.toThrow(reason);
	await expect(queue.file("exportChanges", params as object)).rejects.toThrow(reason);
	await expect(queue.ask("groupProjects", params as object)).rejects.toThrow(reason);
});

test("a value that was filed once is accepted, although no request has it now", async () => {
	expect(await numbers({ study_phase: "phase 2", state: "TX" })).toEqual(["J101", "J104"]);
	await queue.sql`update projects set study_phase_filed = 'Phase 3' where study_phase_filed = 'Phase 2'`;
	expect(await numbers({ study_phase: "phase 2" })).toEqual([]);
	await queue.sql`update projects set study_phase_filed = 'Phase 2' where study_phase_filed = 'Phase 3'`;
});

test("a county is found by its code of any Census edition", async () => {
	// Shannon County (46113) became Oglala Lakota County (46102).
	for (const fips of ["46102", "46113", "46102,46113"]) {
		const { data } = await queue.ask("listProjects", { fips });
		expect(data.map((row) => [row.queue_id, row.fips])).toEqual([["J9001", "46102"]]);
	}
});

test("false excludes unknown values", async () => {
	for (const name of ["energy_community", "low_income", "has_tax_credit", "investable", "needs_capital"] as const)
		expect([name, await numbers({ [name]: false })]).toEqual([name, []]);
	await queue.sql`update projects set tax_credit_pct = 0, investable = false, version = version + 1 where id = 'MISO-J101'`;
	for (const name of ["has_tax_credit", "investable"] as const)
		expect([name, await numbers({ [name]: false })]).toEqual([name, ["J101"]]);
});

test("a vanished request is shown by its id, with its state in the newest list", async () => {
	expect(await queue.ask("getProject", { project_id: "MISO-J105" })).toMatchObject({
		...{ listed: "disappeared", status: "Active", status_std: "Unknown" },
		missing_since: "2026-03-05T12:00:00Z",
	});
	const { data } = await queue.ask("listProjects", { listed: "missing" });
	expect(data.map(({ queue_id, listed }) => [queue_id, listed])).toEqual([["J9059", "missing"]]);
});

test("statistics and milestones count listed requests, and all on request", async () => {
	const all = rows.length + 60;
	const counts = async (params: object) => [
		(await queue.ask("getStats", params)).data.total_projects,
		(await queue.ask("summariseMilestones", params)).total_projects,
	];
	expect(await counts({})).toEqual([all - 3, all - 3]);
	expect(await counts({ include_unlisted: true })).toEqual([all, all]);
});

test("the total of every technology and region equals the statistics", async () => {
	for (const include_unlisted of [false, true]) {
		const { data } = await queue.ask("getStats", { population: "all", include_unlisted });
		const totals = async (params: object) =>
			(await queue.ask("listProjects", { population: "all", include_unlisted, per_page: 1, ...params })).meta.total;
		for (const { fuel_type, count } of data.by_fuel_type)
			expect([fuel_type, await totals({ fuel_type })]).toEqual([fuel_type, count]);
		for (const { iso, count } of data.by_iso) expect([iso, await totals({ region: iso })]).toEqual([iso, count]);
	}
});

test("a request that a list contains again is listed, and counted in its portfolio", async () => {
	await queue.take("MISO", "2026-03-12T12:00:00Z", misoJson([...rows, ...standing(60)]));
	expect(await numbers({ county: "Harris" })).toEqual(["J101", "J105"]);
	expect((await queue.ask("listProjects", { listed: "missing,disappeared" })).data).toEqual([]);
});

const line = "MISO-ameren-il-heron--tern-345kv";
const at = (number: string, poi: string, year: string, mw: number, more: object = {}) => ({
	...{ number, poi, queued: `${year}-06-01`, cycle: `DPP-${year}`, summer: mw, winter: mw, ...more },
});
const points = [
	at("J201", "Heron - Tern 345kV Line", "2020", 100),
	at("J202", "TERN - HERON 345.0kV", "2021", 200),
	at("J203", "Tern to Heron 345 kV", "2021", 50),
	at("J204", "Heron - Tern 345kV Line", "2019", 400, { status: "Withdrawn", withdrawn: "2024-01-02" }),
	at("J205", "Heron 345kV Substation", "2021", 30),
];

test("a point of interconnection has the requests of all its spellings, and the capacity ahead of each active one", async () => {
	await queue.take("MISO", "2026-03-13T12:00:00Z", misoJson([...rows, ...standing(60), ...points]));
	const { data } = await queue.ask("listPois", { q: "heron", state: "IL", sort: "active_mw" });
	expect(data).toMatchObject([
		{ poi_id: line, voltage_kv: 345, requests: 4, active_requests: 3, active_mw: 350, withdrawn_mw: 400 },
		{ poi_id: "MISO-ameren-il-heron-345kv", requests: 1, active_mw: 30, utility: "AMEREN ILLINOIS", county: "Logan" },
	]);
	const { data: spelt } = await queue.ask("listPois", { q: "tern to heron" });
	expect(spelt).toEqual(data.slice(0, 1));
	const near = async (bbox: [number, number, number, number]) =>
		(await queue.ask("listPois", { bbox, q: "heron" })).data.map(({ poi_id }) => poi_id);
	expect(await near([-90, 40, -89, 41])).toEqual(data.map(({ poi_id }) => poi_id));
	expect(await near([-89, 40, -88, 41])).toEqual([]);
	const point = await queue.ask("getPoi", { poi_id: line });
	expect(point).toMatchObject({
		...{
			name: "Heron - Tern 345kV Line",
			capacity_mw: 750,
			upgrade_costs: null,
			lat: expect.closeTo(40.13, 1),
			location_precision: "county",
		},
		aliases: [
			{ name: "Heron - Tern 345kV Line", requests: 2, evidence: "case, spaces and punctuation" },
			{ name: "TERN - HERON 345.0kV", requests: 1 },
			{ name: "Tern to Heron 345 kV", requests: 1 },
		],
		by_status: [
			{ status: "Active", requests: 3, capacity_mw: 350 },
			{ status: "Withdrawn", requests: 1, capacity_mw: 400 },
		],
	});
	const none = { requests: 0, capacity_mw: 0 };
	expect(point.waiting.map(({ id, ahead, same_cluster }) => [id, ahead, same_cluster])).toEqual([
		["MISO-J201", none, none],
		["MISO-J202", { requests: 1, capacity_mw: 100 }, { requests: 1, capacity_mw: 50 }],
		["MISO-J203", { requests: 1, capacity_mw: 100 }, { requests: 1, capacity_mw: 200 }],
	]);
	const named = await queue.ask("listProjects", { poi_id: [line] });
	expect(named.data.map(({ id }) => id)).toEqual(["MISO-J201", "MISO-J202", "MISO-J203", "MISO-J204"]);
	const { results } = await queue.ask("search", { q: "Heron 345 kV" });
	expect(results.flatMap((hit) => (hit.kind === "poi" ? [[hit.poi_id, hit.project_count]] : []))).toEqual([
		["MISO-ameren-il-heron-345kv", 1],
	]);
	await expect(queue.ask("getPoi", { poi_id: "MISO-none" })).rejects.toThrow("MISO-none");
});

test("requests of one plant refer to each other, and each plant counts once on request", async () => {
	const before = await queue.ask("getStats", {});
	// MISO publishes no names; the next list keeps these.
	await queue.sql`update projects set name = 'Plover Solar' where id in ('MISO-J201', 'MISO-J204')`;
	await queue.sql`update projects set name = 'Plover Storage', type_std = 'Storage' where id = 'MISO-J203'`;
	await queue.take("MISO", "2026-03-14T12:00:00Z", misoJson([...rows, ...standing(60), ...points, { number: "J299" }]));
	const sibling = { relation: "sibling", method: "name", confidence: 0.98 };
	const { related } = await queue.ask("getPoi", { poi_id: line });
	expect(related).toMatchObject([
		{ id: "MISO-J201", other_id: "MISO-J204", ...sibling },
		{ id: "MISO-J203", other_id: "MISO-J204", ...sibling, evidence: "name (plover), point of interconnection, county" },
	]);
	const { relations } = await queue.ask("getProject", { project_id: "MISO-J204" });
	expect(relations).toMatchObject([
		{ id: "MISO-J201", ...sibling },
		{ id: "MISO-J203", ...sibling },
	]);
	const listed = await queue.ask("listProjects", { poi_id: [line], distinct: "plant" });
	expect([listed.meta.total, listed.data.map(({ id }) => id)]).toEqual([2, ["MISO-J202", "MISO-J203"]]);
	const { data } = await queue.ask("groupProjects", { poi_id: [line], by: "status", distinct: "plant" });
	expect(data).toMatchObject([
		{ value: "Active", requests: 2, capacity_mw: 350 },
		{ value: "Withdrawn", requests: 0, capacity_mw: 400 },
	]);
	const [all, plants] = [await queue.ask("getStats", {}), await queue.ask("getStats", { distinct: "plant" })];
	expect(plants.data).toMatchObject({
		active_projects: all.data.active_projects - 1,
		active_capacity_gw: all.data.active_capacity_gw,
		total_projects: all.data.total_projects - 2,
		tax_credits: null,
	});
	expect(all.data.total_projects).toBe(before.data.total_projects + 1);

	// J203 represented the plant until it was withdrawn.
	const gone = { status: "Withdrawn", withdrawn: "2026-03-15" };
	const later = [...rows, ...standing(60), ...points.map((one) => (one.number === "J203" ? { ...one, ...gone } : one))];
	await queue.take("MISO", "2026-03-15T12:00:00Z", misoJson([...later, { number: "J299" }]));
	await queue.sql`update projects set name = 'Plover Storage', type_std = 'Storage' where id = 'MISO-J203'`;
	await queue.take("MISO", "2026-03-16T12:00:00Z", misoJson([...later, { number: "J299" }, { number: "J300" }]));
	const plantsOn = async (as_of?: string) => {
		const chosen = { poi_id: [line], distinct: "plant", ...(as_of !== undefined && { as_of }) } as const;
		const { data } = await queue.ask("listProjects", chosen);
		const { meta } = await queue.ask("groupProjects", { ...chosen, by: "status" });
		return [data.map(({ id }) => id), meta.requests, meta.capacity_mw];
	};
	expect(await plantsOn("2026-03-12")).toEqual([[], 0, 0]);
	for (const day of ["2026-03-13", "2026-03-14"])
		expect(await plantsOn(day)).toEqual([["MISO-J202", "MISO-J203"], 2, 750]);
	expect(await plantsOn("2026-03-16")).toEqual(await plantsOn());
	expect((await plantsOn())[0]).toEqual(["MISO-J201", "MISO-J202"]);
	const { data: past } = await queue.ask("getStats", { distinct: "plant", as_of: "2026-03-14" });
	const { active_projects, total_projects, active_capacity_gw } = plants.data;
	expect(past).toMatchObject({ active_projects, total_projects, active_capacity_gw, tax_credits: null });

	// A request that was replaced later counts on the days on which it represented the plant.
	await queue.sql`
		insert into request_relations (project_id, other_id, relation, method, confidence, evidence)
		select project_id, 'MISO-J203', 'successor_of', method, confidence, evidence from request_relations where project_id = 'MISO-J201'`;
	expect(await plantsOn("2026-03-14")).toEqual([["MISO-J202", "MISO-J203"], 2, 750]);
});
