/** Callers: keys on the terms that a test needs, requests with them, and what the answers say of their limits. */
import { type Item, parseList } from "structured-headers";
import { expect } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { type OperationName, operations, type Reply, versionSubject } from "#libs/contract/index.ts";
import { createLogger } from "#libs/service/logger.ts";
import { type Agreement, changePlan } from "../../../services/billing/tables/accounts.ts";
import type { TestGateways } from "./gateways.ts";

export interface Holder {
	key: string;
	email: string;
}

const log = createLogger({ name: "callers", level: "silent" });
let addresses = 0;

/** A new account with a key: on the Free plan, or on the terms given, before any gateway knows of it. */
export async function newHolder(gateways: TestGateways, terms: Partial<Agreement> = {}): Promise<Holder> {
	const email = `caller-${++addresses}@example.org`;
	const key = await gateways.register(email);
	await agree(gateways, email, terms);
	return { key, email };
}

/** Puts an account on a plan, as the operator's command line does. */
export async function agree(gateways: TestGateways, email: string, terms: Partial<Agreement>): Promise<void> {
	const agreement = { plan: "Free" as const, monthlyQueries: null, perMinute: null, ...terms };
	await gateways.sql.begin((tx) => changePlan(tx, { email }, agreement, gateways.clock.now));
}

export const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { "x-api-key": key } });

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
	const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
	return fetch(url, { ...init, body: JSON.stringify(body) });
}

/** Status and body of a refusal: JSON whose `detail` is a sentence. */
export async function refusal(answered: Response | Promise<Response>): Promise<{ status: number; detail: string }> {
	const response = await answered;
	expect(response.headers.get("content-type")).toMatch(/^application\/(problem\+)?json/);
	const { detail } = (await response.json()) as { detail: string };
	expect(detail).toMatch(/./);
	return { status: response.status, detail };
}

/** The statuses of requests made one after the other. */
export async function statusesOf(times: number, ask: (place: number) => Promise<Response>): Promise<number[]> {
	const statuses: number[] = [];
	for (let place = 0; place < times; place++) {
		const response = await ask(place);
		// Read whole, so that its connection is free for the next.
		await response.text();
		statuses.push(response.status);
	}
	return statuses;
}

/** The RateLimit headers, as any reader of structured fields sees them. */
export function limitsIn({ headers }: Response) {
	const fields = (name: string) =>
		Object.fromEntries(
			(parseList(headers.get(name) ?? "") as Item[]).map(([policy, parameters]) => [
				String(policy),
				Object.fromEntries(parameters) as Record<string, number>,
			]),
		);
	return { policy: fields("ratelimit-policy"), left: fields("ratelimit") };
}

export async function usageOf(gateways: TestGateways, key: string): Promise<Reply<"getUsage">> {
	const response = await fetch(`${gateways.url}/usage`, withKey(key));
	return operations.getUsage.reply.parse(await response.json());
}

/** Requests of an operation, and those that count, by the ledger. */
export async function countsOf(
	gateways: TestGateways,
	key: string,
): Promise<Partial<Record<OperationName, [number, number]>>> {
	const { by_operation } = await usageOf(gateways, key);
	return Object.fromEntries(by_operation.map(({ operation, requests, counted }) => [operation, [requests, counted]]));
}

/** Tells the gateways which version the owner's data is at: from then on they keep its answers. */
export async function announce(gateways: TestGateways, version: number): Promise<void> {
	const { nats } = gateways;
	await using bus = await connectBus({ url: nats.url, name: "queue-ingest", log, ...nats.login("queue-ingest") });
	bus.nats.publish(versionSubject("queue-ingest"), String(version));
	await bus.nats.flush();
}
