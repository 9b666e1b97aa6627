/** Limits by address: whose word is taken for where a caller is, and what one address may ask for without a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitsIn, newHolder, postJson, refusal, statusesOf, withKey } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

const settings = {
	ANONYMOUS_PER_MINUTE: "3",
	FREE_PER_MINUTE: "4",
	REGISTRATIONS_PER_HOUR: "2",
	REDIS_TIMEOUT_MS: "5000",
};
const from = (forwarded: string) => ({ headers: { "x-forwarded-for": forwarded } });
let people = 0;
const register = (gateways: TestGateways, headers: Record<string, string>) =>
	postJson(`${gateways.url}/register`, { email: `person-${++people}@example.org` }, headers);

describe("behind a proxy that is trusted", () => {
	let gateways: TestGateways;
	beforeAll(async () => {
		gateways = await startGateways({
			owner: countingOwner().handlers,
			replicas: 2,
			settings: { ...settings, TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" },
		});
	});
	afterAll(() => gateways?.[Symbol.asyncDispose]());

	const priced = (forwarded: string) => (place: number) =>
		fetch(`${gateways.urls[place % 2]}/projects`, from(forwarded));
	const free = (forwarded: string) => (place: number) => fetch(`${gateways.urls[place % 2]}/plans`, from(forwarded));
	/** Statuses of as many requests as are allowed and one more, each from the next of the addresses. */
	const inTurn = (...forwarded: string[]) =>
		statusesOf(4, (place) => priced(forwarded[place % forwarded.length] ?? "")(place));
	const [oneTooMany, eachItsOwn] = [
		[200, 200, 200, 429],
		[200, 200, 200, 200],
	];

	it("an address has its share of what has a price in a minute, at all replicas together", async () => {
		const first = await priced("203.0.113.1")(0);
		expect(limitsIn(first)).toMatchObject({ policy: { minute: { q: 3, w: 60 } }, left: { minute: { r: 2 } } });
		expect(await statusesOf(2, priced("203.0.113.1"))).toEqual([200, 200]);
		const refused = await priced("203.0.113.1")(1);
		const { left } = limitsIn(refused);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(left.minute?.t ?? Number.NaN);
		expect(await refusal(refused)).toEqual({ status: 429, detail: expect.stringContaining("the limit is 3") });
		expect((await priced("203.0.113.2")(0)).status).toBe(200);
	});

	it("what is free has a share of its own", async () => {
		expect(await inTurn("203.0.113.3")).toEqual(oneTooMany);
		expect(await statusesOf(5, free("203.0.113.3"))).toEqual([200, 200, 200, 200, 429]);
		expect((await free("203.0.113.4")(0)).status).toBe(200);
	});

	it("what the caller has put before its address is not believed", async () => {
		const spoofed = (place: number) => `198.51.100.${place}, 203.0.113.5`;
		expect(await inTurn(spoofed(1), spoofed(2), spoofed(3), spoofed(4))).toEqual(oneTooMany);
		expect(await inTurn("127.0.0.1, 203.0.113.6")).toEqual(oneTooMany);
		expect(await inTurn("::1, 203.0.113.7", "10.0.0.9, 203.0.113.7")).toEqual(oneTooMany);
	});

	it("proxies one behind the other are looked through as far as they are trusted", async () => {
		expect(await inTurn("203.0.113.8, 10.1.2.3", "203.0.113.8, 10.4.5.6")).toEqual(oneTooMany);
		expect(await inTurn("203.0.113.9, 192.0.2.1", "203.0.113.10, 192.0.2.1")).toEqual(oneTooMany);
		expect(await inTurn("203.0.113.11", "203.0.113.12", "203.0.113.13", "203.0.113.14")).toEqual(eachItsOwn);
	});

	it("an IPv6 network of 64 bits is one caller, and the next is another", async () => {
		expect(await inTurn("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:0DB8:0:1:a:b:c:d")).toEqual(oneTooMany);
		expect((await priced("2001:db8:0:2::1")(0)).status).toBe(200);
		expect(await inTurn("::ffff:203.0.113.15", "203.0.113.15")).toEqual(oneTooMany);
	});

	it("nonsense is one caller", async () => {
		expect(await inTurn("unknown", "_hidden", "999.1.1.1", "a, b")).toEqual(oneTooMany);
	});

	it("a key has its plan instead of its address' share", async () => {
		expect(await inTurn("203.0.113.16")).toEqual(oneTooMany);
		const { key } = await registered("203.0.113.16");
		const headers = { "x-api-key": key, "x-forwarded-for": "203.0.113.16" };
		expect(await statusesOf(11, () => fetch(`${gateways.url}/projects`, { headers }))).toEqual([
			...Array<number>(10).fill(200),
			429,
		]);
	});

	const registered = async (forwarded: string) =>
		(await (await register(gateways, { "x-forwarded-for": forwarded })).json()) as { key: string };

	it("an address gets its share of keys in an hour, and with a key no more", async () => {
		const { key } = await registered("203.0.113.17");
		expect((await register(gateways, { "x-forwarded-for": "203.0.113.17" })).status).toBe(200);
		const refused = await register(gateways, { "x-forwarded-for": "203.0.113.17" });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
		expect(await refusal(refused)).toEqual({ status: 429, detail: expect.stringContaining("registrations") });
		const withOne = await register(gateways, { "x-forwarded-for": "203.0.113.17", "x-api-key": key });
		expect((await refusal(withOne)).status).toBe(429);
		expect((await register(gateways, { "x-forwarded-for": "203.0.113.18" })).status).toBe(200);
	});
});

describe("without a proxy that is trusted", () => {
	let gateways: TestGateways;
	beforeAll(async () => {
		gateways = await startGateways({
			owner: countingOwner().handlers,
			settings: { ...settings, FREE_PER_MINUTE: "1000", TRUSTED_PROXIES: "192.0.2.0/24" },
		});
	});
	afterAll(() => gateways?.[Symbol.asyncDispose]());

	it("loopback is not limited", async () => {
		const ask = (path: string) => fetch(gateways.url + path);
		expect((await ask("/projects")).headers.get("ratelimit")).toBeNull();
		expect(await statusesOf(10, () => ask("/projects"))).toEqual(Array<number>(10).fill(200));
		expect((await ask("/plans")).headers.get("ratelimit")).toBeNull();
	});

	/** All by which callers and proxies state an address. */
	const claims: ((place: number) => Record<string, string>)[] = [
		(place: number) => ({ "x-forwarded-for": `203.0.113.${place}` }),
		(place: number) => ({ forwarded: `for=203.0.113.${place}` }),
		(place: number) => ({ "x-real-ip": `203.0.113.${place}` }),
		(place: number) => ({ "cf-connecting-ip": `203.0.113.${place}` }),
		(place: number) => ({ "true-client-ip": `203.0.113.${place}` }),
	];

	it("a caller behind a proxy on this machine is not local, and all of them are one caller", async () => {
		const [byProxy, byStandard] = claims;
		const ask = (place: number) =>
			fetch(`${gateways.url}/projects`, { headers: [byProxy, byStandard][place % 2]?.(place) ?? {} });
		expect(await statusesOf(6, ask)).toEqual([200, 200, 200, 429, 429, 429]);
	});

	it("no caller has another address because it says so: it gives no further registrations", async () => {
		const ask = (place: number) => register(gateways, claims[place % claims.length]?.(place) ?? {});
		expect(await statusesOf(7, ask)).toEqual([200, 200, 429, 429, 429, 429, 429]);
	});
});

it("0 is no limit", async () => {
	await using gateways = await startGateways({
		owner: countingOwner().handlers,
		settings: { ANONYMOUS_PER_MINUTE: "0", FREE_PER_MINUTE: "0", TRUSTED_PROXIES: "127.0.0.1" },
	});
	const ask = (path: string) => fetch(gateways.url + path, from("203.0.113.1"));
	expect(await statusesOf(20, () => ask("/projects"))).toEqual(Array<number>(20).fill(200));
	expect((await ask("/plans")).headers.get("ratelimit")).toBeNull();
	const { key } = await newHolder(gateways);
	expect((await fetch(`${gateways.url}/projects`, withKey(key))).headers.get("ratelimit")).toContain('"minute"');
});
