/** The order in which events come, how often and in what company, leaves no trace in what is made of them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isScored, scoreBatch } from "../../services/scoring/jobs/keep-scored.ts";
import { type Delivery, developer, news } from "./support/deliver.ts";
import { developerEvent, named, newsEvent, randomBy, shuffled } from "./support/history.ts";
import { History, type Sizes } from "./support/random-history.ts";
import { type Made, openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Everything is marked again: what was not marked, and should have been, comes out otherwise now. */
async function expectNothingForgotten(after: string): Promise<Made> {
	await service.compute();
	expect(await isScored(service.sql)).toBe(true);
	const before = await service.made();
	await service.computeAll();
	expect([after, await service.made()]).toEqual([after, before]);
	const [{ closed } = {}] = await service.sql<{ closed: number }[]>`
		select count(*)::int as closed from scores join projects using (project_id) where not open`;
	expect(closed).toBe(0);
	expect(service.errors).toEqual([]);
	return before;
}

/** So few that what one event should have marked is seldom marked by the next. */
const few: Sizes = { projects: 16, developers: 2, articles: 5, raises: 2, filings: 1, transfers: 2 };
const many: Sizes = { projects: 24, developers: 4, articles: 20, raises: 8, filings: 8, transfers: 8 };

describe("a single event", () => {
	test.each([1, 2, 3, 4, 5])("marks all that it changes (course %i)", async (seed) => {
		await service.clear();
		const random = randomBy(seed);
		const history = new History(random, few);
		await service.deliver(...history.beginning());
		await expectNothingForgotten("the beginning");
		const ratings = new Set<string>();
		for (let step = 1; step <= 60; step++) {
			const delivery = history.next();
			await service.deliver(delivery);
			const made = await expectNothingForgotten(`${step}: ${JSON.stringify(delivery.event)}`);
			ratings.add(JSON.stringify(made.ratings));
		}
		// Events that change nothing would prove nothing.
		expect(ratings.size).toBeGreaterThan(5);
	});
});

test("a headline that is found to state a developer's bankruptcy later counts from then on", async () => {
	await service.clear();
	const headline = (id: number, version: number, bankruptcy: boolean) => {
		const [title, event_type] = ["Dev 1 files for Chapter 11 bankruptcy", "distress"] as const;
		const developers = [named(1, 0.9, bankruptcy)];
		return news(newsEvent(id, version, { title, event_type, domain: `outlet-${id}.example`, developers }));
	};
	const level = () => service.rows("select to_jsonb(distress_level) as row from developer_ratings");
	await service.deliver(developer(developerEvent(1, 1)), headline(1, 1, false), headline(2, 1, false));
	await service.compute();
	expect(await level()).not.toEqual(["High"]);
	await service.deliver(headline(1, 2, true));
	await expectNothingForgotten("one outlet");
	expect(await level()).not.toEqual(["High"]);
	await service.deliver(headline(2, 2, true));
	await expectNothingForgotten("two outlets");
	expect(await level()).toEqual(["High"]);
});

/** Several events a batch, as they come at once; in between some of what is marked is computed. */
async function outcome(deliveries: readonly Delivery[], random: () => number, most: number): Promise<Made> {
	await service.clear();
	for (let at = 0; at < deliveries.length; ) {
		const size = 1 + Math.floor(random() * most);
		await service.deliver(...deliveries.slice(at, at + size));
		at += size;
		if (random() < 0.3) await scoreBatch(service.sql, service.scoring);
	}
	return expectNothingForgotten("all of it");
}

describe("events that come late, out of order, twice, one by one or together", () => {
	test.each([
		[1, few, 60],
		[2, few, 60],
		[3, few, 100],
		[4, many, 200],
		[5, many, 200],
	])("make what they make in order (course %i)", async (seed, sizes, events) => {
		const history = new History(randomBy(seed * 1000), sizes);
		const inOrder = [...history.beginning(), ...Array.from({ length: events }, () => history.next())];
		const expected = await outcome(inOrder, randomBy(seed), 1);
		expect(expected.scores.length).toBeGreaterThan(3);
		expect(expected.ratings).toHaveLength(sizes.developers);
		for (const [order, most] of [
			[1, 1],
			[2, 12],
			[3, 40],
		] as const) {
			const random = randomBy(seed * 100 + order);
			const twice = inOrder.filter(() => random() < 0.3);
			expect(await outcome(shuffled(random, [...inOrder, ...twice]), random, most)).toEqual(expected);
		}
	});
});
