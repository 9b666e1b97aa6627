import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { loadSample } from "../../services/queue-ingest/admin/sample/load.ts";
import { createPriceFiles } from "../../services/queue-ingest/admin/sample/prices.ts";
import { marketDatasets } from "../../services/queue-ingest/datasets/index.ts";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import type { ReportedResult } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import { workbook } from "../support/file-formats.ts";
import { county, ohioFile } from "./support/dg.ts";
import type { ChangeRow, Queue } from "./support/queue.ts";
import { planned } from "./support/sample-changes.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const folder = join(import.meta.dirname, "../../services/queue-ingest/admin/sample/files");
const now = "2026-11-20T12:00:00Z";
const datasetOperations = [
	...(["listDg", "getDgStats", "listDatacenters", "listDatacenterPipeline"] as const),
	...(["listMarketPrices", "listMarketHubs", "listPlants", "listGenerators"] as const),
];
/** Values are texts, as in the query of an address. */
const given = (example: object = {}) =>
	Object.fromEntries(Object.entries(example).map(([name, value]) => [name, String(value)]));

/** The ids of every sample that was ever published; `UPDATE_SNAPSHOT=1` adds what is new, and never takes one away. */
function publishedIds(shown: readonly string[] = []): string[] {
	const path = join(import.meta.dirname, "support/published-ids.txt");
	const kept = readFileSync(path, "utf8").split("\n").filter(Boolean);
	if (process.env.UPDATE_SNAPSHOT === undefined) return kept;
	const all = [...new Set([...kept, ...shown])].sort();
	writeFileSync(path, `${all.join("\n")}\n`);
	return all;
}

describe("the bundled sample", () => {
	let failed: number;
	const reports: { line: string; result: ReportedResult | null }[] = [];

	const queue: Queue = sharedQueue(async () => {
		queue.now = now;
		const report = (line: string, result: ReportedResult | null) => reports.push({ line, result });
		({ failed } = await loadSample(queue.sql, { now: () => new Date(now), report }));
	});

	it("has equal counts in milestones, statistics and validation", async () => {
		const { data: stats } = await queue.ask("getStats");
		const milestones = await queue.ask("summariseMilestones");
		const { total_projects: total, coverage } = await queue.ask("validate");
		expect([milestones.total_projects, total]).toEqual([stats.total_projects, stats.total_projects]);
		const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, each) => all + each, 0);
		expect(sum(milestones.ia_status_distribution)).toBe(total);
		expect(sum(milestones.construction_stage_distribution)).toBe(total);
		expect(stats.by_iso.reduce((all, { count }) => all + count, 0)).toBe(total);
		expect(stats.by_fuel_type.reduce((all, { count }) => all + count, 0)).toBe(total);
		const unknown = milestones.ia_status_distribution["In Progress (unknown study)"] ?? 0;
		expect(coverage.ia_status).toBeCloseTo((total - unknown) / total, 4);
		const rates = Object.values(milestones.milestone_fill_rates);
		expect(milestones.total_with_milestones).toBeGreaterThanOrEqual(Math.max(...rates));
		expect(milestones.total_with_milestones).toBeLessThanOrEqual(Math.min(total, sum(milestones.milestone_fill_rates)));
		const [placed] = await queue.sql<{ n: number }[]>`
			select count(*)::integer as n from projects where kind = 'generation' and listed = 'listed' and lat is not null`;
		expect(coverage.geocoded).toBeCloseTo((placed?.n ?? 0) / total, 4);
	});

	it("contains two lists of every operator, two years of the EIA's form and the related datasets, all accepted", () => {
		expect(failed).toBe(0);
		const operators: readonly (string | null)[] = regions;
		const lists = sources
			.filter(({ region, completes, feed }) => operators.includes(region) && !completes && feed !== "spp-summary")
			.map((source) => source.feed);
		expect(reports.map(({ line }) => line.split(":")[0])).toEqual([
			...["yesterday", "today"].flatMap((day) => lists.map((feed) => `sample ${feed}, ${day}`)),
			"sample eia860, 2024",
			"sample eia860, 2025",
			"sample dg, NYSERDA_DER_Portfolio.xlsx",
			"sample dg, Net_Metering_2024.xlsx",
			"sample dg, Net_Metering_2025.xlsx",
			"sample dg, Non_Net_Metering_Distributed_2025.xlsx",
			"sample dg, renewenergy-der-long.csv",
			"sample datacenters, Data_centers_divided_by_state.csv",
			"sample datacenters, proposals.csv",
			"sample market, WW_DALMP_ISO_20261119.csv",
			"sample market, WW_DALMP_ISO_20261120.csv",
			"sample market, 20261119damlbmp_zone.csv",
			"sample market, 20261120damlbmp_zone.csv",
			"sample market, da_hrl_lmps.csv",
		]);
		expect(reports.map(({ line }) => line.split(/[:,] /)[2])).toEqual(
			reports.map(() => expect.stringMatching(/^applied/)),
		);
	});

	it("is dated relative to the clock: yesterday and now", async () => {
		const days = await queue.sql`
			select distinct as_of, outcome from snapshots
			where region not in ('EIA-860', 'DG', 'dg', 'datacenter', 'market') order by as_of`;
		expect(days.map((row) => row.as_of)).toEqual(["2026-11-19 12:00:00+00", "2026-11-20 12:00:00+00"]);
		const { total, data } = await queue.changes({ since_days: 1, per_page: 500 });
		expect(total).toBe(Object.values(planned).flat().length);
		expect(new Set(data.map((change) => change.detected_at))).toEqual(new Set([now]));
	});

	it.each(Object.keys(planned))("has exactly the planned changes of %s", async (feed) => {
		const rows = await queue.sql<{ change: ChangeRow }[]>`
			select json_build_array(project_id, change_type, field_name, old_value, new_value) as change
			from changes where feed = ${feed} and change_type not in ('first_listed', 'raw_update') order by seq`;
		expect(rows.map((row) => row.change)).toEqual(planned[feed]);
	});

	it("has one vanished request in each list: missing, and no change", async () => {
		const missing =
			await queue.sql`select id, status_std from projects where missing_since is not null order by feed, id`;
		expect(missing.map((row) => `${row.id} ${row.status_std}`)).toEqual([
			"CAISO-2463 Withdrawn",
			"CAISO-2834 Active",
			"ERCOT-26INR0926 Active",
			"ISO-NE-1936 Active",
			"MISO-J9160 Active",
			"NYISO-C24-937 Active",
			"PJM-AH1-921 Active",
			"PJM-AD2-988 Withdrawn",
			"SPP-GEN-2023-908 Active",
		]);
	});

	it("contains special cases: load, transmission, repeats, and a request that moved between lists", async () => {
		const { data } = await queue.ask("listProjects", { population: "all", per_page: 500 });
		expect(
			data.filter((project) => project.kind !== "generation").map((project) => `${project.id} ${project.kind}`),
		).toEqual([
			...[9901, 9902, 9903, 9904, 9905].map((number) => `DG-NYSERDA-${number} distribution`),
			"ISO-NE-1177 transmission",
			"MISO-J9142 transmission",
			"NYISO-0655 transmission",
			"NYISO-1018A transmission",
			"NYISO-1688 load",
			"NYISO-1690 load",
			"NYISO-1694 load",
			"PJM-9917402 transmission",
			"PJM-AF1-930 transmission",
		]);
		const repeats = data.filter((project) => project.queue_id === "988").map((project) => [project.id, project.name]);
		expect(repeats).toEqual([
			["ISO-NE-988", "Pawtuxet Solar"],
			["ISO-NE-988~2", "Pawtuxet Storage"],
		]);
		expect(await queue.ask("getProject", { project_id: "AF2-918 - moved to TC1", region: "PJM" })).toMatchObject({
			id: "PJM-AF2-918",
			feed: "pjm-cycle",
			status: "Active",
			missing_since: null,
		});
	});

	it("has a real county with FIPS code and coordinates for every generation request", async () => {
		const { data, meta } = await queue.ask("listProjects", { include_unlisted: true, per_page: 500 });
		expect(meta.total).toBe(173);
		expect(
			data.filter((project) => project.fips === null || project.lat === null).map((project) => project.id),
		).toEqual([]);
		const of = (id: string) => data.find((project) => project.id === id);
		expect(of("CAISO-2541")).toMatchObject({ county: "San Bernardino", fips: "06071" });
		expect(of("MISO-J9123")).toMatchObject({ county: "Calhoun", counties: ["Calhoun", "Branch"], state: "MI" });
		expect(of("SPP-GEN-2018-914")).toMatchObject({ county: "Caddo", fips: "22017" });
		expect(of("NYISO-1207")).toMatchObject({ county: "Queens", state: "NY" });
	});

	it("contains no unknown value or column, and accounts for every row", async () => {
		const files = await queue.sql<
			{ name: string; unknown: unknown[]; columns: unknown[]; lost: number; dropped: unknown[] }[]
		>`
			select name, unknown_values as unknown, unknown_columns as columns, dropped,
				-- A utility's row becomes a record for each technology and sector.
				case when feed like 'eia861-%' then 0 else rows_in - requests end - (select coalesce(sum((d ->> 'count')::int), 0) from jsonb_array_elements(dropped) d
					where d ->> 'reason' not like '%other list%') as lost
			from snapshot_files order by name`;
		expect(files).toHaveLength(38);
		for (const file of files) expect(file).toMatchObject({ unknown: [], columns: [], lost: 0 });
		expect(files.filter((file) => file.dropped.length > 0).map((file) => file.name.split("/")[0])).toEqual([
			"dg",
			"eia860",
			"eia860",
			"isone",
			"isone",
			"pjm-serial",
			"pjm-serial",
		]);
	});

	it("has sponsors with several spellings that are one developer each, as long as the sample is loaded", async () => {
		const { data } = await queue.ask("listDevelopers", { min_projects: 3 });
		expect(
			data.map(({ canonical_name, tier, total_projects, total_capacity_mw }) => [
				canonical_name,
				tier,
				total_projects,
				total_capacity_mw,
			]),
		).toEqual([
			["Alder Grove Renewables", "mid_platform", 6, 900],
			["Quillback Harbor Energy Partners", "mid_platform", 3, 450],
		]);
		const spellings = await queue.sql`
			select distinct developer from projects where developer_canonical = 'Quillback Harbor Energy Partners'`;
		expect(spellings).toHaveLength(3);
	});

	it("shows stated and inferred owners of the plants of requests", async () => {
		const owners = async (id: string) => {
			const { owners: of, plant } = await queue.ask("getOwnership", { project_id: id });
			return [plant?.plant_name ?? null, of.map((owner) => [owner.owner_name, owner.fraction_owned])];
		};
		expect(await owners("CAISO-2401")).toEqual(["Antelope Acres Solar", [["Alder Grove Antelope Acres, LLC", 1]]]);
		expect(await owners("CAISO-2412")).toEqual([
			"San Joaquin Bend Storage",
			[
				["Merrowstone Fund I Holdings, LP", 0.5],
				["Quillback Harbor Storage, LLC", 0.5],
			],
		]);
		expect(await owners("CAISO-2407")).toEqual([
			"Mesa Verde Peaker",
			[
				["Merrowstone Fund I Holdings, LP", 0.75],
				["Quillback Harbor Peakers, LLC", 0.25],
			],
		]);
		const [inferred] = await queue.sql<{ body: string }[]>`
			select body from generator_ownership where plant_id = 99103 and year = 2025`;
		expect(JSON.parse(inferred?.body ?? "{}")).toMatchObject({
			source: "eia_860_operator",
			generator_id: "0001",
			owners: [{ fraction: 1, developer_canonical: "Sedgewater Flats Clean Energy" }],
		});
	});

	it("returns rows for the contract's examples of related datasets", async () => {
		const counts: Record<string, number> = {};
		for (const name of datasetOperations) {
			const { data } = await queue.ask(name, given(operations[name].example));
			counts[name] = Array.isArray(data) ? data.length : data.records;
		}
		expect(counts).toEqual({
			...{ listDg: 4, getDgStats: 22, listDatacenters: 4, listDatacenterPipeline: 3, listMarketPrices: 2 },
			...{ listMarketHubs: 5, listPlants: 1, listGenerators: 2 },
		});
	});

	it("has prices up to today: hourly for New England and New York, last month's average for PJM", async () => {
		const hubs = (await queue.ask("listMarketHubs")).data;
		expect(hubs.map((hub) => [hub.iso, hub.hub, hub.markets.map((market) => market.latest_date)])).toEqual(
			hubs.map((hub) => [hub.iso, hub.hub, ["2026-11-20"]]),
		);
		expect(new Set(hubs.map((hub) => hub.iso))).toEqual(new Set(["ISO-NE", "NYISO", "PJM"]));
		const { data } = await queue.ask("listMarketPrices", { iso: "PJM", interval: "month" });
		expect(data.map((row) => [row.hub, row.local_date, row.hours, row.complete])).toEqual([
			["AEP-DAYTON HUB", "2026-10-01", 744, true],
			["WESTERN HUB", "2026-10-01", 744, true],
		]);
	});

	it("contains installations of a programme, and a data center in an operator's queue", async () => {
		const { data } = await queue.ask("listProjects", { population: "all", per_page: 500 });
		expect(data.filter((project) => project.id.startsWith("DG-")).map((project) => project.id)).toHaveLength(5);
		const pipeline = (await queue.ask("listDatacenterPipeline", { record: "load_request" })).data;
		expect(pipeline.map((row) => [row.id, row.name, row.known_by])).toEqual([
			["NYISO-1694", "Marcy Data Center Campus", "end_use"],
			["NYISO-1688", "Erie Basin Data Center", "end_use"],
		]);
	});

	it("still resolves every id that was ever published", async () => {
		const shown = (await queue.sql<{ id: string }[]>`select id from projects`).map(({ id }) => id);
		const ids = publishedIds(shown);
		expect(
			shown.filter((id) => !ids.includes(id)),
			"UPDATE_SNAPSHOT=1 adds them to the file",
		).toEqual([]);
		for (const id of ids) expect((await queue.ask("getProject", { project_id: id })).id).toBe(id);
	});

	it("is not loaded twice", async () => {
		const lines: string[] = [];
		const again = await loadSample(queue.sql, { now: () => new Date(now), report: (line) => lines.push(line) });
		expect(again).toEqual({ failed: 0 });
		expect(lines).toEqual(["Data is already loaded, so the sample is not."]);
	});

	it("of a related dataset is removed when a published file of its database is loaded, but not its requests", async () => {
		const bytes = ohioFile([{ ...county, year: 2024, facilities: 3, kw: 30 }]);
		const before = await queue.ask("getStats", {});
		const all = (await queue.ask("listProjects", { population: "all" })).meta.total;
		const prices = (await queue.ask("listMarketHubs")).data.length;
		const { outcome } = await loadDatasets(queue.sql, "dg", [bytes], { now: () => new Date(now) });
		expect(outcome).toBe("applied");
		expect((await queue.ask("listDg", {})).data.map((row) => row.id)).toEqual(["PUCO-OH-0500000US39041-2024-solar"]);
		expect(await queue.ask("getStats", {})).toEqual(before);
		expect((await queue.ask("listProjects", { population: "all" })).meta.total).toBe(all - 5);
		expect((await queue.ask("listMarketHubs")).data).toHaveLength(prices);
		const removed = await queue.sql<{ left: unknown }[]>`
			select payload::jsonb as left from outbox where event_id like 'sample.left:%'`;
		expect(removed.map((row) => row.left)).toMatchObject([
			{
				project_ids: Array.from({ length: 5 }, (_, at) => `DG-NYSERDA-${9901 + at}`),
				developer_ids: [],
				plant_ids: [],
			},
		]);
	});

	it("is removed completely, with its sponsors, when a form of the EIA is loaded", async () => {
		const rows = [
			["2023 Form EIA-860 Data - Schedule 1, 'Utility Data'"],
			["Utility ID", "Utility Name"],
			[7, "Heron Co"],
		];
		const bytes = await workbook([{ name: "Utility", rows }]);
		const file = { name: "1___Utility_Y2023.xlsx", path: "1___Utility_Y2023.xlsx", bytes };
		const load = () => loadEia860(queue.sql, [file], { resolve: resolveOwners, now: () => new Date(now) });
		expect(await load()).toMatchObject({ outcome: "applied" });
		const [left] = await queue.sql`
			select (select count(*) from projects) + (select count(*) from changes) + (select count(*) from plants)
				+ (select count(*) from developers where not known or canonical_name = 'Alder Grove Renewables')
				+ (select count(*) from market_prices) + (select count(*) from market_days)
				+ (select count(*) from market_hubs) + (select count(*) from datacenter_facilities)
				+ (select count(*) from datacenter_proposals) + (select count(*) from dataset_editions where database <> 'dg') as invented,
				(select count(*) from dg_records) as own, (select count(*) from utilities) as utilities,
				(select count(*) from snapshots) as snapshots`;
		// Rows of the form, and of the file of Ohio that was loaded before.
		expect(left).toEqual({ invented: 0, own: 1, utilities: 1, snapshots: 2 });
		expect(await load()).toMatchObject({ outcome: "unchanged" });
		for (const id of publishedIds())
			await expect(queue.ask("getProject", { project_id: id }), id).rejects.toMatchObject({
				status: 410,
				code: "gone",
			});
		const [id = ""] = publishedIds();
		expect(await queue.ask("resolve", { q: id })).toMatchObject({
			outcome: "gone",
			project: null,
			reason: expect.stringContaining("removed as a whole"),
		});
	});
});

describe("prices of the sample", () => {
	it.each(["2026-03-08", "2026-11-01"])(
		"are read completely on %s, when the clocks change, and from any first of a month",
		async (today) => {
			for (const file of createPriceFiles(today)) {
				const dataset = marketDatasets.find((one) => one.recognises(file));
				const read = await dataset?.parse(file);
				expect(read?.dropped, file.name).toEqual([]);
				expect(read?.unknownValues, file.name).toEqual([]);
				expect(read?.rows.length, file.name).toBe(read?.rowsIn);
			}
		},
	);
});

describe("the sample's files", () => {
	it("are small", () => {
		for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
			if (entry.isFile()) expect(statSync(join(entry.parentPath, entry.name)).size).toBeLessThan(30 * 1024);
	});

	it("equal the output of build.ts", async () => {
		const { files } = await import("../../tools/sample/build.ts");
		// Other machines compress the same content to other bytes.
		const content = async (bytes: Buffer) =>
			isZip(bytes)
				? (await inflateArchive(bytes, () => true, { maxInflatedBytes: 1 << 24, maxEntries: 100 })).entries
				: bytes;
		const made = await files();
		expect(made).toHaveLength(31);
		for (const { path, bytes } of made)
			expect(await content(readFileSync(join(folder, path))), path).toEqual(await content(bytes));
	});
});
