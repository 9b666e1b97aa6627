import { beforeAll, describe, expect, it } from "vitest";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IngestResult } from "../../services/queue-ingest/queues/jobs/record-attempt.ts";
import { csvOf, cycleExample, rowsOf, serialExample } from "../support/pjm-files.ts";
import { type QueueFeed, type QueueRow, queueFile, queueRows, row } from "../support/queue-files.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import { type ChangeRow, openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const ids = async (queue: Queue) => (await queue.sql`select id from projects order by id`).map((found) => found.id);
const others = (feed: QueueFeed) => queueRows(feed, { count: 20 });

describe("one project under every spelling of its number", () => {
	it("matches NYISO's 517 and 0517; a rewritten number becomes an alias and a field_update of queue_id", async () => {
		await using queue = await openQueue();
		const file = (number: string, mw: number, cluster: string) =>
			queueFile("nyiso", [
				...others("nyiso"),
				row("nyiso", { number, mw, name: "Alder Solar" }),
				row("nyiso", { number: cluster, name: "Wallkill Storage", poi: "Wallkill 345 kV" }),
			]);
		await queue.take("NYISO", "2026-03-01", await file("0517", 100, "C24-052-001"));
		const next = await queue.take("NYISO", "2026-04-01", await file("517", 90, "C24-052"));
		expect(next).toMatchObject({ new: 0, disappeared: 0 });
		expect((await queue.changeRows()).sort()).toEqual([
			["NYISO-0517", "capacity_change", "capacity_mw", "100", "90"],
			["NYISO-C24-052-001", "field_update", "queue_id", "C24-052-001", "C24-052"],
		]);
		for (const project_id of ["NYISO-0517", "NYISO-517", "517", "0517"])
			expect((await queue.ask("getProject", { project_id })).id).toBe("NYISO-0517");
		for (const project_id of ["NYISO-C24-052-001", "NYISO-C24-052", "c24-052"])
			expect(await queue.ask("getProject", { project_id })).toMatchObject({
				id: "NYISO-C24-052-001",
				queue_id: "C24-052",
				aliases: ["C24-052-001", "C24-052"],
			});
	});

	it("takes SPP's present state from the active list, and the outcome of others from the summary", async () => {
		await using queue = await openQueue();
		const rows = queueRows("spp", { count: 20 }).map((one) => ({ ...one, status: "active" as const, ended: null }));
		const [first, ...rest] = rows;
		if (first === undefined) throw new Error("no row");
		const gone = { ...first, status: "withdrawn", ended: "2026-03-02" } as const;
		const earlier = row("spp", { number: "GEN-2001-001", status: "withdrawn", ended: "2004-05-06" });
		const summary = (...more: QueueRow[]) => queueFile("spp-summary", [...more, ...rest]);
		await queue.take("SPP", "2026-03-01T01:00:00Z", await queueFile("spp", rows));
		const { active_projects, active_capacity_gw } = (await queue.ask("getStats", {})).data;
		expect(await queue.take("SPP", "2026-03-01T02:00:00Z", await summary(first, earlier))).toMatchObject({
			...{ outcome: "applied", new: 1, changed: 0 },
		});
		expect((await queue.ask("getStats", {})).data).toMatchObject({ active_projects, active_capacity_gw });
		await queue.take("SPP", "2026-03-02T01:00:00Z", await queueFile("spp", rest));
		const result = await queue.take("SPP", "2026-03-02T02:00:00Z", await summary(gone, earlier));
		expect(result).toMatchObject({ outcome: "applied", new: 0, withdrawn: 1, disappeared: 0 });
		const shown = async (number: string) => {
			const { feed, status_std, withdrawn_date, listed } = await queue.ask("getProject", {
				project_id: `SPP-${number}`,
			});
			return [feed, status_std, withdrawn_date, listed];
		};
		expect(await shown(first.number)).toEqual(["spp-summary", "Withdrawn", "2026-03-02", "listed"]);
		expect(await shown(earlier.number)).toEqual(["spp-summary", "Withdrawn", "2004-05-06", "listed"]);
		expect(await shown(rest[0]?.number ?? "")).toEqual(["spp", "Active", null, "listed"]);
	});

	it("is never withdrawn when PJM moves it to TC1 (AE1-070), and the cycle row takes precedence over the serial one", async () => {
		await using queue = await openQueue();
		const { "Project ID": _, ...serialBase } = serialExample;
		const serial = (id: string, status: string) =>
			csvOf(
				rowsOf(serialExample, [
					{ ...serialBase, "Project ID": id, Status: status, "MW Energy": "70", "Withdrawal Date": "" },
					...Array.from({ length: 10 }, (_, at) => ({ "Project ID": `AB2-9${10 + at}` })),
				]),
			);
		const cycle = (rows: Record<string, string>[]) =>
			csvOf(rowsOf(cycleExample, [{ "Project ID": "AH1-999" }, ...rows]));
		await queue.take("PJM", "2026-03-01T01:00:00Z", serial("AE1-070", "Active"));
		await queue.take("PJM", "2026-03-01T02:00:00Z", cycle([]));
		// Moved, and not yet in the cycle list.
		const moved = await queue.take("PJM", "2026-03-02T01:00:00Z", serial("AE1-070 - moved to TC1", "Withdrawn"));
		expect(moved).toMatchObject({ outcome: "applied", withdrawn: 0, disappeared: 0, new: 0 });
		expect(await queue.changeRows()).toEqual([]);
		const inCycle = cycle([{ "Project ID": "AE1-070", Status: "Active", "MW Energy": "65" }]);
		await queue.take("PJM", "2026-03-02T02:00:00Z", inCycle);
		// An old serial row says less than the cycle row, however often it comes.
		await queue.take("PJM", "2026-03-03T01:00:00Z", serial("AE1-070", "Withdrawn"));
		expect((await ids(queue)).filter((id) => String(id).includes("AE1-070"))).toEqual(["PJM-AE1-070"]);
		for (const project_id of ["PJM-AE1-070", "AE1-070 - moved to TC1", "ae1-070", "PJM-AE1-070 - moved to TC2"])
			expect(await queue.ask("getProject", { project_id })).toMatchObject({
				id: "PJM-AE1-070",
				feed: "pjm-cycle",
				status: "Active",
				status_std: "Active",
				capacity_mw: 65,
				missing_since: null,
			});
		const rows = await queue.changeRows();
		expect(rows).toContainEqual(["PJM-AE1-070", "capacity_change", "capacity_mw", "70", "65"]);
		expect(rows.filter(([, type]) => type === "status_change" || type === "new_project")).toEqual([]);
	});
});

describe("a number that the operator rewrites", () => {
	const moved: Omit<MisoRow, "number"> = { summer: 100, winter: 100, queued: "2022-09-16" };
	/** Each at a point of interconnection of its own, so that one pair of lists holds them all. */
	const cases: [what: string, after: Omit<MisoRow, "number">, paired: boolean][] = [
		["with all of it the same is one project", {}, true],
		["with another size within 5 % is one project", { summer: 104 }, true],
		["with another status and phase is one project", { status: "Confirmed", phase: "GIA" }, true],
		["with another queue date was filed anew", { queued: "2026-02-20" }, false],
		["with another size by more than 5 % is another project", { summer: 106 }, false],
		["with another technology is another project", { fuel: "Wind", facility: "Wind Turbine" }, false],
		["at another place is another project", { poi: "Puma 345kV" }, false],
	];

	describe("of a request that vanished while a new one appeared", () => {
		let rows: ChangeRow[];
		let result: IngestResult;
		beforeAll(async () => {
			await using queue = await openQueue();
			const before = cases.map((_, at) => ({ ...moved, number: `J10${at}`, poi: `Panther ${at} 230kV` }));
			const after = cases.map(([, change], at) => ({ ...before[at], ...change, number: `J20${at}` }));
			const ocelot = { ...moved, poi: "Ocelot 230kV" };
			const twins = ["J250", "J251"].map((number) => ({ ...ocelot, number }));
			await queue.take("MISO", "2026-03-01", misoJson([...before, { ...ocelot, number: "J150" }, ...standing()]));
			const list = misoJson([...after.toReversed(), ...twins, ...standing()]);
			result = await queue.take("MISO", "2026-03-02", list, { accept: true });
			rows = await queue.changeRows();
		});

		it.each(cases.map(([what, change, paired], at) => ({ what, change, paired, at })))(
			"$what",
			({ change, paired, at }) => {
				const ofCase = rows.filter(([, type, field]) => type === "new_project" || field === "queue_id");
				expect(ofCase.filter(([project]) => project === `MISO-J10${at}` || project === `MISO-J20${at}`)).toEqual(
					paired
						? [[`MISO-J10${at}`, "field_update", "queue_id", `J10${at}`, `J20${at}`]]
						: [[`MISO-J20${at}`, "new_project", null, null, change.status ?? "Active"]],
				);
			},
		);

		it("is not guessed if two requests fit", () => {
			expect(
				rows.filter(([project]) => /J[12]5\d/.test(project ?? "")).map(([project, type]) => [project, type]),
			).toEqual([
				["MISO-J250", "new_project"],
				["MISO-J251", "new_project"],
			]);
		});

		it("is marked as missing if the new number is another project", () => {
			expect(result).toMatchObject({ outcome: "applied", new: 6, disappeared: 5 });
		});
	});

	it("of a request that is split continues as its first part; the second part is new", async () => {
		await using queue = await openQueue();
		const part = (number: string, mw: number) => row("spp", { number, mw, poi: "Border Plains 345kV" });
		const file = (rows: QueueRow[], publishedOn: string) =>
			queueFile("spp", [...others("spp"), ...rows], { publishedOn });
		await queue.take("SPP", "2026-03-01", await file([part("GEN-2017-075", 300)], "2026-03-01"));
		const parts = [part("GEN-2017-075A", 200), part("GEN-2017-075B", 100)];
		const result = await queue.take("SPP", "2026-03-02", await file(parts, "2026-03-02"));
		expect(result).toMatchObject({ outcome: "applied", new: 1, disappeared: 0 });
		expect(await queue.changeRows()).toEqual([
			["SPP-GEN-2017-075", "field_update", "queue_id", "GEN-2017-075", "GEN-2017-075A"],
			["SPP-GEN-2017-075", "capacity_change", "capacity_mw", "300", "200"],
			["SPP-GEN-2017-075B", "new_project", null, null, "DISIS STAGE"],
		]);
		expect((await queue.ask("getProject", { project_id: "GEN-2017-075A" })).id).toBe("SPP-GEN-2017-075");
	});
});

describe("a request compared with its previous rows", () => {
	it("retains the day on which it was first filed; a later day is a change", async () => {
		await using queue = await openQueue();
		const number = "J3114";
		const file = (queueDate: string) =>
			queueFile("miso", [...others("miso"), row("miso", { number, queueDate, cod: "2029-06-30" })]);
		const shown = async () => {
			const { queue_date, queue_date_current } = await queue.ask("getProject", { project_id: "MISO-J3114" });
			return [queue_date, queue_date_current];
		};
		await queue.take("MISO", "2025-05-11", await file("2022-09-15"));
		expect(await shown()).toEqual(["2022-09-15", null]);
		await queue.take("MISO", "2026-06-29", await file("2025-11-13"));
		expect(await shown()).toEqual(["2022-09-15", "2025-11-13"]);
		expect(await queue.changeRows()).toEqual([
			["MISO-J3114", "field_update", "queue_date_current", null, "2025-11-13"],
		]);
		const verified = await queue.ask("verifyValue", { project_id: "MISO-J3114", field: "queue_date" });
		expect(verified).toMatchObject({ stored: "2022-09-15", read_again: "2025-11-13", agrees: true });
		const origins = await queue.ask("getProjectProvenance", { project_id: "MISO-J3114", field: "queue_date" });
		expect(origins.data).toMatchObject([
			{ value: "2022-09-15", rule: "queue.first", overruled: [{ value: "2025-11-13" }] },
		]);
		expect(await rebuildAll(queue.sql, "MISO", new Date())).toMatchObject({ changed: 0 });
		// An earlier one corrects what was filed.
		await queue.take("MISO", "2026-06-30", await file("2022-09-01"));
		expect(await shown()).toEqual(["2022-09-01", null]);
	});

	it("is a modification if its plant operated and it is reopened: the added capacity counts", async () => {
		await using queue = await openQueue();
		const plant = row("caiso", { number: "493", name: "Ocotillo Express", fuel: "Wind", mw: 265.44 });
		const take = async (day: string, change: Partial<QueueRow>) => {
			await queue.take("CAISO", day, await queueFile("caiso", [...others("caiso"), { ...plant, ...change }]));
			const found = await queue.ask("getProject", { project_id: "CAISO-493" });
			return [found.status_std, found.request_class, found.added_type_std, found.incremental_mw, found.capacity_mw];
		};
		const runs = { status: "operational", ended: "2013-07-30" } as const;
		expect(await take("2024-07-13", runs)).toEqual(["Operational", "new", null, 265.44, 265.44]);
		const added = ["Active", "modification", "Storage", 238.989, 265.44];
		expect(await take("2026-07-20", { battery: 238.989 })).toEqual(added);
		expect(await take("2026-07-27", { battery: 238.989, cod: "2031-01-01" })).toEqual(added);
		expect(await rebuildAll(queue.sql, "CAISO", new Date())).toMatchObject({ changed: 0 });
		const verified = await queue.ask("verifyValue", { project_id: "CAISO-493", field: "request_class" });
		expect(verified).toMatchObject({ stored: "modification", agrees: true });
	});
});

describe("a number that several requests share", () => {
	const unit = (name: string, change: Partial<QueueRow> = {}) =>
		row("isone", { number: "988", name, poi: `${name} tap`, ...change });
	const file = (rows: QueueRow[]) => queueFile("isone", [...rows, ...others("isone")], { layout: "csv" });
	const solar = unit("Pawtuxet Solar", { fuel: "Solar", mw: 40 });
	const storage = unit("Pawtuxet Storage", { fuel: "Storage", mw: 20 });

	const wind = unit("Pawtuxet Wind", { fuel: "Wind", mw: 60 });
	const twins = [
		unit("Millstone", { number: "989", fuel: "Wind", mw: 10 }),
		unit("Millstone", { number: "989", fuel: "Storage", mw: 20 }),
	] as const;

	it("is one project per name and unit, numbered in first-seen order, whatever the later order and status of rows", async () => {
		await using queue = await openQueue();
		await queue.take("ISO-NE", "2026-03-01", await file([solar, storage, ...twins]));
		const renamed = { ...storage, name: "Kent Battery" };
		const same = [{ ...twins[1], mw: 25 }, twins[0]];
		await queue.take("ISO-NE", "2026-03-02", await file([renamed, { ...solar, name: "PAWTUXET  Solar" }, ...same]));
		expect((await queue.changeRows()).sort()).toEqual([
			["ISO-NE-988~2", "field_update", "name", "Pawtuxet Storage", "Kent Battery"],
			["ISO-NE-989~2", "capacity_change", "capacity_mw", "20", "25"],
		]);
		const seq = await queue.lastSeq();
		const withdrawn = { ...solar, status: "withdrawn", ended: "2026-03-01" } as const;
		const result = await queue.take("ISO-NE", "2026-03-03", await file([wind, renamed, withdrawn, ...same]));
		expect(result).toMatchObject({ outcome: "applied", new: 1, withdrawn: 1, disappeared: 0 });
		const found = await queue.sql`select id, name, status_std from projects where queue_id = '988' order by id`;
		expect([...found]).toEqual([
			{ id: "ISO-NE-988", name: "Pawtuxet Solar", status_std: "Withdrawn" },
			{ id: "ISO-NE-988~2", name: "Kent Battery", status_std: "Active" },
			{ id: "ISO-NE-988~3", name: "Pawtuxet Wind", status_std: "Active" },
		]);
		expect((await queue.changeRows(seq)).map(([project, type]) => `${project} ${type}`)).toEqual([
			"ISO-NE-988 status_change",
			"ISO-NE-988 field_update",
			"ISO-NE-988~3 new_project",
		]);
		// A project is not passed on when one of them is gone.
		expect(await queue.take("ISO-NE", "2026-03-04", await file([wind, renamed, ...same]))).toMatchObject({
			changed: 0,
			disappeared: 1,
		});
		const gone = await queue.sql`select id from projects where missing_since is not null`;
		expect([...gone]).toEqual([{ id: "ISO-NE-988" }]);
	});
});

describe("getProject", () => {
	const queue: Queue = sharedQueue(async () => {
		await queue.take(
			"CAISO",
			"2026-03-01",
			await queueFile("caiso", [row("caiso", { number: "1600", name: "Kern Sun" })]),
		);
		const isone = [
			row("isone", { number: "1600", name: "Essex Sun" }),
			row("isone", { number: "1601", name: "York Sun" }),
		];
		await queue.take("ISO-NE", "2026-03-01", await queueFile("isone", isone, { layout: "csv" }));
		await queue.take("MISO", "2026-03-01", misoJson([{ number: "J1600", county: "Polk", state: "IA" }]));
	});

	it.each([
		["by its id", { project_id: "CAISO-1600" }, "CAISO-1600"],
		["by an id in another spelling", { project_id: "iso-ne-1600.0" }, "ISO-NE-1600"],
		["by a bare number that one operator uses", { project_id: "j1600" }, "MISO-J1600"],
		["by a bare number and its region", { project_id: "1600", region: "ISO-NE" }, "ISO-NE-1600"],
		["by a bare number and its region, as users write it", { project_id: "1600", region: "isone" }, "ISO-NE-1600"],
	])("finds a project %s", async (_, params, id) => {
		expect((await queue.ask("getProject", params)).id).toBe(id);
	});

	it("returns every column, other cells as filed, and every number it was filed under", async () => {
		expect(await queue.ask("getProject", { project_id: "MISO-J1600" })).toEqual({
			id: "MISO-J1600",
			queue_id: "J1600",
			name: "J1600 Tap 138kV",
			region: "MISO",
			state: "IA",
			county: "Polk",
			counties: ["Polk"],
			fips: "19153",
			developer: null,
			developer_tier: "unknown",
			developer_id: null,
			developer_canonical: null,
			developer_match: null,
			type: "Solar; Photovoltaic",
			type_std: "Solar",
			kind: "generation",
			status: "Active",
			status_std: "Active",
			status_basis: "filed",
			status_evidence: null,
			status_flag: null,
			listed: "listed",
			plant_state: "none",
			plant_state_basis: "operator",
			plant_state_evidence: null,
			...{ plant_report: null, plant_reported_on: null, construction_begun_by: null, p_cod_36: null },
			request_class: "new",
			capacity_mw: 150,
			capacity_basis: "injection_limit",
			incremental_mw: 150,
			added_type_std: null,
			operating_mw: null,
			components: [],
			summer_mw: 150,
			winter_mw: 150,
			queue_date: "2022-09-16",
			queue_date_current: null,
			cod: "2027-06-01",
			actual_cod: null,
			withdrawn_date: null,
			ia_date: null,
			backfeed_date: null,
			energized_date: null,
			security_posted: null,
			construction_stage: "early",
			construction_stage_confidence: 0.8,
			study_phase: "SIS",
			study_phase_filed: "Phase 2",
			ia_status: "System Impact Study",
			ia_status_filed: "Not Started",
			poi: "J1600 Tap 138kV",
			poi_id: "MISO-ameren-ia-j1600-line-138kv",
			utility: "AMEREN ILLINOIS",
			cluster: "DPP-2022-Cycle",
			service: "NRIS",
			lat: expect.closeTo(41.69, 1),
			lon: expect.closeTo(-93.57, 1),
			location_precision: "county",
			energy_community_eligible: null,
			low_income_eligible: null,
			domestic_content_eligible: null,
			domestic_content_basis: null,
			tax_credit_type: null,
			tax_credit_status: null,
			tax_credit_pct: null,
			estimated_credit_value: null,
			effective_credit_rate: null,
			needs_capital: null,
			investable: null,
			investability_score: null,
			feed: "miso",
			first_seen_at: "2026-03-01T06:00:00Z",
			last_changed_at: "2026-03-01T06:00:00Z",
			missing_since: null,
			version: 1,
			relations: [],
			aliases: ["J1600"],
			raw: { "Appl In Service Date": "2027-06-01", "Study Group": "Central", "Decision Point 1 ERIS MW": "0" },
		});
	});

	it("refuses a number used by several operators, and names them", async () => {
		await expect(queue.ask("getProject", { project_id: "1600" })).rejects.toMatchObject({
			status: 400,
			message: "several operators use the number 1600 (CAISO, ISO-NE): specify region",
		});
	});

	it.each([
		["an unknown number", { project_id: "MISO-J9" }, "no project MISO-J9"],
		["another region's number", { project_id: "1601", region: "CAISO" }, "no project 1601 in CAISO"],
		["another region's id", { project_id: "CAISO-1600", region: "PJM" }, "no project CAISO-1600 in PJM"],
		["a pattern", { project_id: "MISO-J%" }, "no project MISO-J%"],
	])("returns 404 for %s", async (_, params, message) => {
		await expect(queue.ask("getProject", params as { project_id: string })).rejects.toMatchObject({
			status: 404,
			message,
		});
	});
});
