/** The real files of form EIA-860 and about companies: every row is stored or reported, and a few values are checked by hand. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { type Events, events } from "#libs/contract/index.ts";
import { loadDevelopers } from "../../services/queue-ingest/developers/jobs/load-developers.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import type { Eia860Report } from "../../services/queue-ingest/plants/jobs/load-eia860-year.ts";
import type { FileReport } from "../../services/queue-ingest/sources/file-report.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { describeReal } from "../support/real-files.ts";
import { type OtherFile, readOtherwise } from "./support/other-reader.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const filesOf = (folder: string) =>
	readdirSync(join(realData, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort()
		.map((path) => ({ name: basename(path), path, bytes: readFileSync(path) }));

const plain = (text: string) => text.replace(/\s+/g, " ").trim();

/** Rows that a file's report gives account of. */
const accounted = (file: FileReport) => file.rows_stored + file.reported.reduce((sum, { count }) => sum + count, 0);

const queue = sharedQueue();

describeReal("form EIA-860 of 2019 and 2020", ["eia860"], () => {
	let report: Eia860Report;
	const now = () => new Date();
	const load = () => loadEia860(queue.sql, filesOf("eia860"), { resolve: async () => [], now });
	beforeAll(async () => {
		report = await load();
	}, 120_000);

	it("accounts for every row", async () => {
		expect(report).toMatchObject({ outcome: "applied", reason: null });
		expect(report.files.map((file) => [file.file, file.rows_in, accounted(file)])).toEqual([
			["1___Utility_Y2019.xlsx", 5385, 5385],
			["2___Plant_Y2019.xlsx", 11833, 11833],
			["3_2_Wind_Y2019.xlsx", 1466, 1466],
			["3_3_Solar_Y2019.xlsx", 4254, 4254],
			["4___Owner_Y2019.xlsx", 4792, 4792],
			["1___Utility_Y2020.xlsx", 5663, 5663],
			["2___Plant_Y2020.xlsx", 12636, 12636],
			["3_2_Wind_Y2020.xlsx", 1561, 1561],
			["3_3_Solar_Y2020.xlsx", 4906, 4906],
			["3_4_Energy_Storage_Y2020.xlsx", 244, 244],
			["3_5_Multifuel_Y2020.xlsx", 3818, 3818],
			["4___Owner_Y2020.xlsx", 4834, 4834],
			["LayoutY2020.xlsx", 735, 735],
		]);
		const stored = report.files.reduce((sum, file) => sum + file.rows_stored, 0);
		const [tables] = await queue.sql<{ rows: number }[]>`
			select (select count(*) from utilities) + (select count(*) from plants) + (select count(*) from generators)
				+ (select count(*) from plant_owners) as rows`;
		expect(tables?.rows).toBe(stored);
		expect(report.files.find((file) => file.file === "LayoutY2020.xlsx")).toMatchObject({
			...{ outcome: "unchanged", holds: "documentation of the layout", rows_stored: 0 },
		});
	});

	it("names the missing schedules", () => {
		expect(report.years.map(({ year, missing: absent }) => [year, absent])).toEqual([
			[2019, ["generator", "storage", "multifuel"]],
			[2020, ["generator"]],
		]);
	});

	it("lists plants as filed", async () => {
		const plant = async (plant_id: number) => (await queue.ask("listPlants", { plant_id })).data[0];
		// 129.8 + 151.2 + 102.1 + 90.3 + 112.5
		expect(await plant(57695)).toMatchObject({ generators: 5, operable_mw: 585.9, grid_voltage_kv: 230, state: "CA" });
		// Nine of 298 and three of 527.
		expect(await plant(56407)).toMatchObject({ generators: 12, operable_mw: 4263, balancing_authority: "FPL" });
		// One operates, one was cancelled.
		expect(await plant(59247)).toMatchObject({ operable_mw: 478, retired_mw: 240, grid_voltage_kv: 240 });
	});

	it("counts once what two schedules list: a solar station with storage", async () => {
		const { data } = await queue.ask("listGenerators", { plant_id: 56812 });
		expect(data.map((row) => [row.generator_id, row.capacity_mw, row.schedules])).toEqual([
			["GEN 1", 140, ["solar", "storage"]],
			["GEN2", 140, ["solar", "storage"]],
		]);
		expect((await queue.ask("listPlants", { plant_id: 56812 })).data).toMatchObject([{ operable_mw: 280 }]);
		// 1,561 + 4,906 + 244 + 3,818 rows, three of them twice.
		expect((await queue.ask("listGenerators", { per_page: 1 })).meta.total).toBe(10_526);
	});

	it("finds generators by the standard word of their technology: all storage, and nothing without it", async () => {
		const { data } = await queue.ask("listGenerators", { technology: "storage", per_page: 500 });
		const counts = new Map<string | null, number>();
		for (const { technology } of data) counts.set(technology, (counts.get(technology) ?? 0) + 1);
		expect(Object.fromEntries(counts)).toEqual({
			...{ Batteries: 234, Flywheels: 6, "Natural Gas with Compressed Air Storage": 1 },
		});
	});

	it("states the owners of 3,036 and 3,108 generators, and infers the operator for 4,249 and 8,016", async () => {
		expect(report.years.map(({ stated, inferred }) => [stated, inferred])).toEqual([
			[3036, 4249],
			[3108, 8016],
		]);
		const rows = await queue.sql<
			{ payload: string }[]
		>`select payload from outbox where subject like '%ownership.recorded'`;
		expect(rows).toHaveLength(3036 + 4249 + 3108 + 8016);
		for (const row of rows) events.ownershipRecorded.payload.parse(JSON.parse(row.payload));
	});

	it("names the cells of owners, which an independent reader reads equally", {
		timeout: 300_000,
	}, async () => {
		const list = "nyiso/2025-01-09/NYISO-Interconnection-Queue.xlsx";
		const taken = await queue.take("NYISO", "2025-01-09", { name: list, bytes: readFileSync(join(realData, list)) });
		expect([taken.outcome, taken.reason]).toEqual(["applied", null]);
		// Any request may be any plant: only the cells of its owners are looked at.
		const drawn = await queue.sql<{ id: string }[]>`
			insert into project_plants (project_id, plant_id, method, confidence, evidence)
			select p.id, o.plant_id, 'test', 1, 'drawn' from
				(select id, row_number() over (order by md5(id)) as at from projects where region = 'NYISO') p
				join (select plant_id, row_number() over (partition by stated order by md5(plant_id::text)) * 2 - stated::integer as at from (
					select distinct plant_id, body::jsonb ->> 'source' = 'eia_860_ownership' as stated from generator_ownership) g) o using (at)
			where at <= 240
			on conflict (project_id) do update set plant_id = excluded.plant_id returning project_id as id`;
		const files = new Map<string, OtherFile>();
		const wrong: unknown[] = [];
		const rules = new Map<string, number>();
		for (const { id } of drawn) {
			const { data } = await queue.ask("getProjectProvenance", { project_id: id, field: "owners" });
			for (const origin of data) {
				const { file, sheet, row, column, raw, value, rule, inputs } = origin;
				const [, year] = /Y(20\d\d)/.exec(file ?? "") ?? [];
				const path = join(realData, "eia860", year ?? "", file ?? "");
				const other = files.get(path) ?? readOtherwise(path);
				files.set(path, other);
				rules.set(rule, (rules.get(rule) ?? 0) + 1);
				const cells = [{ sheet, row, column, raw }, ...inputs];
				const differing = cells.filter((cell) => {
					const there = other.cell(cell.sheet, cell.row ?? 0, cell.column ?? "");
					return plain(there ?? "") !== plain(cell.raw ?? "") && Number(there) !== Number(cell.raw);
				});
				if (row === null || plain(String(value)) !== plain(raw ?? "") || differing.length > 0)
					wrong.push({ id, origin, differing });
			}
		}
		console.info(
			`Owners whose cells another reader found: ${[...rules].map(([rule, count]) => `${count} by ${rule}`).join(", ")}`,
		);
		expect(wrong.slice(0, 3)).toEqual([]);
		expect(rules.get("owners.schedule_4")).toBeGreaterThan(200);
		expect(rules.get("owners.operator")).toBeGreaterThan(100);
		for (const { id } of drawn.slice(0, 4))
			expect(await queue.ask("verifyValue", { project_id: id, field: "owners" })).toMatchObject({
				agrees: true,
				archive: "intact",
			});
		const [{ id } = { id: "" }] = drawn;
		const { sha256 } = await queue.ask("verifyValue", { project_id: id, field: "owners" });
		await queue.sql`update raw_files set bytes = substring(bytes from 2) where sha256 = ${sha256}`;
		expect(await queue.ask("verifyValue", { project_id: id, field: "owners" })).toMatchObject({
			agrees: false,
			archive: "damaged",
		});
	});

	type Recorded = z.output<Events["ownershipRecorded"]["payload"]>;
	async function recorded(plant: number, generator: string, year: number): Promise<Recorded | undefined> {
		const [row] = await queue.sql<{ payload: string }[]>`
			select payload from outbox where event_id = ${`ownership.recorded:${plant}:${generator}:${year}:1`}`;
		return row === undefined ? undefined : events.ownershipRecorded.payload.parse(JSON.parse(row.payload));
	}

	it("states that Greene County 1 was Alabama Power's for 60 % and Mississippi Power's for 40 % in 2020", async () => {
		expect(await recorded(10, "1", 2020)).toMatchObject({
			...{ plant_name: "Greene County", state: "AL", source: "eia_860_ownership", operator: { utility_id: 195 } },
			owners: [
				{ owner_id: 195, name: "Alabama Power Co", fraction: 0.6, city: "Birmingham" },
				{ owner_id: 12686, name: "Mississippi Power Co", fraction: 0.4, city: "Gulfport" },
			],
		});
	});

	it("infers that Big Bend's solar generator was Tampa Electric's own in 2020, and nothing of a retired one", async () => {
		expect(await recorded(645, "1", 2020)).toMatchObject({
			...{ plant_name: "Big Bend", technology: "Solar Photovoltaic", capacity_mw: 19.8, source: "eia_860_operator" },
			owners: [{ owner_id: 18454, name: "Tampa Electric Co", fraction: 1, state: "FL" }],
		});
		expect(await recorded(116, "PV1", 2020)).toBeUndefined();
		// Four rows of schedule 4 state no share: neither a share nor the operator's is made up.
		expect(await recorded(10118, "GEN1", 2020)).toBeUndefined();
	});

	it("is dated by its workbooks, and publishes nothing when loaded again", async () => {
		const [feed] = await queue.sql`select iso(last_success_at) as at from feeds where feed = 'eia860'`;
		expect(feed?.at).toBe("2021-09-09T00:00:00Z");
		const [before] = await queue.sql`select count(*) as events from outbox`;
		expect(await load()).toMatchObject({ outcome: "unchanged", years: [] });
		const [after] = await queue.sql`select count(*) as events from outbox`;
		expect(after).toEqual(before);
	});
});

describeReal("files about companies", ["developers"], () => {
	it("are stored or reported row by row, once", async () => {
		const load = () => loadDevelopers(queue.sql, filesOf("developers"), () => new Date());
		const report = await load();
		expect(report).toMatchObject({ outcome: "applied", reason: null });
		expect(report.files.map((file) => [file.file, file.rows_in, file.rows_stored, accounted(file)])).toEqual([
			["EIA861_Balancing_Authority_2018.xlsx", 204, 0, 204],
			["EIA861_Service_Territory_2018.xlsx", 11914, 0, 11914],
			["EIA861_Utility_Data_2018.xlsx", 2299, 2296, 2299],
			["GEM_gas-plant_data-2024-08-29.csv", 12436, 2837, 12436],
			["labelled_names.csv", 233, 0, 233],
			["sec_ex21_labels.csv", 2425, 2419, 2425],
			["us_legal_forms.json", 30, 0, 30],
		]);
		const rows = await queue.sql<{ source: string; rows: number }[]>`
		select source, count(distinct (edition, row_number)) as rows from company_evidence group by source order by source`;
		expect([...rows]).toEqual([
			{ source: "eia_861", rows: 2296 },
			{ source: "gem", rows: 2837 },
			{ source: "sec_exhibit_21", rows: 2419 },
		]);
		const [cleco] = await queue.sql`
		select parent_name, share, attribution from company_evidence where raw_name = 'Cleco Power LLC' and parent_name is not null limit 1`;
		expect(cleco).toMatchObject({ parent_name: "Cleco Corporate Holdings LLC", share: 1 });
		expect(await load()).toMatchObject({ outcome: "unchanged" });
	}, 120_000);
});
