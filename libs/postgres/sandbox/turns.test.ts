import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTurns } from "./turns.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { atOnce: 2, ofSubject: 2, waiting: 2, waitMs: 2_000 };
const busy = { status: 503, retryAfterSeconds: 2 };

describe("places", () => {
	test("are handed on in the order of those who wait", async () => {
		const turns = openTurns(limits);
		const [first] = [await turns.take("a"), await turns.take("b")];
		const order: string[] = [];
		const waiting = ["c", "d"].map((subject) => turns.take(subject).finally(() => order.push(subject)));
		await expect(turns.take("e")).rejects.toMatchObject(busy);
		await first?.[Symbol.asyncDispose]();
		await (await waiting[0])?.[Symbol.asyncDispose]();
		await waiting[1];
		expect(order).toEqual(["c", "d"]);
	});

	test("who waited two seconds leaves the queue, and takes nobody's place", async () => {
		const turns = openTurns(limits);
		const held = [await turns.take("a"), await turns.take("a")];
		const late = [turns.take("c"), turns.take("c")];
		const refused = Promise.allSettled(late);
		await vi.advanceTimersByTimeAsync(2_000);
		expect((await refused).map((each) => each.status === "rejected" && each.reason.status)).toEqual([503, 503]);
		// Room in the queue again, for the same subject, too.
		const next = [turns.take("c"), turns.take("c")];
		for (const turn of held) await turn[Symbol.asyncDispose]();
		expect(await Promise.all(next)).toHaveLength(2);
	});

	test("a subject has no more than its share, waiting included", async () => {
		const turns = openTurns(limits);
		await turns.take("a");
		await turns.take("b");
		const waiting = turns.take("a");
		await expect(turns.take("a")).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 });
		waiting.catch(() => {});
	});
});
