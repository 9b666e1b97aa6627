import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { postgresSettings } from "#libs/postgres/settings.ts";
import { root } from "../../deploy/local/data-dir.ts";
import { limitsTable, marks, settingsTable } from "../../deploy/settings-tables.ts";
import { sourcesTables } from "../../deploy/sources-table.ts";
import { configSchema } from "../../services/gateway/config.ts";
import { rewriteBetween } from "../support/rewrite-between.ts";

test.each([
	["limits.md", limitsTable],
	["settings.md", settingsTable],
	["sources.md", sourcesTables],
])("docs/%s matches the declarations (UPDATE_SNAPSHOT=1 rewrites it)", async (name, tableOf) => {
	const document = join(root, "docs", name);
	const table = await tableOf(root);
	if (process.env.UPDATE_SNAPSHOT === "1") rewriteBetween(document, marks, () => table);
	const [, written] = readFileSync(document, "utf8").split(/<!--.*-->/);
	expect(written?.trim()).toBe(table);
});

test("every setting has a description", async () => {
	const rows = (await settingsTable(root)).split("\n").slice(2);
	expect(rows.length).toBeGreaterThan(60);
	expect(rows.filter((row) => /\| +\|$/.test(row))).toEqual([]);
});

test("every pool that callers share has a limit per caller", async () => {
	const rows = (await limitsTable(root)).split("\n").slice(2);
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

test("by default an owner's statement has less time than the gateway allows the owner", () => {
	const { REQUEST_TIMEOUT_MS } = configSchema.parse({ NATS_URL: "nats://127.0.0.1:4222" });
	const { STATEMENT_TIMEOUT_MS } = z.object(postgresSettings).parse({ POSTGRES_URL: "postgres://127.0.0.1/energy" });
	expect(STATEMENT_TIMEOUT_MS).toBeLessThan(REQUEST_TIMEOUT_MS);
});
