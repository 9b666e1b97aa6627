import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limitsTable, marks } from "../../deploy/limits.ts";
import { root } from "../../deploy/local/data-dir.ts";
import { rewriteBetween } from "../support/rewrite-between.ts";

const document = join(root, "docs", "limits.md");

test("docs/limits.md has the limits that are set (UPDATE_SNAPSHOT=1 rewrites them)", async () => {
	const table = await limitsTable(root);
	if (process.env.UPDATE_SNAPSHOT === "1") rewriteBetween(document, marks, () => table);
	const [, written] = readFileSync(document, "utf8").split(/<!--.*-->/);
	expect(written?.trim()).toBe(table);
});

test("every limit says what it limits, and the pools that callers share have a share of each", async () => {
	const rows = (await limitsTable(root)).split("\n").slice(2);
	expect(rows.filter((row) => /\| +\|$/.test(row))).toEqual([]);
	const values = new Map(
		rows.map((row) => {
			const [, name = "", value = ""] = row.split("|").map((cell) => cell.trim());
			return [name.replaceAll("`", ""), Number(value.replaceAll(",", ""))];
		}),
	);
	for (const [share, whole] of [
		["CONNECTIONS_PER_ADDRESS", "CONNECTIONS_MAX"],
		["BODIES_PER_CALLER", "BODIES_MAX"],
		["REQUESTS_PER_CALLER", "REQUESTS_AT_ONCE"],
		["REQUESTS_PER_ADDRESS", "REQUESTS_AT_ONCE"],
		["REQUESTS_WAITING_PER_CALLER", "REQUESTS_WAITING"],
		["SENDING_BYTES_PER_CALLER", "SENDING_MAX_BYTES"],
	])
		expect(values.get(share ?? ""), share).toBeLessThanOrEqual((values.get(whole ?? "") ?? 0) / 4);
});
