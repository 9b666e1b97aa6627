/** Rows of the leaderboard are kept as they are shown: whatever changed, they are what the standings and the developers say now. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operations as contract, type ParamsInput } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { distressVersion } from "../../services/scoring/domain/distress/distress.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import {
	costs,
	countOf,
	distressSignal,
	eventCounts,
	listed,
	standing,
} from "../../services/scoring/operations/standings.ts";
import { eventually } from "../support/eventually.ts";
import { developer } from "./support/deliver.ts";
import { developerEvent, pick, randomBy } from "./support/history.ts";
import { History } from "./support/random-history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

type Asked = ParamsInput<"getCapitalLeaderboard">;

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

async function shown(params: Asked): Promise<string> {
	const parsed = contract.getCapitalLeaderboard.params.parse(params);
	const { signal } = new AbortController();
	const { json } = await operations({
		sql: service.sql,
		now: () => service.clock.now,
		notice_2025_42: "vacated",
	}).getCapitalLeaderboard(parsed, { signal });
	contract.getCapitalLeaderboard.reply.parse(JSON.parse(String(json)));
	return String(json);
}

/** Joined, ranked and written anew. */
async function computed(sql: Sql, params: Asked): Promise<string> {
	const { sort, min_raised, tier, exclude_tiers, limit } = contract.getCapitalLeaderboard.params.parse(params);
	const place = {
		capital_raised: "capital_raised",
		divergence: "capital_per_operational_mw",
		distress: "distress_score",
	}[sort];
	const n = (name: string) => countOf(sql, name);
	const [row] = await sql<{ json: string }[]>`
		select json_build_object('data', coalesce(json_agg(shown), '[]'), 'count', count(*), 'sort', ${sort}::text)::text as json from (
			select row_to_json(t) as shown from (
				select ${standing(sql)}, ${eventCounts(sql)}, round(${n("withdrawn")}::numeric
						/ nullif(${n("withdrawn")} + ${n("active")} + ${n("operational")}, 0), 4)::float8 as withdrawal_rate,
					${n("active")} as active_projects, ${n("behind")} as behind_schedule, ${costs(sql)}, ${distressSignal(sql)}
				from standings s join developers d using (developer_id)
				where ${listed(sql)} and s.capital_raised >= ${min_raised} and d.tier <> all(${exclude_tiers?.split(",") ?? []}::text[])
					and (${tier === undefined} or d.tier = any(${tier?.split(",") ?? []}::text[]))) t
				join standings s using (developer_id)
			order by ${sql.unsafe(place === "distress_score" ? "s.distress_score" : `t.${place}`)} desc nulls last, t.capital_raised desc,
				t.developer, t.developer_id limit ${limit}) r`;
	return row?.json ?? "";
}

const questions: Asked[] = (["capital_raised", "divergence", "distress"] as const).flatMap((sort) => [
	{ sort, limit: 200 },
	{ sort, limit: 3 },
	{ sort, min_raised: 50_000_000 },
	{ sort, tier: "independent,unknown" },
	{ sort, exclude_tiers: "unknown", min_raised: 1 },
]);

/** Asks one of so many of the questions. Answers how many rows the longest answer has. */
async function expectKept(after: string, { from = 0, every = 1 } = {}): Promise<number> {
	for (const [at, params] of questions.entries())
		if (at % every === from % every)
			expect([after, await shown(params)]).toEqual([after, await computed(service.sql, params)]);
	return (JSON.parse(await shown({ limit: 200 })) as { count: number }).count;
}

test.each([1, 2])("after each event and each batch rows are what would be computed (course %i)", async (seed) => {
	const random = randomBy(seed);
	const history = new History(random, {
		projects: 24,
		developers: 6,
		articles: 12,
		raises: 10,
		filings: 4,
		transfers: 3,
	});
	await service.deliver(...history.beginning());
	await expectKept("nobody is rated");
	await service.compute();
	const answers = new Set<string>();
	for (let step = 1; step <= 40; step++) {
		const renamed = developer(
			developerEvent(1 + (step % 6), 1_000 + step, {
				canonical_name: pick(random, [`Developer ${1 + (step % 6)}`, 'Quoted "é" \\ LLC', "Developer 1"] as const),
				tier: pick(random, ["independent", "unknown", "major_ipp"] as const),
				known: pick(random, [true, false] as const),
			}),
		);
		const delivery = step % 5 === 0 ? renamed : history.next();
		await service.deliver(delivery);
		await expectKept(`${step}, before it is computed: ${JSON.stringify(delivery.event)}`, { from: step, every: 7 });
		await service.compute();
		await expectKept(`${step}: ${JSON.stringify(delivery.event)}`, { from: step + 3, every: 4 });
		answers.add(await shown({}));
	}
	await expectKept("the end");
	// Events that change nothing would prove nothing.
	expect(answers.size).toBeGreaterThan(15);
});

test("standings and developers that go are shown no more", async () => {
	await service.deliver(...[1, 2, 3].map((id) => developer(developerEvent(id, 1))));
	await service.compute();
	expect(await expectKept("all")).toBe(3);
	await service.sql`delete from standings where developer_id = 1`;
	expect(await expectKept("one standing less")).toBe(2);
	await service.sql`delete from developers where developer_id = 2`;
	expect(await expectKept("one developer less")).toBe(1);
	await service.sql`truncate standings`;
	expect(await expectKept("no standing")).toBe(0);
	await service.computeAll();
	expect(await expectKept("all that are left")).toBe(2);
});

const waiting = () =>
	eventually(async () => {
		const [row] = await service.sql<{ waits: boolean }[]>`
			select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`;
		return row?.waits;
	});

test("a developer that gets another name while it is rated keeps both, whoever is first", async () => {
	await service.deliver(...[1, 2].map((id) => developer(developerEvent(id, 1))));
	await service.compute();
	const rate = (score: number) => service.sql`update standings set distress_score = ${score}, version = version + 1`;
	const name = (version: number, canonical_name: string) =>
		developer(developerEvent(1, version, { canonical_name, tier: "pe_fund" }));

	const renamed = await service.sql.begin(async (tx) => {
		await tx`update standings set distress_score = 77, distress_level = 'High'`;
		const other = service.deliver(name(2, "Renamed meanwhile"));
		await waiting();
		return [other];
	});
	await Promise.all(renamed);
	await expectKept("renamed while it was rated");

	const rated = await service.sql.begin(async (tx) => {
		await name(3, "Renamed first").deliverIn(tx);
		const other = rate(55).then(() => undefined);
		await waiting();
		return [other];
	});
	await Promise.all(rated);
	await expectKept("rated while it was renamed");
	expect(await shown({ sort: "distress" })).toContain("Renamed first");
});

test("the version is that of the program's rules", async () => {
	await service.deliver(developer(developerEvent(1, 1)));
	await service.compute();
	expect(JSON.parse(await shown({}))).toMatchObject({ data: [{ distress_signal: { version: distressVersion } }] });
});

test("a database that was filled before has them when it is upgraded", async () => {
	const history = new History(randomBy(9), {
		projects: 24,
		developers: 4,
		articles: 9,
		raises: 6,
		filings: 2,
		transfers: 2,
	});
	await service.deliver(...history.beginning());
	await service.compute();
	const before = await shown({});
	await service.sql`drop table leaderboard`;
	await service.sql`drop view leaderboard_heads, leaderboard_tails`;
	await service.sql`drop function keep_leaderboard_heads, keep_leaderboard_tails, forget_leaderboard_tails cascade`;
	const text = await readFile(
		new URL("../../services/scoring/migrations/0007_leaderboard.sql", import.meta.url),
		"utf8",
	);
	await service.sql.begin((tx) => tx.unsafe(text));
	expect(await shown({})).toBe(before);
	expect(await expectKept("upgraded")).toBe(4);
});
