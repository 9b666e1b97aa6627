/** The lists of scored requests as of past days: the rows, filters, order and pages that the present had on those days. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations as contract, type Params, type Reply } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { days, deliveries, history } from "./support/dated-lists.ts";
import type { ProjectChanged } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

const now = "2026-11-20T12:00:00Z";
let service: TestScoring;
let then: TestScoring;
beforeAll(async () => {
	[service, then] = await Promise.all([openScoring(now), openScoring(now)]);
	for (const { rows, before } of lists) await service.deliver(...deliveries(rows, before));
	await service.compute();
}, 60_000);
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await then[Symbol.asyncDispose]();
});

/** Of no developer, whose rating would not be known of the past. */
const ofNobody = (rows: readonly ProjectChanged[]) =>
	rows.map((row) => ({ ...row, project: { ...row.project, developer_id: null } }));
const lists = history(11, 60).map(({ day, rows, before }) => ({
	...{ day, rows: ofNobody(rows), before: ofNobody(before) },
}));

type Lists = "listInvestable" | "listItcDeals";
const call = { signal: AbortSignal.timeout(60_000) };
async function list<N extends Lists>(of: TestScoring, name: N, params: object = {}): Promise<Reply<N>> {
	const handlers = operations({ sql: of.sql, now: () => of.clock.now, notice_2025_42: "vacated" });
	const parsed = contract[name].params.parse({ per_page: 200, ...params });
	const { json } =
		name === "listInvestable"
			? await handlers.listInvestable(parsed as Params<"listInvestable">, call)
			: await handlers.listItcDeals(parsed as Params<"listItcDeals">, call);
	return contract[name].reply.parse(JSON.parse(json.toString())) as Reply<N>;
}

const filters: Record<Lists, object[]> = {
	listInvestable: [{}, { min_score: 30 }, { min_score: 20, fuel_type: "Solar,Wind" }, { min_score: 0, q: "Bell" }],
	listItcDeals: [{}, { min_rate: 0.3 }, { status: "conditional" }, { technology: "stor" }, { investable: true }],
};

test.each(["listInvestable", "listItcDeals"] as const)("%s shows of each day what was listed on it", async (name) => {
	let shown = 0;
	for (const { day, rows } of lists) {
		await then.clear();
		then.clock.now = new Date(`${day}T12:00:00Z`);
		await then.deliver(...deliveries(rows));
		await then.compute();
		for (const filter of filters[name]) {
			const expected = await list(then, name, filter);
			const { data, meta } = await list(service, name, { ...filter, as_of: day });
			expect(data).toEqual(expected.data.map((row) => ({ ...row, basis: "recomputed" })));
			expect(meta).toMatchObject({ ...expected.meta, as_of: day, corrections: 0, in_sample: true });
			shown += data.length;
		}
	}
	expect(shown).toBeGreaterThan(50);
});

test("pages and cursors reach each row once", async () => {
	const [, day] = days;
	const params = { as_of: day, min_score: 0 };
	const whole = await list(service, "listInvestable", params);
	expect(whole.data.length).toBeGreaterThan(8);
	const paged: typeof whole.data = [];
	for (let page = 1; page <= Math.ceil(whole.data.length / 3); page++)
		paged.push(...(await list(service, "listInvestable", { ...params, per_page: 3, page })).data);
	expect(paged).toEqual(whole.data);
	const followed: typeof whole.data = [];
	for (let cursor: string | null | undefined = "*"; typeof cursor === "string"; ) {
		const { data, meta }: typeof whole = await list(service, "listInvestable", { ...params, per_page: 4, cursor });
		followed.push(...data);
		cursor = meta.next_cursor;
	}
	expect(followed).toEqual(whole.data);
	const chosen = await list(service, "listInvestable", { ...params, per_page: 1 });
	expect(chosen.data[0]).toEqual(whole.data[0]);
});

test("the lists that an answer rests on are said, and of no list null; a future day is refused", async () => {
	const none = Object.fromEntries(regions.map((region) => [region, null]));
	const before = await list(service, "listInvestable", { as_of: "2026-01-31" });
	expect([before.data, before.meta.coverage]).toEqual([[], none]);
	const between = await list(service, "listInvestable", { as_of: "2026-03-15" });
	expect(between.meta.coverage).toEqual({ ...none, ERCOT: "2026-03-01" });
	await expect(list(service, "listItcDeals", { as_of: "2026-11-21" })).rejects.toMatchObject({
		status: 422,
		errors: [{ loc: ["query", "as_of"] }],
	});
	expect((await list(service, "listInvestable")).meta).not.toHaveProperty("coverage");
});
