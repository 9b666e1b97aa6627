/** A stream that is paid for, and one that a plan does not reach: charged when it opens, once, and nothing where it does not. */
import { beforeEach, describe, expect } from "vitest";
import { railNames } from "#libs/contract/vocabulary.ts";
import { changePlan } from "../../services/billing/tables/accounts.ts";
import { bought } from "../access/support/account.ts";
import { type Sent, type Till, test } from "../access/support/pay.ts";
import { newAddress } from "../api/support/walk.ts";

const path = "/scores/stream";

let till: Till;
test.beforeAll(({ sharedTill }) => {
	till = sharedTill;
});
beforeEach(() => till.reset());

/** The beginning of a stream, which is then left. */
async function beginning(sent: Sent, at = path): Promise<{ status: number; headers: Headers; text: string }> {
	const { status, headers, body } = await till.get(at, sent);
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	const { value = "" } = (await reader?.read()) ?? {};
	await reader?.cancel();
	return { status, headers, text: value };
}

test.each(["/changes/stream", "/scores/stream", "/events/stream"])(
	"%s without a payment returns the ways to pay",
	async (at) => {
		const { status, headers, text } = await beginning({}, at);
		expect(status).toBe(402);
		expect(headers.get("content-type")).toContain("application/problem+json");
		expect(headers.get("payment-required")).not.toBeNull();
		expect(text).not.toContain("retry: ");
		expect((await till.account()).charged).toEqual({});
	},
);

describe.each(railNames)("a stream paid for by %s", (rail) => {
	test("opens, and is charged once", async () => {
		const { status, headers, text } = await beginning(await till.pay(rail, path));
		expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
		expect(text).toBe("retry: 2000\nid: 0\n\n");
		await till.comesTo({ ...bought(rail), runs: 0 });
	});

	test("that is refused for its parameters is not charged, and the payment remains valid", async () => {
		const sent = await till.pay(rail, path);
		expect((await beginning({ ...sent, "last-event-id": "999" })).status).toBe(422);
		expect((await till.account()).charged).toEqual({});
		expect((await beginning(sent)).status).toBe(200);
		await till.comesTo({
			...bought(rail),
			runs: 0,
			payments: { [`${rail} released`]: 1, [`${rail} settled, delivered`]: 1 },
			usage: { "422 unpaid": 1, [`200 ${rail} 10000`]: 1 },
		});
	});
});

test.each(["x402", "mpp"] as const)("a payment by %s opens no second stream", async (rail) => {
	const sent = await till.pay(rail, path);
	expect((await beginning(sent)).status).toBe(200);
	await till.comesTo({ ...bought(rail), runs: 0 });
	expect((await beginning(sent)).status).toBe(402);
	expect((await till.account()).charged).toEqual({ [rail]: 10_000 });
});

test("a key with an exhausted quota opens no stream, but a payment does", async () => {
	const email = newAddress();
	const key = await till.gateways.register(email);
	const terms = { plan: "Enterprise", monthlyQueries: 1, perMinute: null } as const;
	await till.gateways.sql.begin((tx) => changePlan(tx, { email }, terms, till.now()));
	expect((await beginning({ "x-api-key": key })).status).toBe(200);
	const refused = await beginning({ "x-api-key": key });
	expect(refused.status).toBe(429);
	expect(refused.headers.get("retry-after")).not.toBeNull();
	expect(refused.text).not.toContain("retry: ");
	expect((await beginning(await till.pay("x402", path))).status).toBe(200);
});
