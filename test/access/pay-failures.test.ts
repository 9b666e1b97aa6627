/** A statement that ran and failed is not charged, and is no free work: its payer has few tries. */
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http";
import type { PaymentPayload } from "@x402/core/types";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { failuresPerMinute } from "../../services/gateway/limiter/abuse-throttle.ts";
import { openTill, type Sent, type Till, type Wallet } from "./support/pay.ts";
import { signed } from "./support/x402.ts";

let till: Till;
let ran = 0;
/** Whether what fails was worked on. */
let counts: boolean;
beforeAll(async () => {
	till = await openTill({
		settings: { TRUSTED_PROXIES: "127.0.0.1" },
		query: {
			runStatement: async () => {
				ran++;
				throw new AppError(400, "timed_out: the statement ran longer than 5 s and was ended", { counts });
			},
		},
	});
});
beforeEach(async () => {
	await till.reset();
	ran = 0;
	counts = true;
});
afterAll(() => till?.[Symbol.asyncDispose]());

let address = 0;
/** Each test has an address of its own, unless it says which. */
const ask = (sent: Sent = {}, from = `192.0.2.${++address}`) =>
	fetch(`${till.gateways.url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-forwarded-for": from, ...sent },
		body: JSON.stringify({ sql: "select 1" }),
	});

async function payment({ account }: Wallet = till.wallet): Promise<Sent> {
	const offer = decodePaymentRequiredHeader((await ask()).headers.get("payment-required") ?? "");
	const payload = await signed(offer, account, {}, till.now().getTime());
	return { "payment-signature": encodePaymentSignatureHeader(payload as unknown as PaymentPayload) };
}

test("credits are not debited for a failed statement, and after five failures a minute they are refused before a statement runs", async () => {
	const credits = await till.credits(1_000);
	const failed = await ask(credits);
	expect([failed.status, await failed.json()]).toEqual([
		400,
		expect.objectContaining({ detail: expect.stringMatching(/^timed_out: /), code: "bad_request", status: 400 }),
	]);
	const statuses: number[] = [];
	for (let n = 0; n < failuresPerMinute; n++) statuses.push((await ask(credits)).status);
	expect(statuses).toEqual([...Array(failuresPerMinute - 1).fill(400), 429]);
	expect([ran, await till.balance(credits)]).toEqual([failuresPerMinute, 10]);
	// Other credits are not kept from paying.
	expect((await ask(await till.credits(1_000))).status).toBe(400);
});

test("a payment is not settled for a failed statement, and after five failures a minute its payer is refused before a statement runs", async () => {
	const statuses: number[] = [];
	for (let n = 0; n < failuresPerMinute + 2; n++) statuses.push((await ask(await payment())).status);
	expect(statuses).toEqual([...Array(failuresPerMinute).fill(400), 429, 429]);
	expect(ran).toBe(failuresPerMinute);
	expect((await till.account()).charged).toEqual({});
	// Another payer is not kept from paying.
	expect((await ask(await payment(till.newWallet()))).status).toBe(400);
});

test("an address is refused in the same way, whichever payer uses it", async () => {
	const statuses: number[] = [];
	for (let n = 0; n < failuresPerMinute + 1; n++)
		statuses.push((await ask(await payment(till.newWallet()), "198.51.100.7")).status);
	expect(statuses).toEqual([...Array(failuresPerMinute).fill(400), 429]);
	expect(ran).toBe(failuresPerMinute);
});

test("statements refused before they run are free, however often", async () => {
	counts = false;
	for (let n = 0; n < failuresPerMinute + 2; n++) expect((await ask(await payment(), "198.51.100.8")).status).toBe(400);
	expect((await till.account()).charged).toEqual({});
});
