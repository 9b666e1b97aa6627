/** The leaderboard equals the ratings, sorted and filtered as requested: this file computes it a second time, without SQL. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operations as contract, type ParamsInput, type Reply } from "#libs/contract/index.ts";
import { distressVersion } from "../../services/scoring/domain/developers/tables.ts";
import type { RatedCounts } from "../../services/scoring/jobs/count-developers.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { random as randomBy } from "../support/file-formats.ts";
import { developer, news, project, raise } from "./support/deliver.ts";
import { developerEvent, named, newsEvent, pick, projectEvent, raiseEvent } from "./support/history.ts";
import { History } from "./support/random-history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

type Asked = ParamsInput<"getCapitalLeaderboard">;
type Leaderboard = Reply<"getCapitalLeaderboard">;

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

async function shown(params: Asked): Promise<Leaderboard> {
	const parsed = contract.getCapitalLeaderboard.params.parse(params);
	const { signal } = new AbortController();
	const { json } = await operations({
		sql: service.sql,
		now: () => service.clock.now,
		notice_2025_42: "vacated",
	}).getCapitalLeaderboard(parsed, { signal });
	return contract.getCapitalLeaderboard.reply.parse(JSON.parse(String(json)));
}

interface Rated {
	developer_id: number;
	canonical_name: string;
	tier: string;
	company_kind: string;
	known: boolean;
	counts: RatedCounts;
	distress_level: string;
	distress_score: number;
	distress_components: unknown;
	coverage: unknown;
}

const raisedOf = ({ capitalRaised, raiseCount }: RatedCounts): number | null =>
	// No month of Form D is loaded here.
	raiseCount > 0 ? capitalRaised : null;

const perMw = ({ capitalRaised, operationalMw, raiseCount }: RatedCounts): number | null =>
	raiseCount > 0 && operationalMw > 0 ? Math.round((capitalRaised / operationalMw) * 100) / 100 : null;

const lateMw = ({ lateAndConstruction }: RatedCounts): number =>
	Math.round(lateAndConstruction.reduce((sum, { mw }) => sum + mw, 0) * 1000) / 1000;

const rowOf = ({ counts, ...rated }: Rated) => {
	const requests = counts.active + counts.operational + counts.withdrawn;
	return {
		developer_id: rated.developer_id,
		developer: rated.canonical_name,
		tier: rated.tier,
		company_kind: rated.company_kind,
		capital_raised: raisedOf(counts),
		raise_count: counts.raiseCount,
		latest_raise: counts.latestRaise,
		operational_capacity_mw: counts.operationalMw,
		active_capacity_mw: counts.activeMw,
		late_stage_mw: lateMw(counts),
		capital_per_operational_mw: perMw(counts),
		financing_events: counts.financing,
		ma_events: counts.ma + counts.transfers,
		distress_events: counts.distress,
		litigation_events: counts.litigation,
		withdrawal_rate: requests === 0 ? null : Math.round((counts.withdrawn / requests) * 10_000) / 10_000,
		active_projects: counts.active,
		behind_schedule: counts.behind,
		high_ic_cost_projects: counts.withCost > 0 ? counts.highCost : null,
		max_ic_cost_per_kw: counts.maxCostPerKw,
		distress_signal: {
			level: rated.distress_level,
			score: rated.distress_score,
			components: rated.distress_components,
			judged: rated.distress_components !== null,
			version: distressVersion,
		},
		coverage: rated.coverage,
	};
};

const capacityOf = ({ counts }: Rated): number => Math.round((counts.operationalMw + counts.activeMw) * 1000) / 1000;

/** Higher first, null last; of equal ones that with more MW of late stage, then the larger, then the one with the lower number, as they come sorted. */
async function expected(params: Asked) {
	const { sort, min_raised, tier, exclude_tiers, page, per_page, limit } =
		contract.getCapitalLeaderboard.params.parse(params);
	const rated = await service.rows<Rated>(`
		select to_jsonb(r) || jsonb_build_object('canonical_name', canonical_name, 'tier', tier, 'company_kind', company_kind,
			'known', known) as row
		from developer_ratings r join developers using (developer_id) order by developer_id`);
	const keys = {
		capital_raised: ({ counts }: Rated) => [raisedOf(counts) ?? -1],
		divergence: ({ counts }: Rated) => [perMw(counts) ?? -1, raisedOf(counts) ?? -1],
		distress: ({ distress_score, counts }: Rated) => [distress_score, raisedOf(counts) ?? -1],
	}[sort];
	const ranked = rated
		.filter(({ known, counts }) => known || counts.active + counts.operational + counts.withdrawn > 0)
		.filter((each) => each.counts.capitalRaised >= min_raised)
		.filter((each) => tier === undefined || tier.split(",").includes(each.tier))
		.filter((each) => !exclude_tiers?.split(",").includes(each.tier))
		.sort((a, b) => {
			const [of, than] = [a, b].map((each) => [...keys(each), lateMw(each.counts), capacityOf(each)]) as [
				number[],
				number[],
			];
			return of.map((key, at) => (than[at] ?? 0) - key).find((difference) => difference !== 0) ?? 0;
		});
	const size = limit ?? per_page;
	const data = ranked.slice((page - 1) * size, page * size).map(rowOf);
	const meta = { total: ranked.length, page, per_page: size, pages: Math.ceil(ranked.length / size) };
	return { data, count: data.length, sort, meta };
}

const questions: Asked[] = (["capital_raised", "divergence", "distress"] as const).flatMap((sort) => [
	{ sort, limit: 200 },
	{ sort, limit: 3 },
	{ sort, per_page: 2, page: 2 },
	{ sort, min_raised: 50_000_000 },
	{ sort, tier: "independent,unknown" },
	{ sort, exclude_tiers: "unknown", min_raised: 1 },
]);

async function expectRanked(after: string): Promise<number> {
	for (const params of questions) expect([after, await shown(params)]).toEqual([after, await expected(params)]);
	return (await shown({ limit: 200 })).count;
}

test("the leaderboard is ranked, filtered and shaped as requested", async () => {
	const random = randomBy(1);
	const history = new History(random, {
		projects: 24,
		developers: 6,
		articles: 12,
		raises: 10,
		filings: 4,
		transfers: 3,
	});
	await service.deliver(...history.beginning());
	expect(await expectRanked("no developer is rated")).toBe(0);
	await service.compute();
	const answers = new Set<string>();
	for (let step = 1; step <= 40; step++) {
		const renamed = developer(
			developerEvent(1 + (step % 6), 1_000 + step, {
				canonical_name: pick(random, [`Developer ${1 + (step % 6)}`, 'Quoted "é" \\ LLC', "Developer 1"] as const),
				tier: pick(random, ["independent", "unknown", "major_ipp"] as const),
				company_kind: pick(random, ["sponsor", "special_purpose"] as const),
				known: pick(random, [true, false] as const),
			}),
		);
		await service.deliver(step % 5 === 0 ? renamed : history.next());
		await service.compute();
		if (step % 4 === 0) await expectRanked(`step ${step}`);
		answers.add(JSON.stringify(await shown({})));
	}
	// Events that change nothing would prove nothing.
	expect(answers.size).toBeGreaterThan(15);
});

test("page numbers and cursors read all of its rows, equal ones included", async () => {
	await service.deliver(...[1, 2, 3, 4, 5, 6, 7].map((id) => developer(developerEvent(id, 1))));
	for (const [at, developer_id] of [3, 5].entries())
		await service.deliver(raise(raiseEvent(`0001-26-00000${at}`, 1, { developer_id, total_amount_sold: 5e6 })));
	await service.compute();
	for (const sort of ["capital_raised", "divergence", "distress"] as const) {
		const { data: all, meta } = await shown({ sort });
		expect(meta).toEqual({ total: 7, page: 1, per_page: 50, pages: 1 });
		const numbered = [];
		for (const page of [1, 2, 3, 4]) numbered.push(...(await shown({ sort, per_page: 3, page })).data);
		expect(numbered).toEqual(all);
		const followed = [];
		for (let cursor: string | null | undefined = "*"; cursor; ) {
			const answer: Leaderboard = await shown({ sort, limit: 2, cursor });
			expect(answer.count).toBe(answer.data.length);
			followed.push(...answer.data);
			cursor = answer.meta.next_cursor;
		}
		expect(followed).toEqual(all);
	}
});

test("limit is per_page, and may not contradict it", () => {
	const { params } = contract.getCapitalLeaderboard;
	expect(params.safeParse({ limit: "3", per_page: "3" }).success).toBe(true);
	expect(params.safeParse({ limit: "3", per_page: "4" }).error?.issues).toMatchObject([
		{ path: ["limit"], message: "contradicts per_page (3, 4)" },
	]);
});

test("dollars are summed to the cent, whatever order they come in", async () => {
	await service.deliver(developer(developerEvent(1, 1)));
	const amounts = [0.1, 0.2, 0.4];
	for (const [at, total_amount_sold] of amounts.entries())
		await service.deliver(raise(raiseEvent(`0001-26-00000${at}`, 1, { developer_id: 1, total_amount_sold })));
	await service.compute();
	expect((await shown({})).data).toMatchObject([{ developer_id: 1, capital_raised: 0.7, raise_count: 3 }]);
});

test("the amount raised is unknown before Form D is loaded, and $0 if its months have no filing", async () => {
	await service.deliver(developer(developerEvent(1, 1)));
	await service.compute();
	const raised = async () =>
		(await shown({ min_raised: 0 })).data.map((row) => [row.capital_raised, row.coverage.form_d]);
	const formD = { looked_at: false, offerings: 0, months: 0 };
	expect(await raised()).toEqual([[null, formD]]);
	expect((await shown({ min_raised: 1 })).data).toEqual([]);
	await service.sql`
		insert into raises (accession_number, filing_date, issuer_name, is_amendment, is_latest, match_method, version)
		select n || '-' || i, (date '2026-10-01' - make_interval(months => n))::date, 'Another', false, true, 'none', 1
		from generate_series(0, 29) n, generate_series(1, case when n = 0 then 1999 else 2000 end) i`;
	await service.sql`
		insert into raise_months (month, filings) select date_trunc('month', filing_date), count(*) from raises group by 1`;
	// A filing of another issuer: from it on, the month counts as complete.
	await service.deliver(raise(raiseEvent("0001-26-000001", 1, { developer_id: null, filing_date: "2026-10-05" })));
	await service.compute();
	expect(await raised()).toEqual([[0, { ...formD, looked_at: true, months: 30 }]]);
	// The filing is dated again.
	await service.deliver(raise(raiseEvent("0001-26-000001", 2, { developer_id: null, filing_date: "2026-11-05" })));
	await service.compute();
	expect(await raised()).toEqual([[null, { ...formD, months: 29 }]]);
});

test("a request that its list no longer contains counts neither as active nor as finished", async () => {
	const one = (version: number, listed: "listed" | "missing") =>
		project(
			projectEvent("PJM-1", version, { developer_id: 1, status_std: "Active", listed, queue_date: "2024-01-02" }),
		);
	await service.deliver(developer(developerEvent(1, 1)), one(1, "listed"));
	await service.compute();
	expect((await shown({ min_raised: 0 })).data).toMatchObject([{ developer_id: 1, active_projects: 1 }]);
	await service.deliver(one(2, "missing"));
	await service.compute();
	expect(service.errors).toEqual([]);
	expect((await shown({ min_raised: 0 })).data.map((row) => row.active_projects)).not.toContain(1);
});

test("news about a worldwide parent is not news about its US company, and is counted on request", async () => {
	const bankruptcy = (id: number, subject: "us_business" | "parent") =>
		news(newsEvent(id, 1, { event_type: "distress", developers: [{ ...named(1), subject, bankruptcy: true }] }));
	await service.deliver(
		developer(developerEvent(1, 1)),
		bankruptcy(1, "us_business"),
		bankruptcy(2, "parent"),
		bankruptcy(3, "parent"),
	);
	await service.compute();
	const [alone, both] = [await shown({}), await shown({ include_parent: "true" })].map(({ data }) => data[0]);
	expect(alone).toMatchObject({
		distress_events: 1,
		distress_signal: { components: { distress_events: 1, bankruptcy: false } },
	});
	expect(both).toEqual({ ...alone, distress_events: 3 });
});

test("deleted ratings and developers are no longer returned", async () => {
	await service.deliver(...[1, 2, 3].map((id) => developer(developerEvent(id, 1))));
	await service.compute();
	expect(await expectRanked("all")).toBe(3);
	await service.sql`delete from developer_ratings where developer_id = 1`;
	expect(await expectRanked("one rating less")).toBe(2);
	await service.sql`delete from developers where developer_id = 2`;
	expect(await expectRanked("one developer less")).toBe(1);
	await service.sql`truncate developer_ratings`;
	expect(await expectRanked("no rating")).toBe(0);
	await service.computeAll();
	expect(await expectRanked("all that are left")).toBe(2);
});
