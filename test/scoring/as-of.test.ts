/** Scores as of past days: each is what a service would say that knows the lists up to that day and no later one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operations as contract, type Reply } from "#libs/contract/index.ts";
import { fittedPeriods } from "#libs/contract/vocabulary.ts";
import { cumulativeSlipDays, currentVersion } from "../../services/scoring/domain/score/index.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { type DatedList, days, deliveries, history } from "./support/dated-lists.ts";
import { developer, filing, news, project, raise } from "./support/deliver.ts";
import { developerEvent, filingEvent, named, newsEvent, raiseEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

const now = "2026-11-20T12:00:00Z";
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

type Score = Reply<"readScore">;
const resources = ({ sql, clock }: TestScoring) => ({
	sql,
	now: () => clock.now,
	notice_2025_42: "vacated" as const,
});
const call = { signal: AbortSignal.timeout(60_000) };
async function read(of: TestScoring, project_id: string, more: { as_of?: string; score_version?: number } = {}) {
	const { json } = await operations(resources(of)).readScore({ project_id, ...more }, call);
	return JSON.parse(json.toString()) as Score;
}

type Capital = Reply<"getDeveloperCapital">;
async function capitalOf(of: TestScoring, moment: { as_of?: string; at_seq?: number } = {}) {
	const { json } = await operations(resources(of)).getDeveloperCapital(
		{ developer_id: "1", include_parent: true, ...moment },
		call,
	);
	return contract.getDeveloperCapital.reply.parse(JSON.parse(json.toString())) as Capital;
}

/** What is published of developer 1 until the end of the day: of one offering an amendment, and another one. */
function publishedUntil(day: string) {
	const offering = (accession: string, filing_date: string, total_amount_sold: number, more = {}) =>
		raiseEvent(accession, 1, { developer_id: 1, filing_date, total_amount_sold, chain: "021-1", ...more });
	const isAmended = day >= "2026-04-10";
	const published = [
		{ on: "2026-01-15", of: raise(offering("1", "2026-01-15", 5e6, { is_latest: !isAmended })) },
		{ on: "2026-04-10", of: raise(offering("2", "2026-04-10", 9e6, { is_amendment: true })) },
		{ on: "2026-05-20", of: raise(offering("3", "2026-05-20", 1e6, { chain: "021-2" })) },
		{ on: "2026-02-10", of: headline(1, "2026-02-10", { event_type: "distress" }) },
		{ on: "2026-03-20", of: headline(2, "2026-03-20", { seeks_capital: true, event_type: "financing" }) },
		{ on: "2026-05-10", of: headline(3, "2026-05-10", { event_type: "litigation" }) },
		{ on: "2026-03-05", of: filing(filingEvent("9", 1, { developer_id: 1, filing_date: "2026-03-05" })) },
	];
	return published.filter(({ on }) => on <= day).map((each) => each.of);
}
const headline = (id: number, day: string, more: Partial<Parameters<typeof newsEvent>[2]>) =>
	news(newsEvent(id, 1, { published_at: `${day}T08:00:00Z`, developers: [named(1)], ...more }));

/** Active requests of developer 1 on the last of these lists whose date moved by 180 days and more in all. */
function slipped(lists: readonly DatedList[]): number {
	return (lists.at(-1)?.rows ?? []).filter(({ project: now }) => {
		const cods = lists.map(({ day, rows }) => ({
			day,
			cod: rows.find((row) => row.project.id === now.id)?.project.cod ?? null,
		}));
		const moves = cods.flatMap(({ day, cod }, at) => {
			const before = cods[at - 1];
			return before === undefined || before.cod === cod ? [] : [{ on: day, old: before.cod, new: cod }];
		});
		return now.developer_id === 1 && now.status_std === "Active" && cumulativeSlipDays(moves, now.cod) >= 180;
	}).length;
}

describe("GET /developers/{developer_id}/capital?as_of=", () => {
	test.each([1, 2, 3])(
		"is rated by what was known of the day, and by nothing that came later (course %i)",
		async (seed) => {
			const lists = history(seed, 40);
			for (const { rows, before } of lists)
				await service.deliver(developer(developerEvent(1, 1)), ...deliveries(rows, before));
			await service.deliver(...publishedUntil(now));
			await service.compute();
			for (const [at, { day, rows }] of lists.entries()) {
				await then.clear();
				then.clock.now = new Date(`${day}T12:00:00Z`);
				await then.deliver(developer(developerEvent(1, 1)), ...deliveries(rows), ...publishedUntil(day));
				await then.compute();
				const { cod_slipped_projects: _, ...expected } = await capitalOf(then);
				const { basis, published, meta, cod_slipped_projects, ...said } = await capitalOf(service, { as_of: day });
				expect(said, day).toEqual(expected);
				expect([basis, published, meta?.as_of, meta?.coverage?.ERCOT]).toEqual(["recomputed", null, day, day]);
				expect(cod_slipped_projects).toBe(slipped(lists.slice(0, at + 1)));
			}
			const { basis, published, meta, ...today } = await capitalOf(service, { as_of: now.slice(0, 10) });
			// The announcements of this history tell no moves.
			expect({ ...today, cod_slipped_projects: 0 }).toEqual({ ...(await capitalOf(service)), cod_slipped_projects: 0 });
			expect([basis, published?.needs_capital, meta?.as_of]).toEqual(["published", today.needs_capital, "2026-11-20"]);
		},
	);

	test("of a day in the future, a change that is not yet and a day before all lists says so", async () => {
		await service.deliver(developer(developerEvent(1, 1)), ...deliveries(history(6)[0]?.rows ?? []));
		await service.compute();
		for (const [moment, field] of [
			[{ as_of: "2026-11-21" }, "as_of"],
			[{ at_seq: 1_000_000 }, "at_seq"],
		] as const)
			await expect(capitalOf(service, moment)).rejects.toMatchObject({
				status: 422,
				errors: [{ loc: ["query", field] }],
			});
		const { active_capacity_mw, raise_count, needs_capital, meta } = await capitalOf(service, { as_of: "2026-01-31" });
		expect([active_capacity_mw, raise_count, needs_capital, meta?.coverage?.ERCOT]).toEqual([0, 0, false, null]);
	});
});

describe("GET /score/{project_id}?as_of=", () => {
	test.each([1, 2, 3])(
		"is computed of the facts of the day, and of nothing that came later (course %i)",
		async (seed) => {
			const lists = history(seed);
			for (const { rows, before } of lists)
				await service.deliver(developer(developerEvent(1, 1)), ...deliveries(rows, before));
			await service.compute();
			for (const { day, rows } of lists) {
				await then.clear();
				then.clock.now = new Date(`${day}T12:00:00Z`);
				await then.deliver(developer(developerEvent(1, 1)), ...deliveries(rows));
				await then.compute();
				// How the developer was rated is known of the first days alone.
				const isRated = day < "2026-04-01";
				const [rating] = await then.sql<{ distress_level: string }[]>`select distress_level from developer_ratings`;
				if (isRated)
					await service.sql`
						insert into developer_rating_versions (developer_id, rated_at, rated_until, distress_level, needs_capital)
						values (1, ${day}::text::timestamptz, ${day}::text::date + 1, ${rating?.distress_level ?? ""}, false)`;
				for (const { project: row } of rows) {
					const { scored_at: _, ...expected } = await read(then, row.id);
					const { as_of, basis, in_sample, unknown_inputs, scored_at, ...said } = await read(service, row.id, {
						as_of: day,
					});
					expect([as_of, basis, in_sample, scored_at]).toEqual([day, "recomputed", true, `${day}T00:00:00Z`]);
					const unknown = row.developer_id === null || isRated ? [] : ["distress"];
					expect(unknown_inputs).toEqual(unknown);
					if (unknown.length === 0) expect(said).toEqual({ ...expected, interconnection_cost: null });
					else expect(said.inputs).toEqual({ ...expected.inputs, distress: null });
				}
				// Between two lists the earlier one holds, whose day dates are judged by.
				const between = `${day.slice(0, 8)}15`;
				const [first] = rows;
				if (first === undefined) throw new Error("a list without rows");
				expect((await read(service, first.project.id, { as_of: between })).inputs).toMatchObject({
					cod_position: (await read(service, first.project.id, { as_of: day })).inputs.cod_position,
				});
			}
		},
	);

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
