/** Forged, changed and reused payments, and paths written in every way, through the whole gateway: they buy nothing and take nothing. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect } from "vitest";
import { bought } from "./support/account.ts";
import { askRaw, type Sent, type Till, test } from "./support/pay.ts";
import type { Change, Editable } from "./support/x402.ts";

let till: Till;
test.beforeAll(({ sharedTill }) => {
	till = sharedTill;
});
beforeEach(() => till.reset());

const stranger = privateKeyToAccount(generatePrivateKey());
const accepted = (change: Partial<Editable["accepted"]>) => (payload: Editable) =>
	Object.assign(payload.accepted, change);

/** A few of the refusals that x402-validate.test.ts and mpp-attacks.test.ts have from the rails: the gateway treats all alike. */
describe("a payment by x402", () => {
	const dishonest: [string, string, Change][] = [
		["signed by another key", "the signature is not the payer's", { signer: stranger }],
		[
			"that accepts a lower price",
			"its terms were not offered here",
			{ authorization: { value: "1" }, edit: accepted({ amount: "1" }) },
		],
		[
			"from a payer without money",
			"the payer's balance is too low",
			{ signer: stranger, authorization: { from: stranger.address } },
		],
	];

	test.each(dishonest)("%s buys nothing", async (_, reason, change) => {
		const answered = await till.get("/projects", await till.x402("/projects", change));
		expect(answered.status).toBe(402);
		expect(answered.headers.get("payment-required")).not.toBeNull();
		expect(await answered.json()).toMatchObject({ detail: expect.stringContaining(`not accepted: ${reason};`) });
		await till.comesTo({ usage: { "402 unpaid": 1 } });
	});

	test("that is not base64, or of version 1, is malformed", async () => {
		for (const sent of [{ "payment-signature": "%%%" }, { "x-payment": "e30=" }] as Sent[])
			expect((await till.get("/projects", sent)).status).toBe(400);
	});
});

describe("a payment by MPP", () => {
	test.each([
		["for another price", "invalid-challenge", () => till.mpp("/export/projects")],
		["that cannot be read", "malformed-credential", async () => ({ authorization: "Payment e30" })],
	])("%s buys nothing", async (_, problem, attack) => {
		const answered = await till.get("/projects", await attack());
		expect(answered.status).toBe(402);
		expect(answered.headers.get("www-authenticate")).toMatch(/^Payment /);
		expect(await answered.json()).toMatchObject({ type: `https://paymentauth.org/problems/${problem}` });
		await till.comesTo(problem === "malformed-credential" ? {} : { usage: { "402 unpaid": 1 } });
	});
});

test("a credit token with too low a balance is refused, and its balance is stated and unchanged", async () => {
	const sent = await till.credits(9);
	const answered = await till.get("/export/projects", sent);
	expect(answered.status).toBe(402);
	expect(await answered.json()).toMatchObject({ detail: expect.stringContaining("the remaining credits are $0.09") });
	expect(await till.balance(sent)).toBe(0.09);
	await till.comesTo({ usage: { "402 unpaid": 1 } });
});

describe("a used payment", () => {
	const onceMore = (rail: string) => ({
		...bought(rail as "x402"),
		usage: { [`200 ${rail} 10000`]: 1, "402 unpaid": 1 },
	});

	test.each(["x402", "mpp"] as const)("by %s buys nothing more, on any path or by any method", async (rail) => {
		const sent = await till.pay(rail, "/projects");
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo(bought(rail));
		const again = await till.get("/projects", sent);
		expect(again.status).toBe(402);
		expect(await again.json()).toMatchObject({ detail: expect.stringContaining("it was used before") });
		await till.comesTo(onceMore(rail));
		for (const path of ["/projects?page=2", "/projects/PJM-1", "/changes", "/export/projects"])
			expect((await till.get(path, sent)).status).toBe(402);
		expect((await till.raw("/projects", sent, "HEAD")).status).toBe(400);
		await till.comesTo({ ...onceMore(rail), usage: { [`200 ${rail} 10000`]: 1, "402 unpaid": 5 } });
	});
});

const spellings = [
	"/%70rojects",
	"/%70%72%6f%6a%65%63%74%73",
	"/projects/",
	"/projects?",
	"/projects?page=1",
	"/projects?&&",
	"/projects?%70age=1",
	"/%70rojects/?page=1",
	"/projects#stats",
];

test("a path has the same price in any spelling", async () => {
	for (const path of spellings)
		for (const method of ["GET", "HEAD"])
			expect([path, (await till.raw(path, {}, method)).status]).toEqual([path, 402]);
	await till.comesTo({});
});

test("a near match of a path returns no free response", async () => {
	for (const path of [
		...["//projects", "/projects//", "/./projects", "/stats/../projects", "/stats/%2e%2e/projects"],
		...[
			"/stats%2f..%2fprojects",
			"/PROJECTS",
			"/projects%00",
			"/projects%",
			"/projects;v=1",
			"http://elsewhere/projects",
		],
	])
		expect([400, 402, 404], path).toContain((await till.raw(path)).status);
	await till.comesTo({});
});

test.each(["/%70rojects", "/projects?%70age=1"])("a payment for %s buys only that", async (path) => {
	expect((await till.get(path, await till.x402(path))).status).toBe(200);
	await till.comesTo(bought("x402"));
});

test("a path with an escaped letter is the same: a payment buys either spelling, once", async () => {
	const sent = await till.x402("/projects/PJM-1");
	expect((await till.get("/projects/%50JM-1", sent)).status).toBe(200);
	await till.comesTo(bought("x402"));
	expect((await till.get("/projects/PJM-1", sent)).status).toBe(402);
	expect((await till.get("/projects/%50%4aM-1", sent)).status).toBe(402);
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 2 } });
});

test("an escaped slash is part of a name, so a payment for one project buys no other path", async () => {
	const sent = await till.x402("/projects/PJM-1%2Fownership");
	for (const path of ["/projects/PJM-1/ownership", "/projects/PJM-1"])
		expect((await till.get(path, sent)).status).toBe(402);
	await till.comesTo({ usage: { "402 unpaid": 1 } });
	expect((await till.get("/projects/PJM-1%2Fownership", sent)).status).toBe(200);
});

test("a payment for a path is refused with a trailing slash, and remains valid", async () => {
	const sent = await till.x402("/projects");
	expect((await till.get("/projects/", sent)).status).toBe(402);
	expect((await till.get("/projects", sent)).status).toBe(200);
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 1 } });
	expect((await till.get("/projects/", await till.x402("/projects/"))).status).toBe(200);
});

test("a payment is valid only for its route and price, by x402 and by MPP", async () => {
	for (const rail of ["x402", "mpp"] as const) {
		const cent = await till.pay(rail, "/projects");
		for (const path of ["/changes", "/projects/PJM-1", "/export/projects"])
			expect((await till.get(path, cent)).status).toBe(402);
		const dime = await till.pay(rail, "/export/projects");
		expect((await till.get("/projects", dime)).status).toBe(402);
	}
	await till.comesTo({ usage: { "402 unpaid": 8 } });
});

test("a payment for one project does not buy another by x402, whose offer contains the address", async () => {
	const sent = await till.x402("/projects/PJM-1");
	expect((await till.get("/projects/PJM-2", sent)).status).toBe(402);
	await till.comesTo({ usage: { "402 unpaid": 1 } });
});

test("a header sent twice is refused, in one line or two", async () => {
	const { "payment-signature": one = "" } = await till.x402("/projects");
	const { "payment-signature": other = "" } = await till.x402("/projects");
	const twice: Record<string, string | string[]>[] = [
		{ "payment-signature": [one, one] },
		{ "payment-signature": [one, other] },
		{ "payment-signature": `${one},${other}` },
		{ "payment-signature": [one, ""] },
	];
	for (const sent of twice) expect((await till.raw("/projects", sent)).status).toBe(400);
	await till.comesTo({});
	expect((await till.get("/projects", { "payment-signature": one })).status).toBe(200);
	await till.comesTo(bought("x402"));
});

test("a key in the address appears in no offer, in any spelling of its name", async () => {
	const value = "pk_0123456789";
	for (const name of ["API_KEY", "api_key2", "x"]) {
		const { resource } = await till.offer(`/projects?${name}=1&state=TX`);
		expect(resource.url).toBe(`${till.gateways.url}/projects?${name}=1&state=TX`);
	}
	for (const name of ["api_key", "%61pi_key", "a%70i%5Fkey", "api%5fkey"]) {
		const answered = await askRaw(till.gateways.url, `/projects?${name}=${value}&state=TX`, {}, "GET");
		expect(answered.status).toBe(403);
		expect(JSON.stringify(answered)).not.toContain(value);
	}
	await till.comesTo({});
});

test("an invented host changes neither the payee nor the response", async () => {
	const sent: Sent = await till.x402("/projects", {
		edit: (payload) => Object.assign(payload.resource ?? {}, { url: "https://a-proxy.example/projects" }),
	});
	expect((await till.raw("/projects", { ...sent, host: "elsewhere.example" })).status).toBe(200);
	await till.comesTo(bought("x402"));
});
