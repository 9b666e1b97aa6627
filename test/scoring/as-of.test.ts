/** Scores as of past days: each is what a service would say that knows the lists up to that day and no later one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fittedPeriods } from "#libs/contract/vocabulary.ts";
import { currentVersion } from "../../services/scoring/domain/score/index.ts";
import { days, deliveries, history } from "./support/dated-lists.ts";
import { developer, project } from "./support/deliver.ts";
import { developerEvent } from "./support/history.ts";
import { capitalOf, expectRatingsOfDays, expectScoresOfDays, now, read, type Score } from "./support/scores-of-days.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
/** Knows of each day what was known on it. */
let then: TestScoring;
beforeAll(async () => {
	[service, then] = await Promise.all([openScoring(now), openScoring(now)]);
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await then[Symbol.asyncDispose]();
});
beforeEach(() => {
	service.clock.now = new Date(now);
	return service.clear();
});

describe("GET /developers/{developer_id}/capital?as_of=", () => {
	test("is rated by what was known of the day, and by nothing that came later", () =>
		expectRatingsOfDays({ service, then }, 1, 40));

	test("of a day in the future and a day before all lists says so", async () => {
		await service.deliver(developer(developerEvent(1, 1)), ...deliveries(history(6)[0]?.rows ?? []));
		await service.compute();
		await expect(capitalOf(service, { as_of: "2026-11-21" })).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "as_of"] }],
		});
		const { active_capacity_mw, raise_count, needs_capital, meta } = await capitalOf(service, { as_of: "2026-01-31" });
		expect([active_capacity_mw, raise_count, needs_capital, meta?.coverage?.ERCOT]).toEqual([0, 0, false, null]);
	});
});

describe("GET /score/{project_id}?as_of=", () => {
	test("is computed of the facts of the day, and of nothing that came later", () =>
		expectScoresOfDays({ service, then }, 1, 8));

	test("is published where it stood published then, with what was known beside the row then", async () => {
		const said = new Map<string, Score>();
		for (const { day, rows, before } of history(4)) {
			service.clock.now = new Date(`${day}T12:00:00Z`);
			await service.deliver(developer(developerEvent(1, 1)), ...deliveries(rows, before));
			await service.compute();
			for (const { project: row } of rows) said.set(`${row.id} ${day}`, await read(service, row.id));
		}
		service.clock.now = new Date(now);
		await service.computeAll();
		const bases = new Set<string | undefined>();
		for (const [key, was] of said) {
			const [id = "", day = ""] = key.split(" ");
			const is = await read(service, id, { as_of: day });
			expect([is.inputs_hash, is.investability_score, is.grade]).toEqual([
				was.inputs_hash,
				was.investability_score,
				was.grade,
			]);
			expect(is.basis).toBe(was.scored ? "published" : "recomputed");
			bases.add(is.basis);
			// Another version's score was not published.
			expect((await read(service, id, { as_of: day, score_version: 1 })).basis).toBe("recomputed");
		}
		expect(bases.size).toBe(2);
	});

	test("stays what it was when everything is published and delivered again", async () => {
		const lists = history(5);
		const all = lists.flatMap(({ rows, before }) => deliveries(rows, before));
		for (const { rows, before } of lists) await service.deliver(...deliveries(rows, before));
		await service.compute();
		const ask = () =>
			Promise.all(days.flatMap((as_of) => ["ERCOT-1", "ERCOT-7"].map((id) => read(service, id, { as_of }))));
		const before = await ask();
		await service.deliver(...all, ...all.map((each, at) => each.again(`again-${at}`)));
		const current = (lists.at(-1)?.rows ?? []).map((row) =>
			project({ ...row, id: `republished-${row.id}`, snapshot_id: null, as_of: "2026-02-20T00:00:00Z" }),
		);
		await service.deliver(...current);
		await service.compute();
		expect(await ask()).toEqual(before);
	});

	test("is one score of each day where the clock is set back", async () => {
		const lists = history(8);
		for (const [at, clock] of ["2026-10-01", "2026-08-01", "2026-09-01", "2026-08-15"].entries()) {
			service.clock.now = new Date(`${clock}T12:00:00Z`);
			await service.deliver(developer(developerEvent(1, 1)), ...deliveries(lists[at]?.rows ?? [], lists[at]?.before));
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
		expect((await read(service, "ERCOT-1", { as_of: "2026-08-15" })).as_of).toBe("2026-08-15");
		expect(service.errors).toEqual([]);
	});

	test("of a day before the first list, of a future one and of an unknown request says so", async () => {
		await service.deliver(...deliveries(history(6)[0]?.rows ?? []));
		await service.compute();
		await expect(read(service, "ERCOT-1", { as_of: "2026-01-31" })).rejects.toMatchObject({
			status: 404,
			message: "no score of ERCOT-1 as of 2026-01-31: the first list known here that shows it is of 2026-02-01",
		});
		await expect(read(service, "ERCOT-999", { as_of: "2026-03-01" })).rejects.toMatchObject({ status: 404 });
		await expect(read(service, "ERCOT-1", { as_of: "2026-11-21" })).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "as_of"], msg: "is in the future: today is 2026-11-20" }],
		});
	});

	test("says whether the version was fitted on what came after the day, and as of today is the present", async () => {
		await service.deliver(...deliveries(history(7)[4]?.rows ?? []));
		await service.compute();
		const { to = "" } = fittedPeriods[currentVersion] ?? {};
		const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
		expect((await read(service, "ERCOT-1", { as_of: to })).in_sample).toBe(true);
		expect((await read(service, "ERCOT-1", { as_of: after })).in_sample).toBe(false);
		for (let id = 1; id <= 12; id++) {
			const present = await read(service, `ERCOT-${id}`);
			expect(present).not.toHaveProperty("as_of");
			const today = await read(service, `ERCOT-${id}`, { as_of: "2026-11-20" });
			expect({ ...today, scored_at: null }).toMatchObject({ ...present, interconnection_cost: null, scored_at: null });
		}
	});
});
