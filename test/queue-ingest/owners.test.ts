/** Yearly ownership of plants: what is stated, what is inferred, what is announced, and which request is which plant. */
import { describe, expect, it } from "vitest";
import { events } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { resolveOwners } from "../../services/queue-ingest/developers/jobs/link-names.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { republishOwnership } from "../../services/queue-ingest/history/events/record-ownership.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { workbook, zip, zipEntry } from "../support/file-formats.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { ownerFile, plantFile, solarFile, type Unit, utilityFile } from "./support/eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const now = new Date("2026-11-01T00:00:00Z");
const load = (sql: Sql, ...files: IncomingFile[]) => loadEia860(sql, files, { resolve: resolveOwners, now: () => now });

/** The announcements since the last call, in the order of their ids, each parsed by the event's schema. */
async function announced(sql: Sql) {
	const rows = await sql<{ payload: string }[]>`
		delete from outbox where subject like '%ownership.recorded' returning id, payload`;
	return [...rows]
		.map((row) => events.ownershipRecorded.payload.parse(JSON.parse(row.payload)))
		.sort((a, b) => a.id.localeCompare(b.id));
}
const brief = (payload: Awaited<ReturnType<typeof announced>>[number]) =>
	`${payload.plant_id} ${payload.generator_id} ${payload.year} v${payload.version} ${payload.source}: ${payload.owners
		.map((owner) => `${owner.name} ${owner.fraction}`)
		.join(", ")}`;

const units: Unit[] = [
	{ plant: 60001, generator: "PV 1", mw: 75 },
	{ plant: 60001, generator: "02", mw: 25 },
	{ plant: 60002, generator: "1" },
	{ plant: 60002, generator: "2", stage: "Proposed" },
	{ plant: 60002, generator: "3", stage: "Retired and Canceled" },
];
const jointly = [
	{ plant: 60001, generator: "PV 1", name: "NextEra Energy Resources, LLC", id: 701, share: 0.6 },
	{ plant: 60001, generator: "PV 1", name: "Alpha Yieldco", id: 702, share: 0.4 },
];
const year = async (form = {}) => [
	await utilityFile(form),
	await plantFile(form),
	await solarFile(units, form),
	await ownerFile(jointly, form),
];

describe("a year of form EIA-860", () => {
	let files: IncomingFile[];
	const queue: Queue = sharedQueue(async () => {
		files = await year();
	});

	it("states the owners of schedule 4, and infers the operator of other generators", async () => {
		await syncRegister(queue.sql);
		const report = await load(queue.sql, ...files);
		expect(report).toMatchObject({
			outcome: "applied",
			reason: null,
			years: [
				{
					year: 2020,
					outcome: "applied",
					loaded: ["utility", "plant", "solar", "owner"],
					missing: ["generator", "wind", "storage", "multifuel"],
					...{ stated: 1, inferred: 3, announced: 4, withdrawn: 0 },
				},
			],
		});
		expect(report.files.map((file) => `${file.holds} ${file.rows_in} ${file.rows_stored}`)).toEqual([
			"utility 2 2",
			"plant 2 2",
			"solar 5 5",
			"owner 2 2",
		]);
		const recorded = await announced(queue.sql);
		expect(recorded.map(brief)).toEqual([
			"60001 02 2020 v1 eia_860_operator: Larkspur Operating LLC 1",
			"60001 PV 1 2020 v1 eia_860_ownership: NextEra Energy Resources, LLC 0.6, Alpha Yieldco 0.4",
			"60002 1 2020 v1 eia_860_operator: Duke Energy Florida, LLC 1",
			"60002 2 2020 v1 eia_860_operator: Duke Energy Florida, LLC 1",
		]);
		expect(recorded[1]).toMatchObject({
			id: "ownership.recorded:60001:PV 1:2020:1",
			operator: { utility_id: 501, name: "Larkspur Operating LLC", developer_canonical: null, parent: null },
			...{
				plant_name: "Larkspur Ridge Solar",
				state: "CA",
				technology: "Solar Photovoltaic",
				capacity_mw: 75,
				status: "OP",
			},
		});
		expect(recorded[1]?.owners[0]).toMatchObject({
			...{ owner_id: 701, developer_canonical: "NextEra Energy Resources", city: "Juno Beach", state: "FL" },
		});
		expect(recorded[2]?.owners[0]).toMatchObject({
			...{ owner_id: 502, developer_canonical: "Duke Energy", parent: "Duke Energy Corp" },
			...{ address: "299 First Ave", city: "St. Petersburg", state: "FL" },
		});
	});

	it("is as old as its publication, a year's end at the earliest", async () => {
		queue.now = "2021-06-01T00:00:00Z";
		const { pipelines } = await queue.ask("listPipelines");
		const row = pipelines.find(({ pipeline }) => pipeline === "eia860");
		expect(row).toMatchObject({ max_age_hours: 9_600, state: "ok" });
		expect(String(row?.last_success) >= "2020-12-31T00:00:00Z").toBe(true);
		const { sources } = await queue.ask("listSources");
		expect(sources.find(({ source }) => source === "eia860")).toMatchObject({ records: 11, unchecked_records: 0 });
	});

	it("loaded twice changes and publishes nothing", async () => {
		const [before] = await queue.sql`select version, (select count(*) from snapshots) as attempts from data_version`;
		expect(await load(queue.sql, ...files)).toMatchObject({ outcome: "unchanged", years: [] });
		const [after] = await queue.sql`select version, (select count(*) from snapshots) as attempts from data_version`;
		expect(after).toEqual(before);
		expect(await announced(queue.sql)).toEqual([]);
	});

	it("publishes only differences when corrected, and retracts ownerships that it drops", async () => {
		const corrected = jointly.map((owner) => ({ ...owner, share: 0.5 }));
		const without = units.filter((unit) => unit.generator !== "1");
		const report = await load(queue.sql, await ownerFile(corrected), await solarFile(without));
		expect(report.years[0]).toMatchObject({ announced: 1, withdrawn: 1 });
		expect((await announced(queue.sql)).map(brief)).toEqual([
			"60001 PV 1 2020 v2 eia_860_ownership: NextEra Energy Resources, LLC 0.5, Alpha Yieldco 0.5",
			"60002 1 2020 v2 eia_860_operator: ",
		]);
		await load(queue.sql, await solarFile(units));
		expect((await announced(queue.sql)).map(brief)).toEqual([
			"60002 1 2020 v3 eia_860_operator: Duke Energy Florida, LLC 1",
		]);
	});

	it("separates years, and republishes every ownership on request", async () => {
		await load(queue.sql, ...(await year({ year: 2019 })));
		expect(await announced(queue.sql)).toHaveLength(4);
		expect(await queue.sql.begin((tx) => republishOwnership(tx, ":again:7"))).toBe(8);
		const again = await announced(queue.sql);
		expect(again[0]).toMatchObject({ id: "ownership.recorded:60001:02:2019:1:again:7", version: 1, year: 2019 });
	});

	it("is loaded completely or not at all, and an early release does not replace a final one", async () => {
		const many = Array.from({ length: 6 }, (_, at) => ({
			...jointly[0],
			plant: 60001,
			generator: `X${at}`,
			name: "A",
			id: 1,
			share: 1,
		}));
		const twice = await load(queue.sql, await ownerFile(many), await ownerFile(many.slice(1)));
		expect(twice).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("has the same schedule (owner of"),
		});
		const collapsed = await load(queue.sql, await solarFile(units.slice(0, 1)));
		expect(collapsed).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("rows collapsed from 5 to 1"),
		});
		const early = await load(queue.sql, await ownerFile(many, { early: true }));
		expect(early).toMatchObject({
			outcome: "unchanged",
			files: [
				{
					rows_in: 6,
					rows_stored: 0,
					reported: [{ reason: "an early release of a schedule whose final file is known", count: 6 }],
				},
			],
		});
		expect(await announced(queue.sql)).toEqual([]);
		const html = { name: "4___Owner_Y2020.xlsx", path: "x", bytes: Buffer.from("<html>Access denied</html>") };
		expect(await load(queue.sql, html)).toMatchObject({ outcome: "quarantined" });
		const { alerts } = await queue.ask("getQueueIntegrity");
		expect(alerts.map((alert) => `${alert.region} ${alert.level}`)).toContain("EIA-860 quarantined");
	});
});

describe("a form in another state", () => {
	it("infers nothing without a final schedule 4", async () => {
		await using queue = await openQueue();
		const [utilities, plants, solar] = await year();
		if (!utilities || !plants || !solar) throw new Error("no files");
		await load(queue.sql, utilities, plants, solar);
		expect(await announced(queue.sql)).toEqual([]);
		const early = await load(queue.sql, await ownerFile(jointly, { early: true }));
		expect(early.years[0]).toMatchObject({ early_release: ["owner"], stated: 1, inferred: 0 });
		expect((await announced(queue.sql)).map(brief)).toEqual([
			"60001 PV 1 2020 v1 eia_860_ownership: NextEra Energy Resources, LLC 0.6, Alpha Yieldco 0.4",
		]);
		expect((await load(queue.sql, await ownerFile(jointly))).years[0]).toMatchObject({
			early_release: [],
			inferred: 3,
		});
		expect(await announced(queue.sql)).toHaveLength(3);
	});

	it("is also read from the EIA's archive; files in it that are not schedules are reported", async () => {
		await using queue = await openQueue();
		const files = await year();
		const layout = await workbook([{ name: "Field Directory", rows: [["LAYOUT"], ["Field Name", "Description"]] }]);
		const entries = [...files.map((file) => [file.name, file.bytes] as const), ["LayoutY2020.xlsx", layout] as const];
		const bytes = zip(entries.map(([name, content]) => zipEntry(name, Buffer.from(content))));
		const report = await load(queue.sql, { name: "eia8602020.zip", path: "eia8602020.zip", bytes });
		expect(report).toMatchObject({ outcome: "applied", years: [{ stated: 1, inferred: 3 }] });
		expect(report.files.at(-1)).toMatchObject({
			...{ file: "LayoutY2020.xlsx", holds: "documentation of the layout", rows_in: 2, rows_stored: 0 },
			reported: [{ reason: "documentation of the layout", count: 2 }],
		});
		const archived = await queue.sql`select name from snapshot_files order by position`;
		expect(archived.map((row) => row.name)).toContain("eia8602020.zip/4___Owner_Y2020.xlsx");
	});
});

describe("the owners of a request", () => {
	const request = {
		status: "operational",
		fuel: "Solar",
		county: "Kern",
		state: "CA",
		queueDate: "2014-05-01",
	} as const;
	const takeQueue = async (queue: Queue, name: string, mw = 100) => {
		const [first, ...rest] = queueRows("caiso", { count: 20 });
		if (first === undefined) throw new Error("no rows");
		const rows = [{ ...first, ...request, name, mw, ended: "2018-06-01" }, ...rest];
		await queue.take("CAISO", "2026-03-01", await queueFile("caiso", rows));
		return `CAISO-${first.number}`;
	};

	it("are those of its plant in the newest year, by capacity, even if the plants are loaded first", async () => {
		await using queue = await openQueue();
		await load(queue.sql, ...(await year()), ...(await year({ year: 2019 })));
		const project_id = await takeQueue(queue, "LARKSPUR RIDGE");
		expect(await queue.ask("getOwnership", { project_id })).toEqual({
			queue_id: project_id.slice("CAISO-".length),
			region: "CAISO",
			owners: [
				["NextEra Energy Resources, LLC", 701, 0.45, "Juno Beach", "FL", "eia_860_ownership"],
				["Alpha Yieldco", 702, 0.3, "Juno Beach", "FL", "eia_860_ownership"],
				["Larkspur Operating LLC", 501, 0.25, "Bakersfield", "CA", "eia_860_operator"],
			].map(([owner_name, owner_utility_id, fraction_owned, owner_city, owner_state, source]) => ({
				...{ owner_name, owner_utility_id, fraction_owned, owner_city, owner_state, source, report_date: "2020-12-31" },
			})),
			plant: {
				plant_id: 60001,
				plant_name: "Larkspur Ridge Solar",
				method: "name",
				link_kind: "direct",
				confidence: 0.96,
				evidence:
					"same name (Larkspur Ridge Solar); Kern County, CA; 100 MW asked for, 100 MW solar reported; in operation 2018",
			},
			coverage: [2019, 2020].map((year) => ({
				year,
				loaded: ["owner", "plant", "solar", "utility"],
				missing: ["generator", "multifuel", "storage", "wind"],
			})),
			years: [2019, 2020],
		});
	});

	it("are those of each generator as last reported, unless it is retired", async () => {
		await using queue = await openQueue();
		const project_id = await takeQueue(queue, "LARKSPUR RIDGE");
		const unlinked = { owners: [], plant: null, years: [] };
		expect(await queue.ask("getOwnership", { project_id })).toMatchObject(unlinked);
		await expect(queue.ask("getOwnership", { project_id: "CAISO-nothing" })).rejects.toMatchObject({ status: 404 });
		await load(queue.sql, ...(await year()));
		const other = `CAISO-${queueRows("caiso", { count: 2 })[1]?.number}`;
		expect(await queue.ask("getOwnership", { project_id: other })).toMatchObject(unlinked);
		const form = { year: 2021 };
		const sold = [{ plant: 60001, generator: "PV 1", name: "Beta Solar Owner LLC", id: 703, share: 1 }];
		await load(queue.sql, await utilityFile(form), await plantFile(form), await ownerFile(sold, form));
		const owners = async () => {
			const answer = await queue.ask("getOwnership", { project_id });
			return answer.owners.map((row) => [row.owner_name, row.fraction_owned, row.report_date]);
		};
		expect(await owners()).toEqual([
			["Beta Solar Owner LLC", 0.75, "2021-12-31"],
			["Larkspur Operating LLC", 0.25, "2020-12-31"],
		]);
		const retired: Unit[] = units.map((unit) =>
			unit.generator === "02" ? { ...unit, stage: "Retired and Canceled" } : unit,
		);
		await load(queue.sql, await solarFile(retired, form));
		expect(await owners()).toEqual([["Beta Solar Owner LLC", 1, "2021-12-31"]]);
	});

	it("for a past day are those of years that had ended, if the request was listed then", async () => {
		await using queue = await openQueue();
		const project_id = await takeQueue(queue, "LARKSPUR RIDGE");
		await load(queue.sql, ...(await year()));
		const form = { year: 2026 };
		const sold = [{ plant: 60001, generator: "PV 1", name: "Beta Solar Owner LLC", id: 703, share: 1 }];
		await load(queue.sql, await utilityFile(form), await plantFile(form), await ownerFile(sold, form));
		queue.now = "2027-03-01T00:00:00Z";
		const owners = async (moment: { as_of: string }) => {
			const { owners: found, years, coverage, meta } = await queue.ask("getOwnership", { project_id, ...moment });
			expect(coverage.map((each) => each.year)).toEqual(years);
			expect(meta).toMatchObject({ ...moment, coverage: { CAISO: "2026-03-01" } });
			return found.map((row) => [row.owner_name, row.report_date]);
		};
		const before = ["NextEra Energy Resources, LLC", "Alpha Yieldco", "Larkspur Operating LLC"];
		expect(await owners({ as_of: "2026-12-30" })).toEqual(before.map((name) => [name, "2020-12-31"]));
		const as_of = "2026-12-30";
		const origins = await queue.ask("getProjectProvenance", { project_id, field: "owners", as_of });
		expect(origins.data[0]?.see).toBe(`/projects/${project_id}/ownership?as_of=${as_of}`);
		expect(await owners({ as_of: "2026-12-31" })).toEqual([
			["Beta Solar Owner LLC", "2026-12-31"],
			["Larkspur Operating LLC", "2020-12-31"],
		]);
		await expect(queue.ask("getOwnership", { project_id, as_of: "2026-02-28" })).rejects.toMatchObject({ status: 404 });
		await expect(queue.ask("getOwnership", { project_id, as_of: "2027-03-02" })).rejects.toMatchObject({ status: 422 });
	});
});
