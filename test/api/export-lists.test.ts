/** The exports of changes, developers, scores, plants and prices over HTTP, on the sample: the rows of their lists, in files that are what their manifests say. */
import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import type { ExportTable } from "#libs/contract/exports/columns.ts";
import { type ExportFormat, exportMediaTypes, fileColumns, geoExportMediaTypes } from "#libs/contract/exports/files.ts";
import { operations } from "#libs/contract/index.ts";
import { plantTable } from "#libs/contract/operations/datasets/plant.ts";
import { priceTable } from "#libs/contract/operations/datasets/price.ts";
import { developerTable } from "#libs/contract/operations/developers/developer.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { scoreTable } from "#libs/contract/operations/scores/score-row.ts";
import { chanceNames } from "#libs/contract/vocabulary.ts";
import { type JsonRow, keyValues, readParquet, readRows } from "../support/export-files.ts";
import { test, type World } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

let world: World;
let key: string;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
});

const get = (path: string) => fetch(world.url + path, { headers: { "x-api-key": key, "accept-encoding": "identity" } });
const json = async (path: string) => {
	const answer = await get(path);
	expect([path, answer.status]).toEqual([path, 200]);
	return (await answer.json()) as { data: JsonRow[]; meta?: { next_cursor: string | null }; next?: number };
};

/** Every row of a list. */
async function listed(path: string, filters: string): Promise<JsonRow[]> {
	const rows: JsonRow[] = [];
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const { data, meta } = await json(`${path}?${filters}&per_page=200&cursor=${cursor}`);
		rows.push(...data);
		cursor = meta?.next_cursor ?? null;
	}
	return rows;
}

async function logged(filters: string, after = 0): Promise<JsonRow[]> {
	const rows: JsonRow[] = [];
	for (let next = after; ; ) {
		const page = await json(`/changes?${filters}&per_page=500&after=${next}`);
		if (page.data.length === 0) return rows;
		rows.push(...page.data);
		next = page.next ?? 0;
	}
}

async function exported(
	path: string,
	table: ExportTable,
	format: ExportFormat = "csv",
): Promise<{ rows: JsonRow[]; bytes: Buffer; answer: Response }> {
	const answer = await get(path);
	expect([path, answer.status]).toEqual([path, 200]);
	const bytes = Buffer.from(await answer.arrayBuffer());
	return { rows: await readRows(bytes, format, table.columns()), bytes, answer };
}

const byNumber = (name: string) => (a: JsonRow, b: JsonRow) => Number(a[name]) - Number(b[name]);

describe.each(Object.keys(exportMediaTypes) as (keyof typeof exportMediaTypes)[])("as %s", (format) => {
	test.each([
		"",
		"region=ERCOT",
		"change_type=status_change,cod_change",
		"state=TX&status=Active",
		"include_evidence=true",
	])("changes by %j equal those of the log, oldest first", async (filters) => {
		const rows = await logged(filters);
		expect(rows.length).toBeGreaterThan(0);
		const file = await exported(`/export/changes?${filters}&format=${format}`, changeTable, format);
		expect(file.rows).toEqual(rows);
		const all = await logged("include=row");
		expect(file.answer.headers.get("x-seq")).toBe(String(all.at(-1)?.seq));
	});

	test.each(["", "tier=major_ipp", "state=TX&min_projects=2", "q=en", "needs_capital=false"])(
		"developers by %j equal those of the list",
		async (filters) => {
			const rows = await listed("/developers", filters);
			expect(rows.length).toBeGreaterThan(0);
			const file = await exported(`/export/developers?${filters}&format=${format}`, developerTable, format);
			expect(file.rows.map(({ identifiers, ...row }) => row)).toEqual(rows.sort(byNumber("developer_id")));
		},
	);

	test("developers have the figures of their pages", async () => {
		const [known] = await world.sql<{ id: number }[]>`select min(developer_id) as id from developers where known`;
		const number = {
			scheme: "cik",
			value: "7",
			method: "name",
			confidence: 0.9,
			evidence: "a test's",
			source: "a test",
		};
		const both = [number, { ...number, scheme: "eia_utility", value: "12" }];
		for (const each of both)
			await world.sql`insert into developer_identifiers ${world.sql({ ...each, developer_id: known?.id ?? 0 })}`;
		// A file that was not asked for before: the numbers are written here without a new version of the data.
		const { rows } = await exported(`/export/developers?limit=1000&format=${format}`, developerTable, format);
		await world.sql`delete from developer_identifiers where source = 'a test'`;
		expect(rows.find(({ developer_id }) => developer_id === known?.id)?.identifiers).toEqual([
			"cik:7",
			"eia_utility:12",
		]);
	});

	test.each(["interval=hour", "interval=day&market=day_ahead", "interval=month"])(
		"prices by %j equal those of the list, oldest first, without those withheld by a licence",
		async (filters) => {
			const rows = await listed("/market/prices", `${filters}&sort=oldest`);
			expect(rows.length).toBeGreaterThan(0);
			const file = await exported(`/export/prices?${filters}&format=${format}`, priceTable, format);
			expect(file.rows).toEqual(rows);
			if (filters !== "interval=month") expect(file.rows.filter(({ iso }) => iso === "PJM")).toEqual([]);
		},
	);

	test("scores equal those of each request, with components, interval and confidence", async () => {
		const { rows } = await exported(`/export/scores?format=${format}`, scoreTable, format);
		const open = await listed("/projects", "status=Active,Suspended&fields=id,investability_score");
		const scored = open.filter(({ investability_score }) => investability_score !== null);
		expect(rows.map(({ id }) => id)).toEqual(scored.map(({ id }) => id));
		expect(rows.length).toBeGreaterThan(100);
		for (const row of rows.filter((_, at) => at % 7 === 0)) {
			const answer = await get(`/score/${row.id}`);
			const score = operations.getScore.reply.parse(await answer.json());
			expect(row).toMatchObject({
				investability_score: score.investability_score,
				grade: score.grade,
				investable: score.investable,
				developer_tier_score: score.components?.developer_tier.score,
				milestone_progress_score: score.components?.milestone_progress.score,
				tax_credit_value_score: score.components?.tax_credit_value.score,
				iso_posture_score: score.components?.iso_posture.score,
				deal_cleanliness_score: score.components?.deal_cleanliness.score,
				...Object.fromEntries(
					chanceNames.flatMap((name) => [
						[name, score[name]?.value ?? null],
						[`${name}_low`, score[name]?.low ?? null],
						[`${name}_high`, score[name]?.high ?? null],
					]),
				),
				p_reason: score.p_reason,
				confidence: score.confidence,
				score_version: score.score_version,
				inputs_hash: score.inputs_hash,
				facts_as_of: score.facts_as_of,
			});
		}
		const investable = await listed("/investable", "min_p=0&max_months=120&min_mw=0&state=TX");
		const file = await exported(`/export/scores?state=TX&format=${format}`, scoreTable, format);
		const ids = new Set(file.rows.map(({ id }) => id));
		expect(investable.length).toBeGreaterThan(0);
		expect(investable.every(({ id }) => ids.has(id))).toBe(true);
	});

	test.each([
		["/export/changes", changeTable, "getChangesExportManifest", "region=PJM", "seq"],
		["/export/developers", developerTable, "getDevelopersExportManifest", "state=TX", "developer_id"],
		["/export/scores", scoreTable, "getScoresExportManifest", "region=PJM", "id"],
		["/export/plants", plantTable, "getPlantsExportManifest", "", "plant_id"],
		["/export/prices", priceTable, "getPricesExportManifest", "interval=day", "iso,hub_id,market,starts_at"],
	] as const)(
		"the manifest of %s describes its file, also with chosen columns",
		async (path, table, name, filter, first) => {
			for (const fields of ["", `&fields=${first}`]) {
				const { rows, bytes, answer } = await exported(`${path}?${filter}&format=${format}${fields}`, table, format);
				const manifest = operations[name].reply.parse(
					await (await get(`${path}/manifest?${filter}&format=${format}${fields}`)).json(),
				);
				const sha256 = createHash("sha256").update(bytes).digest("hex");
				expect(manifest).toMatchObject({ format, rows: rows.length, bytes: bytes.length, sha256 });
				expect(manifest.schema_version).toBe(answer.headers.get("x-schema-version"));
				expect(answer.headers.get("etag")).toContain(sha256);
				const names = Object.keys(rows[0] ?? {});
				const chosen = names.flatMap((each) => table.columns().find((column) => column.name === each) ?? []);
				expect(chosen).toHaveLength(names.length);
				expect(manifest.columns).toEqual(fileColumns(chosen, format));
				if (fields === "") expect(chosen).toEqual(table.columns());
			}
		},
	);
});

test.each(Object.keys(geoExportMediaTypes) as ExportFormat[])(
	"plants as %s equal those of the list",
	async (format) => {
		const all = await listed("/grid/plants", "");
		const state = all.find((row) => row.state !== null)?.state;
		for (const filters of [
			"",
			`state=${state}`,
			"technology=Solar",
			"capacity_min=1",
			"lat=40&lon=-100&radius_km=2000",
		]) {
			const rows = await listed("/grid/plants", filters);
			expect(rows.length).toBeGreaterThan(0);
			const file = await exported(`/export/plants?${filters}&format=${format}`, plantTable, format);
			expect(file.rows).toEqual(rows);
			if (format === "parquet") expect(keyValues((await readParquet(file.bytes)).metadata)).toHaveProperty("geo");
		}
		const first = await exported(`/export/plants.${format}?fields=name&limit=1`, plantTable, format);
		expect(first.rows).toMatchObject([{ plant_id: all[0]?.plant_id, name: all[0]?.name }]);
	},
);

test("consecutive files of a few changes each contain all changes", async () => {
	const rows: JsonRow[] = [];
	for (let after = 0; ; ) {
		const file = await exported(`/export/changes?include_evidence=true&limit=40&after=${after}`, changeTable);
		rows.push(...file.rows);
		after = Number(file.answer.headers.get("x-seq"));
		if (file.rows.length < 40) break;
	}
	expect(rows).toEqual(await logged("include_evidence=true"));
	expect(rows.length).toBeGreaterThan(40);
});

test.each([
	["/export/changes?after=999999", "after"],
	["/export/changes?since=2026-02-02&until=2026-02-01", "until"],
	["/export/changes?since_days=3", "since_days"],
	["/export/changes?include_unlisted=true", "include_unlisted"],
	["/export/developers?sort=tier", "sort"],
	["/export/developers?limit=0", "limit"],
	["/export/scores?listed=listed", "listed"],
	["/export/scores?format=xls", "format"],
	["/export/plants?lat=40", "lon"],
	["/export/plants?sort=name", "sort"],
	["/export/prices?region=PJM&interval=hour", "interval"],
	["/export/prices?from=2026-02-02&to=2026-02-01", "to"],
	["/export/prices?format=geojson", "format"],
])("%s is refused", async (path, parameter) => {
	for (const each of [path, path.replace("?", "/manifest?")]) {
		const answer = await get(each);
		expect([each, answer.status]).toEqual([each, 422]);
		expect(await answer.json()).toMatchObject({ errors: [{ loc: ["query", parameter] }] });
	}
});
