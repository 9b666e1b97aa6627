/** Well-formed files of the related datasets that are not what they seem: cut at the end of a line, doubled, under a wrong name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetSource, loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { isoneReport } from "../support/market-files.ts";
import { type Area, county, netMeteringFile, nyserdaFile, ohioFile, place, type Utility } from "./support/dg.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
/** Each group of tests has its own database. */
const withQueue = () => {
	beforeAll(async () => {
		queue = await openQueue();
	});
	afterAll(() => queue[Symbol.asyncDispose]());
};

const take = (file: IncomingFile, source: DatasetSource = "dg", accept = false) =>
	loadDatasets(queue.sql, source, [file], { now: () => new Date("2026-01-01T00:00:00Z"), accept });
const utilities = (count: number): Utility[] =>
	Array.from({ length: count }, (_, at) => ({ state: "CA", id: at + 1, homes: [1.5, 10], shops: [2, 3] }));
const named = (file: IncomingFile, name: string) => ({ ...file, name, path: `dg/${name}` });
const csvFile = (name: string, lines: string[]) => ({ name, path: name, bytes: Buffer.from(`${lines.join("\n")}\n`) });

describe("a workbook of form EIA-861", () => {
	withQueue();

	it.each([
		[2018, "EIA861_2018_NM.xlsx"],
		[2019, "Non_Net_Metering_Distributed_2019.xlsx"],
	])(
		"of net metering in %i is known by its headers, also as %s: customers never become megawatts",
		async (year, name) => {
			const { files } = await take(named(await netMeteringFile(year, utilities(1)), name));
			expect(files).toMatchObject([{ outcome: "applied", feed: "eia861-net-metering" }]);
			const { data } = await queue.ask("listDg", { year: String(year) });
			expect(data.map((row) => [row.program, row.sector, row.capacity_mw, row.customers])).toEqual([
				["net_metering", "commercial", 2, 3],
				["net_metering", "residential", 1.5, 10],
			]);
		},
	);

	it("with neither form is identified by its name, and refused with its content", async () => {
		const { files } = await take(named(await nyserdaFile([{ id: 1 }]), "Net_Metering_2018.xlsx"));
		expect(files).toMatchObject([{ outcome: "quarantined", feed: "eia861-net-metering" }]);
		const cut = { ...named(await netMeteringFile(2018, utilities(1)), "Non_Net_Metering_2018.xlsx") };
		expect((await take({ ...cut, bytes: cut.bytes.subarray(0, 900) })).files).toMatchObject([
			{ outcome: "quarantined", feed: "eia861-distributed" },
		]);
	});

	it("with each row twice is read once, with a warning", async () => {
		const [first] = utilities(1);
		if (first === undefined) throw new Error("no utility");
		const { files } = await take(await netMeteringFile(2017, [first, first]));
		expect(files).toMatchObject([{ rows_in: 2, rows_stored: 2 }]);
		expect(files[0]?.reported).toMatchObject([{ reason: "exact repeat of another row", count: 1 }]);
	});
});

const guideHeader =
	"id,name,operator,city,state,country,latitude,longitude,status,capacity_mw,facility_type,year_opened,size_sqft";
const guide = (from: number, to: number) =>
	csvFile("guide.csv", [
		guideHeader,
		...Array.from(
			{ length: to - from },
			(_, at) => `${from + at},Site ${from + at},Acme,Reno,NV,USA,39.5,-119.8,Existing,9,Colo,2017,1`,
		),
	]);

describe("a list", () => {
	withQueue();

	it("of which more than a tenth vanished is held back, and released by hand", async () => {
		await take(guide(0, 25), "datacenters");
		const { outcome, reason } = await take(guide(0, 22), "datacenters");
		expect([outcome, reason]).toEqual(["quarantined", "datacenter-guide: 3 of 25 records (edition current) vanished"]);
		expect((await queue.ask("listDatacenters", { duplicates: true })).meta.total).toBe(25);
		expect(await take(guide(0, 22), "datacenters", true)).toMatchObject({ outcome: "applied" });
	});

	it("of which less vanished is accepted, and so is a short one that lost two rows", async () => {
		await take(guide(0, 25), "datacenters", true);
		expect(await take(guide(0, 23), "datacenters")).toMatchObject({ outcome: "applied" });
		await take(
			await netMeteringFile(2018, [
				{ state: "CA", id: 1, homes: [1, 1], shops: [1, 1], wind: 1, storage: 1, virtual: 1 },
			]),
		);
		expect(
			await take(await netMeteringFile(2018, [{ state: "CA", id: 1, homes: [1, 1], shops: [1, 1], virtual: 1 }])),
		).toMatchObject({
			outcome: "applied",
		});
	});

	it("with replaced rows is held back, even with an equal number", async () => {
		await take(guide(0, 25), "datacenters", true);
		expect((await take(guide(10, 35), "datacenters")).reason).toContain("10 of 25 records");
	});

	it("that grew beyond 1.6 times is held back, but not at 1.6 times", async () => {
		await take(guide(0, 10), "datacenters", true);
		const { outcome, reason } = await take(guide(0, 17), "datacenters");
		expect([outcome, reason]).toEqual(["quarantined", "datacenter-guide: rows grew from 10 (edition current) to 17"]);
		expect(await take(guide(0, 16), "datacenters")).toMatchObject({ outcome: "applied" });
		expect(await take(guide(0, 90), "datacenters", true)).toMatchObject({ outcome: "applied" });
	});

	it("of a new year may be longer than that", async () => {
		expect(await take(await netMeteringFile(2019, utilities(50)))).toMatchObject({ outcome: "applied" });
	});

	it("by brand and county that was concatenated twice is held back at once", async () => {
		const header = "Brand,State,County,Low_MWh_year,High_MWh_year,Note,latitude,longitude";
		const lines = ["Acme,VA,Loudoun,7,9,,0,0", "Bolt,VA,Loudoun,7,9,,0,0"];
		const { outcome, reason } = await take(csvFile("energy.csv", [header, ...lines, ...lines]), "datacenters");
		expect([outcome, reason]).toEqual([
			"quarantined",
			"datacenter-energy: 2 of 4 rows repeat others without a note that explains it",
		]);
	});

	it("of prices with one that is not the sum of its parts is reported in the singular", async () => {
		const report = isoneReport({ day: "06/04/2025" });
		const odd = Buffer.from(new TextDecoder().decode(report.bytes).replace(/("4000".*?"HUB",)[\d.]+,/, "$199.00,"));
		const { files } = await take({ ...report, path: report.name, bytes: odd }, "market");
		expect(files[0]?.notes).toMatchObject([
			{ reason: "sum of components off by more than 0.01 USD/MWh, kept as filed" },
		]);
		const { alerts } = await queue.ask("getQueueIntegrity");
		expect(alerts.flatMap(({ region, reason }) => (region === "market" ? [reason] : []))).toEqual([
			"sum of components off by more than 0.01 USD/MWh, kept as filed: 1 rows",
		]);
	});
});

describe("Ohio's table", () => {
	withQueue();

	const of = (area: Partial<Area>, years: number[]): Area[] =>
		years.map((year) => ({ ...area, year, facilities: 1, kw: 10 }));
	const towns = { ...place, geoid: "1600000US3918000", name: "Columbus" };

	it("that ends within an area is held back, even if it is the first", async () => {
		const cut = [...of(county, [2022, 2023, 2024]), ...of(place, [2022, 2023])];
		const { outcome, reason } = await take(ohioFile(cut, "cut.csv", false));
		expect([outcome, reason]).toEqual([
			"quarantined",
			"puco-ohio-der: 1 of 2 areas lack some of the 3 years: 1600000US3908532",
		]);
	});

	it("that lacks a kind of area is held back, however few areas there are", async () => {
		const most = [...of(county, [2020, 2021, 2022, 2023, 2024]), ...of(towns, [2020, 2021, 2022, 2023, 2024])];
		const region: Area = { geoid: "M010000US001", name: "Region", type: "REGION15", year: 2024, facilities: 1, kw: 1 };
		await take(ohioFile([...most, region]));
		const { outcome, reason } = await take(ohioFile(most));
		expect([outcome, reason]).toEqual(["quarantined", "puco-ohio-der: no record is left of area_type region"]);
	});

	it("states no day: its age is unknown, and loading it today does not make it fresher", async () => {
		const pipeline = async () =>
			(await queue.ask("listPipelines")).pipelines.find((one) => one.pipeline === "puco-ohio-der");
		expect(await pipeline()).toMatchObject({ status: "STALE", age_hours: null, last_success: "2026-01-01T00:00:00Z" });
		expect((await queue.ask("getDgStats", { source: "puco-ohio-der" })).data.published_on).toBeNull();
		queue.now = "2026-01-02T00:00:00Z";
		const dated = ohioFile([...of(county, [2024]), ...of(towns, [2024])]);
		await take({ ...dated, path: "dg/2026-01-01/ohio.csv" }, "dg", true);
		expect(await pipeline()).toMatchObject({ status: "FRESH", age_hours: 24 });
	});
});
