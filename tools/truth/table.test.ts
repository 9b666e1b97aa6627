import { expect, it } from "vitest";
import { blankProject } from "../../test/support/blank-project.ts";
import type { Investable, Project, Readings } from "./answers.ts";
import { documentOf } from "./document.ts";
import type { Drawn } from "./drawn.ts";
import { linkJudgements, linksOf } from "./links.ts";
import { judgements, readByHand, summaryOf } from "./read-by-hand.ts";
import { figuresOf, printed } from "./table.ts";

const project = (queue_id: string, changes: Partial<Project> = {}): Project => ({
	...blankProject,
	...{ id: `PJM-${queue_id}`, queue_id, version: 1 },
	...changes,
});
const projects = [
	project("A1", { cod: "2025-01-01", construction_stage: "late", investability_score: 80, capacity_mw: 500 }),
	project("A2", {
		cod: "2030-01-01",
		construction_stage: "late",
		investability_score: 70,
		developer_canonical: "Heron",
	}),
	project("A3", { listed: "disappeared", capacity_mw: 1500 }),
	project("A4", { region: "ISO-NE", id: "ISO-NE-4", cod: "2004-01-01", status_basis: null }),
	project("AI2-187", { status_flag: "void_window", capacity_mw: 800, estimated_credit_value: 1 }),
	project("A5", { region: "ISO-NE", id: "ISO-NE-5", status_std: "Operational", status_basis: "other_source" }),
];
const investable = projects.slice(0, 3) as unknown as Investable[];
const answers: Readings = {
	projects,
	investable,
	deals: [],
	leaderboard: [],
	listDays: new Map([["PJM", "2026-06-29"]]),
	stats: {
		...{ active_capacity_gw: 0.5, by_status: [], total_projects: 4, total_capacity_gw: 0.5, by_iso: [] },
		...{ active_projects: 2, active_left_out: [{ reason: "void_window" as const, count: 1, total_mw: 800 }] },
		by_fuel_type: [{ fuel_type: "Solar", count: 3, total_mw: 500 }],
		tax_credits: {} as Readings["stats"]["tax_credits"],
	},
	everything: 6,
	solar: 3,
	activeByDefault: 3,
	linked: new Map(),
	probed: [
		{
			...{ region: "ERCOT", day: "2025-10-31", type: "cod_change", what: "dates moved", before: "one line" },
			changes: [
				{ project_id: "ERCOT-1", capacity_mw: 1500, old_value: "2027-01-01", new_value: "2028-01-01" },
				{ project_id: "ERCOT-2", capacity_mw: null, old_value: "2027-01-01", new_value: "2026-01-01" },
				{ project_id: null, field_name: "poi", new_value: "200 projects recoded" },
			],
		},
	] as unknown as Readings["probed"],
};

it("counts what a paying user checks first, before and now", () => {
	const now = new Map(figuresOf(answers).map((figure) => [figure.what, figure]));
	const of = (what: string) => [now.get(what)?.before, now.get(what)?.now];
	expect(of("requests in /investable")).toEqual(["910", "3"]);
	expect(of("of them past their projected date, not under construction")).toEqual(["475", "1"]);
	expect(of("best score in PJM")).toEqual([null, "80"]);
	expect(of("best score in CAISO")).toEqual(["63", "0"]);
	expect(of("requests last filed as active that vanished, with include_unlisted")).toEqual([null, "1 (1.5 GW)"]);
	expect(of('"Active" of ISO-NE without a filed status')).toEqual(["314", "1"]);
	expect(of("status_std of ISO-NE follows LBNL or EIA")).toEqual([null, "1"]);
	expect(of("open ones of late stage without a developer")).toEqual([null, "50.0 % (1 of 2)"]);
	expect(of("MW of late stage with a developer")).toEqual(["20 %", "16.7 % (100 of 600)"]);
	expect(of("fuel_type=Solar answers")).toEqual(["10,277", "3"]);
	const vanished = of("disappeared from their lists and called active or suspended");
	expect(vanished).toEqual(["471 (90.3 GW)", "1: PJM-A3"]);
});

it("lists the remaining differences of each conclusion by id", () => {
	const now = new Map(figuresOf(answers).map((figure) => [figure.what, figure.now]));
	expect(now.get("void windows of PJM, listed as active")).toBe("1 (0.8 GW)");
	expect(now.get("in /investable, past their date by their list's day")).toBe("1: PJM-A1");
	expect(now.get("in /investable, but energized, operating, void or of existing rights")).toBe("none");
	expect(now.get("with a credit value, but energized, operating, void or of existing rights")).toBe("1: PJM-AI2-187");
	expect(now.get("left out of them: void_window")).toBe("1 (0.8 GW)");
});

it("counts changed dates", () => {
	const moved = figuresOf(answers).find(({ what }) => what === "dates moved");
	expect([moved?.before, moved?.now]).toEqual([
		"one line",
		"2 requests (1.5 GW), 1 later, in one line: poi: 200 projects recoded",
	]);
});

it("prints three aligned columns", () => {
	const figures = [
		{ what: "a", before: null, now: "12" },
		{ what: "longer", before: "475", now: "0" },
	];
	expect(printed(figures).split("\n")).toEqual(["        before  now", "a               12", "longer  475     0"]);
});

it("the document names each wrong field, with both values", () => {
	const drawn: Drawn = {
		...{ region: "PJM", id: "PJM-A1", file: "pjm/list.csv", basis: "filed", lbnl: null, eia: null },
		fields: [
			{ field: "cod", answer: "2025-01-01", cell: "1/1/2026", verdict: "wrong" },
			{ field: "county", answer: null, cell: "", verdict: "unknown" },
		],
	};
	const document = documentOf([drawn], []);
	expect(document).toContain("0 of 1 are right");
	expect(document).toContain("| PJM-A1 |  |  | 2025-01-01 / 1/1/2026 **wrong** |");
	expect(document).toContain("- PJM-A1, cod: `2025-01-01` is answered, `1/1/2026` stands in the file.");
});

it("a manual judgement is valid while the request's conclusion is unchanged", () => {
	const [row = project("A1")] = projects;
	const today = "Active, plant none, new, 500 MW, 2025-01-01";
	expect(summaryOf({ ...row, incremental_mw: 500 })).toBe(today);
	const judged = [{ request: row.id, said: today, filed: "In Service", verdict: "wrong" as const, why: "It runs" }];
	expect(readByHand([{ ...row, incremental_mw: 500 }], judged)).toMatchObject([{ verdict: "wrong", why: "It runs" }]);
	const changed = readByHand([{ ...row, incremental_mw: 0, investable: true }], judged);
	expect(changed).toMatchObject([{ verdict: "read again", why: `wrong when it was: ${today}` }]);
	expect(changed[0]?.says).toBe("Active, plant none, new, 500 MW, adds 0, 2025-01-01, investable");
	expect(documentOf([], changed)).toContain(
		"0 of 1 are right, 0 wrong; of 0 the files do not tell. 1 say something else",
	);
});

it("a judged link counts for its operator while it leads to the same plant", () => {
	const judged = [
		{ request: "PJM-A1", plant: "60001", verdict: "wrong" as const, why: "Another phase" },
		{ request: "PJM-A2", plant: "60002", verdict: "right" as const, why: "Same name" },
		{ request: "PJM-A1", plant: "", verdict: "right" as const, why: "No source" },
	];
	const linked = (plant: number | null) => new Map([["PJM-A1", plant] as const, ["PJM-A2", 60_002] as const]);
	const links = linksOf(projects, linked(60_001), new Map([["PJM", 300]]), judged);
	expect(links.byOperator[0]).toMatchObject({ region: "PJM", requests: 2, mw: 600, ceilingMw: 300, developerMw: 100 });
	expect(links.byOperator[0]?.read).toEqual({ right: 1, wrong: 1, unknown: 0, changed: 0 });
	expect(links.wrong).toEqual([judged[0]]);
	expect(links.missed).toEqual([{ id: "PJM-A1", mw: 500, called: "", why: "No source" }]);
	expect(documentOf([], [], [], links)).toContain("| PJM | 2 | 600 | 50.0 % | 16.7 % | 16.7 % | 2 | 1 | 1 | 0 | 0 |");
	const later = linksOf(projects, linked(null), null, judged);
	expect(later.byOperator[0]?.read).toEqual({ right: 1, wrong: 0, unknown: 0, changed: 1 });
});

it("a hundred links and twenty requests of each operator are judged, in cells of at most twenty words", () => {
	expect(linkJudgements.filter(({ plant }) => plant !== "")).toHaveLength(102);
	const regions = Map.groupBy(judgements, ({ request }) => (/^ISO-NE|^[A-Z]+/.exec(request) ?? [""])[0]);
	expect([...regions.values()].map((rows) => new Set(rows.map(({ request }) => request)).size)).toEqual(
		Array(7).fill(20),
	);
	expect(judgements.filter((row) => Object.values(row).some((cell) => cell.split(" ").length > 20))).toEqual([]);
});
