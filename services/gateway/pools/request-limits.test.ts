import { expect, test } from "vitest";
import { RequestRate } from "./request-limits.ts";

test("an address can use its limit at once, then one request per refill, independent of other addresses", () => {
	let now = 1_000_000;
	const rate = new RequestRate(60, () => now);
	const allowed = (address: string, times: number) =>
		Array.from({ length: times }, () => rate.count(address)).filter((refusal) => refusal === undefined).length;
	expect(allowed("192.0.2.1", 100)).toBe(60);
	expect(rate.count("192.0.2.1")).toMatchObject({ status: 429, retryAfterSeconds: 1 });
	expect(allowed("192.0.2.2", 100)).toBe(60);
	now += 10_000;
	expect(allowed("192.0.2.1", 100)).toBe(10);
	now += 60_000;
	expect(allowed("192.0.2.1", 100)).toBe(60);
});

test("0 means no limit", () => {
	const rate = new RequestRate(0);
	for (let number = 0; number < 1_000; number++) expect(rate.count("192.0.2.1")).toBeUndefined();
});
