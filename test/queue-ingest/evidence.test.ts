/** Evidence by another publisher, where the operator files nothing: the standard status follows it, and reverts. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadDatasets } from "../../services/queue-ingest/datasets/load-datasets.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { followEvidence } from "../../services/queue-ingest/queues/jobs/apply-evidence.ts";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { csv } from "../support/file-formats.ts";
import { type QueueRow, queueFile, queueRows } from "../support/queue-files.ts";
import { isoneFile, lbnlFile } from "./support/csv-lists.ts";
import { plantFile, solarFile, utilityFile } from "./support/eia860.ts";
import { openQueue, type Queue } from "./support/queue.ts";

let queue: Queue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue[Symbol.asyncDispose]());

interface Row {
	number: number;
	name: string;
	status?: string;
	mw?: number;
}

const plain: Row[] = Array.from({ length: 20 }, (_, at) => ({
	number: 500 + at,
	name: `Tern Solar ${at}`,
	status: "Under Study",
}));
const listOf = (rows: Row[]) =>
	isoneFile(
		[...rows, ...plain].map(
			({ number, name, status = "", mw = 50 }) =>
				`${number},2001-11-21,G,${name},PV,SUN,${mw},Kent,RI,2011-07-12,,${status}`,
		),
	);
const take = async (day: string, ...rows: Row[]) =>
	expect(await queue.take("ISO-NE", day, listOf(rows))).toMatchObject({ outcome: "applied" });

const kleen = { number: 95, name: "Kleen Energy" };
const wing = { number: 96, name: "Wing Solar" };

const takeLbnl = (edition: number, ...operational: Row[]) => {
	const ended = Array.from(
		{ length: 5 },
		(_, at) => `${900 + at},withdrawn,ISO-NE,ISO-NE,RI,Solar,5,${edition}-12-31,,`,
	);
	const runs = operational.map(
		({ number, name }) => `${number},operational,ISO-NE,ISO-NE,RI,Solar,50,2001-11-21,2011-07-12,${name}`,
	);
	const file = lbnlFile(edition, "mw1,q_date,on_date,project_name", [...runs, ...ended]);
	return loadLbnl(queue.sql, file, new Date("2026-11-01T00:00:00Z"));
};

const shown = async (id: string) => {
	const project = await queue.ask("getProject", { project_id: id });
	const { status, status_std, status_basis, status_evidence, construction_stage, ia_status, version } = project;
	return { status, status_std, status_basis, status_evidence, construction_stage, ia_status, version };
};
const asFiled = {
	status: null,
	// Filed in 2001, and no study is open.
	status_std: "Unknown",
	status_basis: null,
	status_evidence: null,
	construction_stage: "early",
};
const asReported = {
	status: null,
	status_std: "Operational",
	status_basis: "other_source",
	status_evidence: expect.stringMatching(/^LBNL Queued Up, edition of \d{4}-\d\d-\d\d: operational since 2011-07-12$/),
	construction_stage: "operational",
	ia_status: "Operational",
};
const moves = [
	["ISO-NE-95", "evidence_update", "status_std", "Unknown", "Operational"],
	["ISO-NE-95", "evidence_update", "status_std", "Operational", "Unknown"],
] as const;

/** The day of an operator's list is not that of the edition. */
const reverted = {
	snapshot_id: null,
	project: { status_std: "Unknown", status_evidence: null },
	changes: [{ change_type: "evidence_update", old_value: "Operational", new_value: "Unknown" }],
};
const lastAnnounced = async () => {
	const { changed } = await queue.announced();
	return changed.findLast(({ project }) => project.id === "ISO-NE-95");
};

describe("an edition of Berkeley Lab's list", () => {
	it("changes requests to operational once, and the next edition reverts those that it drops", async () => {
		await take("2026-03-01", kleen, wing);
		expect(await takeLbnl(2023, kleen)).toMatchObject({ outcome: "applied" });
		expect(await shown("ISO-NE-95")).toMatchObject({ ...asReported, version: 2 });
		expect(await shown("ISO-NE-96")).toMatchObject({ ...asFiled, version: 1 });
		expect(await queue.changeRows()).toEqual([moves[0]]);
		expect(await takeLbnl(2023, kleen)).toMatchObject({ outcome: "unchanged" });
		// Another edition that says the same is named, and is no change of the status.
		await takeLbnl(2024, kleen);
		expect(await shown("ISO-NE-95")).toMatchObject({ ...asReported, version: 3 });
		expect(await queue.changeRows()).toEqual([moves[0]]);
		await takeLbnl(2025);
		expect(await shown("ISO-NE-95")).toMatchObject({ ...asFiled, version: 4 });
		expect(await queue.changeRows()).toEqual(moves);
		expect(await lastAnnounced()).toMatchObject(reverted);
		const history = await queue.sql`
			select version, valid_from <= coalesce(valid_to, 'infinity') as forward, status_std as status
			from project_versions where project_id = 'ISO-NE-95' order by version`;
		expect(history.map(({ status }) => status)).toEqual(["Unknown", "Operational", "Operational", "Unknown"]);
		expect(history.every(({ forward }) => forward)).toBe(true);
	});

	it("persists through lists without a status, and yields to a status that the operator files", async () => {
		await takeLbnl(2023, kleen);
		await take("2026-03-01", kleen, wing);
		expect(await queue.changeRows()).toEqual([]);
		expect(await shown("ISO-NE-95")).toMatchObject({ ...asReported, version: 1 });
		await take("2026-03-02", { ...kleen, mw: 60 }, wing);
		expect(await shown("ISO-NE-95")).toMatchObject({ ...asReported, version: 2 });
		await take("2026-03-03", { ...kleen, mw: 60, status: "Under Construction" }, wing);
		expect(await shown("ISO-NE-95")).toMatchObject({
			status: "Under Construction",
			status_std: "Active",
			status_basis: "filed",
			status_evidence: null,
			construction_stage: "construction",
		});
		expect(await queue.changeRows()).toEqual([
			["ISO-NE-95", "capacity_change", "capacity_mw", "50", "60"],
			["ISO-NE-95", "status_change", "status", null, "Under Construction"],
		]);
		await takeLbnl(2024, kleen);
		expect(await shown("ISO-NE-95")).toMatchObject({ status_std: "Active", status_basis: "filed" });
	});

	it("is omitted from the change feed unless requested, then without gaps in the numbers, and applies to the same days again", async () => {
		await take("2026-03-01", kleen, wing);
		await takeLbnl(2023, kleen);
		await take("2026-03-02", { ...kleen, mw: 60 }, { ...wing, mw: 70 });
		const { data: first } = await queue.ask("listChanges", { after: 0, change_type: "first_listed" });
		const types = async (params: object) => {
			const log = await queue.ask("listChanges", { after: 0, ...params });
			return log.data.map(({ seq, change_type }) => `${seq - first.length} ${change_type}`);
		};
		expect(await types({})).toEqual(["2 capacity_change", "3 capacity_change"]);
		expect(await types({ include_evidence: true })).toEqual([
			"1 evidence_update",
			"2 capacity_change",
			"3 capacity_change",
		]);
		expect(await types({ change_type: "evidence_update" })).toEqual(["1 evidence_update"]);
		const ofOne = await queue.ask("listProjectChanges", { project_id: "ISO-NE-95", include_evidence: true });
		expect(ofOne.data.map(({ seq }) => seq - first.length)).toEqual([1, 2]);
		queue.now = "2026-03-02T12:00:00Z";
		expect(await queue.changes({ since_days: 3 })).toMatchObject({ total: 2 });
		expect(await queue.changes({ since_days: 3, include_evidence: true })).toMatchObject({ total: 3 });
		const { by_day } = await queue.ask("summariseChanges", { since_days: 7 });
		expect(by_day.map(({ change_type }) => change_type)).toEqual(["capacity_change"]);

		const all = async () => [
			...(await queue.sql`select * from project_history order by id, valid_from, version`),
			...(await queue.sql`select * from projects order by id`),
		];
		const before = await all();
		const seq = await queue.lastSeq();
		expect(await rebuildAll(queue.sql, "ISO-NE", new Date())).toMatchObject({ outcome: "applied", changed: 0 });
		expect(await all()).toEqual(before);
		expect(await queue.lastSeq()).toBe(seq);

		// A change while another operator's list is ingested is not announced as of that list.
		await queue.sql`delete from lbnl_requests`;
		await queue.take("SPP", "2025-01-22", await queueFile("spp", queueRows("spp", { count: 20 })));
		expect(await lastAnnounced()).toMatchObject(reverted);
	});
});

describe("a plant that the EIA reports", () => {
	const [first, ...rest] = queueRows("caiso", { count: 30 });
	if (first === undefined) throw new Error("no rows");
	const request = {
		...first,
		name: "LARKSPUR RIDGE",
		status: "active" as const,
		fuel: "Solar" as const,
		county: "Kern",
		state: "CA",
		mw: 100,
		queueDate: "2015-04-30",
		cod: "2018-06-01",
		ended: null,
	};
	const id = `CAISO-${first.number}`;
	const list = (...rows: (typeof request)[]) => queueFile("caiso", [...rows, ...rest] as typeof rest);
	const forms = async (stage: "Operable" | "Proposed") => {
		const files = [await utilityFile(), await plantFile()];
		files.push(await solarFile([{ plant: 60001, generator: "1", mw: 100, year: 2018, stage }]));
		const now = () => new Date("2026-11-01T00:00:00Z");
		return loadEia860(queue.sql, files, { resolve: async () => [], follow: followEvidence, now });
	};

	it("shows that a request listed as active operates, has ceased, or operates in part", async () => {
		const runs = { status: "ACTIVE", status_std: "Operational", status_basis: "other_source" };
		await queue.take("CAISO", "2026-03-01", await list(request));
		expect(await shown(id)).toMatchObject({ status_std: "Active", status_basis: "filed" });
		expect(await forms("Operable")).toMatchObject({ outcome: "applied" });
		const says =
			"EIA-860 of 2020: plant 60001 Larkspur Ridge Solar operates since 2018 with 100 MW, the same by its name";
		expect(await shown(id)).toMatchObject({ ...runs, status_evidence: says, construction_stage: "operational" });
		expect(await queue.ask("getProject", { project_id: id })).toMatchObject({
			...{ plant_state: "operating", plant_state_basis: "eia_860", plant_state_evidence: says },
		});
		// The link rests on what the operator filed, not on the status that follows from it.
		expect(await queue.take("CAISO", "2026-03-02", await list())).toMatchObject({ outcome: "applied" });
		expect(await shown(id)).toMatchObject(runs);
		await queue.take("CAISO", "2026-03-03", await list({ ...request, mw: 108, cod: "2027-06-01" }));
		expect(await shown(id)).toMatchObject({ status_std: "Active", status_basis: "filed", status_evidence: null });
		expect(await queue.ask("getProject", { project_id: id })).toMatchObject({
			...{ plant_state: "partially_operating", operating_mw: 100 },
		});
		await queue.take("CAISO", "2026-03-04", await list(request));
		expect(await shown(id)).toMatchObject(runs);
		expect(await queue.ask("getProject", { project_id: id })).toMatchObject({ operating_mw: null });
		const changes = await queue.changeRows();
		expect(changes.flatMap(([, type, , from, to]) => (type === "evidence_update" ? `${from} ${to}` : []))).toEqual([
			"Active Operational",
			"Operational Active",
			"Active Operational",
		]);
		const seq = await queue.lastSeq();
		expect(await rebuildAll(queue.sql, "CAISO", new Date())).toMatchObject({ outcome: "applied", changed: 0 });
		expect(await shown(id)).toMatchObject(runs);
		expect(await queue.lastSeq()).toBe(seq);
	});

	it("is no evidence while the plant is only proposed, and shows a cancelled plant", async () => {
		await queue.take("CAISO", "2026-03-01", await list(request));
		await forms("Proposed");
		await queue.take("CAISO", "2026-03-02", await list());
		expect(await shown(id)).toMatchObject({
			...{ status: "ACTIVE", status_std: "Active", status_basis: "filed", status_evidence: null },
		});
		const name = "eia860m_canceled_or_postponed_2026-08.csv";
		const bytes = csv([
			[
				...["entity_id", "entity_name", "plant_id", "plant_name", "generator_id", "state"],
				...["balancing_authority", "energy_source", "nameplate_mw"],
			],
			[1, "Larkspur Ridge Solar LLC", 60001, "Larkspur Ridge Solar", "1", "CA", "CISO", "SUN", 100],
		]);
		const now = () => new Date("2026-11-01T00:00:00Z");
		expect(await loadDatasets(queue.sql, "eia-units", [{ name, path: name, bytes }], { now })).toMatchObject({
			outcome: "applied",
		});
		await queue.take("CAISO", "2026-03-03", await list({ ...request, cod: "2028-06-01" }));
		expect(await queue.ask("getProject", { project_id: id })).toMatchObject({
			...{ status_std: "Active", plant_state: "none", plant_state_basis: "eia_860m" },
			plant_state_evidence: "EIA-860M of 2026-08: plant 60001 Larkspur Ridge Solar is cancelled or postponed",
			...{ plant_report: "cancelled", plant_reported_on: "2026-08-01", construction_begun_by: null },
		});
	});
});

describe("an operator's report for a month between its lists", () => {
	const [built, cancelled, lost, inactive, ...rest] = queueRows("ercot", { count: 40 }).map((row) => ({
		...row,
		...{ status: "active" as const, ended: null, queueDate: "2023-05-01", cod: "2027-06-01", mw: 100 },
	}));
	if (!built || !cancelled || !lost || !inactive) throw new Error("no rows");
	// Until 2025 the sheets of outcomes called batteries so.
	const battery = { ...inactive, status: "suspended" as const, fuel: "Other" as "Storage" };
	const file = (day: string, ...rows: QueueRow[]) => queueFile("ercot", [...rows, ...rest], { publishedOn: day });
	const report = async () => {
		const found = await file(
			...(["2025-03-31", { ...inactive, fuel: "Storage" }] as const),
			{ ...built, status: "operational", ended: "2025-03-02" },
			{ ...cancelled, status: "withdrawn", ended: "2025-03-12" },
		);
		const incoming = { ...found, name: "GIS_Report_March2025.xlsx", path: "GIS_Report_March2025.xlsx" };
		const now = () => new Date("2026-11-01T00:00:00Z");
		expect(await loadDatasets(queue.sql, "reports", [incoming], { now })).toMatchObject({ outcome: "applied" });
		return rebuildAll(queue.sql, "ERCOT", now());
	};
	const ids = [built, cancelled, lost, battery].map(({ number }) => `ERCOT-${number}`);
	const statuses = async () => {
		const found = await Promise.all(ids.map((id) => queue.ask("getProject", { project_id: id })));
		return found.map(({ status_std, status_basis, type_std }) => `${status_std} ${status_basis} ${type_std}`);
	};

	it("shows the outcome of vanished requests and which are batteries, whether it is loaded before or after the lists", async () => {
		const [a, b, c] = [built.fuel, cancelled.fuel, lost.fuel];
		await queue.take("ERCOT", "2024-12-31", await file("2024-12-31", built, cancelled, lost, battery));
		const listed = [a, b, c].map((type) => `Active filed ${type}`);
		expect(await statuses()).toEqual([...listed, "Suspended filed Unknown"]);
		await queue.take("ERCOT", "2025-09-30", await file("2025-09-30", battery));
		const gone = [a, b, c].map((type) => `Active filed ${type}`);
		expect(await statuses()).toEqual([...gone, "Suspended filed Unknown"]);
		const decided = [
			...[`Operational outcome_sheet ${a}`, `Withdrawn outcome_sheet ${b}`, `Active filed ${c}`],
			"Suspended filed Storage",
		];
		await report();
		expect(await statuses()).toEqual(decided);
		expect(await queue.ask("getProject", { project_id: ids[1] ?? "" })).toMatchObject({
			...{ withdrawn_date: "2025-03-12", actual_cod: null, construction_stage: "withdrawn", plant_state: "none" },
			...{ plant_state_basis: "operator_update_sheet", listed: "missing" },
			status_evidence: "The operator's report of 2025-03-31: cancelled on 2025-03-12",
		});
		const seq = await queue.lastSeq();
		expect(await rebuildAll(queue.sql, "ERCOT", new Date())).toMatchObject({ changed: 0 });
		expect([await statuses(), await queue.lastSeq()]).toEqual([decided, seq]);
		// A list that shows it again says more than a report before it.
		await queue.take("ERCOT", "2025-10-31", await file("2025-10-31", cancelled, battery));
		expect((await statuses())[1]).toBe(`Active filed ${b}`);
		await queue.take("ERCOT", "2025-11-30", await file("2025-11-30", battery));
		expect((await statuses())[1]).toBe(`Active filed ${b}`);
		const last = await queue.lastSeq();
		await queue.take("ERCOT", "2025-12-31", await file("2025-12-31"));
		expect(await statuses()).toEqual([decided[0], ...[b, c].map((type) => `Unknown absence ${type}`), decided[3]]);
		// A report decides what was unknown, and lists that are read again start from what they said.
		const path = "GIS_Report_January2026.xlsx";
		const withdrawn = { ...cancelled, status: "withdrawn" as const, ended: "2026-01-12" };
		const late = { ...(await file("2026-01-31", withdrawn)), name: path, path };
		const now = () => new Date("2026-11-01T00:00:00Z");
		expect(await loadDatasets(queue.sql, "reports", [late], { now })).toMatchObject({ outcome: "applied" });
		await rebuildAll(queue.sql, "ERCOT", now());
		expect((await statuses())[1]).toBe(`Withdrawn outcome_sheet ${b}`);
		expect((await queue.changeRows(last)).filter(([id]) => id === ids[1])).toEqual([
			[ids[1], "disappeared", "missing_since", null, "2025-11-30T06:00:00Z"],
			[ids[1], "evidence_update", "status_std", "Unknown", "Withdrawn"],
		]);
		const history = () => queue.sql`select * from project_history order by id, valid_from, version`;
		const before = await history();
		expect(await rebuildAll(queue.sql, "ERCOT", now())).toMatchObject({ changed: 0 });
		expect(await history()).toEqual(before);
	});
});
