/** Lists in any order: as of every day scores are those of a service to which the same lists came in the order of their days. */
import { expect } from "vitest";
import { operations as contract, events, type Params, type Reply } from "#libs/contract/index.ts";
import { backfillList } from "../../../services/queue-ingest/queues/jobs/backfill-list.ts";
import { republish } from "../../../services/queue-ingest/republish.ts";
import { operations } from "../../../services/scoring/operations/index.ts";
import { type MisoRow, misoJson, standing } from "../../queue-ingest/support/miso.ts";
import { openQueue, type Queue } from "../../queue-ingest/support/queue.ts";
import { type Delivery, developer, list, project, state } from "./deliver.ts";
import { pick, randomBy, shuffled } from "./history.ts";
import { openScoring, type TestScoring } from "./scoring.ts";

export const today = "2026-11-20";
const call = { signal: new AbortController().signal };
export const days = ["2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"] as const;
const askedDays = ["2026-01-31", ...days.flatMap((day) => [day, `${day.slice(0, 8)}20`]), today];

interface List {
	day: string;
	rows: MisoRow[];
}

/** Lists of these days, each made of the one before: requests come, move their dates, go on, withdraw, leave and come back. */
function listsOf(random: () => number): List[] {
	let rows: MisoRow[] = Array.from({ length: 14 }, (_, at) => changed(random, { number: `J${1000 + at}` }));
	let next = 1100;
	return days.map((day, at) => {
		if (at > 0) {
			rows = rows
				.filter(() => random() > 0.08)
				.map((row) => (random() < 0.5 ? changed(random, row) : row))
				.map((row) => (random() < 0.05 ? { ...row, status: "Withdrawn", withdrawn: day } : row));
			if (random() < 0.7) rows = [...rows, changed(random, { number: `J${next++}` })];
		}
		return { day, rows: [...rows, ...standing(30)] };
	});
}

const changed = (random: () => number, row: MisoRow): MisoRow =>
	pick<(row: MisoRow) => MisoRow>(random, [
		(now) => ({ ...now, inService: pick(random, ["2026-04-15", "2027-06-01", "2028-06-01", "2030-01-01"] as const) }),
		(now) => ({ ...now, phase: pick(random, ["Phase 1", "Phase 2", "Phase 3", "GIA"] as const) }),
		(now) => ({ ...now, fuel: pick(random, ["Solar", "Wind", "Battery Storage"] as const) }),
		(now) => {
			const mw = pick(random, [50, 150, 400] as const);
			return { ...now, summer: mw, winter: mw };
		},
	])(row);

const receivers: Record<string, (event: never) => Delivery> = {
	[events.projectChanged.name]: project,
	[events.developerChanged.name]: developer,
	[events.stateRecorded.name]: state,
	[events.listRecorded.name]: list,
};

/** What the queue has said since, as deliveries; none of it waits any more. */
export async function said({ sql }: Queue): Promise<Delivery[]> {
	const rows = await sql<{ name: string; payload: string }[]>`
		with taken as (delete from outbox returning id, subject, payload)
		select replace(subject, 'event.queue-ingest.', '') as name, payload::text as payload from taken order by id`;
	return rows.flatMap(({ name, payload }) => receivers[name]?.(JSON.parse(payload) as never) ?? []);
}

const handlers = ({ sql, clock }: TestScoring) =>
	operations({ sql, now: () => clock.now, notice_2025_42: "vacated" as const });
export async function ask<N extends "readScore" | "readScoreHistory" | "listInvestable" | "listItcDeals">(
	of: TestScoring,
	name: N,
	params: object,
): Promise<Reply<N>> {
	const handler = handlers(of)[name] as (params: Params<N>, context: typeof call) => Promise<{ json: string }>;
	const { json } = await handler(contract[name].params.parse(params) as Params<N>, call);
	return contract[name].reply.parse(JSON.parse(json.toString())) as Reply<N>;
}

/** The newest list of the day or before. */
const listOn = (lists: readonly List[], day: string) => lists.findLast((each) => each.day <= day);

/**
 * Everything that scores say of each day, and of the past of each request that no list lacks, less which states corrections made and since when
 * each state is known to hold, of so many requests that change. Of a request that is in no list of its day the last is compared that was known when it left.
 */
async function answersOf(of: TestScoring, lists: readonly List[], compared: number): Promise<object> {
	const answers: Record<string, unknown> = {};
	for (const as_of of askedDays) {
		const { data, meta } = await ask(of, "listInvestable", { as_of, min_score: 0, per_page: 200 });
		answers[as_of] = { data, meta: { ...meta, corrections: null } };
		for (const { number } of listOn(lists, as_of)?.rows.slice(0, compared) ?? []) {
			const { scored_at: _, ...score } = await ask(of, "readScore", { project_id: `MISO-${number}`, as_of });
			answers[`${number} ${as_of}`] = score;
		}
	}
	for (const { number } of lists[0]?.rows.slice(0, compared) ?? [])
		if (lists.every(({ rows }) => rows.some((row) => row.number === number)))
			answers[number] = await ask(of, "readScoreHistory", {
				project_id: `MISO-${number}`,
				order: "asc",
				per_page: 200,
			});
	return answers;
}

/** Scores as of every day do not depend on the order in which lists came, nor on that of the events. */
export async function expectAnyOrder(seed: number, compared: number): Promise<void> {
	const random = randomBy(seed);
	const lists = listsOf(random);
	await using inTurn = await openQueue();
	await using mixed = await openQueue();
	await using expected = await openScoring(`${today}T12:00:00Z`);
	await using service = await openScoring(`${today}T12:00:00Z`);
	const accept = { accept: true };
	for (const { day, rows } of lists)
		expect(await inTurn.take("MISO", day, misoJson(rows), accept)).toMatchObject({ outcome: "applied" });
	await expected.deliver(...(await said(inTurn)));

	const late = shuffled(random, lists.slice(0, -1)).slice(0, 2 + (seed % 3));
	const waiting: Delivery[] = [];
	for (const each of lists.filter((one) => !late.includes(one))) {
		await mixed.take("MISO", each.day, misoJson(each.rows), accept);
		waiting.push(...(await said(mixed)));
		if (each !== lists.at(-1)) {
			// Half of a list, taken back at once.
			const wrong = each.rows.filter((_, at) => at % 2 === 0);
			await mixed.take("MISO", `${each.day.slice(0, 8)}10`, misoJson(wrong), accept);
			expect(await mixed.retract("MISO", `${each.day.slice(0, 8)}11`)).toMatchObject({ outcome: "applied" });
			waiting.push(...(await said(mixed)));
		}
	}
	for (const { day, rows } of late) {
		const files = [{ ...misoJson(rows), path: "miso.json" }];
		const result = await backfillList(mixed.sql, { region: "MISO", files, asOf: `${day}T06:00:00Z`, ...accept });
		expect(result, day).toMatchObject({ outcome: "backfilled" });
		waiting.push(...(await said(mixed)));
	}
	const doubled = shuffled(random, [...waiting, ...shuffled(random, waiting).slice(0, waiting.length / 3)]);
	while (doubled.length > 0) await service.deliver(...doubled.splice(0, pick(random, [1, 7, 40])));
	expect(await answersOf(service, lists, compared)).toEqual(await answersOf(expected, lists, compared));
	const { data, meta } = await ask(service, "listInvestable", { as_of: days[3], min_score: 0 });
	expect(data.length).toBeGreaterThan(0);
	mixed.now = `${today}T12:00:00Z`;
	const shown = await mixed.ask("listProjects", { as_of: days[3], per_page: 1 });
	expect(meta.corrections).toBeGreaterThan(0);
	expect([meta.corrections, meta.coverage]).toEqual([shown.meta.corrections, shown.meta.coverage]);

	// The past can be lost: it is made anew of what is said again.
	const kept = () => service.rows("select to_jsonb(s) - 'revision' as row from project_states s order by entry");
	const before = await kept();
	await service.sql`truncate project_states, lists`;
	for (const name of [events.stateRecorded.name, events.listRecorded.name])
		expect(await republish(mixed.sql, name)).toBeGreaterThan(0);
	await service.deliver(...(await said(mixed)));
	expect(await kept()).toEqual(before);
}
