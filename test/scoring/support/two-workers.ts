/** Two workers and two concurrent deliverers. */
import { expect } from "vitest";
import { isQueueEmpty, scoreQueued } from "../../../services/scoring/jobs/scoring-worker.ts";
import { random as randomBy } from "../../support/file-formats.ts";
import { shuffled } from "./history.ts";
import { History } from "./random-history.ts";
import type { TestScoring } from "./scoring.ts";

/** Computing everything again changes nothing. */
export async function expectUnchanged(service: TestScoring): Promise<void> {
	expect(await isQueueEmpty(service.sql)).toBe(true);
	const made = await service.made();
	await service.computeAll();
	expect(await service.made()).toEqual(made);
}

/** Workers do not deadlock, and have the same result as one worker. */
export async function expectNoCircle(service: TestScoring, seed: number, count = 250): Promise<void> {
	const sizes = { projects: 40, developers: 2, articles: 12, raises: 4, filings: 4, transfers: 6 };
	const history = new History(randomBy(seed), sizes);
	const events = [...history.beginning(), ...Array.from({ length: count }, () => history.next())];
	for (const event of events) await service.deliver(event);
	await service.compute();
	const expected = await service.made();
	await service.clear();

	/** Each reaction takes its batches by itself, as in production; everything is published twice, and received by either. */
	const deliverers = [1, 2].flatMap((who) => {
		const deliveries = events.map((delivery) => delivery.again(`${delivery.event.id}:${who}`));
		const received = shuffled(randomBy(seed * 10 + who), deliveries);
		return [...Map.groupBy(received, ({ reaction }) => reaction).values()].map(async (own) => {
			for (let at = 0; at < own.length; at += 9) await service.deliver(...own.slice(at, at + 9));
		});
	});
	let delivering = true;
	const workers = [1, 2].map(async () => {
		while (delivering) await scoreQueued(service.sql, service.scoring);
	});
	const delivered = await Promise.allSettled(deliverers);
	delivering = false;
	const computed = await Promise.allSettled(workers);
	expect([...delivered, ...computed].filter(({ status }) => status === "rejected")).toEqual([]);
	await Promise.all([service.compute(), service.compute()]);
	expect(service.errors).toEqual([]);
	expect(await service.deadLetters()).toEqual([]);
	expect(await service.made()).toEqual(expected);
	await expectUnchanged(service);
}
