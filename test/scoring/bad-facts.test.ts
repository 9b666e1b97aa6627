/** Wrong facts that operators file: the request is scored, the assumptions are stated, and no other request is affected. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations as contract, type Reply } from "#libs/contract/index.ts";
import { isQueueEmpty } from "../../services/scoring/jobs/scoring-worker.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { developer, project } from "./support/deliver.ts";
import { developerEvent, type ProjectChanged, projectEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

type Facts = Partial<ProjectChanged["project"]>;

/** Faults: the facts, the warnings of the credit, and the texts of the score's inputs. */
const wrong: Record<string, { facts: Facts; warns?: string; inputs?: Record<string, unknown>; valued: boolean }> = {
	"no capacity": { facts: { capacity_mw: null }, inputs: { capacity: "missing" }, valued: false },
	"a capacity of nothing": { facts: { capacity_mw: 0 }, inputs: { capacity: "not_positive" }, valued: false },
	"a negative capacity": { facts: { capacity_mw: -50 }, inputs: { capacity: "not_positive" }, valued: false },
	"watts for megawatts": { facts: { capacity_mw: 1e12 }, inputs: { capacity: "implausible" }, valued: false },
	"more than the sun": { facts: { capacity_mw: 1e305 }, inputs: { capacity: "implausible" }, valued: false },
	"more than the sun, as storage": {
		facts: { capacity_mw: 1e305, type_std: "Storage" },
		inputs: { capacity: "implausible" },
		valued: false,
	},
	"a technology that is none": {
		facts: { type_std: "ZZ" },
		warns: "TECHNOLOGY_UNKNOWN",
		inputs: { credit_type: null },
		valued: false,
	},
	"a state that is none": { facts: { state: "ZZ", counties: ["Bell", "Nowhere"] }, valued: true },
	"a county that does not exist": {
		facts: { county: "Nowhere", counties: ["Nowhere", "Bell"], fips: "99999" },
		valued: true,
	},
	"no place at all": {
		facts: { state: null, county: null, counties: [], fips: null, lat: null, lon: null, location_precision: null },
		valued: true,
	},
	"a date long past": {
		facts: { cod: "1900-01-01" },
		warns: "COD_PASSED",
		inputs: { cod_position: "past" },
		valued: false,
	},
	"a date far in the future": {
		facts: { cod: "2200-12-31" },
		inputs: { cod_position: "ahead", credit_rate: 0 },
		valued: true,
	},
	"a date far in the future, as storage": { facts: { cod: "2200-12-31", type_std: "Storage" }, valued: true },
	"a queue date in the future": {
		facts: { queue_date: "2031-01-01" },
		valued: true,
	},
	"no dates at all": {
		facts: { queue_date: null, cod: null },
		warns: "COD_UNKNOWN",
		inputs: { cod: null, cod_position: "none" },
		valued: true,
	},
	"nothing but a number": {
		facts: {
			...{
				name: null,
				state: null,
				county: null,
				counties: [],
				fips: null,
				type: null,
				type_std: "",
				capacity_mw: null,
			},
			...{ status: null, queue_date: null, cod: null, study_phase: null, poi: null, lat: null, lon: null },
			...{ location_precision: null, developer_tier: null, ia_status: "In Progress (unknown study)" as const },
		},
		warns: "TECHNOLOGY_UNKNOWN",
		inputs: { developer_tier: "unknown", milestone: "unstated" },
		valued: false,
	},
};
const cases = Object.entries(wrong).map(([what, { facts, ...expected }], at) => {
	return { what, id: `ERCOT-${at + 1}`, facts, ...expected };
});

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
	const events = cases.map(({ id, facts }) => ({
		...projectEvent(id, 1, facts),
		cod_changes: [
			{ on: "2026-01-01", old: null, new: "2200-01-01" },
			{ on: "2026-02-01", old: "2200-01-01", new: null },
		],
	}));
	await service.deliver(...events.map(project));
	await service.compute();
});
afterAll(() => service[Symbol.asyncDispose]());

async function ask(project_id: string): Promise<Reply<"readScore">> {
	const handlers = operations({ sql: service.sql, now: service.scoring.now, notice_2025_42: "vacated" });
	const { json } = await handlers.readScore({ project_id }, { signal: new AbortController().signal });
	return contract.readScore.reply.parse(JSON.parse(Buffer.from(json).toString()));
}

interface Credit {
	effective_rate: number;
	estimated_value: number | null;
	warnings: string[];
}

test("nothing fails, and the queues become empty", async () => {
	expect(service.errors).toEqual([]);
	expect(await isQueueEmpty(service.sql)).toBe(true);
	expect(await service.sql`select from dead_letters`).toHaveLength(0);
	expect(await service.sql`select from scores`).toHaveLength(cases.length);
});

describe("a request with", () => {
	test.each(cases)("$what has a readable score with its assumptions", async (expected) => {
		const reply = await ask(expected.id);
		expect(reply).toMatchObject({ scored: true, inputs: expected.inputs ?? {} });
		expect(reply.explanation).toMatch(/\w{3}/);
		for (const text of [reply.explanation, ...Object.values(reply.components ?? {}).map(({ value }) => value)])
			expect(text).not.toMatch(/NaN|undefined|null|Infinity|e\+/);
		const [credit] = await service.sql<Credit[]>`
			select effective_rate, estimated_value, warnings from credits where project_id = ${expected.id}`;
		expect(credit?.effective_rate).toBeGreaterThanOrEqual(0);
		expect(credit?.effective_rate).toBeLessThanOrEqual(1);
		if (expected.valued) expect(Number.isFinite(credit?.estimated_value)).toBe(true);
		else expect(credit?.estimated_value).toBeNull();
		const assumed = credit?.warnings.filter((code) => code.startsWith("COD_") || code === "TECHNOLOGY_UNKNOWN");
		expect(assumed).toEqual(expected.warns === undefined ? [] : [expected.warns]);
	});
});

test("a developer needs no capital for connected or operating plants, and for a modification only for its added part", async () => {
	await service.clear();
	const request = (id: string, facts: Facts) =>
		project(projectEvent(id, 1, { developer_id: 1, construction_stage: "construction", type_std: "Wind", ...facts }));
	await service.deliver(
		developer(developerEvent(1, 1)),
		request("ERCOT-new", { capacity_mw: 100 }),
		request("ERCOT-connected", { capacity_mw: 200, plant_state: "energized" }),
		request("ERCOT-running", { capacity_mw: 300, plant_state: "partially_operating" }),
		request("ERCOT-larger", { capacity_mw: 400, request_class: "modification", incremental_mw: 30 }),
	);
	await service.compute();
	const [rating] = await service.rows<{ counts: object }>("select to_jsonb(s) as row from developer_ratings s");
	expect(rating?.counts).toMatchObject({ lateAndConstruction: [{ technology: "Wind", mw: 130 }] });
});

test.each([
	["a negative capacity", -50],
	["a capacity of watts", 1e12],
])("a developer whose request has %s is rated all the same", async (_, capacity_mw) => {
	await service.clear();
	const request = (id: string, facts: Facts) =>
		project(projectEvent(id, 1, { developer_id: 1, construction_stage: "late", ...facts }));
	await service.deliver(
		developer(developerEvent(1, 1)),
		request("ERCOT-right", {}),
		request("ERCOT-wrong", { capacity_mw }),
	);
	await service.compute();
	expect(service.errors).toEqual([]);
	const [rating] = await service.rows<Record<string, unknown>>("select to_jsonb(s) as row from developer_ratings s");
	expect(rating).toMatchObject({ distress_level: "unknown", counts: { active: 2 } });
	expect((await ask("ERCOT-right")).inputs.distress).toBeNull();
});
