/** Scores and ratings of the days of a history, beside a service that knows of each day what was known on it. */
import { expect } from "vitest";
import { operations as contract, type Reply } from "#libs/contract/index.ts";
import { cumulativeSlipDays } from "../../../services/scoring/domain/score/index.ts";
import { operations } from "../../../services/scoring/operations/index.ts";
import { type DatedList, deliveries, history } from "./dated-lists.ts";
import { developer, filing, news, raise } from "./deliver.ts";
import { developerEvent, filingEvent, named, newsEvent, raiseEvent } from "./history.ts";
import type { TestScoring } from "./scoring.ts";

export const now = "2026-11-20T12:00:00Z";
export type Score = Reply<"readScore">;
const resources = ({ sql, clock }: TestScoring) => ({
	sql,
	now: () => clock.now,
	notice_2025_42: "vacated" as const,
});
const call = { signal: new AbortController().signal };
export async function read(of: TestScoring, project_id: string, more: { as_of?: string; score_version?: number } = {}) {
	const { json } = await operations(resources(of)).readScore({ project_id, ...more }, call);
	return JSON.parse(json.toString()) as Score;
}

type Capital = Reply<"getDeveloperCapital">;
export async function capitalOf(of: TestScoring, moment: { as_of?: string } = {}) {
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

export interface Services {
	service: TestScoring;
	/** Knows of each day what was known on it. */
	then: TestScoring;
}

/** A developer of so many requests is rated by what was known of the day, and by nothing that came later. */
export async function expectRatingsOfDays({ service, then }: Services, seed: number, requests: number): Promise<void> {
	const lists = history(seed, requests);
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
}

/** So many requests are scored by the facts of the day, and by nothing that came later. */
export async function expectScoresOfDays({ service, then }: Services, seed: number, requests: number): Promise<void> {
	const lists = history(seed, requests);
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
}
