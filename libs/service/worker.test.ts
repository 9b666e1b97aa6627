import { expect, test } from "vitest";
import { startWorker } from "./worker.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a worker that is woken during a run runs once more, and not before it is woken", async () => {
	const runs: (() => void)[] = [];
	await using worker = startWorker({
		name: "count-things",
		run: () => new Promise<void>((resolve) => runs.push(resolve)),
		onFailure: () => {},
	});
	await settled();
	expect(runs).toHaveLength(0);
	worker.wake();
	await settled();
	worker.wake();
	worker.wake();
	await settled();
	expect(runs).toHaveLength(1);
	runs[0]?.();
	await settled();
	expect(runs).toHaveLength(2);
	runs[1]?.();
	await settled();
	expect(runs).toHaveLength(2);
});

test("a run that fails is reported and tried again without being woken", async () => {
	const failures: unknown[] = [];
	const { promise: succeeded, resolve } = Promise.withResolvers<void>();
	await using worker = startWorker({
		name: "count-things",
		everyMs: 1,
		run: async () => {
			if (failures.length < 2) throw new Error("not yet");
			resolve();
		},
		onFailure: (error) => failures.push(error),
	});
	worker.wake();
	await succeeded;
	expect(failures).toHaveLength(2);
});

test("disposing a worker aborts the signal of its run and waits for it", async () => {
	let ended = false;
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	const worker = startWorker({
		name: "count-things",
		run: async (signal) => {
			begin();
			await new Promise((resolve) => signal.addEventListener("abort", resolve));
			await settled();
			ended = true;
		},
		onFailure: () => {},
	});
	worker.wake();
	await begun;
	await worker[Symbol.asyncDispose]();
	expect(ended).toBe(true);
});
