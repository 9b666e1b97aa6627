/** An operator's list beside Berkeley Lab's edition and form EIA-860, as it is stored and answered: real rows of ISO-NE's list and of the edition. */
import { describe, expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { loadEia860 } from "../../services/queue-ingest/plants/jobs/load-eia860.ts";
import { reconcile } from "../../services/queue-ingest/quality/reconciliation/reconcile.ts";
import { followEvidence } from "../../services/queue-ingest/queues/jobs/apply-evidence.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { addsUp } from "./support/adds-up.ts";
import { isoneFile, lbnlFile } from "./support/csv-lists.ts";
import { plantFile, solarFile, utilityFile } from "./support/eia860.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const now = new Date("2026-11-01T00:00:00Z");

const isone = isoneFile([
	"284,2008-10-22,G,Seabrook LP Turbine Blade replacement,ST,NUC,13,Rockingham,NH,2009-10-01,,In Service",
	"560,2015-08-27,G,Solar,PV,SUN,20,Rutland,VT,2017-12-31,2015-10-29,",
	"1156,2021-08-16,G,Solar,PV,SUN,101,Litchfield,CT,2024-12-31,2024-03-21,",
	"1700,2024-05-02,G,Battery Storage,BA,BAT,250,Kent,RI,2028-12-31,,",
	"64,1999-11-08,G,West Springfield Station,CC,NG RFO,40,Hampden,MA,2001-12-31,,",
	"64,1999-11-08,G,Seabrook Unit One Uprate,ST,NUC,50,Rockingham,NH,2001-12-31,,",
	...Array.from(
		{ length: 20 },
		(_, at) => `${800 + at},2018-04-16,G,Tern Solar ${at},PV,SUN,20.4,Kent,RI,2020-12-31,,In Service`,
	),
]);

const edition = lbnlFile(2023, "mw1,mw_total,q_date,project_name", [
	"284,operational,ISO-NE,ISO-NE,NH,Nuclear,1257,1257,2008-10-22,Seabrook LP Turbine Blade replacement",
	"560,withdrawn,ISO-NE,ISO-NE,VT,Solar,20,20,2015-08-27,Solar",
	"1156,active,ISO-NE,ISO-NE,CT,Solar,101,101,2021-08-16,Solar",
	"64,operational,ISO-NE,ISO-NE,MA,Gas,40,40,1999-11-08,West Springfield Station",
	"9,withdrawn,ISO-NE,ISO-NE,ME,Wind,33,33,2003-01-02,Kite Wind",
	...Array.from(
		{ length: 20 },
		(_, at) => `${800 + at},operational,ISO-NE,ISO-NE,RI,Solar,20,20,2018-04-16,Tern Solar ${at}`,
	),
]);

type Body = Reply<"getReconciliation">["data"][number];

let bodies: Body[];
const ask = async (params = {}) => (await queue.ask("getReconciliation", params)).data;
const reasonsOf = (body: Body | undefined, status: string) =>
	body?.statuses
		.find((one) => one.status === status)
		?.reasons.map(({ rule, ours, theirs }) => [rule, ours.records, theirs.records]);

const queue: Queue = sharedQueue(async () => {
	expect(await queue.take("ISO-NE", "2024-08-30", isone)).toMatchObject({ outcome: "applied" });
	expect(await loadLbnl(queue.sql, edition, now)).toMatchObject({ outcome: "applied" });
	const caiso = await queueFile("caiso", queueRows("caiso", { count: 20 }));
	expect(await queue.take("CAISO", "2021-01-05", caiso)).toMatchObject({ outcome: "applied" });
	const units = [
		{ plant: 60001, generator: "1", mw: 60 },
		{ plant: 60001, generator: "2", mw: 40, stage: "Proposed" as const },
		{ plant: 60001, generator: "3", mw: 7, stage: "Retired and Canceled" as const },
	];
	const form = [await utilityFile(), await plantFile(), await solarFile(units)];
	const loaded = await loadEia860(queue.sql, form, { resolve: async () => [], follow: followEvidence, now: () => now });
	expect(loaded).toMatchObject({ outcome: "applied" });
	expect(await reconcile(queue.sql, now)).toBe(true);
	bodies = await ask();
});

describe("a comparison with Berkeley Lab's edition", () => {
	const lbnl = () => bodies.find(({ source }) => source === "lbnl");

	it("uses the first later list if none of the edition's day is loaded", () => {
		expect(lbnl()).toMatchObject({ region: "ISO-NE", edition: "2023-12-31", compared_on: "2024-08-30" });
	});

	it("is explained request by request", () => {
		expect(reasonsOf(lbnl(), "Operational")).toEqual([
			["agrees", 20, 20],
			["whole_plant", 1, 1],
			["operator_silent", 0, 1],
		]);
		expect(reasonsOf(lbnl(), "Withdrawn")).toEqual([
			["agrees", 1, 1],
			["ended_after_edition", 1, 0],
			["not_in_list", 0, 1],
		]);
		expect(reasonsOf(lbnl(), "Active")).toEqual([
			["ended_after_edition", 0, 1],
			["filed_after_edition", 1, 0],
		]);
		expect(reasonsOf(lbnl(), "Unknown")).toEqual([
			["part_of_number", 1, 0],
			["operator_silent", 1, 0],
		]);
		expect(lbnl()?.examples.find(({ rule }) => rule === "whole_plant")).toMatchObject({
			class: "definition",
			ours: { id: "ISO-NE-284", status: "Operational", capacity_mw: 13 },
			theirs: { id: "ISO-NE/284", status: "Operational", capacity_mw: 1257 },
		});
	});

	it("sums to both sides, and to the list and the edition", async () => {
		for (const body of bodies) addsUp(body);
		const { total } = (await queue.ask("listProjects", { region: "ISO-NE", per_page: 1 })).meta;
		expect(lbnl()?.ours.records).toBe(total);
		expect(lbnl()?.theirs).toEqual({ records: 25, capacity_mw: 1257 + 20 + 101 + 40 + 33 + 400 });
	});
});

it("a comparison with form EIA-860 has a line for each operating or planned unit of the operator's balancing area", () => {
	const found = bodies.filter(({ source }) => source === "eia860");
	expect(found.map(({ region, edition, compared_on }) => [region, edition, compared_on])).toEqual([
		["CAISO", "2020-12-31", "2021-01-05"],
	]);
	expect(found[0]?.theirs).toEqual({ records: 2, capacity_mw: 100 });
	expect(reasonsOf(found[0], "Operational")?.filter(([, , theirs]) => theirs !== 0)).toEqual([["no_request", 0, 1]]);
	expect(reasonsOf(found[0], "Active")?.filter(([, , theirs]) => theirs !== 0)).toEqual([["no_request", 0, 1]]);
});

it("a comparison is recomputed only after new data are loaded", async () => {
	expect(await reconcile(queue.sql, now)).toBe(false);
	await queue.take("ISO-NE", "2024-09-30", {
		...isone,
		bytes: Buffer.from(`${isone.bytes}`.replace("Kite", "Kites").replace(",250,", ",260,")),
	});
	expect(await reconcile(queue.sql, now)).toBe(true);
});

it("a comparison is selected by region and source, and explains each of its rules", async () => {
	expect(await ask({ region: "PJM" })).toEqual([]);
	expect(await ask({ source: "operator" })).toEqual([]);
	expect((await ask({ region: "ISONE", source: "lbnl" })).length).toBe(1);
	const { rules } = await queue.ask("getReconciliation", {});
	const named = bodies.flatMap(({ statuses }) => statuses.flatMap(({ reasons }) => reasons.map(({ rule }) => rule)));
	expect(named.filter((rule) => !(rule in rules))).toEqual([]);
});
