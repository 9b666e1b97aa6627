/** One score for each request and day, whichever answer says it: lists, sums, tiles, files, statements and the score itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { exportedColumns } from "#libs/contract/operations/projects/project-columns.ts";
import { scoreTable } from "#libs/contract/operations/scores/score-row.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { ingestLate } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { readCsv } from "../support/export-files.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";

const phases = ["Phase 1", "Phase 2", "Phase 3", "GIA"];
const fuels = ["Solar", "Wind", "Battery Storage", "Gas"];
const dates = ["2026-04-15", "2027-06-01", "2029-06-01"];

/** Each request goes on at its own pace; one withdraws, one comes with the third list and one is in the late lists alone. */
function listOf(step: number, more: MisoRow[] = []): MisoRow[] {
	const own = Array.from({ length: 12 }, (_, at) => ({
		number: `J${1000 + at}`,
		phase: phases[Math.min(3, Math.floor(((at % 4) + step) / 2))] ?? "",
		fuel: fuels[at % 4] ?? "",
		inService: dates[(at + step) % 3] ?? "",
		...(at === 5 && step > 2 && { status: "Withdrawn", withdrawn: "2026-04-20" }),
	}));
	return [...(step > 2 ? own : own.slice(1)), ...more, ...standing(30)];
}
const passing = { number: "J1100", phase: "GIA", fuel: "Wind", inService: "2028-06-01" };

/** The second list was loaded in its turn, but long after its day. */
const inTurn = [
	{ day: "2026-02-01", loaded: "2026-02-01", step: 0 },
	{ day: "2026-03-10", loaded: "2026-05-30", step: 2 },
	{ day: "2026-06-01", loaded: "2026-06-01", step: 4 },
];
const late = [
	{ day: "2026-01-10", rows: listOf(1, [passing]) },
	{ day: "2026-04-20", rows: listOf(3, [passing]) },
];
const days = [
	"2026-01-05",
	"2026-01-20",
	"2026-02-01",
	"2026-02-20",
	"2026-03-31",
	"2026-05-15",
	"2026-06-01",
	"2026-06-02",
];

let world: World;
beforeAll(async () => {
	world = await startWorld({ data: "none", query: true, gateway: { PAGES_PER_MINUTE: "100000" } });
	for (const { day, loaded, step } of inTurn) {
		world.clock.now = new Date(`${loaded}T12:00:00Z`);
		const files = [{ ...misoJson(listOf(step)), path: "miso.json" }];
		await ingestSnapshot(world.sql, { region: "MISO", files, asOf: `${day}T06:00:00Z`, accept: true });
		await world.settled();
	}
	world.clock.now = new Date("2026-06-02T12:00:00Z");
}, 120_000);
afterAll(() => world?.[Symbol.asyncDispose]());

async function get<T>(path: string): Promise<T> {
	const response = await fetch(`${world.url}${path}`);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as T;
}

type Projects = Reply<"listProjects">;
const projects = (query: string) =>
	get<Projects>(`/projects?${query.includes("per_page") ? "" : "per_page=500&"}include_unlisted=true&${query}`);

/** The requests that stand still differ in nothing but their numbers: the scores of three by themselves stand for all. */
const isAlike = ({ id }: { id: string }) => /^MISO-J90(?!0[123])/.test(id);

async function bytesOf(path: string): Promise<Uint8Array> {
	const response = await fetch(`${world.url}${path}`);
	expect([path, response.status]).toEqual([path, 200]);
	return new Uint8Array(await response.arrayBuffer());
}

/** Everything that says a score of the day, against the score of each request by itself. */
async function expectOne(day: string): Promise<void> {
	const { data } = await projects(`as_of=${day}`);
	const file = readCsv(Buffer.from(await bytesOf(`/export/scores?as_of=${day}`)), scoreTable.columns());
	const published = new Map(file.rows.map((row) => [row.id, row]));
	for (const row of data) {
		const { id, investability_score, investable, score_basis, score_version, effective_credit_rate } = row;
		const inFile = published.get(id);
		expect([id, score_basis]).toEqual([id, inFile === undefined ? "unpublished" : "published"]);
		expect([id, investability_score, effective_credit_rate, score_version]).toEqual([
			...[
				id,
				inFile?.investability_score ?? null,
				inFile?.effective_credit_rate ?? null,
				inFile?.score_version ?? null,
			],
		]);
		if (isAlike(row)) continue;
		const response = await fetch(`${world.url}/score/${id}?as_of=${day}`);
		expect([id, response.status]).toEqual([id, inFile === undefined ? 404 : 200]);
		if (inFile === undefined) continue;
		const score = (await response.json()) as Reply<"getScore">;
		expect([score.investability_score, score.investable, score.score_version]).toEqual([
			...[investability_score, investable, score_version],
		]);
		expect([inFile.inputs_hash, inFile.scored_at, inFile.facts_as_of, inFile.confidence]).toEqual([
			...[score.inputs_hash, score.scored_at, score.facts_as_of, score.confidence],
		]);
		expect([inFile.milestone_progress_score, inFile.p_cod_36_low]).toEqual([
			...[score.components?.milestone_progress.score, score.p_cod_36?.low ?? null],
		]);
	}
	const [first] = data;
	if (first === undefined) return;
	const { developer_match, aliases, relations, raw, ...one } = await get<Reply<"getProject">>(
		`/projects/${first.id}?as_of=${day}`,
	);
	expect(one).toEqual(first);
	const columns = exportedColumns({ as_of: day });
	const query = `as_of=${day}&include_unlisted=true`;
	expect(readCsv(Buffer.from(await bytesOf(`/export/projects?${query}`)), columns).rows).toEqual(data);
}

async function expectMacro(day: string): Promise<number> {
	const response = await fetch(`${world.url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			database: "scoring",
			sql: `select project_id, investability_score from scores_as_of('${day}') order by 1`,
		}),
	});
	const { data } = (await response.json()) as { data: { project_id: string; investability_score: number }[] };
	const published = new Map(data.map((row) => [row.project_id, row.investability_score]));
	const { data: rows } = await projects(`as_of=${day}&fields=id,investability_score,score_basis`);
	let compared = 0;
	for (const { id, investability_score, score_basis } of rows) {
		if (score_basis !== "published") continue;
		expect([id, investability_score]).toEqual([id, published.get(id)]);
		compared++;
	}
	return compared;
}

describe("a request has one score per day", () => {
	test("if the lists were loaded in order", async () => {
		for (const day of days) await expectOne(day);
	});

	test("and statements of callers return the published scores", async () => {
		await world.extracted();
		expect(await expectMacro("2026-02-20")).toBeGreaterThan(20);
		expect(await expectMacro("2026-06-02")).toBeGreaterThan(20);
	});

	test("after late lists, for which no score was published", async () => {
		const path = "/projects?as_of=2026-05-15&id=MISO-J1001";
		const before = (await fetch(`${world.url}${path}`)).headers.get("etag");
		for (const { day, rows } of late) {
			const files = [{ ...misoJson(rows), path: "miso.json" }];
			const result = await ingestLate(world.sql, { region: "MISO", files, asOf: `${day}T06:00:00Z`, accept: true });
			expect(result).toMatchObject({ outcome: "backfilled" });
		}
		await world.settled();
		for (const day of days) await expectOne(day);
		expect((await fetch(`${world.url}${path}`)).headers.get("etag")).not.toBe(before);
		const { data } = await projects("as_of=2026-05-15&id=MISO-J1100");
		expect(data).toMatchObject([{ score_basis: "unpublished", investability_score: null }]);
		await world.extracted();
		expect(await expectMacro("2026-02-20")).toBeGreaterThan(20);
	});

	test("without a basis in the present", async () => {
		const { data } = await projects("id=MISO-J1001");
		expect(data[0]).not.toHaveProperty("score_basis");
		expect(data[0]).not.toHaveProperty("score_version");
	});

	test("without scores in a row that omits them, and with single score columns on request", async () => {
		const { data } = await projects("as_of=2026-05-15&id=MISO-J1001&fields=id,name");
		expect(Object.keys(data[0] ?? {})).toEqual(["id", "name"]);
		const chosen = await projects("as_of=2026-05-15&id=MISO-J1001&fields=score_basis");
		expect(Object.keys(chosen.data[0] ?? {})).toEqual(["id", "score_basis"]);
	});
});

describe("whether a developer needs capital", () => {
	const agreed = queueRows("ercot", { count: 40 }).map((row, at) => ({
		...{
			...row,
			mw: 100 + at,
			fuel: "Solar" as const,
			cod: "2028-06-01",
			developer: at < 3 ? "Invenergy LLC" : "Confidential",
		},
		...(at === 2
			? { status: "operational" as const, ended: "2026-05-01" }
			: { status: "active" as const, ended: null }),
	}));
	const withAgreement = agreed.map((row, at) => (at === 1 ? { ...row, agreement: "2026-06-04" } : row));
	const ids = agreed.slice(0, 3).map(({ number }) => `ERCOT-${number}`);

	test("equals its rating of the day, even if its request did not change", async () => {
		for (const [day, rows] of [
			["2026-06-03", agreed],
			["2026-06-05", withAgreement],
		] as const) {
			world.clock.now = new Date(`${day}T12:00:00Z`);
			const files = [{ ...(await queueFile("ercot", rows, { publishedOn: day })), path: "ercot.xlsx" }];
			expect(
				await ingestSnapshot(world.sql, { region: "ERCOT", files, asOf: `${day}T06:00:00Z`, accept: true }),
			).toMatchObject({ outcome: "applied" });
			await world.settled();
		}
		world.clock.now = new Date("2026-06-06T12:00:00Z");
		for (const [moment, needed] of [
			["as_of=2026-06-03", false],
			["as_of=2026-06-04", false],
			["as_of=2026-06-05", true],
			["", true],
		] as const) {
			const { data } = await projects(`developer=Invenergy&${moment}`);
			expect([moment, data.map(({ id, needs_capital }) => [id, needs_capital])]).toEqual([
				...[moment, ids.toSorted().map((id) => [id, needed])],
			]);
			const chosen = await projects(`fields=id,needs_capital&id=${ids[0]}&${moment}`);
			expect(chosen.data).toEqual([{ id: ids[0], needs_capital: needed }]);
		}
	});
});
