/** `/datacenters` and `/datacenters/pipeline`: lists taken in as files, the answers from outside. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operations, type ParamsInput } from "#libs/contract/index.ts";
import type { View } from "#libs/parquet/view.ts";
import { sourceNotes } from "../../services/gateway/documents/source-notes.ts";
import { datasets } from "../../services/queue-ingest/datasets/index.ts";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { databases } from "../../services/queue-ingest/extracts/index.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const nyiso = new URL(
	"../../services/queue-ingest/admin/sample/files/nyiso/today/NYISO-Interconnection-Queue.xlsx",
	import.meta.url,
);

const mapHeader =
	"Data_center,power_usage_2023_kwh,power_usage_per_hour_2023_kwh,Data_center_address,Longitude_of_data_center," +
	"Latitude_of_data_center,Is_it_accurate,market,Number_of_Market_Data_Centers,states,Number_of_States_Data_Centers";
const mapList = [
	mapHeader,
	"Acme Reno 1,1,1,12 Lake Street,-119.81,39.53,ROOFTOP,Reno,9,Nevada,9",
	// The same facility under another market, its street spelled differently.
	"Acme Reno 1 Data Center,1,1,12 Lake St,-119.80,39.55,APPROXIMATE,Sparks,9,Nevada,9",
	"Bolt Reno,1,1,12 Lake Street,-119.81,39.53,ROOFTOP,Reno,9,Nevada,9",
	"Far Colo,1,1,9 Elm St,-115.14,36.17,ROOFTOP,Las Vegas,9,Nevada,9",
];
const guideList = [
	"id,name,operator,city,state,country,latitude,longitude,status,capacity_mw,facility_type,year_opened,size_sqft",
	"1,Acme Reno 1 Campus,Acme,Reno,NV,USA,39.52,-119.82,Existing,130,Colocation,2017,1",
	"2,Far Colo,Acme,Reno,NV,USA,39.52,-119.82,Permitted,40,Colocation,2027,1",
];
const energyList = [
	"Brand,State,County,Low_MWh_year,High_MWh_year,Note,latitude,longitude",
	"Acme,NV,Washoe,100,200,,0,0",
];
const proposalHeader =
	"id,name,type,phase,status,state,towns,counties,address,lat,lon,size_acres,capacity_mw,date,lastUpdated,yearOpened," +
	"companies,zoningAllowance,landSold,bringingOwnEnergy,approx,locationTbd,info,updatedAt,outcome_detail";
const proposalList = [
	proposalHeader,
	"7,Project Wren,Data Center,approved,,New York,Rome,Oneida County,Route 5,43.2,-75.4,12,900,2026-3,2026-4-15,,Acme; Bolt,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
	"8,Project Crow,Data Center,rejected,,Ohio,Lima,Allen County,Route 9,40.77,-84.1,12,,2026-3,2026-4-15,,Corvid,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
	"9,Gull Campus,Data Center,operational,,Ohio,Lima,Allen County,Route 9,40.77,-84.1,12,,2026-3,2026-4-15,,Corvid,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
	"10,Lima Ordinance,Zoning Ordinance,preliminary,,Ohio,Lima,Allen County,Route 9,40.77,-84.1,12,,2026-3,2026-4-15,,,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
	"11,Finch Yard,data center,delayed,,Ohio,Lima,Allen County,Route 9,40.77,-84.1,12,40,2026-3,2026-4-15,,Corvid,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
	"12,Plot 7,Site Advertisement,withdrawn,,Ohio,Lima,Allen County,Route 9,40.77,-84.1,12,,2026-3,2026-4-15,,Corvid,TRUE,TRUE,unknown,False,False,,2026-05-01T07:36:35Z,",
];

const now = () => new Date("2026-11-01T00:00:00Z");
const named = (name: string, lines: string[]) => ({ name, path: name, bytes: Buffer.from(`${lines.join("\n")}\n`) });
const load = (name: string, lines: string[], of: Queue = queue) =>
	loadDatasets(of.sql, "datacenters", [named(name, lines)], { now });

const queue: Queue = sharedQueue(async () => {
	for (const [name, lines] of Object.entries({ mapList, guideList, energyList, proposalList })) {
		const report = await load(`${name}.csv`, lines);
		expect(report, name).toMatchObject({ outcome: "applied", reason: null });
	}
	await queue.take("NYISO", "2026-10-31", { name: "NYISO-Interconnection-Queue.xlsx", bytes: readFileSync(nyiso) });
});

it("lists without a licence are skipped when a folder is loaded, and only these are marked in the catalogue", async () => {
	const files = [named("map.csv", [...mapList, mapList[1] ?? ""]), named("guide.csv", guideList)];
	const report = await loadDatasets(queue.sql, "datacenters", files, { now, lenient: true });
	expect(report.files).toMatchObject([
		{ outcome: "unchanged", feed: null, reason: expect.stringContaining("datacenter-map has no license") },
		{ outcome: "unchanged", feed: "datacenter-guide", reason: null },
	]);
	for (const { feed, unlicensed = false } of datasets)
		expect([feed, sourceNotes[feed]?.licence.startsWith("No license") ?? false]).toEqual([feed, unlicensed]);
});

describe("/datacenters", () => {
	it("shows each recognised facility once, by the most precisely located row", async () => {
		const { data, meta } = await queue.ask("listDatacenters", { state: "nv" });
		expect(data.map((row) => [row.name, row.source, row.location_precision])).toEqual([
			["Acme Reno 1", "datacenter-map", "site"],
			["Bolt Reno", "datacenter-map", "site"],
			// 550 km from the other of its name.
			["Far Colo", "datacenter-guide", "city"],
			["Far Colo", "datacenter-map", "site"],
			[null, "datacenter-energy", "county"],
		]);
		expect(meta).toEqual({ total: 5, page: 1, per_page: 50, pages: 1 });
	});

	it("shows repeats on request, each with the id of the row that is shown", async () => {
		const { data } = await queue.ask("listDatacenters", { duplicates: true });
		const best = data.find((row) => row.name === "Acme Reno 1");
		const repeats = data.filter((row) => row.same_as !== null);
		expect(repeats.map((row) => [row.name, row.same_as])).toEqual([
			["Acme Reno 1 Campus", best?.id],
			["Acme Reno 1 Data Center", best?.id],
		]);
		expect(best?.same_as).toBeNull();
	});

	it("marks rows without an address, and shows what each list states", async () => {
		const { data, coverage } = await queue.ask("listDatacenters", { q: "acme", source: "datacenter-energy" });
		expect(data).toMatchObject([
			{ operator: "Acme", county: "Washoe", may_repeat: true, energy_low_mwh_year: 100, energy_high_mwh_year: 200 },
		]);
		expect(coverage.sources.map(({ source, records }) => [source, records])).toEqual([
			["datacenter-map", 4],
			["datacenter-energy", 1],
			["datacenter-guide", 2],
		]);
	});

	it.each([
		["operator of a list that names it, and names of one that does not", { operator: "ACME" }, 3],
		["place", { lat: 39.53, lon: -119.81, radius_km: 5 }, 3],
		["address", { q: "elm st" }, 1],
		["status", { status: "approved" as const }, 1],
		["capacity", { capacity_min: 100, duplicates: true }, 1],
		["a wildcard that is none", { q: "%" }, 0],
		["state", { state: "TX" }, 0],
	])("is filtered by %s", async (_, params, total) => {
		const { meta } = await queue.ask("listDatacenters", params);
		expect(meta.total).toBe(total);
	});

	it("refuses a latitude without a longitude", () => {
		const { error } = operations.listDatacenters.params.safeParse({ lat: "39.5" });
		expect(error?.issues).toMatchObject([{ path: ["lon"], message: "lat and lon must be given together" }]);
	});

	it("is paged in a total order", async () => {
		const pages = [1, 2, 3, 4].map((page) => queue.ask("listDatacenters", { page, per_page: 2, duplicates: true }));
		const ids = (await Promise.all(pages)).flatMap(({ data }) => data.map(({ id }) => id));
		expect([ids.length, new Set(ids).size]).toEqual([7, 7]);
	});
});

describe("/datacenters/pipeline", () => {
	it("contains proposals and load requests that are data centers, each with its kind", async () => {
		const { data, coverage } = await queue.ask("listDatacenterPipeline", { state: "NY" });
		expect(data.map((row) => [row.record, row.name, row.capacity_mw, row.status_std])).toEqual([
			["proposal", "Project Wren", 900, "approved"],
			["load_request", "Marcy Data Center Campus", 450, "proposed"],
			["load_request", "Erie Basin Data Center", 300, "proposed"],
		]);
		expect(data[1]).toMatchObject({
			...{
				id: "NYISO-1694",
				region: "NYISO",
				queue_id: "1694",
				kind_filed: "L; DAT",
				known_by: "end_use",
				source: "nyiso",
			},
			...{ companies: ["Mohawk Data Partners LLC"], county: "Oneida", queue_date: "2026-10-05", poi: "Edic 345kV" },
		});
		expect(data[0]).toMatchObject({ id: "DCP-7", region: null, companies: ["Acme", "Bolt"], as_of: "2026-05-01" });
		expect(coverage.load_requests.published_by).toEqual(["NYISO", "BPA"]);
		expect(coverage.load_requests.not_published_by).toHaveLength(6);
		expect(coverage.sources.map(({ source, records }) => [source, records])).toEqual([
			["datacenter-proposals", 6],
			["nyiso", 2],
		]);
		expect(coverage.not_loaded).toEqual(["bpa-line-load"]);
		// Computed: the states of its rows are not among them, and an operator has its own territory.
		expect(coverage.sources[0]?.says).toMatch(/ It has none in AK, AL, (?!.*NY)/);
		expect(coverage.sources[1]?.says).not.toContain("It has none");
		expect(data.map(({ kind }) => kind)).toEqual(["facility", "facility", "facility"]);
	});

	it("contains planned data centers by default, and counts omitted rows", async () => {
		const pipeline = async (params: ParamsInput<"listDatacenterPipeline">) => {
			const { data, meta, coverage } = await queue.ask("listDatacenterPipeline", {
				...{ state: "OH", sort: "name", order: "asc" },
				...params,
			});
			expect(meta.total).toBe(data.length);
			return [data.map(({ name }) => name), coverage.left_out];
		};
		expect(await pipeline({})).toEqual([["Finch Yard"], { by_kind: 2, by_status: 2 }]);
		expect(await pipeline({ kind: "other" })).toEqual([["Lima Ordinance"], { by_kind: 3, by_status: 1 }]);
		expect(await pipeline({ kind: "all" })).toEqual([["Finch Yard", "Lima Ordinance"], { by_kind: 0, by_status: 3 }]);
		expect(await pipeline({ status: "all" })).toEqual([
			["Finch Yard", "Gull Campus", "Project Crow"],
			{ by_kind: 2, by_status: 0 },
		]);
		expect(await pipeline({ status: "operating" })).toEqual([["Gull Campus"], { by_kind: 2, by_status: 2 }]);
		expect(await pipeline({ status: "all", kind: "all" })).toEqual([
			["Finch Yard", "Gull Campus", "Lima Ordinance", "Plot 7", "Project Crow"],
			{ by_kind: 0, by_status: 0 },
		]);
		expect(await pipeline({ q: "wren", state: "NY" })).toEqual([["Project Wren"], { by_kind: 0, by_status: 0 }]);
	});

	it("contains load requests only while they are planned, and those without a published use by name", async () => {
		await using other = await openQueue();
		const empty = await other.ask("listDatacenterPipeline", {});
		expect([empty.data, empty.coverage.sources, empty.coverage.not_loaded]).toEqual([
			[],
			[],
			["datacenter-proposals", "nyiso", "bpa-line-load"],
		]);
		await other.take("NYISO", "2026-10-31", { name: "NYISO-Interconnection-Queue.xlsx", bytes: readFileSync(nyiso) });
		const shown = async (status: string) => {
			await other.sql`update projects set status_std = ${status} where id = 'NYISO-1694'`;
			const { data } = await other.ask("listDatacenterPipeline");
			return data.find(({ id }) => id === "NYISO-1694")?.status_std;
		};
		expect(await shown("Active")).toBe("proposed");
		expect(await shown("Suspended")).toBe("delayed");
		expect(await shown("Withdrawn")).toBeUndefined();
		expect(await shown("Operational")).toBeUndefined();
		expect(await shown("Active")).toBe("proposed");
		const filed = async (type: string, name: string) => {
			await other.sql`update projects set type = ${type}, name = ${name}, developer = 'Any LLC' where id = 'NYISO-1694'`;
			const { data } = await other.ask("listDatacenterPipeline", { record: "load_request" });
			return data.find(({ id }) => id === "NYISO-1694")?.known_by;
		};
		expect(await filed("L", "Olean Data Center")).toBe("name");
		expect(await filed("L", "Proposed Datacenters at Broadway")).toBe("name");
		expect(await filed("L", "Database Lane Smelter")).toBeUndefined();
		expect(await filed("L; M-CH", "Chip Works beside a Data Center")).toBeUndefined();
		expect(await filed("L; DAT-CM", "Lake Load")).toBe("end_use");
	});

	it.each([
		["record", { record: "load_request" as const }, ["Marcy Data Center Campus", "Erie Basin Data Center"]],
		["status", { status: "denied" as const }, ["Project Crow"]],
		["company", { company: "bolt" }, ["Project Wren"]],
		["text", { q: "oneida" }, ["Project Wren", "Marcy Data Center Campus"]],
		["capacity", { capacity_min: 451 }, ["Project Wren"]],
	])("is filtered by %s", async (_, params, names) => {
		const { data, meta } = await queue.ask("listDatacenterPipeline", params);
		expect(data.map(({ name }) => name)).toEqual(names);
		expect(meta.total).toBe(names.length);
	});
});

it("a new edition replaces the one before; one that lost half of its rows is held back", async () => {
	await using other = await openQueue();
	await load("map.csv", mapList, other);
	const cut = await load("map-2.csv", mapList.slice(0, 3), other);
	expect(cut.files).toMatchObject([{ outcome: "quarantined", feed: "datacenter-map" }]);
	expect((await other.ask("listDatacenters", { duplicates: true })).meta.total).toBe(4);
	// The row that the others named is gone: the next best is shown.
	await load("map-3.csv", [mapHeader, ...mapList.slice(2)], other);
	const { data } = await other.ask("listDatacenters");
	expect(data.map(({ name, same_as }) => [name, same_as])).toEqual([
		["Acme Reno 1 Data Center", null],
		["Bolt Reno", null],
		["Far Colo", null],
	]);
});

it("chained matches all refer to the row that is shown", async () => {
	await using other = await openQueue();
	const row = (street: string, lat: string, accuracy: string) =>
		`Chain Colo,1,1,${street},-119.81,${lat},${accuracy},Reno,9,Nevada,9`;
	const lines = [row("1 A St", "39.530", "ROOFTOP"), row("2 B St", "39.538", "RANGE_INTERPOLATED")];
	await load("map.csv", [mapHeader, ...lines, row("3 C St", "39.546", "APPROXIMATE")], other);
	const { data } = await other.ask("listDatacenters", { duplicates: true });
	const [first, ...rest] = data.toSorted((a, b) => (a.address ?? "").localeCompare(b.address ?? ""));
	expect(rest.map(({ same_as }) => same_as)).toEqual([first?.id, first?.id]);
});

it("extracts show the facilities and the pipeline", async () => {
	const count = async (view: View | undefined) => (await queue.sql.unsafe(view?.sql ?? "")).length;
	const [facilities, pipeline] = databases.datacenter ?? [];
	expect([await count(facilities), await count(pipeline)]).toEqual([7, 8]);
});
