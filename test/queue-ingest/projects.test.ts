import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import { filtersByDay } from "#libs/contract/operations/as-of.ts";
import { projectSorts } from "#libs/contract/operations/projects/project.ts";
import { csvOf, cycleExample, rowsOf } from "../support/pjm-files.ts";
import { misoJson } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const pjm = rowsOf({ ...cycleExample, "MW Capacity": "", MFO: "", "Requested In-Service Date": "" }, [
	{
		"Project ID": "AG2-001",
		"Commercial Name": "Franklin Sun",
		Developer: "100% Solar_Power LLC",
		Fuel: "Solar",
		"MW Energy": "100",
		State: "OH",
		County: "Franklin",
		Stage: "PHASE 2",
		"Submitted Date": "3/26/2021",
		"Requested In-Service Date": "6/1/2028",
	},
	{
		"Project ID": "AG2-002",
		"Commercial Name": "Tuckahoe",
		Developer: "1000 Solar Power LLC",
		Fuel: "Solar,Storage,Hybrid",
		"MW Energy": "50.5",
		State: "VA",
		County: "Franklin",
		"Submitted Date": "9/10/2021",
	},
	{
		"Project ID": "AG2-003",
		"Commercial Name": "Granada Ridge",
		Developer: "Granada Wind Inc",
		Fuel: "Wind",
		"MW Energy": "200",
		State: "OH",
		County: "Darke",
		Status: "Withdrawn",
		"Submitted Date": "3/26/2021",
		"Withdrawn Date": "11/3/2025",
	},
	{
		"Project ID": "AG2-004",
		Name: "Franklin Tap 138 kV",
		Developer: "GRANADA Storage LLC",
		Fuel: "Storage",
		"MW Energy": "200",
		State: "PA",
		County: "Berks",
		Status: "EP",
		Stage: "FINAL AGREEMENT",
		"GIA/WMPA Report Status": "Posted",
		"Submitted Date": "3/27/2021",
	},
	{
		"Project ID": "AG2-005",
		"Commercial Name": "Illini Link",
		Developer: "Illini Link LLC",
		"Project Type": "Merchant Transmission",
		Fuel: "Not Specified",
		"MW Energy": "1000",
		State: "IL",
		County: "Ogle",
		"Submitted Date": "3/26/2021",
	},
	{
		"Project ID": "AG2-006",
		"Commercial Name": 'Otter "Creek", Unit 2',
		Developer: "Otter Power",
		Fuel: "Natural Gas",
		"MW Energy": "",
		State: "MD",
		County: "Caroline",
		Status: "UC",
		"Submitted Date": "",
		"Backfeed Date": "6/20/2026",
	},
]);

const miso = [
	{ number: "J101", queued: "2022-09-16", poi: "Panther 230kV" },
	{
		number: "J102",
		status: "Done",
		after: "In Service",
		queued: "2019-01-02",
		county: "Travis",
		state: "TX",
		fuel: "Gas",
		facility: "Combined Cycle",
		summer: 600,
		phase: "GIA",
	},
	{
		number: "J103",
		status: "Withdrawn",
		withdrawn: "2025-01-10",
		queued: "2021-03-27",
		summer: 50.5,
		county: "Travis",
		state: "TX",
	},
	{
		number: "J104",
		phase: "Phase 3",
		county: "Travis",
		state: "TX",
		fuel: "Wind",
		facility: "Wind Turbine",
		summer: 100,
	},
];

const generation = "J101 J102 J103 J104 AG2-001 AG2-002 AG2-003 AG2-004 AG2-006";
const everything = "J101 J102 J103 J104 AG2-001 AG2-002 AG2-003 AG2-004 AG2-005 AG2-006";

describe("projects", () => {
	const queue: Queue = sharedQueue(async () => {
		expect(await queue.take("PJM", "2026-03-01", csvOf(pjm))).toMatchObject({ new: 6 });
		expect(await queue.take("MISO", "2026-03-02", misoJson(miso))).toMatchObject({ new: 4 });
	});

	/** The numbers that a list shows, in order. */
	async function numbers(params: ParamsInput<"listProjects">): Promise<string> {
		const { data, meta } = await queue.ask("listProjects", { per_page: 500, ...params });
		const { coverage, ...counts } = meta;
		expect(coverage !== undefined).toBe(filtersByDay(params));
		expect(counts).toEqual({ total: data.length, page: 1, per_page: 500, pages: data.length === 0 ? 0 : 1 });
		return data.map((project) => project.queue_id).join(" ");
	}

	const filters: [what: string, params: ParamsInput<"listProjects">, expected: string][] = [
		["nothing", {}, generation],
		["population=transmission", { population: "transmission" }, generation],
		["population=all", { population: "all" }, everything],
		["region", { region: "MISO" }, "J101 J102 J103 J104"],
		["region in lower case", { region: "pjm" as "PJM" }, "AG2-001 AG2-002 AG2-003 AG2-004 AG2-006"],
		["iso", { iso: "MISO" }, "J101 J102 J103 J104"],
		["iso and the same region", { iso: "MISO", region: "MISO" }, "J101 J102 J103 J104"],
		["a region without projects", { region: "CAISO" }, ""],
		["state in lower case", { state: "oh" }, "AG2-001 AG2-003"],
		["fuel_type, a whole technology", { fuel_type: "Wind" }, "J104 AG2-003"],
		["fuel_type, exactly and in any case", { fuel_type: "sOLAR" }, "J101 J103 AG2-001"],
		["fuel_type of a hybrid", { fuel_type: "solar + storage" }, "AG2-002"],
		["poi with a literal %", { poi: "%%" }, ""],
		["poi with a literal _", { poi: "__" }, ""],
		["poi with a backslash", { poi: "\\\\" }, ""],
		["status_std", { status: "Active" }, "J101 J104 AG2-001 AG2-002 AG2-004 AG2-006"],
		["status as filed", { status: "Done" }, "J102"],
		["status as filed, in any case", { status: "ep" }, "AG2-004"],
		["status_std in any case", { status: "operational" }, "J102"],
		["developer, any part in any case", { developer: "granada" }, "AG2-003 AG2-004"],
		["developer with a literal %", { developer: "100%" }, "AG2-001"],
		["developer with a literal _", { developer: "r_p" }, "AG2-001"],
		["capacity from, inclusive", { capacity_min: 150 }, "J101 J102 AG2-003 AG2-004"],
		["capacity to, inclusive", { capacity_max: 50.5 }, "J103 AG2-002"],
		["capacity between, inclusive", { capacity_min: 100, capacity_max: 150 }, "J101 J104 AG2-001"],
		["queue date from, inclusive", { date_from: "2021-09-10" }, "J101 J104 AG2-002"],
		["queue date to, inclusive", { date_to: "2021-03-26" }, "J102 AG2-001 AG2-003"],
		[
			"queue date between, inclusive",
			{ date_from: "2021-03-26", date_to: "2021-03-27" },
			"J103 AG2-001 AG2-003 AG2-004",
		],
		["construction_stage", { construction_stage: "construction" }, "AG2-006"],
		["construction_stage late", { construction_stage: "late" }, "AG2-004"],
		["study_phase", { study_phase: "sis" }, "J101 AG2-001 AG2-002"],
		["study_phase as filed", { study_phase: "Phase 3" }, "J104"],
		["ia_status", { ia_status: "construction" }, "AG2-006"],
		["ia_status as filed", { ia_status: "posted" }, "AG2-004"],
		["min_confidence, inclusive", { min_confidence: 0.9 }, "J102 J103 AG2-003 AG2-006"],
		["developer_tier", { developer_tier: "unknown" }, generation],
		["min_score", { min_score: 0 }, ""],
		["state and technology", { state: "TX", fuel_type: "wind" }, "J104"],
		[
			"region, status and size",
			{ region: "PJM", status: "active", capacity_min: 60, capacity_max: 200 },
			"AG2-001 AG2-004",
		],
		[
			"all that fits one",
			{
				iso: "PJM",
				state: "OH",
				fuel_type: "solar",
				status: "active",
				developer: "power",
				capacity_min: 100,
				capacity_max: 100,
				date_from: "2021-03-26",
				date_to: "2021-03-26",
				construction_stage: "early",
				study_phase: "PHASE 2",
				population: "all",
			},
			"AG2-001",
		],
		["two that no project fits", { region: "MISO", developer: "granada" }, ""],
		["quotes", { developer: "' or 1=1 --" }, ""],
	];

	it.each(filters)("by %s", async (_, params, expected) => {
		expect(await numbers(params)).toBe(expected);
	});

	it("flags requests that are not generation", async () => {
		const { data } = await queue.ask("listProjects", { population: "all", fuel_type: "transmission" });
		expect(data).toMatchObject([{ id: "PJM-AG2-005", kind: "transmission", type_std: "Transmission" }]);
	});

	const sorts: [params: ParamsInput<"listProjects">, expected: string][] = [
		[{ sort: "capacity_mw" }, "J103 AG2-002 J104 AG2-001 J101 AG2-003 AG2-004 J102 AG2-006"],
		[{ sort: "capacity_mw", order: "desc" }, "J102 AG2-003 AG2-004 J101 J104 AG2-001 J103 AG2-002 AG2-006"],
		[{ sort: "queue_date" }, "J102 AG2-001 AG2-003 J103 AG2-004 AG2-002 J101 J104 AG2-006"],
		[{ sort: "id", order: "desc" }, "AG2-006 AG2-004 AG2-003 AG2-002 AG2-001 J104 J103 J102 J101"],
		[{ sort: "developer", developer: "granada" }, "AG2-004 AG2-003"],
		[{ sort: "cod", order: "desc", region: "PJM" }, "AG2-001 AG2-002 AG2-003 AG2-004 AG2-006"],
		[{ sort: "investability_score", order: "desc", region: "MISO" }, "J101 J102 J103 J104"],
	];

	it.each(sorts)("sorted by %o have unknown values last, and equal ones by id", async (params, expected) => {
		expect(await numbers(params)).toBe(expected);
	});

	it("can be sorted by every column of the contract", async () => {
		expect(projectSorts.length).toBeGreaterThan(10);
		for (const sort of projectSorts)
			expect((await numbers({ sort })).split(" ").sort()).toEqual(generation.split(" ").sort());
	});

	it("are the same across pages: every project once, including ties", async () => {
		const whole = (await numbers({ sort: "capacity_mw", order: "desc" })).split(" ");
		const paged: string[] = [];
		for (let page = 1; page <= 5; page++) {
			const { data, meta } = await queue.ask("listProjects", { sort: "capacity_mw", order: "desc", page, per_page: 2 });
			expect(meta).toEqual({ total: 9, page, per_page: 2, pages: 5 });
			paged.push(...data.map((project) => project.queue_id));
		}
		expect(paged).toEqual(whole);
		const beyond = await queue.ask("listProjects", { page: 6, per_page: 2 });
		expect(beyond).toEqual({ data: [], meta: { total: 9, page: 6, per_page: 2, pages: 5 } });
	});

	it("have totals that are counted again when the data changes", async () => {
		await using other = await openQueue();
		await other.take("MISO", "2026-03-01", misoJson(miso));
		expect((await other.ask("listProjects")).meta.total).toBe(4);
		expect((await other.ask("listProjects")).meta.total).toBe(4);
		await other.take("MISO", "2026-03-02", misoJson([...miso, { number: "J105" }]));
		const { data, meta } = await other.ask("listProjects");
		expect([data.length, meta.total]).toEqual([5, 5]);
	});

	describe("exported", () => {
		const csv = async (params?: ParamsInput<"exportProjects">): Promise<Record<string, string>[]> =>
			parse(await queue.export(params), { columns: true });

		it("equal the rows of the list, in its order, column by column", async () => {
			const rows = await csv();
			const { data } = await queue.ask("listProjects", { per_page: 500 });
			expect(rows).toHaveLength(9);
			const cell = (value: unknown) => {
				if (value === null) return "";
				return Array.isArray(value) ? value.join("; ") : String(value);
			};
			// A list of objects is JSON in its cell.
			const read = rows.map((row) => ({ ...row, components: JSON.parse(row.components ?? "") }));
			const cells = ({ components, ...project }: (typeof data)[number]) => ({
				...Object.fromEntries(Object.entries(project).map(([name, value]) => [name, cell(value)])),
				components,
			});
			expect(read).toEqual(data.map(cells));
			expect(rows.find((row) => row.queue_id === "AG2-006")?.name).toBe('Otter "Creek", Unit 2');
		});

		it.each([
			["of a state", { state: "tx" }, "J102 J103 J104"],
			["of technologies, in any case", { type: "STORAGE,storage + solar" }, "AG2-002 AG2-004"],
			["of both", { state: "TX", type: "wind" }, "J104"],
			["with a literal %", { developer: "%" }, "AG2-001"],
			["with a quote", { county: "o'brien" }, ""],
			["as far as a limit", { limit: 3 }, "J101 J102 J103"],
		])("%s", async (_, params, expected) => {
			expect((await csv(params)).map((row) => row.queue_id).join(" ")).toBe(expected);
		});

		it("have a header even without rows", async () => {
			const text = await queue.export({ state: "AK" });
			expect(text.split("\n")).toHaveLength(2);
			expect(text.startsWith("id,queue_id,name,region,state,county,counties,fips,developer,")).toBe(true);
		});
	});

	it("are summed by status, operator and technology", async () => {
		expect(await queue.ask("getStats")).toEqual({
			data: {
				active_capacity_gw: 0.601,
				by_status: [
					{ status: "Active", count: 6, total_mw: 600.5 },
					{ status: "Withdrawn", count: 2, total_mw: 250.5 },
					{ status: "Operational", count: 1, total_mw: 600 },
				],
				active_projects: 6,
				active_left_out: [],
				total_projects: 9,
				total_capacity_gw: 1.451,
				by_iso: [
					{ iso: "PJM", count: 5, total_mw: 550.5 },
					{ iso: "MISO", count: 4, total_mw: 900.5 },
				],
				by_fuel_type: [
					{ fuel_type: "Solar", count: 3, total_mw: 300.5 },
					{ fuel_type: "Gas", count: 2, total_mw: 600 },
					{ fuel_type: "Wind", count: 2, total_mw: 300 },
					{ fuel_type: "Solar + Storage", count: 1, total_mw: 50.5 },
					{ fuel_type: "Storage", count: 1, total_mw: 200 },
				],
				tax_credits: {
					// Without a bus, scoring is not asked.
					active: null,
					eligible_projects: 0,
					energy_community_projects: 0,
					low_income_projects: 0,
					estimated_total_value: 0,
					conditional_projects: 0,
					conditional_value: 0,
					listed_value: 0,
					unlisted_value: 0,
					value_by_confidence: { high: 0, medium: 0, low: 0 },
				},
			},
		});
		const { data } = await queue.ask("getStats", { population: "all" });
		expect(data).toMatchObject({ total_projects: 10, total_capacity_gw: 2.451 });
		expect(data.by_fuel_type).toContainEqual({ fuel_type: "Transmission", count: 1, total_mw: 1000 });
	});

	it("are summed by milestone", async () => {
		expect(await queue.ask("summariseMilestones")).toEqual({
			total_projects: 9,
			total_with_milestones: 9,
			ia_status_distribution: {
				"System Impact Study": 3,
				Withdrawn: 2,
				Construction: 1,
				"Facility Study": 1,
				"IA Executed": 1,
				Operational: 1,
			},
			construction_stage_distribution: { early: 3, withdrawn: 2, construction: 1, late: 1, mid: 1, operational: 1 },
			avg_confidence_by_stage: {
				// AG2-002 states no date: 0.75 beside two of 0.8.
				early: 0.7833,
				// Withdrawn without a date to come: 0.9 beside 0.95.
				withdrawn: 0.925,
				construction: 0.9,
				late: 0.85,
				mid: 0.8,
				operational: 0.95,
			},
			milestone_fill_rates: { ia_date: 0, actual_cod: 0, study_phase: 7, backfeed_date: 1, ia_status: 9 },
		});
	});

	it("are validated by the share that each enrichment covers", async () => {
		expect(await queue.ask("validate")).toEqual({
			total_projects: 9,
			coverage: { geocoded: 1, ia_status: 1, developer_tier: 0, tax_credit_eligibility: 0, construction_stage: 1 },
		});
	});

	describe("found", () => {
		const found = async (q: string, more: { page?: number; per_page?: number } = {}) => {
			const { query, results } = await queue.ask("search", { q, ...more });
			expect(query).toBe(q);
			return results.map((hit) => {
				if (hit.kind === "developer") return hit.name;
				return hit.kind === "project" ? hit.id : `${hit.name}, ${hit.state}`;
			});
		};

		it("by number first, whatever else matches", async () => {
			expect(await found("J101")).toEqual(["MISO-J101"]);
			expect(await found("pjm-ag2-003")).toEqual(["PJM-AG2-003"]);
			expect(await found("AG2-00")).toEqual([
				"PJM-AG2-003",
				"PJM-AG2-004",
				"PJM-AG2-001",
				"PJM-AG2-002",
				"PJM-AG2-006",
			]);
		});

		it("by county, name and point of interconnection, exact county first, then prefixes", async () => {
			expect(await found("franklin")).toEqual(["Franklin, OH", "Franklin, VA", "PJM-AG2-004", "PJM-AG2-001"]);
			expect(await found("Panther")).toEqual(["MISO-J101"]);
			expect(await found("dge")).toEqual([
				"Enbridge Renewables",
				"Pine Gate Renewables",
				"Summit Ridge Energy",
				"PJM-AG2-003",
			]);
		});

		it("by developer, after matches by name", async () => {
			expect(await found("granada")).toEqual(["PJM-AG2-003", "PJM-AG2-004"]);
			expect(await found("otter power")).toEqual(["PJM-AG2-006"]);
		});

		it("with a literal % and _", async () => {
			expect(await found("0%")).toEqual(["PJM-AG2-001"]);
			expect(await found("r_p")).toEqual(["PJM-AG2-001"]);
			expect(await found("%%")).toEqual([]);
			expect(await found("__")).toEqual([]);
		});

		it("with the fields of a hit", async () => {
			expect((await queue.ask("search", { q: "Travis" })).results).toEqual([
				{ kind: "county", name: "Travis", state: "TX", fips: "48453", project_count: 3, total_capacity_mw: 750.5 },
			]);
			expect((await queue.ask("search", { q: "Tuckahoe" })).results).toEqual([
				{
					kind: "project",
					id: "PJM-AG2-002",
					name: "Tuckahoe",
					region: "PJM",
					status_std: expect.any(String),
					developer: "1000 Solar Power LLC",
					capacity_mw: 50.5,
					state: "VA",
				},
			]);
		});

		it("page by page", async () => {
			expect(await found("franklin", { per_page: 3 })).toEqual(["Franklin, OH", "Franklin, VA", "PJM-AG2-004"]);
			expect(await found("franklin", { per_page: 3, page: 2 })).toEqual(["PJM-AG2-001"]);
			expect(await found("franklin", { per_page: 3, page: 3 })).toEqual([]);
		});

		it("never among requests that are not generation", async () => {
			const { results } = await queue.ask("search", { q: "Illini" });
			expect(results.filter(({ kind }) => kind === "project")).toEqual([]);
		});
	});
});
