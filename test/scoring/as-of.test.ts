/** Scores as of past days: those that were published at the end of the day. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operations as contract, type Params, type ParamsInput, type Reply } from "#libs/contract/index.ts";
import { fittedPeriods } from "#libs/contract/vocabulary.ts";
import { currentVersion } from "../../services/scoring/domain/score/version.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { days, deliveries, history } from "./support/dated-lists.ts";
import { developer, project } from "./support/deliver.ts";
import { developerEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

const now = "2026-11-20T12:00:00Z";
let service: TestScoring;
beforeAll(async () => {
	service = await openScoring(now);
});
afterAll(() => service[Symbol.asyncDispose]());

type Score = Reply<"readScore">;
const call = { signal: new AbortController().signal };
const handlers = () => operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" });
async function read(project_id: string, more: { as_of?: string } = {}): Promise<Score> {
	const { json } = await handlers().readScore({ project_id, ...more }, call);
	return contract.readScore.reply.parse(JSON.parse(json.toString()));
}
async function readOn(params: ParamsInput<"readScoresOn">): Promise<Reply<"readScoresOn">> {
	const { json } = await handlers().readScoresOn(contract.readScoresOn.params.parse(params), call);
	return contract.readScoresOn.reply.parse(JSON.parse(json.toString()));
}
async function file(params: Partial<Params<"exportScores">>): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of handlers().exportScores(contract.exportScores.params.parse(params), call))
		chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString();
}

/** Each request's score on each day, and the file of the day's scores. */
async function publish(seed: number) {
	const scores = new Map<string, Score>();
	const files = new Map<string, string>();
	for (const { day, rows } of history(seed)) {
		service.clock.now = new Date(`${day}T12:00:00Z`);
		await service.deliver(developer(developerEvent(1, 1)), ...deliveries(rows));
		await service.compute();
		for (const { project: row } of rows) scores.set(`${row.id} ${day}`, await read(row.id));
		files.set(day, await file({ fields }));
	}
	service.clock.now = new Date(now);
	await service.computeAll();
	return { scores, files };
}

const fields = [
	...(["id", "name", "capacity_mw", "cod", "construction_stage", "type_std", "developer_canonical"] as const),
	...(["investability_score", "grade", "investable", "p_cod_36", "inputs_hash", "facts_as_of"] as const),
	...(["tax_credit_type", "effective_credit_rate", "milestone_progress_score", "score_version"] as const),
] as unknown as Params<"exportScores">["fields"] & object;

describe("GET /score/{project_id}?as_of=", () => {
	let scores: Map<string, Score>;
	let files: Map<string, string>;
	beforeAll(async () => {
		({ scores, files } = await publish(4));
	});

	test("is the score that was published at the end of the day, with the facts of that day", async () => {
		let published = 0;
		for (const [key, was] of scores) {
			const [id = "", day = ""] = key.split(" ");
			const { data } = await readOn({ as_of: day, id: [id] });
			if (!was.scored) {
				await expect(read(id, { as_of: day })).rejects.toMatchObject({ status: 404 });
				expect(data).toEqual([]);
				continue;
			}
			published++;
			const { as_of, basis, in_sample, facts_age_days, confidence, interconnection_cost, ...is } = await read(id, {
				as_of: day,
			});
			expect([as_of, basis, in_sample]).toEqual([day, "published", true]);
			expect(was).toMatchObject(is);
			const { investability_score, investable, p_cod_36 } = was;
			expect(data).toMatchObject([{ id, investability_score, investable, p_cod_36: p_cod_36?.value ?? null }]);
		}
		expect([published > 10, published < scores.size]).toEqual([true, true]);
	});

	test("is in the file of the day's scores, with what each request was when its score was published", async () => {
		expect(new Set(files.values()).size).toBe(files.size);
		for (const [day, then] of files) expect(await file({ fields, as_of: day }), day).toBe(then);
		const [first = ""] = files.keys();
		const solar = (await file({ fields, as_of: first })).split("\n").filter((line) => line.includes(",Solar,"));
		const filtered = await file({ fields, as_of: first, fuel_type: ["Solar"] });
		expect(filtered.trim().split("\n").slice(1)).toEqual(solar);
	});

	test("for a day before the first, a future day and an unknown request is a clear error", async () => {
		const scored = days.find((day) => scores.get(`ERCOT-1 ${day}`)?.scored);
		await expect(read("ERCOT-1", { as_of: "2026-01-31" })).rejects.toMatchObject({
			status: 404,
			message: `no score of ERCOT-1 was published at the end of 2026-01-31: the first was published on ${scored}`,
		});
		await expect(read("ERCOT-999", { as_of: "2026-03-01" })).rejects.toMatchObject({ status: 404 });
		for (const ask of [read("ERCOT-1", { as_of: "2026-11-21" }), file({ as_of: "2026-11-21" })])
			await expect(ask).rejects.toMatchObject({
				status: 422,
				errors: [{ loc: ["query", "as_of"], msg: "is in the future: today is 2026-11-20 (UTC)" }],
			});
		expect(
			contract.readScore.params.safeParse({ project_id: "x", as_of: "2026-03-01", score_version: 1 }).success,
		).toBe(false);
	});

	test("does not change when everything is published and delivered again", async () => {
		const lists = history(4);
		const ask = () => Promise.all(days.map((as_of) => readOn({ as_of, region: "ERCOT" })));
		const before = await ask();
		expect(before.every(({ data }) => data.length > 0)).toBe(true);
		const all = lists.flatMap(({ rows }) => deliveries(rows));
		await service.deliver(...all, ...all.map((each, at) => each.again(`again-${at}`)));
		const current = (lists.at(-1)?.rows ?? []).map((row) =>
			project({ ...row, id: `republished-${row.id}`, snapshot_id: null, as_of: "2026-02-20T00:00:00Z" }),
		);
		await service.deliver(...current);
		await service.compute();
		expect(await ask()).toEqual(before);
	});
});

describe("GET /score/{project_id}?as_of= of scores published meanwhile", () => {
	beforeEach(() => {
		service.clock.now = new Date(now);
		return service.clear();
	});

	test("is one score for each day if the clock is set back", async () => {
		const lists = history(8);
		for (const [at, clock] of ["2026-10-01", "2026-08-01", "2026-09-01", "2026-08-15"].entries()) {
			service.clock.now = new Date(`${clock}T12:00:00Z`);
			await service.deliver(developer(developerEvent(1, 1)), ...deliveries(lists[at]?.rows ?? []));
			await service.computeAll();
		}
		for (const table of ["score_versions", "developer_rating_versions"]) {
			const [key, from, until] =
				table === "score_versions"
					? ["project_id", "published_at", "published_until"]
					: ["developer_id", "rated_at", "rated_until"];
			expect(
				await service.rows(`select to_jsonb(a) as row from ${table} a join ${table} b on a.${key} = b.${key}
					and a.${from} < b.${from} and a.${until} > b.${from} and b.${until} > b.${from}`),
			).toEqual([]);
		}
		expect((await readOn({ as_of: "2026-08-15", region: "ERCOT" })).data.length).toBeGreaterThan(0);
		expect(service.errors).toEqual([]);
	});

	test("states whether the version was fitted on later data, and as of today equals the present", async () => {
		const { to = "" } = fittedPeriods[currentVersion] ?? {};
		service.clock.now = new Date(`${to}T12:00:00Z`);
		await service.deliver(...deliveries(history(7)[4]?.rows ?? []));
		await service.compute();
		service.clock.now = new Date(now);
		await service.computeAll();
		const open = (await readOn({ as_of: to, region: "ERCOT" })).data.map(({ id }) => id);
		expect(open.length).toBeGreaterThan(3);
		const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
		for (const id of open) {
			expect((await read(id, { as_of: to })).in_sample).toBe(true);
			expect((await read(id, { as_of: after })).in_sample).toBe(false);
			const present = await read(id);
			expect(present).not.toHaveProperty("as_of");
			const today = await read(id, { as_of: "2026-11-20" });
			expect({ ...today, scored_at: null }).toMatchObject({ ...present, interconnection_cost: null, scored_at: null });
		}
	});
});
