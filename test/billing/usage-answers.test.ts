import { beforeEach, expect, test } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { usageOperations } from "../../services/billing/operations/usage.ts";
import { recordUsage } from "../../services/billing/reactions/record-usage.ts";
import { createDatabase } from "../support/database.ts";
import { type AnsweredRequest, answered, eventOf, openAccount, sqlOf } from "./support/usage.ts";

let sql: Sql;

beforeEach(async () => {
	const resources = new AsyncDisposableStack();
	const database = resources.use(await createDatabase("billing"));
	sql = resources.use(sqlOf(database.url));
	return () => resources.disposeAsync();
});

const record = (requests: readonly AnsweredRequest[]) =>
	sql.begin((tx) => recordUsage.handler(tx, [eventOf(requests)]));
async function describe(key_id: number, now: string): Promise<Reply<"describeUsage">> {
	const { json } = await usageOperations({ sql, now: () => new Date(now) }).describeUsage({ key_id });
	return operations.describeUsage.reply.parse(JSON.parse(String(json)));
}
async function count(account_id: number, month: string): Promise<number> {
	const { json } = await usageOperations({ sql, now: () => new Date() }).countUsage({ account_id, month });
	return operations.countUsage.reply.parse(JSON.parse(String(json))).counted;
}
const openKey = async (account_id: number): Promise<number> => {
	const [row] = await sql<{ id: number }[]>`
		insert into keys (account_id, sha256, hint, created_at)
		values (${account_id}, ${"0".repeat(64)}, 'pk_abcd…wxyz', '2026-10-01T00:00:00Z') returning id`;
	return row?.id ?? 0;
};

test("usage of a key is its account's: this month by operation and by day, and the last 24 hours to the moment", async () => {
	const account_id = await openAccount(sql);
	const key_id = await openKey(account_id);
	const at = (occurred_at: string, more: Partial<AnsweredRequest> = {}) => ({ account_id, occurred_at, ...more });
	await record([
		answered(1, at("2026-10-31T23:59:59.999Z")),
		...[10, 11, 12].map((number) => answered(number, at("2026-11-01T00:00:00.000Z"))),
		answered(20, at("2026-11-09T12:29:59.999Z")),
		answered(21, at("2026-11-09T12:30:00.001Z", { operation: "getHealth", counted: false })),
		answered(22, at("2026-11-09T13:00:00.000Z", { status: 404, counted: false })),
		answered(23, at("2026-11-10T12:29:59.000Z", { operation: "getProject" })),
		answered(30, { occurred_at: "2026-11-10T12:00:00.000Z", account_id: account_id + 1 }),
		answered(31, { occurred_at: "2026-11-10T12:00:00.000Z", account_id: null, key_id: null }),
	]);
	expect(await describe(key_id, "2026-11-10T12:30:00Z")).toEqual({
		key: { hint: "pk_abcd…wxyz", created_at: "2026-10-01T00:00:00Z", expires_at: null },
		email: "a@example.org",
		email_verified: true,
		month: "2026-11",
		counted: 5,
		key_today: null,
		by_day_and_operation: null,
		last_24_hours: 3,
		by_operation: [
			{ operation: "listProjects", requests: 5, counted: 4 },
			{ operation: "getHealth", requests: 1, counted: 0 },
			{ operation: "getProject", requests: 1, counted: 1 },
		],
		by_day: [
			{ day: "2026-11-01", requests: 3, counted: 3 },
			{ day: "2026-11-09", requests: 3, counted: 1 },
			{ day: "2026-11-10", requests: 1, counted: 1 },
		],
	});
	expect(await describe(key_id, "2026-12-24T00:00:00Z")).toMatchObject({
		counted: 0,
		last_24_hours: 0,
		by_operation: [],
		by_day: [],
	});
});

test("a key that was never issued has no usage", async () => {
	await expect(describe(4_711, "2026-11-10T12:30:00Z")).rejects.toMatchObject({ status: 404 });
});

test("counted queries are those of the calendar month in UTC", async () => {
	await record([
		answered(1, { account_id: 5, occurred_at: "2026-10-31T23:59:59.999Z" }),
		answered(2, { account_id: 5, occurred_at: "2026-11-01T00:00:00.000Z" }),
		answered(3, { account_id: 5, occurred_at: "2026-11-30T23:59:59.999Z" }),
		answered(4, { account_id: 5, occurred_at: "2026-12-01T00:00:00.000Z" }),
		answered(5, { account_id: 5, counted: false }),
		answered(6, { account_id: 6 }),
	]);
	expect(await Promise.all(["2026-10", "2026-11", "2026-12", "2027-01"].map((month) => count(5, month)))).toEqual([
		1, 2, 1, 0,
	]);
	expect(await count(999_999, "2026-11")).toBe(0);
	await expect(count(5, "2026-13")).rejects.toMatchObject({ status: 422 });
});
