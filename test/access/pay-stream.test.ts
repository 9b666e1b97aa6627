/** An export that is paid for: charged when its first chunk is there, and made good when it breaks off. */
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { badRequest } from "#libs/contract/errors.ts";
import { railNames } from "#libs/contract/vocabulary.ts";
import { bought } from "./support/account.ts";
import { begin, held } from "./support/leaving.ts";
import { chunk } from "./support/owner.ts";
import { named, openTill, type Till } from "./support/pay.ts";

let till: Till;
beforeAll(async () => {
	till = await openTill();
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

const path = "/export/projects";
const whole = `${chunk}the end\n`;
const dime = 100_000;

describe.each(railNames)("an export that is paid for by %s", (rail) => {
	test("arrives whole, once, and is kept by no cache", async () => {
		const answered = await till.get(path, await till.pay(rail, path));
		expect(answered.headers.get("cache-control")).toBe("private, no-store");
		expect(answered.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
		expect(await answered.text()).toBe(whole);
		await till.comesTo(bought(rail, dime));
	});

	test("is charged when its first chunk is there, before the rest is asked for", async () => {
		const [first, rest] = [held(), held()];
		till.owner.next(first.wait);
		till.owner.midway(rest.wait);
		const sent = await till.pay(rail, path);
		const answering = till.get(path, sent);
		await first.reached;
		const { charged: before } = await till.account();
		// Credits are set aside by the claim.
		expect(before).toEqual(rail === "card" ? { card: dime } : {});
		first.go();
		const answered = await answering;
		await rest.reached;
		expect((await till.account()).charged).toEqual({ [rail]: dime });
		rest.go();
		expect(await answered.text()).toBe(whole);
		await till.comesTo(bought(rail, dime));
	});

	test("and fails before its first chunk is not charged, and its payment is still good", async () => {
		till.owner.next(() => Promise.reject(badRequest("not so")));
		const sent = await till.pay(rail, path);
		expect((await till.get(path, sent)).status).toBe(400);
		await till.comesTo({ runs: 1, payments: { [`${rail} released`]: 1 }, usage: { "400 unpaid": 1 } });
		expect(await (await till.get(path, sent)).text()).toBe(whole);
	});
});

describe("an export that breaks off midway", () => {
	const broken = async (rail: (typeof railNames)[number]) => {
		till.owner.midway(() => Promise.reject(new Error("the disk is full")));
		const sent = await till.pay(rail, path);
		const answered = await till.get(path, sent);
		expect(answered.status).toBe(200);
		await expect(answered.text()).rejects.toThrow();
		return sent;
	};

	test.each(["x402", "mpp"] as const)("leaves a payment by %s good for it, which is charged once", async (rail) => {
		const sent = await broken(rail);
		await till.comesTo({ ...bought(rail, dime), payments: { [`${rail} settled`]: 1 } });
		expect((await till.get("/export/projects?state=TX", sent)).status).toBe(402);
		expect(await (await till.get(path, sent)).text()).toBe(whole);
		await till.comesTo({
			runs: 2,
			charged: { [rail]: dime },
			payments: { [`${rail} settled, delivered`]: 1 },
			usage: { [`200 ${rail} ${dime}`]: 1, "402 unpaid": 1, [`200 ${rail}`]: 1 },
		});
		expect((await till.get(path, sent)).status).toBe(402);
	});

	test("gives credits back, once", async () => {
		const sent = await broken("card");
		await till.comesTo({ runs: 1, payments: { "card released": 1 }, usage: { [`200 card ${dime}`]: 1 } });
		expect(await till.balance(sent)).toBe(10);
	});

	test("again and again is made anew three times, and no more", async () => {
		const sent = await broken("x402");
		for (let time = 1; time <= 3; time++) {
			await till.comesTo({
				runs: time,
				charged: { x402: dime },
				payments: { "x402 settled": 1 },
				usage: { [`200 x402 ${dime}`]: 1, ...(time > 1 && { "200 x402": time - 1 }) },
			});
			till.owner.midway(() => Promise.reject(new Error("the disk is full")));
			const again = await till.get(path, sent);
			expect(again.status).toBe(200);
			await expect(again.text()).rejects.toThrow();
		}
		await till.comesTo({
			runs: 4,
			charged: { x402: dime },
			payments: { "x402 settled": 1 },
			usage: { [`200 x402 ${dime}`]: 1, "200 x402": 3 },
		});
		expect((await till.get(path, sent)).status).toBe(402);
	});
});

describe("a reader that leaves midway", () => {
	const left = async (rail: (typeof railNames)[number]) => {
		const rest = held();
		till.owner.midway(rest.wait);
		const sent = await till.pay(rail, path);
		const socket = await begin(till.door.url, path, sent);
		await once(socket, "data");
		socket.destroy();
		return { sent, rest };
	};

	test.each(["x402", "mpp"] as const)("and paid by %s may come back for it, charged once", async (rail) => {
		const { sent, rest } = await left(rail);
		await till.comesTo({ ...bought(rail, dime), payments: { [`${rail} settled`]: 1 } });
		rest.go();
		expect(await (await till.get(path, sent)).text()).toBe(whole);
		await till.comesTo({
			...bought(rail, dime),
			runs: 2,
			usage: { [`200 ${rail} ${dime}`]: 1, [`200 ${rail}`]: 1 },
		});
	});

	test("does not get credits back for what it has read", async () => {
		const { sent, rest } = await left("card");
		await till.comesTo(bought("card", dime));
		rest.go();
		expect(await till.balance(sent)).toBe(9.9);
	});
});

test("an export with a payment-identifier is made anew rather than kept, and charged once", async () => {
	const buy = async () => till.get(path, await till.x402(path, named("export-00000000001")));
	expect(await (await buy()).text()).toBe(whole);
	await till.comesTo(bought("x402", dime));
	expect(await (await buy()).text()).toBe(whole);
	await till.comesTo({
		...bought("x402", dime),
		runs: 2,
		usage: { [`200 x402 ${dime}`]: 1, "200 x402": 1 },
	});
});
