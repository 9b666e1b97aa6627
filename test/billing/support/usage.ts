/** Answered requests for tests, their sums as a test counts them, and the sums that billing has. */
import { jetstream } from "@nats-io/jetstream";
import type { z } from "zod";
import { type Bus, connectBus, type Log } from "#libs/bus/connect.ts";
import { subjectOf } from "#libs/contract/events/event.ts";
import { usageRecorded } from "#libs/contract/events/gateway.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { schema } from "../../../services/billing/migrate.ts";
import { password } from "../../support/servers.ts";
import { silent } from "../../support/silent.ts";

export type UsageEvent = z.output<typeof usageRecorded.payload>;
export type AnsweredRequest = UsageEvent["requests"][number];

export const busOf = (
	url: string,
	service: "billing" | "gateway" | "operator",
	log: Log = silent,
): Promise<Bus & AsyncDisposable> => connectBus({ url, name: service, user: service, password, log });
export const sqlOf = (url: string): Sql & AsyncDisposable => connect(url, { schema, name: "billing" });

/** A request that counts; distinguished by its number. */
export const answered = (number: number, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
	id: `request-${number}`,
	occurred_at: "2026-11-10T12:00:00.000Z",
	account_id: 1,
	key_id: 1,
	operation: "listProjects",
	status: 200,
	counted: true,
	rail: null,
	paid_micro_usd: 0,
	duration_ms: 1.5,
	...more,
});

/** Other callers are anonymous, and only in the sums. */
export const hasRow = ({ account_id, rail }: AnsweredRequest) => account_id !== null || rail !== null;

let lastId = 0;
/** One event of these requests, of an id of its own. */
export const eventOf = (requests: readonly AnsweredRequest[]): UsageEvent => ({
	id: `usage-${lastId++}`,
	occurred_at: "2026-11-10T12:00:00.000Z",
	version: 1,
	requests: [...requests],
});

/** The same numbers for the same seed, in [0, 1). */
export function chance(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
	const mixed = items.map((item) => ({ item, place: random() }));
	return mixed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

/** Requests of ten accounts and without one, over forty days of two months. */
export function manyAnswered(count: number, random: () => number): AnsweredRequest[] {
	const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
	return Array.from({ length: count }, (_, number) => {
		const account_id = pick([null, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		const status = pick([200, 200, 200, 304, 404, 422, 429, 500]);
		const paid_micro_usd = pick([0, 0, 10_000, 50_000]);
		return answered(number, {
			occurred_at: new Date(Date.UTC(2026, 9, 20) + Math.floor(random() * 40 * 86_400_000)).toISOString(),
			account_id,
			key_id: account_id,
			operation: pick(["listProjects", "getProject", "exportProjects"]),
			status,
			counted: status < 400,
			rail: paid_micro_usd > 0 ? "x402" : null,
			paid_micro_usd,
			duration_ms: random() * 100,
		});
	});
}

export interface Sums {
	requests: number;
	counted: number;
	failed: number;
	paid: number;
}

/** Sums of requests that may be repeated, by `account hour operation`. */
export function countByHand(requests: readonly AnsweredRequest[]): Record<string, Sums> {
	const sums: Record<string, Sums> = {};
	for (const request of new Map(requests.map((one) => [one.id, one])).values()) {
		const key = `${request.account_id ?? 0} ${request.occurred_at.slice(0, 13)} ${request.operation}`;
		sums[key] ??= { requests: 0, counted: 0, failed: 0, paid: 0 };
		const sum = sums[key];
		sum.requests += 1;
		sum.counted += request.counted ? 1 : 0;
		sum.failed += request.status >= 400 ? 1 : 0;
		sum.paid += request.paid_micro_usd;
	}
	return sums;
}

/** Billing's sums in the same form. */
export async function sumsOf(sql: Sql): Promise<Record<string, Sums>> {
	const rows = await sql<(Sums & { key: string })[]>`
		select account_id || ' ' || to_char(hour, 'YYYY-MM-DD"T"HH24') || ' ' || operation as key, requests, counted, failed,
			paid_micro_usd as paid from usage_hours`;
	return Object.fromEntries(rows.map(({ key, ...sums }) => [key, sums]));
}

/** Deletes what tests write, as if the database were new. */
export async function emptyLedger(sql: Sql): Promise<void> {
	await sql`truncate accounts, keys, usage, usage_hours, payments, paid_answers, credits, outbox, inbox, dead_letters
		restart identity cascade`;
	await sql`update usage_retention set since = '-infinity'`;
}

export async function openAccount(sql: Sql, plan: PlanName = "Free", email = "a@example.org"): Promise<number> {
	const [row] = await sql<{ id: number }[]>`insert into accounts (email, plan) values (${email}, ${plan}) returning id`;
	return row?.id ?? 0;
}

/** Puts them on the stream, so many an event, also those that JetStream has seen before. */
export async function tell(bus: Bus, requests: readonly AnsweredRequest[], each = 37): Promise<void> {
	const client = jetstream(bus.nats);
	const events = Array.from({ length: Math.ceil(requests.length / each) }, (_, number) =>
		eventOf(requests.slice(number * each, (number + 1) * each)),
	);
	await Promise.all(
		events.map((event) =>
			client.publish(subjectOf(usageRecorded), JSON.stringify(event), { msgID: event.id, timeout: 20_000 }),
		),
	);
}

export const publishedShares = async (sql: Sql) => {
	const rows = await sql<{ payload: string }[]>`
		select payload from outbox where subject = 'event.billing.usage.reached' order by id`;
	return rows.map(({ payload }): unknown => JSON.parse(payload));
};
