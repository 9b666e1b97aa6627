import { describe, expect, it } from "vitest";
import { csvOf, cycleExample, rowsOf, serialExample } from "../support/pjm-files.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const one: MisoRow = { number: "J100" };

describe("a request that is absent from an accepted list", () => {
	it("is marked as missing with its status unchanged; if it returns within three days, nothing is recorded", async () => {
		await using queue = await openQueue();
		await queue.take("MISO", "2026-03-01", misoJson([one, ...standing()]));
		const result = await queue.take("MISO", "2026-03-02", misoJson(standing()));
		expect(result).toMatchObject({ outcome: "applied", rows: 20, changed: 0, withdrawn: 0, disappeared: 1 });
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			status: "Active",
			status_std: "Active",
			missing_since: "2026-03-02T06:00:00Z",
			last_changed_at: "2026-03-01T06:00:00Z",
			version: 2,
		});
		const back = await queue.take("MISO", "2026-03-03", misoJson([{ ...one, rowId: 9 }, ...standing()]));
		expect(back).toMatchObject({ outcome: "applied", new: 0, changed: 0, disappeared: 0 });
		expect(await queue.changeRows()).toEqual([]);
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			missing_since: null,
			version: 3,
		});
	});

	it("is reported as disappeared once, by the first list at least three days later, and unknown until it returns, which is a correction", async () => {
		await using queue = await openQueue();
		const list = (at: number) => misoJson(standing().map((row) => ({ ...row, rowId: at })));
		await queue.take("MISO", "2026-03-01", misoJson([one, ...standing()]));
		await queue.take("MISO", "2026-03-02T06:00:00Z", list(2));
		await queue.take("MISO", "2026-03-05T05:59:00Z", list(3));
		expect(await queue.changeRows()).toEqual([]);
		const result = await queue.take("MISO", "2026-03-05T06:00:00Z", list(4));
		// Newly missing counts once, at the first absence.
		expect(result).toMatchObject({ outcome: "applied", disappeared: 0, withdrawn: 0 });
		await queue.take("MISO", "2026-03-20", list(5));
		expect(await queue.changeRows()).toEqual([
			["MISO-J100", "disappeared", "missing_since", null, "2026-03-02T06:00:00Z"],
		]);
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			status: "Active",
			...{ status_std: "Unknown", status_basis: "absence", plant_state: "unknown", plant_state_basis: null },
			status_evidence: "Not in its lists since 2026-03-02; no source states an outcome",
			...{ missing_since: "2026-03-02T06:00:00Z", last_changed_at: "2026-03-01T06:00:00Z" },
		});
		const then = { project_id: "MISO-J100", as_of: "2026-03-04" };
		expect(await queue.ask("getProject", then)).toMatchObject({ status_std: "Active", status_evidence: null });
		const { data } = await queue.ask("getProjectProvenance", { project_id: "MISO-J100", field: "status_std" });
		expect(data[0]).toMatchObject({ rule: "evidence.absence", overruled: [{ value: "Active" }] });
		const { withdrawals_by_region } = await queue.ask("summariseChanges", { since_days: 90 });
		expect(withdrawals_by_region).toEqual([]);

		const seq = await queue.lastSeq();
		await queue.take("MISO", "2026-03-21", misoJson([{ ...one, summer: 120 }, ...standing()]));
		expect(await queue.changeRows(seq)).toEqual([
			["MISO-J100", "capacity_change", "capacity_mw", "150", "120"],
			["MISO-J100", "correction", "missing_since", "2026-03-02T06:00:00Z", null],
		]);
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			...{ missing_since: null, status_std: "Active", status_basis: "filed", status_evidence: null },
			...{ capacity_mw: 120, last_changed_at: "2026-03-21T06:00:00Z" },
		});
		// Gone once more, it is absent anew.
		await queue.take("MISO", "2026-03-22", list(6));
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			missing_since: "2026-03-22T06:00:00Z",
		});
	});

	it("is not marked as missing if it is finished and the list contains only active requests (SPP)", async () => {
		await using queue = await openQueue();
		const spp = (rows: [number: string, status: string][]) => ({
			name: "GenerateActiveCSV.csv",
			bytes: Buffer.from(
				[
					`"Last Updated On",3/1/2026,,,,`,
					`"Generation Interconnection Number","Current Cluster","State","Capacity","Generation Type","Status"`,
					...rows.map(([number, status]) => `"${number}","DISIS-2022-001","OK","200","Wind","${status}"`),
				].join("\n"),
			),
		});
		const others = Array.from({ length: 20 }, (_, at): [string, string] => [`GEN-2022-${100 + at}`, "DISIS STAGE"]);
		await queue.take(
			"SPP",
			"2026-03-01",
			spp([["GEN-2016-001", "IA FULLY EXECUTED/COMMERCIAL OPERATION"], ["GEN-2021-002", "IA PENDING"], ...others]),
		);
		const result = await queue.take("SPP", "2026-03-02", spp(others));
		expect(result).toMatchObject({ outcome: "applied", disappeared: 1 });
		const missing = await queue.sql`select id from projects where missing_since is not null`;
		expect([...missing]).toEqual([{ id: "SPP-GEN-2021-002" }]);
	});
});

describe("a list is held back:", () => {
	/** The list is quarantined for this reason, and everything is served as before. */
	async function expectHeld(queue: Queue, reason: string, taking: ReturnType<Queue["take"]>) {
		const result = await taking;
		expect(result).toMatchObject({ outcome: "quarantined", rows: 0, new: 0, changed: 0, withdrawn: 0, disappeared: 0 });
		expect(result.reason).toBe(reason);
		expect(await queue.changeRows()).toEqual([]);
		const alerts = (await queue.ask("getQueueIntegrity")).alerts;
		expect(alerts.map(({ level, reason }) => ({ level, reason }))).toContainEqual({ level: "quarantined", reason });
		return result;
	}

	it("if it is older than the applied one or states an older date", async () => {
		await using queue = await openQueue();
		await queue.take("MISO", "2026-03-05", misoJson(standing()));
		await expectHeld(
			queue,
			"miso: the list is older than the applied list of 2026-03-05T06:00:00Z",
			queue.take("MISO", "2026-03-04", misoJson(standing(21))),
		);
		const page = (day: string, name: string) => ({
			name: "external.html",
			bytes: Buffer.from(
				`<html><body>As of: ${day} 12:00:00 AM<table id="publicqueue"><tr>${[
					..."QP,Type,Alternative Name,Unit,Fuel Type,Net MW,W/D Date,Project Status".split(","),
				]
					.map((head) => `<th>${head}</th>`)
					.join(
						"",
					)}</tr><tr><td>1600</td><td>G</td><td>${name}</td><td>PV</td><td>SUN</td><td>5</td><td></td><td></td></tr></table></body></html>`,
			),
		});
		await queue.take("ISO-NE", "2026-03-05", page("3/5/2026", "Otter Solar"));
		await expectHeld(
			queue,
			"isone: the list is dated 2026-03-04, but the previous list was dated 2026-03-05",
			queue.take("ISO-NE", "2026-03-06", page("3/4/2026", "Beaver Solar")),
		);
		expect((await queue.ask("getProject", { project_id: "ISO-NE-1600" })).name).toBe("Otter Solar");
	});

	it("if it lost half its rows, a required column or too many requests, until it is released by hand", async () => {
		await using queue = await openQueue();
		await queue.take("MISO", "2026-03-01", misoJson(standing(30)));
		await expectHeld(
			queue,
			"miso: rows collapsed from 30 to 15",
			queue.take("MISO", "2026-09-01", misoJson(standing(15))),
		);
		const { name, bytes } = misoJson(standing(30));
		const renamed = { name, bytes: Buffer.from(bytes.toString().replaceAll("summerNetMW", "summerMegawatts")) };
		const reason = "getprojects.json: required column missing: Summer MW";
		await expectHeld(queue, reason, queue.take("MISO", "2026-03-02", renamed));
		expect(await queue.release("MISO")).toMatchObject({ outcome: "quarantined", reason });
		await expectHeld(
			queue,
			"miso: 3 of 30 requests (10.0 %) vanished without an explanation",
			queue.take("MISO", "2026-03-02", misoJson(standing(27))),
		);
		expect((await queue.ask("listProjects", { region: "MISO" })).meta.total).toBe(30);
		const { pipelines } = await queue.ask("listPipelines");
		expect(pipelines.find((row) => row.pipeline === "miso")).toMatchObject({
			state: "failing",
			last_success: "2026-03-01T06:00:00Z",
		});
		expect(await queue.release("MISO")).toMatchObject({
			as_of: "2026-03-02T06:00:00Z",
			outcome: "applied",
			rows: 27,
			disappeared: 3,
			withdrawn: 0,
		});
		expect((await queue.ask("getQueueIntegrity")).alerts).toEqual([]);
		await expect(queue.release("MISO")).rejects.toThrow("no snapshot of MISO is held back");
	});

	it("if it is the first and unlike the operator's lists, until it is released by hand", async () => {
		await using queue = await openQueue();
		await expectHeld(
			queue,
			"miso: the first list may be incomplete: it has 600 requests (expected: 2500 to 10000); its requests are in 1 state (expected: at least 14); no request is Withdrawn or Operational",
			queue.take("MISO", "2026-03-01", misoJson(standing(600))),
		);
		expect(await queue.release("MISO")).toMatchObject({ outcome: "applied", rows: 600 });
	});

	it("if it lost its old requests to a purge; after release no request is withdrawn because of it", async () => {
		await using queue = await openQueue();
		const old = Array.from({ length: 12 }, (_, at) => ({
			number: `G${at + 1}00`,
			...(at % 3 === 0
				? {}
				: at % 3 === 1
					? { status: "Withdrawn", withdrawn: "2009-05-01" }
					: { after: "In Service" }),
		}));
		const list = (rowId: number) => misoJson(standing(60).map((row) => ({ ...row, rowId })));
		await queue.take("MISO", "2026-03-01", misoJson([...old, ...standing(60)]));
		await expectHeld(
			queue,
			"miso: 12 of 72 requests (16.7 %) vanished without an explanation",
			queue.take("MISO", "2026-03-02", list(1)),
		);
		expect(await queue.release("MISO")).toMatchObject({ outcome: "applied", withdrawn: 0, disappeared: 12 });
		for (const day of ["06", "20"]) await queue.take("MISO", `2026-03-${day}`, list(Number(day)));
		const kinds = (await queue.changeRows()).map(([, type, field]) => `${type} ${field}`);
		expect(kinds).toEqual(Array(12).fill("disappeared missing_since"));
		const statuses = await queue.sql`
			select status_std, count(*)::int as requests from projects where queue_id like 'G%' group by 1 order by 1`;
		expect([...statuses]).toEqual(
			["Operational", "Unknown", "Withdrawn"].map((status_std) => ({ status_std, requests: 4 })),
		);
	});
});

describe("a sharp change", () => {
	/** Withdraws this many of 40 active requests. */
	const list = (withdrawn: number, rowId = 1) =>
		misoJson(
			standing(40).map((row, at) =>
				at < withdrawn ? { ...row, rowId, status: "Withdrawn", withdrawn: "2026-03-01" } : { ...row, rowId },
			),
		);

	it("is held back, accepted when a poll at least 12 hours later confirms it, and held again if it differs", async () => {
		await using queue = await openQueue();
		await queue.take("MISO", "2026-03-01", list(0));
		const first = await queue.take("MISO", "2026-03-02T00:00:00Z", list(8));
		expect(first).toMatchObject({
			outcome: "quarantined",
			reason: "miso: 8 of 40 active requests (20.0 %) changed their status at once",
		});
		// The same file or another one, looked at in between, does not begin the twelve hours again.
		for (const [time, again] of [
			["06:00", list(8)],
			["11:59", list(8, 2)],
		] as const)
			expect(await queue.take("MISO", `2026-03-02T${time}:00Z`, again)).toMatchObject({ outcome: "quarantined" });
		expect(await queue.changeRows()).toEqual([]);
		expect(await queue.take("MISO", "2026-03-02T12:00:00Z", list(8, 3))).toMatchObject({
			outcome: "applied",
			withdrawn: 8,
			status_changes: 8,
		});
		const rows = (await queue.changeRows()).filter(([, type]) => type === "status_change");
		expect(rows.map(([project]) => project)).toEqual(
			["J9001", "J9002", "J9003", "J9004", "J9005", "J9006", "J9007", "J9008"].map((number) => `MISO-${number}`),
		);
		await queue.take("MISO", "2026-03-03T00:00:00Z", list(16));
		expect(await queue.take("MISO", "2026-03-03T13:00:00Z", list(24))).toMatchObject({
			outcome: "quarantined",
			reason: expect.stringContaining("16 of 32 active requests"),
		});
		expect(await queue.take("MISO", "2026-03-04T01:00:00Z", list(24))).toMatchObject({
			outcome: "applied",
			withdrawn: 16,
		});
	});

	it("of active capacity alone is held back once as well", async () => {
		await using queue = await openQueue();
		const shrunk = (mw: number) => misoJson(standing(40).map((row, at) => (at < 20 ? { ...row, summer: mw } : row)));
		await queue.take("MISO", "2026-03-01", shrunk(500));
		expect(await queue.take("MISO", "2026-03-02", shrunk(200))).toMatchObject({
			outcome: "quarantined",
			reason: "miso: active capacity fell by 30.0 %",
		});
		expect(await queue.take("MISO", "2026-03-03", shrunk(200))).toMatchObject({ outcome: "applied", changed: 20 });
	});
});

describe("a retracted list", () => {
	it("reports what it reverts as corrections, and a second retraction goes back one more list", async () => {
		await using queue = await openQueue();
		const list = (...rows: MisoRow[]) => misoJson([...rows, ...standing(30)]);
		await queue.take("MISO", "2026-03-01", list(one, { number: "J101" }));
		const wrong = { ...one, status: "Withdrawn", withdrawn: "2026-03-01", summer: 90 };
		await queue.take("MISO", "2026-03-02", list(wrong, { number: "J102" }));
		await queue.take("MISO", "2026-03-03", list({ ...wrong, summer: 95 }, { number: "J102" }));
		const seq = await queue.lastSeq();
		expect(await queue.retract("MISO", "2026-03-03T12:00:00Z")).toMatchObject({ outcome: "applied", changed: 1 });
		expect(await queue.changeRows(seq)).toEqual([["MISO-J100", "correction", "capacity_mw", "95", "90"]]);
		expect(await queue.retract("MISO", "2026-03-03T18:00:00Z")).toMatchObject({ outcome: "applied", rows: 32 });
		const rows = await queue.changeRows(seq);
		expect(new Set(rows.map(([, type]) => type))).toEqual(new Set(["correction"]));
		expect(rows).toEqual(
			expect.arrayContaining([
				["MISO-J100", "correction", "status", "Withdrawn", "Active"],
				["MISO-J100", "correction", "capacity_mw", "90", "150"],
				["MISO-J100", "correction", "withdrawn_date", "2026-03-01", null],
			]),
		);
		expect(await queue.ask("getProject", { project_id: "MISO-J100" })).toMatchObject({
			status: "Active",
			capacity_mw: 150,
			withdrawn_date: null,
		});
		expect((await queue.ask("summariseChanges")).withdrawals_by_region).toEqual([]);
		const next = await queue.take("MISO", "2026-03-05", list({ ...one, summer: 40 }, { number: "J101" }));
		expect(next).toMatchObject({ outcome: "applied", changed: 1 });
	});
});

describe("a held-back list", () => {
	const cycle = (withdrawn: number, energy = "100") =>
		csvOf(
			rowsOf(
				cycleExample,
				Array.from({ length: 40 }, (_, at) => ({
					"Project ID": `AG2-${100 + at}`,
					"MW Energy": energy,
					Status: at < withdrawn ? "Withdrawn" : "Active",
				})),
			),
		);
	const serial = (energy: string) =>
		csvOf(rowsOf(serialExample, [{ "MW Energy": energy }, { "Project ID": "AB2-902" }, { "Project ID": "AB2-903" }]));

	it("remains held back, with an alert, and releasable while the operator's other list is updated", async () => {
		await using queue = await openQueue();
		await queue.take("PJM", "2026-03-01T00:00:00Z", cycle(0));
		await queue.take("PJM", "2026-03-01T00:05:00Z", serial("90"));
		expect(await queue.take("PJM", "2026-03-02T00:00:00Z", cycle(8))).toMatchObject({ outcome: "quarantined" });
		expect(await queue.take("PJM", "2026-03-02T00:05:00Z", serial("91"))).toMatchObject({ outcome: "applied" });
		const { alerts } = await queue.ask("getQueueIntegrity");
		expect(alerts).toMatchObject([{ region: "PJM", feed: "pjm-cycle", level: "quarantined" }]);
		expect(await queue.release("PJM")).toMatchObject({
			outcome: "applied",
			withdrawn: 8,
			as_of: "2026-03-02T00:00:00Z",
		});
		await queue.take("PJM", "2026-03-03T00:00:00Z", cycle(16));
		await queue.take("PJM", "2026-03-03T00:05:00Z", serial("92"));
		expect(await queue.take("PJM", "2026-03-04T00:00:00Z", cycle(16))).toMatchObject({
			outcome: "applied",
			withdrawn: 8,
		});
		expect((await queue.ask("getQueueIntegrity")).alerts).toEqual([]);
	});
});
