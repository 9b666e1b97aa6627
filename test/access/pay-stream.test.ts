/** An export that is paid for: charged when its file is there, and one charge covers that file for a day, whole or in parts. */

import { once } from "node:events";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { badRequest } from "#libs/contract/errors.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";
import { spooled } from "../support/export-files.ts";
import { openHome } from "../support/home.ts";
import { bought } from "./support/account.ts";
import { begin, held } from "./support/leaving.ts";
import { chunk } from "./support/owner.ts";
import { named, openTill, type Sent, type Till } from "./support/pay.ts";

const home = openHome();
let till: Till;
beforeAll(async () => {
	till = await openTill({ settings: { SPOOL_DIR: join(home.directory, "spool") }, replicas: 2 });
});
beforeEach(() => till.reset());
afterAll(async () => {
	await till?.[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const path = "/export/projects";
const whole = `${chunk}the end\n`;
const dime = 100_000;
/** More than the buffers between two processes hold. */
const many = 50;

/** A charge by MPP takes the way of one by x402 but for its rail. */
describe.each(["x402", "card"] as const)("an export paid for by %s", (rail) => {
	const paying = rail === "card" ? { charged: { card: dime }, payments: { "card claimed": 1 } } : undefined;

	test("arrives complete, once, and uncacheable", async () => {
		const answered = await till.get(path, await till.pay(rail, path));
		expect(answered.headers.get("cache-control")).toBe("private, no-store");
		expect(answered.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
		expect(answered.headers.get("content-length")).toBe(String(whole.length));
		expect(await answered.text()).toBe(whole);
		await till.comesTo(bought(rail, dime));
	});

	test("is charged once its file exists", async () => {
		const rest = held();
		till.owner.midway(rest.wait);
		const sent = await till.pay(rail, path);
		const answering = till.get(path, sent);
		await rest.reached;
		const { charged, payments } = await till.account();
		// Credits are set aside by the claim.
		expect({ charged, payments }).toEqual(paying ?? { charged: {}, payments: { [`${rail} claimed`]: 1 } });
		rest.go();
		expect(await (await answering).text()).toBe(whole);
		await till.comesTo(bought(rail, dime));
	});

	test.each([
		["before its first chunk", 400, () => till.owner.next(() => Promise.reject(badRequest("not so")))],
		["midway", 500, () => till.owner.midway(() => Promise.reject(new Error("the disk is full")))],
	])("that fails %s is not charged, and its payment remains valid", async (_when, status, fail) => {
		fail();
		const sent = await till.pay(rail, path);
		const answered = await till.get(path, sent);
		expect([answered.status, (await answered.text()).includes("PJM-1")]).toEqual([status, false]);
		await till.comesTo({ runs: 1, payments: { [`${rail} released`]: 1 }, usage: { [`${status} unpaid`]: 1 } });
		expect(await (await till.get(path, sent)).text()).toBe(whole);
	});

	test("is covered for a day: the same payment fetches the file and its parts again, at every replica", async () => {
		const sent = await till.pay(rail, path);
		expect(await (await till.get(path, sent)).text()).toBe(whole);
		const parts = ["bytes=0-99999", "bytes=100000-199999", "bytes=200000-"];
		const read: [number, string][] = [];
		for (const [at, range] of parts.entries()) {
			const part = await till.get(path, { ...sent, range }, at % 2);
			read.push([part.status, await part.text()]);
		}
		expect(read.map(([status]) => status)).toEqual([206, 206, 206]);
		expect(read.map(([, text]) => text).join("")).toBe(whole);
		till.pass(86_000);
		expect(await (await till.get(path, sent, 1)).text()).toBe(whole);
		await till.comesTo({
			...bought(rail, dime),
			runs: 5,
			usage: { [`200 ${rail} ${dime}`]: 1, [`206 ${rail}`]: 3, [`200 ${rail}`]: 1 },
		});
	});

	test("may begin with a range", async () => {
		const sent = await till.pay(rail, path);
		const part = await till.get(path, { ...sent, range: "bytes=0-9" });
		expect([part.status, await part.text()]).toEqual([206, whole.slice(0, 10)]);
		expect(await (await till.get(path, { ...sent, range: "bytes=10-" })).text()).toBe(whole.slice(10));
		await till.comesTo({
			...bought(rail, dime),
			runs: 2,
			usage: { [`206 ${rail} ${dime}`]: 1, [`206 ${rail}`]: 1 },
		});
	});

	test("with an unsatisfiable range is not charged", async () => {
		const sent = await till.pay(rail, path);
		expect((await till.get(path, { ...sent, range: "bytes=999999999-" })).status).toBe(416);
		await till.comesTo({ runs: 1, payments: { [`${rail} released`]: 1 }, usage: { "416 unpaid": 1 } });
	});
});

describe("after a day, or after the data has changed", () => {
	const late = () => till.pass(86_500);
	const changed = () => till.owner.exportOf(1, "another end\n");

	test.each([
		["x402", "data", changed],
		["mpp", "day", late],
	] as const)("a payment by %s is used up (%s)", async (rail, _what, happens) => {
		const sent = await till.pay(rail, path);
		expect(await (await till.get(path, sent)).text()).toBe(whole);
		await till.comesTo(bought(rail, dime));
		happens();
		expect((await till.get(path, sent)).status).toBe(402);
		expect((await till.account()).charged).toEqual({ [rail]: dime });
	});

	test.each([
		["day", late, whole],
		["data", changed, `${chunk}another end\n`],
	] as const)("credits are charged once more (%s)", async (_what, happens, then) => {
		const sent = await till.pay("card", path);
		expect(await (await till.get(path, sent)).text()).toBe(whole);
		happens();
		for (const range of [undefined, "bytes=0-"])
			expect(await (await till.get(path, { ...sent, ...(range && { range }) })).text()).toBe(then);
		expect(await till.balance(sent)).toBe(9.8);
	});
});

describe("a reader that disconnects midway", () => {
	const long = `${chunk.repeat(many)}the end\n`;

	async function left(rail: RailName): Promise<Sent> {
		till.owner.exportOf(many, "the end\n");
		const sent = await till.pay(rail, path);
		const socket = await begin(till.gateways.url, path, sent);
		await once(socket, "data");
		socket.destroy();
		return sent;
	}

	test("and paid by x402 gets the present data, which is still due", async () => {
		const sent = await left("x402");
		await till.comesTo({ ...bought("x402", dime), payments: { "x402 settled": 1 } });
		till.owner.exportOf(1, "another end\n");
		expect(await (await till.get(path, sent)).text()).toBe(`${chunk}another end\n`);
		await till.comesTo({ ...bought("x402", dime), runs: 3, usage: { [`200 x402 ${dime}`]: 1, "200 x402": 1 } });
		till.owner.exportOf(1, "the third end\n");
		expect((await till.get(path, sent)).status).toBe(402);
	});

	test("and paid by mpp may fetch the rest later, charged once", async () => {
		const sent = await left("mpp");
		await till.comesTo({ ...bought("mpp", dime), payments: { "mpp settled": 1 } });
		const rest = await till.get(path, { ...sent, range: "bytes=1000000-" });
		expect([rest.status, (await rest.text()) === long.slice(1_000_000)]).toEqual([206, true]);
		await till.comesTo({ ...bought("mpp", dime), runs: 2, usage: { [`200 mpp ${dime}`]: 1, "206 mpp": 1 } });
	});

	test("gets no refund of credits, and has paid for the rest", async () => {
		const sent = await left("card");
		await till.comesTo(bought("card", dime));
		const rest = await till.get(path, { ...sent, range: "bytes=1000000-" });
		expect((await rest.text()) === long.slice(1_000_000)).toBe(true);
		expect(await till.balance(sent)).toBe(9.9);
	});
});

describe("a file that is lost while being sent", () => {
	/** As much is sent as fits between the two, and of the file nothing is left. */
	async function lost(rail: RailName): Promise<Sent> {
		till.owner.exportOf(many, "the end\n");
		const sent = await till.pay(rail, path);
		const socket = await begin(till.gateways.url, path, sent);
		await once(socket, "readable");
		for (const file of spooled(join(home.directory, "spool"))) truncateSync(file);
		socket.once("end", () => socket.destroy()).on("error", () => {});
		const closed = once(socket, "close");
		socket.resume();
		await closed;
		return sent;
	}

	test("leaves a payment by x402 valid for it, charged once", async () => {
		const sent = await lost("x402");
		await till.comesTo({ ...bought("x402", dime), payments: { "x402 settled": 1 } });
		expect((await till.get("/export/projects?state=TX", sent)).status).toBe(402);
		expect((await (await till.get(path, sent)).text()).endsWith("the end\n")).toBe(true);
		await till.comesTo({
			runs: 2,
			charged: { x402: dime },
			payments: { "x402 settled, delivered": 1 },
			usage: { [`200 x402 ${dime}`]: 1, "402 unpaid": 1, "200 x402": 1 },
		});
	});

	test("refunds credits once", async () => {
		const sent = await lost("card");
		await till.comesTo({ runs: 1, payments: { "card released": 1 }, usage: { [`200 card ${dime}`]: 1 } });
		expect(await till.balance(sent)).toBe(10);
	});
});

test("an export with a payment-identifier is covered with a new signature, and charged once", async () => {
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

test("HEAD is free, and creates no file for a caller that has not paid", async () => {
	const response = await till.raw(path, {}, "HEAD");
	expect([response.status, response.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
	expect(response.headers["content-length"]).toBeUndefined();
	await till.comesTo({ usage: { "200 unpaid": 1 } });
});
