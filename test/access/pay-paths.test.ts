/** One path can be written in many ways. However it is: it has its price, and a payment is for what was asked. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bought } from "./support/account.ts";
import { askRaw, openTill, type Sent, type Till } from "./support/pay.ts";

let till: Till;
beforeAll(async () => {
	till = await openTill();
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

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

test.each(spellings)("%s has the price of /projects", async (path) => {
	expect((await till.raw(path)).status).toBe(402);
	expect((await till.raw(path, {}, "HEAD")).status).toBe(402);
	await till.comesTo({});
});

test.each([
	"//projects",
	"/projects//",
	"/./projects",
	"/stats/../projects",
	"/stats/%2e%2e/projects",
	"/stats%2f..%2fprojects",
	"/PROJECTS",
	"/projects%00",
	"/projects%",
	"/projects;v=1",
	"http://elsewhere/projects",
])("%s gives no caller an answer for nothing", async (path) => {
	const { status } = await till.raw(path);
	expect([400, 402, 404]).toContain(status);
	await till.comesTo({});
});

test.each(["/%70rojects", "/projects?%70age=1"])(
	"a caller that requests the price of %s pays for that",
	async (path) => {
		expect((await till.get(path, await till.x402(path))).status).toBe(200);
		await till.comesTo(bought("x402"));
	},
);

test("an escaped letter is the same path: a payment for one buys the other, and neither twice", async () => {
	const sent = await till.x402("/projects/PJM-1");
	expect((await till.get("/projects/%50JM-1", sent)).status).toBe(200);
	await till.comesTo(bought("x402"));
	expect((await till.get("/projects/PJM-1", sent)).status).toBe(402);
	expect((await till.get("/projects/%50%4aM-1", sent)).status).toBe(402);
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 2 } });
});

test("an escaped slash is part of a name: a payment for one project buys no other path", async () => {
	const sent = await till.x402("/projects/PJM-1%2Fownership");
	for (const path of ["/projects/PJM-1/ownership", "/projects/PJM-1"])
		expect((await till.get(path, sent)).status).toBe(402);
	await till.comesTo({ usage: { "402 unpaid": 1 } });
	expect((await till.get("/projects/PJM-1%2Fownership", sent)).status).toBe(200);
});

test("a payment for the path without its trailing slash is refused with it, and still good", async () => {
	const sent = await till.x402("/projects");
	expect((await till.get("/projects/", sent)).status).toBe(402);
	expect((await till.get("/projects", sent)).status).toBe(200);
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 1 } });
	expect((await till.get("/projects/", await till.x402("/projects/"))).status).toBe(200);
});

test("a payment is for its route and its price alone, by x402 and by MPP", async () => {
	for (const rail of ["x402", "mpp"] as const) {
		const cent = await till.pay(rail, "/projects");
		for (const path of ["/changes", "/projects/PJM-1", "/export/projects"])
			expect((await till.get(path, cent)).status).toBe(402);
		const dime = await till.pay(rail, "/export/projects");
		expect((await till.get("/projects", dime)).status).toBe(402);
	}
	await till.comesTo({ usage: { "402 unpaid": 8 } });
});

test("a payment for one project does not buy another by x402, whose offer names the address", async () => {
	const sent = await till.x402("/projects/PJM-1");
	expect((await till.get("/projects/PJM-2", sent)).status).toBe(402);
	await till.comesTo({ usage: { "402 unpaid": 1 } });
});

test("a header that is sent twice is one payment too many, in one line or in two", async () => {
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

test("a key in the address is in no offer, however its name is written", async () => {
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

test("a host that the caller makes up changes neither whom it pays nor what it gets", async () => {
	const sent: Sent = await till.x402("/projects", {
		edit: (payload) => Object.assign(payload.resource ?? {}, { url: "https://a-proxy.example/projects" }),
	});
	expect((await till.raw("/projects", { ...sent, host: "elsewhere.example" })).status).toBe(200);
	await till.comesTo(bought("x402"));
});
