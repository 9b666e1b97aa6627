import { beforeAll, describe, expect, it } from "vitest";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IngestResult } from "../../services/queue-ingest/queues/jobs/record-attempt.ts";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { csvOf, cycleExample, rowsOf, xmlOf } from "../support/pjm-files.ts";
import { type MisoRow, misoCsv, misoJson, standing } from "./support/miso.ts";
import { type ChangeRow, openQueue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const one: MisoRow = { number: "J100", poi: "Panther 230kV Substation" };
const nothingElse = { new: 0, changed: 0, status_changes: 0, withdrawn: 0, disappeared: 0 };

describe("the first list of a feed", () => {
	it("is the baseline: its requests are projects without changes", async () => {
		await using queue = await openQueue();
		const result = await queue.take("MISO", "2026-03-01", misoJson([one, ...standing()]));
		expect(result).toEqual({
			region: "MISO",
			as_of: "2026-03-01T06:00:00Z",
			outcome: "applied",
			reason: null,
			...nothingElse,
			rows: 21,
			new: 21,
		});
		expect(await queue.changeRows()).toEqual([]);
		const { data, meta } = await queue.ask("listProjects", { per_page: 500 });
		expect(meta.total).toBe(21);
		expect(data.find((project) => project.id === "MISO-J100")).toMatchObject({
			queue_id: "J100",
			status: "Active",
			capacity_mw: 150,
			first_seen_at: "2026-03-01T06:00:00Z",
			last_changed_at: "2026-03-01T06:00:00Z",
			missing_since: null,
			version: 1,
		});
	});

	it("of a second feed causes no changes except withdrawn or built requests", async () => {
		await using queue = await openQueue();
		const serial = ["AE1-001", "AE1-002", "AE1-003"].map((id) => ({
			"Project ID": id,
			Status: "Active",
			Cycle: "",
			"Commercial Name": `Serial ${id}`,
		}));
		const { Cycle: _, Stage: __, Developer: ___, ...columns } = cycleExample;
		const serialRows = serial.map(({ Cycle: _unused, ...row }) => row);
		await queue.take("PJM", "2026-03-01", csvOf(rowsOf(columns, serialRows)));
		const result = await queue.take(
			"PJM",
			"2026-03-02",
			csvOf(
				rowsOf(cycleExample, [
					{ "Project ID": "AE1-001", "MW Energy": "77" },
					{ "Project ID": "AE1-002", Status: "Withdrawn" },
					{ "Project ID": "AH1-716" },
				]),
			),
		);
		expect(result).toMatchObject({ outcome: "applied", new: 1, changed: 1, withdrawn: 1 });
		expect(await queue.changeRows()).toEqual([["PJM-AE1-002", "status_change", "status", "Active", "Withdrawn"]]);
		expect(await queue.ask("getProject", { project_id: "PJM-AE1-001" })).toMatchObject({
			feed: "pjm-cycle",
			capacity_mw: 77,
			developer: "Brook Trout Solar LLC",
		});
	});
});

/** Each with requests of its own, so that all of them fit into one pair of lists. */
const tellingCases: [what: string, before: MisoRow[], after: MisoRow[], expected: ChangeRow[]][] = [
	[
		"a request that was not there as new_project",
		[],
		[{ number: "J100" }],
		[["MISO-J100", "new_project", null, null, "Active"]],
	],
	[
		"a withdrawal as status_change, and field_update of its date",
		[{ number: "J101" }],
		[{ number: "J101", status: "Withdrawn", withdrawn: "2026-02-27" }],
		[
			["MISO-J101", "status_change", "status", "Active", "Withdrawn"],
			["MISO-J101", "field_update", "withdrawn_date", null, "2026-02-27"],
		],
	],
	[
		"another filed status as status_change, even where status_std stays",
		[{ number: "J102" }],
		[{ number: "J102", status: "Done" }],
		[["MISO-J102", "status_change", "status", "Active", "Done"]],
	],
	[
		"megawatts as capacity_change",
		[{ number: "J103" }],
		[{ number: "J103", summer: 142.5 }],
		[["MISO-J103", "capacity_change", "capacity_mw", "150", "142.5"]],
	],
	[
		"megawatts that are no longer stated as capacity_change to nothing",
		[{ number: "J104" }],
		[{ number: "J104", summer: null, winter: null }],
		[["MISO-J104", "capacity_change", "capacity_mw", "150", null]],
	],
	[
		"the projected date as cod_change",
		[{ number: "J105" }],
		[{ number: "J105", negotiated: "2028-12-01" }],
		[["MISO-J105", "cod_change", "cod", "2027-06-01", "2028-12-01"]],
	],
	[
		"the filed study phase as study_phase_change",
		[{ number: "J106" }],
		[{ number: "J106", phase: "Phase 3" }],
		[["MISO-J106", "study_phase_change", "study_phase", "Phase 2", "Phase 3"]],
	],
	[
		"another point of interconnection as one field_update, although MISO's name is made of it",
		[{ number: "J107", poi: "Panther 230kV Substation" }],
		[{ number: "J107", poi: "Puma 345kV Substation" }],
		[["MISO-J107", "field_update", "poi", "Panther 230kV Substation", "Puma 345kV Substation"]],
	],
	[
		"agreement, technology, place and cycle as field_update, one for each",
		[{ number: "J108" }],
		[
			{
				number: "J108",
				after: "Under Construction",
				fuel: "Hybrid",
				facility: "Solar/Battery",
				county: "Renville",
				state: "MN",
				cycle: "DPP-2023-Cycle",
			},
		],
		[
			["MISO-J108", "field_update", "ia_status_filed", "Not Started", "Under Construction"],
			["MISO-J108", "field_update", "type_std", "Solar", "Solar + Storage"],
			["MISO-J108", "field_update", "county", "Logan", "Renville"],
			["MISO-J108", "field_update", "state", "IL", "MN"],
			["MISO-J108", "field_update", "cluster", "DPP-2022-Cycle", "DPP-2023-Cycle"],
		],
	],
	[
		"what changed of one request in one order: status, capacity, date, phase",
		[{ number: "J109" }],
		[{ number: "J109", status: "Confirmed", summer: 100, inService: "2029-01-01", phase: "GIA" }],
		[
			["MISO-J109", "status_change", "status", "Active", "Confirmed"],
			["MISO-J109", "capacity_change", "capacity_mw", "150", "100"],
			["MISO-J109", "cod_change", "cod", "2027-06-01", "2029-01-01"],
			["MISO-J109", "study_phase_change", "study_phase", "Phase 2", "GIA"],
		],
	],
	[
		"34.5 kV that became 345 kV: a point between digits is no cosmetic difference",
		[{ number: "J110", poi: "Elm 34.5 kV" }],
		[{ number: "J110", poi: "Elm 345 kV" }],
		[["MISO-J110", "field_update", "poi", "Elm 34.5 kV", "Elm 345 kV"]],
	],
];

const cosmeticCases: [what: string, before: MisoRow, after: Omit<MisoRow, "number">][] = [
	["white space", { number: "J200", poi: "Panther 230kV" }, { county: "  Logan ", poi: " Panther\n 230kV" }],
	["case", { number: "J201" }, { status: "ACTIVE", poi: "J201 TAP 138KV", cycle: "DPP-2022-CYCLE" }],
	["punctuation", { number: "J202", poi: "St. Mary & Sons, 34.5 kV" }, { poi: "St Mary and Sons - 34.5 kV" }],
	["a state's name written out", { number: "J203", county: "Midland", state: "MI" }, { state: "Michigan" }],
	["the word County", { number: "J204" }, { county: "Logan County" }],
	["another id of the row", { number: "J205" }, { rowId: 77_123 }],
	["a request number in lower case", { number: "J206" }, {}],
];

describe("the next list", () => {
	let rows: ChangeRow[];
	let result: IngestResult;

	beforeAll(async () => {
		await using queue = await openQueue();
		const before = [...tellingCases.flatMap(([, rows]) => rows), ...cosmeticCases.map(([, row]) => row)];
		const after = [
			...tellingCases.flatMap(([, , rows]) => rows),
			...cosmeticCases.map(([, row, change]) => ({ ...row, ...change })),
		].map((row) => (row.number === "J206" ? { ...row, number: "j206", poi: "J206 Tap 138kV" } : row));
		await queue.take("MISO", "2026-03-01", misoJson([...before, ...standing()]));
		result = await queue.take("MISO", "2026-03-02", misoJson([...after.toReversed(), ...standing()]));
		rows = await queue.changeRows();
	});

	it.each(tellingCases)("reports %s", (_, __, after, expected) => {
		expect(rows.filter(([project]) => project === `MISO-${after[0]?.number}`)).toEqual(expected);
	});

	it.each(cosmeticCases)("reports no change of %s", (_, before) => {
		expect(rows.filter(([project]) => project === `MISO-${before.number}`)).toEqual([]);
	});

	it("reports nothing else, in any order of rows, and counts projects", () => {
		expect(rows).toHaveLength(tellingCases.flatMap(([, , , expected]) => expected).length);
		expect(result).toEqual({
			region: "MISO",
			as_of: "2026-03-02T06:00:00Z",
			outcome: "applied",
			reason: null,
			rows: 38,
			new: 1,
			changed: 10,
			status_changes: 3,
			withdrawn: 1,
			disappeared: 0,
		});
	});

	it("reports a developer's new name as developer_change, and nothing if only the spelling differs", async () => {
		await using queue = await openQueue();
		const rows = (first: string, second: string) =>
			csvOf(
				rowsOf(cycleExample, [
					{ "Project ID": "AG2-344", Developer: first },
					{ "Project ID": "AG2-345", Developer: second },
				]),
			);
		await queue.take("PJM", "2026-03-01", rows("Granada Solar, LLC", "Heron Wind Holdings & Co., L.L.C."));
		const result = await queue.take("PJM", "2026-03-02", rows("Hawthorn Solar, LLC", "HERON WIND HOLDINGS AND CO LLC"));
		expect(result).toMatchObject({ outcome: "applied", ...nothingElse, changed: 1 });
		expect(await queue.changeRows()).toEqual([
			["PJM-AG2-344", "developer_change", "developer", "Granada Solar, LLC", "Hawthorn Solar, LLC"],
		]);
	});
});

describe("a change of layout alone is not a change", () => {
	const everything: MisoRow[] = [
		one,
		{ number: "J101", status: "Withdrawn", withdrawn: "2024-11-03", phase: "GIA", after: "" },
		{ number: "J102", fuel: "Hybrid", facility: "Wind/Battery", county: "Midland County,Saginaw County", state: "MI" },
		{ number: "R103", negotiated: "2029-03-15", after: "In Service", status: "Done", summer: 0, winter: 88.25 },
		{ number: "S104", service: "ERIS", fuel: "Gas", facility: "Combined Cycle", phase: "", poi: null },
	];

	/** Takes the same requests in each layout in turn: only the first list has changes. */
	async function takeInTurn(region: "MISO" | "PJM", layouts: RawFile[]): Promise<void> {
		await using queue = await openQueue();
		const [first, ...others] = layouts;
		if (first === undefined) throw new Error("no layout");
		await queue.take(region, "2026-03-01", first);
		const before = await queue.lastSeq();
		for (const [at, file] of others.entries())
			expect(await queue.take(region, `2026-03-0${at + 2}`, file)).toMatchObject({
				outcome: "applied",
				...nothingElse,
			});
		// A changed heading is no changed value.
		expect(await queue.lastSeq()).toBe(before);
		expect([...(await queue.sql`select distinct version from projects`)]).toEqual([{ version: 1 }]);
	}

	it("of MISO's JSON and CSV", () =>
		takeInTurn(
			"MISO",
			[misoJson, misoCsv, misoJson].map((layout) => layout([...everything, ...standing()])),
		));

	it("of PJM's CSV and XML", () => {
		const rows = rowsOf(cycleExample, [
			{ "Project ID": "AG2-344" },
			{ "Project ID": "AG2-345", Name: "Carson & Sons <345 kV>", Status: "Withdrawn", "Withdrawn Date": "5/2/2025" },
		]);
		return takeInTurn(
			"PJM",
			[csvOf, xmlOf, csvOf].map((layout) => layout(rows)),
		);
	});
});

it("the same file again is unchanged and writes no row, and updates the pipeline's freshness", async () => {
	await using queue = await openQueue();
	const file = misoJson([one, ...standing()]);
	await queue.take("MISO", "2026-03-01", misoJson(standing()));
	await queue.take("MISO", "2026-03-02", file);
	const state = async () => [
		await queue.sql`select * from projects order by id`,
		await queue.sql`select * from project_versions order by project_id, version`,
		await queue.sql`select * from project_aliases order by project_id`,
		await queue.sql`select * from changes order by seq`,
		await queue.sql`select * from outbox order by id`,
		await queue.sql`select sha256 from raw_files order by sha256`,
		await queue.sql`select version from data_version`,
	];
	const before = await state();
	expect(await queue.take("MISO", "2026-03-04", file)).toEqual({
		region: "MISO",
		as_of: "2026-03-04T06:00:00Z",
		outcome: "unchanged",
		rows: 0,
		...nothingElse,
		reason: null,
	});
	expect(await state()).toEqual(before);
	const { pipelines } = await queue.ask("listPipelines");
	expect(pipelines.find((row) => row.pipeline === "miso")).toEqual({
		pipeline: "miso",
		last_success: "2026-03-04T06:00:00Z",
		age_hours: 0,
		max_age_hours: 48,
		status: "FRESH",
		state: "unchanged",
	});
});

describe("a bulk recode", () => {
	const same: (at: number) => Partial<MisoRow> = () => ({});
	/** 300 requests, each changed by its place. */
	const list = (change: (at: number) => Partial<MisoRow>) =>
		misoJson(standing(300).map((row, at) => ({ ...row, ...change(at) })));

	let days = 0;
	const queue = sharedQueue();

	const take = (change: (at: number) => Partial<MisoRow>) =>
		queue.take("MISO", new Date(Date.UTC(2026, 2, ++days, 6)).toISOString(), list(change));

	/** The changes from a list to the next one. */
	async function recode(after: (at: number) => Partial<MisoRow>, before = same) {
		await take(before);
		const seq = await queue.lastSeq();
		const result = await take(after);
		const raw = await queue.sql`
			select project_id, field_name, old_value, new_value from changes
			where change_type = 'raw_update' and seq > ${seq} order by seq`;
		return { result, rows: await queue.changeRows(seq), raw: [...raw] };
	}

	it("of a value renamed for all requests is one change, besides those that differ", async () => {
		const { result, rows } = await recode((at) => ({
			cycle: at === 0 ? "DPP-2023" : "2022 Cycle",
			...(at === 1 && { summer: 90 }),
		}));
		expect(result).toMatchObject({ outcome: "applied", changed: 300, status_changes: 0 });
		expect(rows).toEqual([
			[null, "field_update", "cluster", null, "299 projects recoded"],
			["MISO-J9001", "field_update", "cluster", "DPP-2022-Cycle", "DPP-2023"],
			["MISO-J9002", "capacity_change", "capacity_mw", "500", "90"],
		]);
		expect(await queue.ask("getProject", { project_id: "MISO-J9150" })).toMatchObject({ cluster: "2022 Cycle" });
	});

	it("never covers dates, megawatts or phases, even if all requests changed alike", async () => {
		const { rows } = await recode(() => ({
			...{ phase: "Phase 3", inService: "2029-06-01", summer: 450, winter: 450, queued: "2023-09-16" },
		}));
		expect(rows.slice(0, 3)).toEqual([
			["MISO-J9001", "capacity_change", "capacity_mw", "500", "450"],
			["MISO-J9001", "cod_change", "cod", "2027-06-01", "2029-06-01"],
			["MISO-J9001", "study_phase_change", "study_phase", "Phase 2", "Phase 3"],
		]);
		const requests = Map.groupBy(rows, ([, , field]) => field);
		expect([...requests].map(([field, of]) => [field, new Set(of.map(([id]) => id)).size]).sort()).toEqual(
			["capacity_mw", "cod", "queue_date_current", "study_phase"].map((field) => [field, 300]),
		);
	});

	it("is not assumed if a value changed for only some requests, or if values appear", async () => {
		const { rows } = await recode(
			(at) => ({ after: "Not Started", ...(at < 150 && { cycle: "DPP-2023-Cycle" }) }),
			() => ({ after: "" }),
		);
		expect(rows).toHaveLength(450);
		expect(rows.filter(([project]) => project === null)).toEqual([]);
	});

	it("of a column without a compared field is one raw_update", async () => {
		const { raw } = await recode((at) => ({ owner: at === 7 ? "ALLETE" : "Ameren IL" }));
		const owner = { field_name: "transmissionOwner" };
		expect(raw).toEqual([
			{ project_id: null, ...owner, old_value: null, new_value: "299 projects recoded" },
			{ project_id: "MISO-J9008", ...owner, old_value: "AMEREN ILLINOIS", new_value: "ALLETE" },
		]);
	});

	it("requires more than a hundred rows", async () => {
		const cycles = (first: string) => (at: number) => (at < 100 ? { cycle: first } : {});
		const { rows } = await recode(cycles("2021 Cycle"), cycles("DPP-2021-Cycle"));
		expect(rows).toHaveLength(100);
		expect(rows[0]).toEqual(["MISO-J9001", "field_update", "cluster", "DPP-2021-Cycle", "2021 Cycle"]);
	});

	it("of the status is summarised if one value became another, without hiding withdrawals", async () => {
		const { result, rows } = await recode((at) => ({ status: at === 7 ? "Withdrawn" : "Confirmed" }));
		expect(result).toMatchObject({ outcome: "applied", changed: 300, status_changes: 300, withdrawn: 1 });
		expect(rows).toEqual([
			[null, "status_change", "status", null, "299 projects recoded"],
			["MISO-J9008", "status_change", "status", "Active", "Withdrawn"],
		]);
	});

	it("of the status is reported request by request if it changed the study phase, even for all requests", async () => {
		const { rows } = await recode(() => ({ status: "Done" }));
		expect(rows).toHaveLength(300);
		expect(rows[0]).toEqual(["MISO-J9001", "status_change", "status", "Active", "Done"]);
	});

	it("of the status is reported request by request if one value became several", async () => {
		const { rows } = await recode((at) => ({ status: at % 2 === 0 ? "Confirmed" : "In Review" }));
		expect(rows).toHaveLength(300);
		expect(rows.slice(0, 2)).toEqual([
			["MISO-J9001", "status_change", "status", "Active", "Confirmed"],
			["MISO-J9002", "status_change", "status", "Active", "In Review"],
		]);
	});

	it("folded by an earlier version is reported once when the lists are read again", async () => {
		await using old = await openQueue();
		await old.take("MISO", "2026-03-01", list(same));
		await old.take(
			"MISO",
			"2026-03-02",
			list(() => ({ phase: "Phase 3" })),
		);
		// The log as the version before wrote it.
		await old.sql`
			delete from changes where field_name = 'study_phase' and seq > (select min(seq) from changes where field_name = 'study_phase')`;
		await old.sql`
			update changes set project_id = null, version = null, queue_id = null, kind = null, old_value = null,
				new_value = '300 projects recoded', project_name = null, capacity_mw = null, type_std = null, state = null
			where field_name = 'study_phase'`;
		const before = await old.lastSeq();
		for (const day of ["2026-03-03", "2026-03-04"]) await rebuildAll(old.sql, "MISO", new Date(`${day}T06:00:00Z`));
		const { data } = await old.changes({ since: "2026-03-01", change_type: "study_phase_change", per_page: 500 });
		expect(data.filter(({ project_id }) => project_id === null)).toHaveLength(1);
		const missed = data.filter(({ seq }) => seq > before);
		expect(missed).toHaveLength(300);
		expect(missed.at(-1)).toMatchObject({
			project_id: "MISO-J9001",
			detected_at: "2026-03-02T06:00:00Z",
			old_value: "Phase 2",
			new_value: "Phase 3",
			backfilled: true,
		});
		expect(await old.lastSeq()).toBe(before + 300);
	});
});

it("seq has no gap and no repeat if regions commit at the same time", async () => {
	await using queue = await openQueue();
	const cycle = (energy: number) =>
		csvOf(
			rowsOf(
				cycleExample,
				Array.from({ length: 30 }, (_, at) => ({ "Project ID": `AG2-${100 + at}`, "MW Energy": `${energy}` })),
			),
		);
	const miso = (summer: number) => misoJson(standing(30).map((row) => ({ ...row, summer })));
	await queue.take("MISO", "2026-03-01", miso(100));
	await queue.take("PJM", "2026-03-01", cycle(100));
	for (const [day, mw] of [["2026-03-02", 101] as const, ["2026-03-03", 102] as const])
		await Promise.all([queue.take("MISO", day, miso(mw)), queue.take("PJM", day, cycle(mw))]);
	const rows = await queue.sql<{ seq: number }[]>`select seq from changes order by seq`;
	expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 180 }, (_, at) => at + 1));
});
