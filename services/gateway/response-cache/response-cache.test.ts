import { describe, expect, test } from "vitest";
import { unavailable } from "#libs/contract/errors.ts";
import { ResponseCache } from "./response-cache.ts";

/** An owner that counts, whose data is at `version`, and a clock that the test moves. */
function owner(options: { version?: number; bytes?: number } = {}) {
	const state = { version: options.version ?? 1, asked: 0, now: 0, hold: Promise.resolve() };
	const answers = new ResponseCache(
		async (name, params) => {
			const dataVersion = state.version;
			const text = `${name} ${JSON.stringify(params)} ${++state.asked}`.padEnd(options.bytes ?? 0);
			await state.hold;
			return { bytes: Buffer.from(text), dataVersion };
		},
		{ maxBytes: 12_000, now: () => state.now },
	);
	return { state, answers, validate: async () => (await answers.get("validate", {})).bytes.toString() };
}

describe("cached responses", () => {
	test("nothing is cached before the owner has announced its version", async () => {
		const { state, validate } = owner();
		await validate();
		await validate();
		expect(state.asked).toBe(2);
	});

	test("a response is requested once per version", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		expect(await validate()).toBe(await validate());
		answers.onVersion("queue-ingest", 1);
		await validate();
		expect(state.asked).toBe(1);
	});

	test("a new version is requested anew", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		await validate();
		state.version = 2;
		answers.onVersion("queue-ingest", 2);
		await validate();
		expect(state.asked).toBe(2);
	});

	test("a response newer than announced raises the version for all requests", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		await validate();
		state.version = 2;
		await answers.get("summariseMilestones", {});
		await validate();
		expect(state.asked).toBe(3);
	});

	test("a response older than an announcement is not cached", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		const { promise, resolve } = Promise.withResolvers<void>();
		state.hold = promise;
		const slow = validate();
		answers.onVersion("queue-ingest", 2);
		resolve();
		await slow;
		state.version = 2;
		await validate();
		expect(state.asked).toBe(2);
	});

	test("without a heartbeat for ten seconds every request goes to the owner", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		await validate();
		state.now = 10_000;
		await validate();
		expect(state.asked).toBe(1);
		state.now = 10_001;
		await validate();
		expect(state.asked).toBe(2);
	});

	test("a time-dependent response is cached no longer than it states", async () => {
		const { state, answers } = owner();
		const ask = () => answers.get("listPipelines", {});
		answers.onVersion("queue-ingest", 1);
		await ask();
		state.now = 9_999;
		answers.onVersion("queue-ingest", 1);
		await ask();
		expect(state.asked).toBe(1);
		state.now = 10_000;
		await ask();
		expect(state.asked).toBe(2);
	});

	test("a version that decreases empties the cache, because equal numbers no longer mean equal data", async () => {
		const { state, answers, validate } = owner({ version: 5 });
		answers.onVersion("queue-ingest", 5);
		await validate();
		answers.onVersion("queue-ingest", 4);
		answers.onVersion("queue-ingest", 5);
		await validate();
		expect(state.asked).toBe(2);
	});

	test("cached bytes are bounded, and the least recently used are evicted first", async () => {
		const { state, answers } = owner({ bytes: 2_000 });
		const page = (number: number) => answers.get("listChanges", { page: number });
		answers.onVersion("queue-ingest", 1);
		for (const number of [1, 2, 3, 4]) await page(number);
		await page(1);
		await page(5);
		expect(answers.bytes).toBeLessThanOrEqual(12_000);
		await page(1);
		expect(state.asked).toBe(5);
		await page(2);
		expect(state.asked).toBe(6);
	});

	test("different parameters are cached separately", async () => {
		const { state, answers } = owner();
		answers.onVersion("queue-ingest", 1);
		const texts = [];
		for (const state of ["TX", "CA"]) texts.push((await answers.get("listProjects", { state })).bytes.toString());
		expect(new Set(texts).size).toBe(2);
		expect(state.asked).toBe(2);
	});
});

describe("equal concurrent requests", () => {
	test("reach the owner once", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		const texts = await Promise.all(Array.from({ length: 50 }, validate));
		expect(new Set(texts).size).toBe(1);
		expect(state.asked).toBe(1);
	});

	test("reach the owner twice if the version changed between them", async () => {
		const { state, answers, validate } = owner();
		answers.onVersion("queue-ingest", 1);
		const { promise, resolve } = Promise.withResolvers<void>();
		state.hold = promise;
		const before = validate();
		state.version = 2;
		answers.onVersion("queue-ingest", 2);
		const after = validate();
		resolve();
		expect(await before).not.toBe(await after);
	});

	test("fail together, and the next one is sent again", async () => {
		let requests = 0;
		const answers = new ResponseCache(
			async () => {
				requests++;
				throw unavailable("away");
			},
			{ maxBytes: 1_000, now: () => 0 },
		);
		answers.onVersion("queue-ingest", 1);
		const both = await Promise.allSettled([answers.get("validate", {}), answers.get("validate", {})]);
		expect(both.map((one) => one.status)).toEqual(["rejected", "rejected"]);
		expect(requests).toBe(1);
		await expect(answers.get("validate", {})).rejects.toThrow("away");
		expect(requests).toBe(2);
	});
});

test("the ETag depends on the content, not the version", async () => {
	const answers = new ResponseCache(async () => ({ bytes: Buffer.from("{}"), dataVersion: ++version }), {
		maxBytes: 0,
	});
	let version = 0;
	expect((await answers.get("validate", {})).etag).toBe((await answers.get("validate", {})).etag);
});
