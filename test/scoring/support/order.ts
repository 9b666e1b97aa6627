/** Random histories of events, in order and in any other. */
import { expect } from "vitest";
import { isQueueEmpty, scoreBatch } from "../../../services/scoring/jobs/scoring-worker.ts";
import { random as randomBy } from "../../support/file-formats.ts";
import type { Delivery } from "./deliver.ts";
import { shuffled } from "./history.ts";
import { History, type Sizes } from "./random-history.ts";
import type { Made, TestScoring } from "./scoring.ts";

/** Queues everything again: what should have been queued before, and was not, has another result now. */
export async function expectNothingForgotten(service: TestScoring, after: string): Promise<Made> {
	await service.compute();
	expect(await isQueueEmpty(service.sql)).toBe(true);
	const before = await service.made();
	await service.computeAll();
	expect([after, await service.made()]).toEqual([after, before]);
	const [{ closed } = {}] = await service.sql<{ closed: number }[]>`
		select count(*)::int as closed from scores join projects using (project_id) where not open`;
	expect(closed).toBe(0);
	expect(service.errors).toEqual([]);
	return before;
}

/** Few enough that another event seldom enqueues what one event failed to enqueue. */
export const few: Sizes = { projects: 16, developers: 2, articles: 5, raises: 2, filings: 1, transfers: 2 };
export const many: Sizes = { projects: 24, developers: 4, articles: 20, raises: 8, filings: 8, transfers: 8 };

/** Each event of a history queues all that it changes. */
export async function expectAllMarked(service: TestScoring, seed: number, events = 60): Promise<void> {
	await service.clear();
	const random = randomBy(seed);
	const history = new History(random, few);
	await service.deliver(...history.beginning());
	await expectNothingForgotten(service, "the beginning");
	const ratings = new Set<string>();
	for (let step = 1; step <= events; step++) {
		const delivery = history.next();
		await service.deliver(delivery);
		const made = await expectNothingForgotten(service, `${step}: ${JSON.stringify(delivery.event)}`);
		ratings.add(JSON.stringify(made.ratings));
	}
	// Events that change nothing would prove nothing.
	expect(ratings.size).toBeGreaterThan(5);
}

/** Several events a batch, as they arrive; between batches some of the queued rows are computed. */
async function outcome(
	service: TestScoring,
	deliveries: readonly Delivery[],
	random: () => number,
	most: number,
): Promise<Made> {
	await service.clear();
	for (let at = 0; at < deliveries.length; ) {
		const size = 1 + Math.floor(random() * most);
		await service.deliver(...deliveries.slice(at, at + size));
		at += size;
		if (random() < 0.3) await scoreBatch(service.sql, service.scoring);
	}
	return expectNothingForgotten(service, "all of it");
}

/** Events that arrive late, out of order, twice, one by one or together have the same result as in order. */
export async function expectSameOutcome(
	service: TestScoring,
	seed: number,
	sizes: Sizes,
	events: number,
): Promise<void> {
	const history = new History(randomBy(seed * 1000), sizes);
	const inOrder = [...history.beginning(), ...Array.from({ length: events }, () => history.next())];
	const expected = await outcome(service, inOrder, randomBy(seed), 1);
	expect(expected.scores.length).toBeGreaterThan(3);
	expect(expected.ratings).toHaveLength(sizes.developers);
	for (const [order, most] of [
		[1, 1],
		[2, 12],
		[3, 40],
	] as const) {
		const random = randomBy(seed * 100 + order);
		const twice = inOrder.filter(() => random() < 0.3);
		expect(await outcome(service, shuffled(random, [...inOrder, ...twice]), random, most)).toEqual(expected);
	}
}
