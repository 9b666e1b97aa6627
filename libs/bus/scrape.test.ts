import { register } from "prom-client";
import { expect, test } from "vitest";
import { gaugeOf, inTime } from "./scrape.ts";

const shown = async (name: string) => {
	const text = await register.getSingleMetricAsString(name);
	return text.split("\n").filter((line) => !line.startsWith("#"));
};

test("a read that hangs is left out, and runs once however often its value is requested", async () => {
	let reads = 0;
	const read = inTime(() => {
		reads++;
		return new Promise<number>(() => {});
	}, 1);
	expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
	expect(await read()).toBeUndefined();
	expect(reads).toBe(1);
});

test("a read that failed runs again at the next request", async () => {
	let reads = 0;
	const read = inTime(async () => {
		if (reads++ === 0) throw new Error("away");
		return reads;
	});
	expect([await read(), await read()]).toEqual([undefined, 2]);
});

test("a value that cannot be read is absent, not zero", async () => {
	const numbers = [3, undefined, 4];
	gaugeOf({ name: "depth", help: "How deep.", read: () => numbers.shift() });
	expect([await shown("depth"), await shown("depth"), await shown("depth")]).toEqual([["depth 3"], [], ["depth 4"]]);
});

test("labels that a read no longer returns are removed", async () => {
	const sets = [[{ labels: { of: "a" }, value: 1 }], [{ labels: { of: "b" }, value: 0 }], undefined];
	gaugeOf({ name: "depths", help: "How deep.", labels: ["of"], read: () => sets.shift() });
	expect([await shown("depths"), await shown("depths"), await shown("depths")]).toEqual([
		['depths{of="a"} 1'],
		['depths{of="b"} 0'],
		[],
	]);
});

test("a second gauge with the same name replaces the first", async () => {
	for (const value of [1, 2]) gaugeOf({ name: "place", help: "Whose.", read: () => value });
	expect(await shown("place")).toEqual(["place 2"]);
});
