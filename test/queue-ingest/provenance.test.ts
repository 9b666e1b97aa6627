/** Origins of values: the cell, overruled values, files that are read again, damaged archives, and files that may be passed on. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import { verify } from "../../services/queue-ingest/admin/verify.ts";
import { operations } from "../../services/queue-ingest/operations.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { loadBytes } from "../../services/scoring/references/load.ts";
import { openScoring, type TestScoring } from "../scoring/support/scoring.ts";
import { archivedFile } from "../support/archived-file.ts";
import { csvOf, cycleExample, rowsOf, serialExample } from "../support/pjm-files.ts";
import { runCommand } from "./support/command.ts";
import { computedBy, scoreRequests } from "./support/computed.ts";
import { isoneFile, lbnlFile } from "./support/csv-lists.ts";
import { readOtherwise } from "./support/other-reader.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const sample = join(import.meta.dirname, "../../services/queue-ingest/admin/sample/files");

let queue: Queue;
let scoring: TestScoring;
beforeAll(async () => {
	scoring = await openScoring(new Date().toISOString());
	queue = await openQueue({ computed: computedBy(scoring), sample: true });
});
afterAll(async () => {
	await queue?.[Symbol.asyncDispose]();
	await scoring?.[Symbol.asyncDispose]();
});

async function aProject(feed: string): Promise<string> {
	const [row] = await queue.sql<{ id: string }[]>`
		select id from projects where feed = ${feed} and capacity_mw is not null and missing_since is null order by id limit 1`;
	return row?.id ?? `no project of ${feed}`;
}

test("every field of a request has an origin whose cell contains the value", async () => {
	const id = await aProject("caiso");
	const { data, files } = await queue.ask("getProjectProvenance", { project_id: id });
	const capacity = data.find(({ field }) => field === "capacity_mw");
	expect(capacity).toMatchObject({ rule: "megawatts", confidence: 1, header: "Net MWs to Grid" });
	const other = readOtherwise(join(sample, "caiso/today/PublicQueueReport.xlsx"));
	expect(other.cell(capacity?.sheet ?? "", capacity?.row ?? 0, capacity?.column ?? "")).toBe(String(capacity?.value));
	expect(files[0]).toMatchObject({ sha256: capacity?.sha256, feed: "caiso" });
	const rules = await queue.ask("listProvenanceRules");
	const named = new Set(rules.data.map(({ rule }) => rule));
	expect(data.filter(({ rule }) => !named.has(rule))).toEqual([]);
	expect(data.find(({ field }) => field === "investability_score")?.see).toBe(`/score/${id}`);
});

test("values computed by scoring name their rows, laws and input fields", async () => {
	const [open] = await queue.sql<{ id: string }[]>`
		select id from projects where feed = 'ercot' and status_std = 'Active' and fips is not null and cod is not null order by id limit 1`;
	const id = open?.id ?? "no open request";
	const { fips, county, state } = await queue.ask("getProject", { project_id: id });
	const places = {
		name: "places.csv",
		bytes: Buffer.from(
			`fips,county,state,statistical,coal_tracts,vintage,notice,note\n06037,Los Angeles,CA,no,,,2026-39,\n${fips},${county},${state},yes,,,2026-39,\n`,
		),
	};
	const loaded = await loadBytes(scoring.sql, "energy-communities", places, { now: scoring.clock.now, sample: false });
	expect([loaded.outcome, loaded.reason]).toEqual(["applied", null]);
	await scoreRequests(queue, scoring, [id]);
	const ask = async (field: ParamsInput<"getProjectProvenance">["field"]) => {
		const { data, files } = await queue.ask("getProjectProvenance", { project_id: id, field });
		const [own] = data;
		if (own === undefined) throw new Error("no origin");
		return { own, data, files };
	};
	const flag = await ask("energy_community_eligible");
	expect(flag.own).toMatchObject({
		rule: "credit.energy_community",
		file: "places.csv",
		facts: ["state", "counties", "fips"],
	});
	expect(flag.files).toContainEqual(expect.objectContaining({ sha256: flag.own.sha256, feed: "energy-communities" }));
	expect(flag.own).toMatchObject({ value: true, row: 3, column: "4", header: "statistical", raw: "yes", sheet: null });
	expect(flag.own.inputs.find(({ header }) => header === "fips")?.raw).toBe(fips);
	expect(flag.data.find(({ field }) => field === "fips")).toMatchObject({ rule: "county.fips", value: fips });

	const rate = await ask("tax_credit_pct");
	expect(rate.own).toMatchObject({ rule: "credit.rate", see: `/projects/${id}/tax-credit` });
	expect(rate.own.citations.map(({ citation }) => citation).join()).toContain("26 USC 45Y");
	expect(rate.own.facts).toEqual(expect.arrayContaining(["type_std", "capacity_mw", "cod", "fips"]));
	expect(rate.data.map(({ field }) => field).slice(1)).toEqual(rate.own.facts);
	expect(rate.data.find(({ field }) => field === "capacity_mw")?.sha256).toMatch(/^[0-9a-f]{64}$/);

	const score = await ask("investability_score");
	const [stored] = await scoring.sql<
		{ inputs_hash: string }[]
	>`select inputs_hash from scores where project_id = ${id}`;
	expect(score.own.evidence?.text).toContain(`inputs_hash ${stored?.inputs_hash}`);
	expect(score.own.value).not.toBeNull();
	const known = new Set(score.data.map(({ field }) => field));
	expect(score.data.flatMap(({ facts }) => facts).filter((field) => !known.has(field))).toEqual([]);

	const rules = new Set((await queue.ask("listProvenanceRules")).data.map(({ rule }) => rule));
	const { data } = await queue.ask("getProjectProvenance", { project_id: id });
	expect(data.filter(({ rule }) => !rules.has(rule))).toEqual([]);
	expect(data.filter(({ rule }) => rule === "credit.copy")).toEqual([]);
});

test("an installation of NYSERDA's list names its sheet and row, and its state has no cell", async () => {
	const id = await aProject("nyserda-der");
	const { data } = await queue.ask("getProjectProvenance", { project_id: id });
	const of = (field: string) => data.find((row) => row.field === field);
	const [name, capacity] = [of("name"), of("capacity_mw")];
	expect(capacity).toMatchObject({ rule: "nyserda.capacity", header: "Project Rated Electric Generation (kW)" });
	expect(Number(capacity?.raw) / 1000).toBe(capacity?.value);
	const other = readOtherwise(join(sample, "dg/NYSERDA_DER_Portfolio.xlsx"));
	expect(other.cell(name?.sheet ?? "", name?.row ?? 0, name?.column ?? "")).toBe(name?.value);
	expect(of("state")).toMatchObject({ value: "NY", rule: "nyserda.state", column: null });
	expect(of("county")).toMatchObject({ rule: "nyserda.county", header: "Facility NYISO Zone" });
	expect(await queue.ask("verifyValue", { project_id: id, field: "capacity_mw" })).toMatchObject({ agrees: true });
});

test("a value that is read again agrees unless the stored value differs", async () => {
	const id = await aProject("miso");
	const params = { project_id: id, field: "capacity_mw" } as const;
	expect(await queue.ask("verifyValue", params)).toMatchObject({ agrees: true, archive: "intact" });
	const { stored } = await queue.ask("verifyValue", params);
	const store = (value: unknown) =>
		queue.sql`update projects set body = jsonb_set(body::jsonb, '{capacity_mw}', to_jsonb(${Number(value)}::float8))::text where id = ${id}`;
	await store(Number(stored) + 1);
	const answer = await queue.ask("verifyValue", params);
	await store(stored);
	expect(answer).toMatchObject({ agrees: false, archive: "intact", stored: Number(answer.read_again) + 1 });
});

test("a flipped byte in the archive is reported, without other effects", async () => {
	const id = await aProject("spp");
	const { sha256 } = await queue.ask("verifyValue", { project_id: id, field: "status" });
	const [kept] = await queue.sql<{ bytes: Buffer }[]>`select bytes from raw_files where sha256 = ${sha256}`;
	const bytes = kept?.bytes ?? Buffer.alloc(0);
	for (const at of [bytes.length - 1, Math.floor(bytes.length / 2), 0]) {
		const flipped = Buffer.from(bytes);
		flipped[at] = (flipped[at] ?? 0) ^ 1;
		await queue.sql`update raw_files set bytes = ${flipped} where sha256 = ${sha256}`;
		expect(await queue.ask("verifyValue", { project_id: id, field: "status" })).toMatchObject({
			archive: "damaged",
			agrees: false,
			read_again: null,
			cell: null,
		});
		const { data } = await queue.ask("getProjectProvenance", { project_id: id, field: "status" });
		expect(data[0]).toMatchObject({ sha256, header: "Status", rule: "text", raw: null, confidence: null });
		// No evidence supports any value; only a stage's own confidence is left.
		const all = await queue.ask("getProjectProvenance", { project_id: id });
		expect(all.data.filter(({ confidence }) => confidence === 1)).toEqual([]);
		await queue.ask("getProject", { project_id: id });
	}
	// Other content, well compressed.
	await queue.sql`update raw_files set bytes = ${zstdCompressSync(randomBytes(100))} where sha256 = ${sha256}`;
	expect(await queue.ask("verifyValue", { project_id: id, field: "status" })).toMatchObject({ archive: "damaged" });
	await queue.sql`update raw_files set bytes = ${bytes} where sha256 = ${sha256}`;
	expect(await queue.ask("verifyValue", { project_id: id, field: "status" })).toMatchObject({
		archive: "intact",
		agrees: true,
	});
});

test("the command reports how many values agree, and exits with 3 if one does not", async () => {
	const run = (values: string) => runCommand(verify, ["--sample", values], { POSTGRES_URL: queue.url });
	expect(await run("40")).toMatchObject({
		code: 0,
		out: JSON.stringify({ values: 40, agree: 40, disagree: 0, damaged: 0 }),
	});
	const [kept] = await queue.sql<{ bodies: { id: string; body: string }[] }[]>`
		select json_agg(json_build_object('id', id, 'body', body)) as bodies from projects where feed = 'caiso'`;
	const other = Object.fromEntries(
		["name", "poi", "type", "status", "county", "utility", "cluster", "study_phase_filed"].map((field) => [
			field,
			"Another",
		]),
	);
	await queue.sql`update projects set body = (body::jsonb || ${JSON.stringify(other)}::text::jsonb)::text where feed = 'caiso'`;
	const after = await run("200");
	for (const { id, body } of kept?.bodies ?? []) await queue.sql`update projects set body = ${body} where id = ${id}`;
	expect(after.code).toBe(3);
	expect(JSON.parse(after.out.split("\n")[0] ?? "")).toMatchObject({ agrees: false, archive: "intact" });
});

const bytesOf = async (sha256: string): Promise<Buffer> => {
	const handler = operations({ sql: queue.sql, now: () => new Date(queue.now) }).getFileBytes;
	const chunks: Uint8Array[] = [];
	for await (const chunk of handler({ sha256 }, { signal: new AbortController().signal }))
		chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
};

test("the bytes of operators' lists are not redistributed, those of the EIA are", async () => {
	const lists = await queue.sql<{ feed: string; sha256: string }[]>`
		select distinct f.feed, f.sha256 from snapshot_files f where f.tables is not null`;
	expect(new Set(lists.map(({ feed }) => feed)).size).toBe(10);
	for (const { sha256 } of lists) {
		expect((await queue.ask("getFile", { sha256 })).may_be_passed_on).toBe(false);
		await expect(bytesOf(sha256)).rejects.toMatchObject({ status: 403 });
	}
	const eia = await archivedFile(queue.sql, "eia860");
	expect(await queue.ask("getFile", { sha256: eia })).toMatchObject({
		may_be_passed_on: true,
		licence: "Public domain",
	});
	const { bytes } = await queue.ask("getFile", { sha256: eia });
	expect((await bytesOf(eia)).length).toBe(bytes);
	const { getFileBytes } = operations({ sql: queue.sql, now: () => new Date(queue.now) });
	const begun = [1, 2, 3].map(() =>
		getFileBytes({ sha256: eia }, { signal: new AbortController().signal })[Symbol.asyncIterator](),
	);
	for (const answer of begun) await answer.next();
	await expect(bytesOf(eia)).rejects.toMatchObject({ status: 503 });
	// One whose caller has gone makes room.
	for (const answer of begun) await answer.return?.();
	expect((await bytesOf(eia)).length).toBe(bytes);
	// The same file, once taken for an operator's, is withheld.
	await queue.sql`update snapshot_files set rows_in = null where sha256 = ${eia}`;
	await expect(bytesOf(eia)).rejects.toMatchObject({ status: 403 });
	await expect(queue.ask("getFile", { sha256: "0".repeat(64) })).rejects.toMatchObject({ status: 404 });
});

test("values of the operator's other list are among the overruled", async () => {
	await using pjm = await openQueue();
	const cycle = csvOf(rowsOf(cycleExample, [{ "MW Energy": "100" }]));
	const serial = csvOf(rowsOf(serialExample, [{ "Project ID": cycleExample["Project ID"] ?? "", "MW Energy": "77" }]));
	await pjm.take("PJM", "2026-01-01", serial);
	await pjm.take("PJM", "2026-01-02", cycle);
	await pjm.take("PJM", "2026-01-03", { ...serial, bytes: Buffer.concat([serial.bytes, Buffer.from("\n")]) });
	const { data, files } = await pjm.ask("getProjectProvenance", {
		project_id: `PJM-${cycleExample["Project ID"]}`,
		field: "capacity_mw",
	});
	expect(files.map(({ feed }) => feed)).toEqual(["pjm-cycle", "pjm-serial"]);
	expect(data[0]).toMatchObject({ value: 100, rule: "pjm.capacity", header: "MW Energy", row: 2, sheet: null });
	expect(data[0]?.overruled).toContainEqual(
		expect.objectContaining({ value: 77, header: "MW Energy", raw: "77", sha256: files[1]?.sha256 }),
	);
});

test("a status from Berkeley Lab's edition names its cells, and the edition's other values are overruled", async () => {
	await using isone = await openQueue();
	const list = isoneFile(
		[95, 96, 97].map((number) => `${number},2001-11-21,G,Kleen ${number},PV,SUN,50,Kent,RI,2011-07-12,,`),
	);
	expect(await isone.take("ISO-NE", "2026-03-01", list)).toMatchObject({ outcome: "applied" });
	const name = "queued_up_2026-06-30.csv";
	const { bytes } = lbnlFile(2025, "mw1,mw2,q_date,on_date,project_name", [
		"900,withdrawn,ISO-NE,ISO-NE,RI,Solar,5,,2023-12-31,,Other",
		"95,operational,ISO-NE,ISO-NE,RI,Solar,45,7,2001-11-21,2011-07-12,Kleen 95",
	]);
	isone.now = "2026-11-01T00:00:00Z";
	const loaded = await loadLbnl(isone.sql, { name, path: name, bytes }, new Date("2026-11-01T00:00:00Z"));
	expect(loaded).toMatchObject({ outcome: "applied" });
	const { data, files } = await isone.ask("getProjectProvenance", { project_id: "ISO-NE-95" });
	const of = (field: string) => data.find((row) => row.field === field);
	const [, lbnl] = files;
	expect(lbnl).toMatchObject({ feed: "lbnl", name });
	const cells = {
		...{ file: name, sha256: lbnl?.sha256, sheet: null, row: 3, column: "2", header: "q_status" },
		...{ raw: "operational", rule: "evidence.other_source" },
		inputs: [{ sheet: null, row: 3, column: "10", header: "on_date", raw: "2011-07-12" }],
	};
	expect(of("status_evidence")).toMatchObject({ ...cells, overruled: [] });
	expect(of("status_std")).toMatchObject({ ...cells, value: "Operational" });
	expect(of("status_std")?.overruled).toMatchObject([{ value: "Unknown", source: "raw_isone.csv" }]);
	expect(of("capacity_mw")).toMatchObject({ value: 50, file: "raw_isone.csv" });
	expect(of("capacity_mw")?.overruled).toEqual([
		{
			...{ value: 45, source: name, sha256: lbnl?.sha256 },
			...{ sheet: null, row: 3, column: "7", header: "mw1", raw: "45" },
		},
	]);
	// The edition is of a later day than this; of a request that it does not list it says nothing.
	const then = await isone.ask("getProjectProvenance", { project_id: "ISO-NE-95", as_of: "2026-03-02" });
	expect(then.files.map(({ feed }) => feed)).toEqual(["isone"]);
	const unlisted = await isone.ask("getProjectProvenance", { project_id: "ISO-NE-96" });
	expect(unlisted.files.map(({ feed }) => feed)).toEqual(["isone"]);
});
