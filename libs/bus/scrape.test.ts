import { register } from "prom-client";
import { expect, test } from "vitest";
import { gaugeOf, inTime } from "./scrape.ts";

const shown = async (name: string) => {
	const text = await register.getSingleMetricAsString(name);
	return text.split("\n").filter((line) => !line.startsWith("#"));
};

test("what hangs is left out, and is asked once however often it is wanted", async () => {
	let asked = 0;
	const read = inTime(() => {
		asked++;
		return new Promise<number>(() => {});
	}, 1);
	expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
	expect(await read()).toBeUndefined();
	expect(asked).toBe(1);
});

test("what failed is asked again the next time", async () => {
	let asked = 0;
	const read = inTime(async () => {
		if (asked++ === 0) throw new Error("away");
		return asked;
	});
	expect([await read(), await read()]).toEqual([undefined, 2]);
});

test("a number that cannot be read is no zero: it is not there", async () => {
	const numbers = [3, undefined, 4];
	gaugeOf({ name: "depth", help: "How deep.", read: () => numbers.shift() });
	expect([await shown("depth"), await shown("depth"), await shown("depth")]).toEqual([["depth 3"], [], ["depth 4"]]);
});

test("of several, those that are gone are not shown any more", async () => {
	const sets = [[{ labels: { of: "a" }, value: 1 }], [{ labels: { of: "b" }, value: 0 }], undefined];
	gaugeOf({ name: "depths", help: "How deep.", labels: ["of"], read: () => sets.shift() });
	expect([await shown("depths"), await shown("depths"), await shown("depths")]).toEqual([
		['depths{of="a"} 1'],
		['depths{of="b"} 0'],
		[],
	]);
});

test("a second gauge of a name takes its place", async () => {
	for (const value of [1, 2]) gaugeOf({ name: "place", help: "Whose.", read: () => value });
	expect(await shown("place")).toEqual(["place 2"]);
});
