import { expect, test } from "vitest";
import { readAllPages } from "../api/all-pages.ts";
import { median, sumByStatus, sumMw } from "./sums.ts";

test("the median ignores unknown values, and of an even number is the mean of two", () =>
	expect([median([3, 1, 2]), median([4, 1, null, 2, 3]), median([null]), median([])]).toEqual([2, 2.5, null, null]));

test("sums by status are in the order of the charts and count requests without a capacity", () => {
	const rows = [
		{ status_std: "Withdrawn", capacity_mw: 0.1 },
		{ status_std: "Active", capacity_mw: null },
		{ status_std: "Withdrawn", capacity_mw: 0.2 },
	];
	expect(sumByStatus(rows)).toEqual([
		{ status: "Active", projects: 1, mw: 0, unstated: 1 },
		{ status: "Withdrawn", projects: 2, mw: 0.3, unstated: 0 },
	]);
	expect(sumMw(rows)).toBe(0.3);
});

test("all pages of a list are read, but at most ten", async () => {
	const requests: number[] = [];
	const pages = (total: number) => async (page: number) => {
		requests.push(page);
		const length = Math.min(2, total - 2 * (page - 1));
		return { data: Array.from({ length }, (_, at) => 2 * (page - 1) + at), meta: { total } };
	};
	expect(await readAllPages(pages(5))).toEqual({ rows: [0, 1, 2, 3, 4], total: 5 });
	expect(requests).toEqual([1, 2, 3]);
	expect((await readAllPages(pages(100))).rows).toHaveLength(20);
});
