/** The real files of distributed generation: every row is stored or reported, totals are the files' own, and values are checked by hand. */
import { beforeAll, expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { type DatasetsReport, loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { describeReal, readReal } from "../support/real-files.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const names = [
	"Net_Metering_2018.xlsx",
	"Non_Net_Metering_Distributed_2018.xlsx",
	"NYSERDA_DER_Portfolio_Metric_Data_org.xlsx",
	"ohio_renewenergy-der-long.csv",
] as const;
const fileOf = (name: string) => readReal(`dg/${name}`);

const queue = sharedQueue();

describeReal("the real files of distributed generation", ["dg"], () => {
	let report: DatasetsReport;
	const load = () => loadDatasets(queue.sql, "dg", names.map(fileOf), { now: () => new Date("2026-01-01T00:00:00Z") });
	beforeAll(async () => {
		report = await load();
	}, 120_000);

	it("are ingested, and every row is stored or counted as left out", () => {
		expect(report.outcome).toBe("applied");
		const stored = report.files.map(({ file, rows_in, rows_stored, reported }) => [
			file,
			rows_in,
			rows_stored,
			Object.fromEntries(reported.map(({ reason, count }) => [reason, count])),
		]);
		expect(stored).toEqual([
			[names[0], 1587, 3468, { "nothing above zero": 5, "owned by third parties, and in the utilities' rows": 337 }],
			[names[1], 574, 1803, { "nothing above zero": 1 }],
			[names[2], 113, 113, {}],
			[names[3], 46_500, 2509, { "no facility and no capacity": 43_991 }],
		]);
	});

	it("are unchanged when loaded again", async () => {
		expect((await load()).files.map(({ outcome }) => outcome)).toEqual(Array(4).fill("unchanged"));
	}, 60_000);

	it("of net metering sum to the file's columns of totals", async () => {
		const sheets = await readWorkbook(fileOf(names[0]).bytes);
		const total = (column: number) => {
			let sum = 0;
			for (const sheet of sheets.slice(0, 2))
				for (const row of sheet.rows.slice(3)) sum += typeof row[column] === "number" ? row[column] : 0;
			return sum;
		};
		const { data } = await queue.ask("getDgStats");
		const of = (technology: string) => data.by_technology.find((row) => row.technology === technology);
		const virtual = data.by_program.find((row) => row.program === "virtual_net_metering");
		// Columns "Total" of: photovoltaic capacity, virtual capacity, storage capacity, wind, other.
		expect((of("Solar")?.capacity_mw ?? 0) - (virtual?.capacity_mw ?? 0)).toBeCloseTo(total(10), 1);
		expect(total(10)).toBeCloseTo(19_087.442, 3);
		expect(virtual?.capacity_mw).toBeCloseTo(total(30), 2);
		expect(of("Storage")?.storage_mw).toBeCloseTo(total(20), 2);
		expect(of("Wind")?.capacity_mw).toBeCloseTo(total(45), 2);
		expect(of("Other")?.capacity_mw).toBeCloseTo(total(60), 2);
		expect(of("Solar")?.customers).toBe(total(15) + total(35));
		expect(of("Storage")?.customers).toBe(total(25));
	});

	it("of other distributed generators sum to the file's column of totals", async () => {
		const sheets = await readWorkbook(fileOf(names[1]).bytes);
		let [mw, generators] = [0, 0];
		for (const sheet of sheets)
			for (const row of sheet.rows.slice(2)) {
				if (typeof row[69] === "number") mw += row[69];
				if (typeof row[5] === "number") generators += row[5];
			}
		const { data } = await queue.ask("getDgStats", { source: "eia861-distributed" });
		expect(data.capacity_mw + data.storage_mw).toBeCloseTo(mw, 2);
		expect(data.generators).toBe(generators);
	});

	it("of Ohio's counties sum to the file's region", async () => {
		const region = (await queue.ask("listDg", { area_type: "region", per_page: "500" })).data;
		const { data } = await queue.ask("getDgStats", { source: "puco-ohio-der" });
		const sum = (of: (row: (typeof region)[number]) => number | null) =>
			region.reduce((all, row) => all + (of(row) ?? 0), 0);
		expect(region.every((row) => !row.in_totals)).toBe(true);
		expect(data.capacity_mw + data.storage_mw).toBeCloseTo(
			sum((row) => row.capacity_mw),
			6,
		);
		expect(data.facilities).toBe(sum((row) => row.facilities));
		expect(data.by_state).toHaveLength(1);
	});

	async function record(id: string): Promise<Reply<"listDg">["data"][number] | undefined> {
		for (let page = 1; ; page++) {
			const { data, meta } = await queue.ask("listDg", { page: String(page), per_page: "500" });
			const found = data.find((row) => row.id === id);
			if (found !== undefined || page >= meta.pages) return found;
		}
	}

	it.each([
		[
			"EIA861-NM-2018-AK-599-AMPL-photovoltaic-commercial",
			{
				utility: "Anchorage Municipal Light and Power",
				capacity_mw: 0.212,
				customers: 17,
				energy_sold_back_mwh: 34.943,
			},
		],
		[
			"EIA861-NM-2018-WY-99999-PACE-photovoltaic-residential",
			{ capacity_mw: -0.176, customers: null, adjustment: true },
		],
		[
			"EIA861-NM-2018-PR-15497-none-photovoltaic-industrial",
			{ capacity_mw: 13.524, customers: 28, energy_sold_back_mwh: 101.186, state: "PR", capacity_basis: "AC" },
		],
		["EIA861-DG-2018-MS-55-TVA-photovoltaic-residential", { capacity_mw: 0.007, utility: "City of Aberdeen - (MS)" }],
		["EIA861-DG-2018-IL-97-MISO-all", { technology: null, capacity_mw: null, generators: 1, utility_owned_mw: 0.9 }],
		[
			"EIA861-DG-2018-VI-19879-none-combustion-turbine-direct_connected",
			{ technology: "Unknown", technology_filed: "Combustion Turbine", capacity_mw: 1.46, sector: "direct_connected" },
		],
		["PUCO-OH-0500000US39041-2017-solar", { capacity_kw: 1219.5, capacity_mw: 1.2195, facilities: 28, fips: "39041" }],
		["PUCO-OH-0500000US39141-2013-biofuel", { capacity_kw: 400, facilities: 1, county: "Ross", technology: "Biomass" }],
		["PUCO-OH-M010000US001-2024-storage", undefined],
		["PUCO-OH-M010000US001-2024-energy-storage", { capacity_kw: 1642.24, facilities: 32, in_totals: false }],
		["DG-NYSERDA-78", undefined],
		[
			"DG-NYSERDA-94",
			{ name: "Felix Storch", capacity_kw: 147.84, county: "Bronx", city: "Bronx", developer: "Ross Solar" },
		],
		["DG-NYSERDA-1325", { name: "5530 58th Street LLC - 95416", capacity_mw: 0.91872, in_service_on: "2020-03-11" }],
		["DG-NYSERDA-1128", { developer: "Green Street Power Partners, LLC", county: "Queens", year: 2019 }],
	])("yield for %s the values read by hand", async (id, facts) => {
		const found = await record(id);
		if (facts === undefined) expect(found).toBeUndefined();
		else expect(found).toMatchObject(facts);
	});
});
