import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readTogether } from "./read-together.ts";

/** A table whose statements end when the test says so. */
function table(options?: Parameters<typeof readTogether>[1]) {
	const statements: { keys: string[]; end: () => void; fail: (error: Error) => void }[] = [];
	const read = readTogether((keys) => {
		const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
		const found = new Map(keys.filter((key) => key !== "none").map((key) => [key, `row ${key}`]));
		statements.push({ keys, end: () => resolve(found), fail: reject });
		return promise;
	}, options);
	return { statements, read, asked: () => statements.map(({ keys }) => keys) };
}

test("requests of one turn of the event loop share one statement with each key once, and each caller gets its row", async () => {
	const { statements, read, asked } = table();
	const rows = Promise.all(["a", "b", "a", "none"].map(read));
	await turn();
	expect(asked()).toEqual([["a", "b", "none"]]);
	statements[0]?.end();
	expect(await rows).toEqual(["row a", "row b", "row a", undefined]);
});

test("while the maximum of statements runs, requests wait for the next, which begins as soon as one has ended", async () => {
	const { statements, read, asked } = table({ statements: 1 });
	const first = read("a");
	await turn();
	const later = [read("b"), read("a")];
	await turn();
	expect(asked()).toEqual([["a"]]);
	statements[0]?.end();
	expect(await first).toBe("row a");
	await turn();
	// Not the row that was being read when it was asked for: that may be older than the question.
	expect(asked()).toEqual([["a"], ["b", "a"]]);
	statements[1]?.end();
	expect(await Promise.all(later)).toEqual(["row b", "row a"]);
});

test("the keys of a statement and the statements in progress are limited", async () => {
	const { statements, read, asked } = table({ statements: 2, keys: 3 });
	const rows = Promise.all([..."abcdefgh"].map(read));
	await turn();
	await turn();
	expect(asked()).toEqual([[..."abc"], [..."def"]]);
	statements[1]?.end();
	await turn();
	await turn();
	expect(asked()).toEqual([[..."abc"], [..."def"], [..."gh"]]);
	statements[0]?.end();
	statements[2]?.end();
	expect(await rows).toEqual([..."abcdefgh"].map((key) => `row ${key}`));
});

test("a failed statement fails for its own callers only", async () => {
	const { statements, read } = table({ statements: 1 });
	const first = Promise.allSettled([read("a"), read("b")]);
	await turn();
	const second = read("a");
	statements[0]?.fail(new Error("lost"));
	expect(await first).toMatchObject([{ reason: { message: "lost" } }, { reason: { message: "lost" } }]);
	await turn();
	statements[1]?.end();
	expect(await second).toBe("row a");
});
