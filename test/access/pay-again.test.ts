/** Asking again for what was paid for: a purchase that has a name is answered with the same bytes, and charged once. */
import { decodePaymentResponseHeader } from "@x402/fetch";
import { beforeEach, describe, expect } from "vitest";
import { notFound } from "#libs/contract/errors.ts";
import { bought } from "./support/account.ts";
import { named, type Till, test } from "./support/pay.ts";

let till: Till;
test.beforeAll(({ sharedTill }) => {
	till = sharedTill;
});
beforeEach(() => till.reset());

const id = "order-000000000001";
const buy = async (path: string, wallet = till.wallet) => till.get(path, await till.x402(path, named(id), wallet));

describe("a purchase with a payment-identifier", () => {
	test("is advertised, but not required", async () => {
		const { extensions } = await till.offer("/projects");
		expect(extensions?.["payment-identifier"]).toMatchObject({ info: { required: false } });
	});

	test("gets the same bytes for the same request with a new signature, without another charge", async () => {
		const first = await buy("/projects?state=TX");
		await till.comesTo(bought("x402"));
		const again = await buy("/projects?state=TX");
		expect([first.status, again.status]).toEqual([200, 200]);
		expect(await again.text()).toBe(await first.text());
		for (const header of ["content-type", "cache-control", "vary"])
			expect(again.headers.get(header)).toBe(first.headers.get(header));
		const receipts = [first, again].map(({ headers }) =>
			decodePaymentResponseHeader(headers.get("payment-response") ?? ""),
		);
		expect(receipts[1]?.transaction).toBe(receipts[0]?.transaction);
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "200 x402": 1 } });
	});

	test("is the same in any spelling of the request, and if the same payment is sent again", async () => {
		const sent = await till.x402("/projects", named(id));
		const first = await (await till.get("/projects?page=1&state=tx", sent)).text();
		await till.comesTo(bought("x402"));
		for (const query of ["?page=1&state=tx", "?state=TX&page=1", "?state=TX", "?%70age=1&state=TX&per_page=50"])
			expect(await (await till.get(`/projects${query}`, sent)).text()).toBe(first);
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "200 x402": 4 } });
	});

	test("is a conflict for another request, without a charge", async () => {
		expect((await buy("/projects?state=TX")).status).toBe(200);
		expect((await buy("/projects?state=OH")).status).toBe(409);
		expect((await buy("/changes")).status).toBe(409);
		expect((await buy("/export/projects")).status).toBe(409);
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "409 unpaid": 3 } });
		expect((await buy("/projects?state=TX")).status).toBe(200);
	});

	test("belongs to its payer: the same identifier of another payer is another purchase", async () => {
		const mine = await (await buy("/projects")).text();
		const theirs = await (await buy("/projects", till.newWallet())).text();
		expect(theirs).not.toBe(mine);
		await till.comesTo({
			runs: 2,
			charged: { x402: 20_000 },
			payments: { "x402 settled, delivered": 2 },
			usage: { "200 x402 10000": 2 },
		});
	});

	test("that failed is not stored: the next payment with its identifier buys it", async () => {
		till.owner.next(() => Promise.reject(notFound("not yet")));
		expect((await buy("/projects")).status).toBe(404);
		till.gateways.payments.facilitator.faults.settle.push("refuse");
		expect((await buy("/projects")).status).toBe(402);
		await till.comesTo({
			runs: 2,
			payments: { "x402 released": 1, "x402 failed": 1 },
			usage: { "404 unpaid": 1, "402 unpaid": 1 },
		});
		expect((await buy("/projects")).status).toBe(200);
		await till.comesTo({
			runs: 3,
			charged: { x402: 10_000 },
			payments: { "x402 released": 1, "x402 failed": 1, "x402 settled, delivered": 1 },
			usage: { "404 unpaid": 1, "402 unpaid": 1, "200 x402 10000": 1 },
		});
	});

	test("is not returned for an invalid payment", async () => {
		await buy("/projects");
		const stranger = till.newWallet();
		const forged = await till.x402("/projects", { ...named(id), signer: stranger.account });
		const answered = await till.get("/projects", forged);
		expect([answered.status, (await answered.text()).includes('"run"')]).toEqual([402, false]);
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 1 } });
	});

	test("is returned once the outcome of a lost first charge is known", async () => {
		till.gateways.payments.facilitator.faults.settle.push("lost");
		till.gateways.payments.facilitator.faults.rpc.push(...Array<"drop">(100).fill("drop"));
		expect((await buy("/projects")).status).toBe(503);
		await till.comesTo({
			runs: 1,
			charged: { x402: 10_000 },
			payments: { "x402 unknown": 1 },
			usage: { "503 unpaid": 1 },
		});
		expect((await buy("/projects")).status).toBe(409);
		till.gateways.payments.facilitator.faults.rpc.length = 0;
		till.pass(301);
		await till.reconcile();
		expect((await buy("/projects")).status).toBe(200);
		await till.comesTo({
			runs: 2,
			charged: { x402: 10_000 },
			payments: { "x402 settled, delivered": 1 },
			usage: { "503 unpaid": 1, "409 unpaid": 1, "200 x402": 1 },
		});
	});

	test("is deleted after a day", async () => {
		await buy("/projects");
		await till.comesTo(bought("x402"));
		till.pass(86_401);
		const late = await buy("/projects");
		expect(late.status).toBe(402);
		expect(await late.json()).toMatchObject({ detail: expect.stringContaining("used before") });
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 1 } });
	});

	test("cannot have an identifier with spaces: 400, without a charge", async () => {
		const sent = await till.x402("/projects", named("with spaces in it"));
		expect((await till.get("/projects", sent)).status).toBe(400);
		await till.comesTo({ usage: { "400 unpaid": 1 } });
	});
});

test("a payment without an identifier buys one response, and its repetition is refused", async () => {
	const sent = await till.x402("/projects");
	expect((await till.get("/projects", sent)).status).toBe(200);
	await till.comesTo(bought("x402"));
	expect((await till.get("/projects", sent)).status).toBe(402);
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 1 } });
});
