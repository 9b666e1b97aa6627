import { expect, test } from "vitest";
import { curl, python, sql } from "./snippets.ts";

const page = { origin: "https://example.org", as_of: undefined, bbox: undefined };

test("curl requests what the page shows, and no filter escapes from its quotes", () => {
	expect(curl({ ...page, filters: { region: "PJM,MISO", q: "O'Neil's" } })).toBe(
		"curl 'https://example.org/projects?region=PJM,MISO&q=O%27Neil%27s'",
	);
});

test("Python reads the file of the same filters and day", () =>
	expect(python({ ...page, filters: { state: "TX" }, as_of: "2025-01-31" })).toContain(
		'"https://example.org/export/projects.csv?state=TX&as_of=2025-01-31"',
	));

test("SQL has a condition for each filter, and quotes texts", () => {
	const statement = sql({
		...page,
		filters: { q: "it's", region: "PJM,MISO", capacity_min: "20", min_score: "60" },
		bbox: "-100,30,-90,40",
	});
	expect(statement).toContain("from projects\n");
	expect(statement).toContain("region in ('PJM', 'MISO')");
	expect(statement).toContain("contains(lower(name), lower('it''s'))");
	expect(statement).toContain("investability_score >= 60");
	expect(statement).toContain("lon between -100 and -90");
});

test("SQL of the active requests reads their view", () => {
	expect(sql({ ...page, filters: { active: "true", state: "TX" } })).toContain(
		"from active_requests\nwhere state in ('TX')\norder by",
	);
	expect(sql({ ...page, filters: { active: "true" } })).toContain("from active_requests\norder by");
	for (const filters of [{ status: "Active" }, { status: "Active,Suspended" }, { active: "false" }])
		expect(sql({ ...page, filters })).toContain("from projects\nwhere kind = 'generation'");
	expect(sql({ ...page, filters: { status: "Active" }, as_of: "2025-01-31" })).toContain("status_std in ('Active')");
});

test("SQL of a day reads that day", () =>
	expect(sql({ ...page, filters: {}, as_of: "2025-01-31" })).toContain("from projects_as_of('2025-01-31')"));
