/** Published scores: each differs from the one before as the scores of the two days do, with the reasons. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operations as contract, type Params, type Reply } from "#libs/contract/index.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { days, deliveries, history } from "./support/dated-lists.ts";
import { developer } from "./support/deliver.ts";
import { developerEvent, projectEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
	service.clock.now = new Date("2026-11-20T12:00:00Z");
	return service.clear();
});

const call = { signal: AbortSignal.timeout(60_000) };
const handlers = () =>
	operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" as const });
async function changes(project_id: string, more: object = {}): Promise<Reply<"readScoreHistory">> {
	const params = contract.readScoreHistory.params.parse({ project_id, order: "asc", ...more });
	const { json } = await handlers().readScoreHistory(params as Params<"readScoreHistory">, call);
	return contract.readScoreHistory.reply.parse(JSON.parse(json.toString()));
}
async function scoreOn(project_id: string, as_of: string): Promise<Reply<"readScore">> {
	const { json } = await handlers().readScore({ project_id, as_of }, call);
	return JSON.parse(json.toString());
}

/** Publishes the scores of each list's day. */
async function publish(seed: number): Promise<void> {
	for (const { day, rows } of history(seed)) {
		service.clock.now = new Date(`${day}T12:00:00Z`);
		await service.deliver(developer(developerEvent(1, 1)), ...deliveries(rows));
		await service.compute();
	}
}

test("between two entries the history equals the published score as of every day", async () => {
	await publish(21);
	let several = 0;
	for (let id = 1; id <= 12; id++) {
		const { data, meta } = await changes(`ERCOT-${id}`);
		expect(meta.total).toBe(data.length);
		if (data.length > 2) several++;
		for (let at = Date.parse(days[0]); at <= Date.parse("2026-06-01"); at += 5 * 86_400_000) {
			const day = new Date(at).toISOString().slice(0, 10);
			const published = data.findLast((change) => change.day <= day && (change.until === null || change.until > day));
			const is = await scoreOn(`ERCOT-${id}`, day).catch(() => undefined);
			expect([published?.inputs_hash, published?.investability_score, published?.grade]).toEqual([
				is?.inputs_hash,
				is?.investability_score,
				is?.grade,
			]);
		}
		expect((await changes(`ERCOT-${id}`, { order: "desc" })).data).toEqual(data.toReversed());
	}
	expect(several).toBeGreaterThan(3);
});

test("states which inputs changed, and each component's change", async () => {
	const row = (version: number, day: string, more: Parameters<typeof projectEvent>[2]) => [
		{ ...projectEvent("ERCOT-1", version, more), as_of: `${day}T00:00:00Z`, snapshot_id: version },
	];
	const early = { cod: "2026-03-15", construction_stage: "mid", ia_status: "Facility Study" } as const;
	const late = {
		...early,
		construction_stage: "late",
		ia_status: "IA Executed",
		study_phase: "IA Executed",
		security_posted: true,
	} as const;
	// Another request of a later list: that day the date of the first has passed, which nothing was filed of.
	const other = [{ ...projectEvent("ERCOT-2", 2), as_of: "2026-04-01T00:00:00Z", snapshot_id: 2 }];
	for (const [day, rows] of [
		["2026-02-01", row(1, "2026-02-01", early)],
		["2026-04-01", other],
		["2026-05-01", row(3, "2026-05-01", late)],
	] as const) {
		service.clock.now = new Date(`${day}T12:00:00Z`);
		await service.deliver(...deliveries(rows));
		await service.compute();
	}
	const { data } = await changes("ERCOT-1");
	expect(data.map(({ day, until }) => [day, until])).toEqual([
		["2026-02-01", "2026-04-01"],
		["2026-04-01", "2026-05-01"],
		["2026-05-01", null],
	]);
	expect(data[0]).toMatchObject({ inputs: [], components: {} });
	expect(data[1]?.inputs).toContainEqual({ name: "cod_position", old: "ahead", new: "past" });
	expect(data[2]?.inputs.map(({ name }) => name)).toContain("milestone");
	const points = async (day: string) => Object.entries((await scoreOn("ERCOT-1", day)).components ?? {});
	for (const [at, day] of [
		[1, "2026-04-01"],
		[2, "2026-05-01"],
	] as const) {
		const before = Object.fromEntries(await points(data[at - 1]?.day ?? ""));
		const moved = (await points(day)).map(([name, { score }]) => [name, score - (before[name]?.score ?? 0)] as const);
		expect(data[at]?.components).toEqual(Object.fromEntries(moved.filter(([, difference]) => difference !== 0)));
	}
	expect(data[2]?.components.milestone_progress).toBeGreaterThan(0);
});

test("pages and cursors return each change once; an unknown request has none", async () => {
	await publish(22);
	const all = (await changes("ERCOT-3", { order: "desc" })).data;
	expect(all.length).toBeGreaterThan(2);
	const paged: typeof all = [];
	for (const page of all.keys())
		paged.push(...(await changes("ERCOT-3", { order: "desc", per_page: 1, page: page + 1 })).data);
	expect(paged).toEqual(all);
	const followed: typeof all = [];
	for (let cursor: string | null | undefined = "*"; typeof cursor === "string"; ) {
		const found: Reply<"readScoreHistory"> = await changes("ERCOT-3", { order: "desc", per_page: 2, cursor });
		followed.push(...found.data);
		cursor = found.meta.next_cursor;
	}
	expect(followed).toEqual(all);
	await expect(changes("ERCOT-99")).rejects.toMatchObject({ status: 404 });
});
