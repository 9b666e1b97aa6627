/** Limits by address: whose word is taken for where a caller is, and what one address may ask for without a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { announce, limitsIn, newHolder, postJson, refusal, statusesOf, withKey } from "./support/callers.ts";
import { type Distinct, startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

const settings = {
	ANONYMOUS_PER_MINUTE: "3",
	FREE_PER_MINUTE: "4",
	REGISTRATIONS_PER_HOUR: "2",
	REDIS_TIMEOUT_MS: "5000",
};
const from = (forwarded: string) => ({ headers: { "x-forwarded-for": forwarded } });
let people = 0;
const register = (headers: Record<string, string>, at = 1) =>
	postJson(`${gateways.urls[at]}/register`, { email: `person-${++people}@example.org` }, headers);

/** One without limits, two replicas behind a proxy that they trust, and one that trusts another. */
let gateways: TestGateways;
beforeAll(async () => {
	const trusting = { NATS_PASSWORD: "what replicas share", PAGE_ROWS_PER_DAY: "120" };
	const replica = { settings: { ...trusting, TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" } };
	const without = { FREE_PER_MINUTE: "1000", TRUSTED_PROXIES: "192.0.2.0/24" };
	const unlimited = { ANONYMOUS_PER_MINUTE: "0", FREE_PER_MINUTE: "0", TRUSTED_PROXIES: "127.0.0.1" };
	const each: Distinct[] = [
		{ settings: { ...unlimited, REGISTRATIONS_PER_HOUR: "1000000" } },
		replica,
		replica,
		{ settings: without },
	];
	gateways = await startGateways({ owner: countingOwner().handlers, settings, each });
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

describe("without a trusted proxy", () => {
	const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${gateways.urls[3]}${path}`, { headers });

	it("loopback is not limited", async () => {
		expect((await ask("/projects")).headers.get("ratelimit")).toBeNull();
		expect(await statusesOf(10, () => ask("/projects"))).toEqual(Array<number>(10).fill(200));
		expect((await ask("/plans")).headers.get("ratelimit")).toBeNull();
	});

	/** Headers in which callers and proxies state an address. */
	const claims: ((place: number) => Record<string, string>)[] = [
		(place: number) => ({ "x-forwarded-for": `203.0.113.${place}` }),
		(place: number) => ({ forwarded: `for=203.0.113.${place}` }),
		(place: number) => ({ "x-real-ip": `203.0.113.${place}` }),
		(place: number) => ({ "cf-connecting-ip": `203.0.113.${place}` }),
		(place: number) => ({ "true-client-ip": `203.0.113.${place}` }),
	];

	it("callers behind a proxy on this machine are not local, and count as one caller", async () => {
		const [byProxy, byStandard] = claims;
		expect(await statusesOf(6, (place) => ask("/projects", [byProxy, byStandard][place % 2]?.(place)))).toEqual([
			200, 200, 200, 429, 429, 429,
		]);
	});

	it("a caller that claims another address keeps its own, also for registrations", async () => {
		const again = (place: number) => register(claims[place % claims.length]?.(place) ?? {}, 3);
		expect(await statusesOf(7, again)).toEqual([200, 200, 429, 429, 429, 429, 429]);
	});
});

describe("behind a trusted proxy", () => {
	const priced = (forwarded: string) => (place: number) =>
		fetch(`${gateways.urls[1 + (place % 2)]}/projects`, from(forwarded));
	const free = (forwarded: string) => (place: number) =>
		fetch(`${gateways.urls[1 + (place % 2)]}/plans`, from(forwarded));
	/** Statuses of as many requests as are allowed and one more, each from the next of the addresses. */
	const inTurn = (...forwarded: string[]) =>
		statusesOf(4, (place) => priced(forwarded[place % forwarded.length] ?? "")(place));
	const [oneTooMany, eachItsOwn] = [
		[200, 200, 200, 429],
		[200, 200, 200, 200],
	];

	it("an address has a limit per minute for priced operations, across all replicas", async () => {
		const first = await priced("203.0.113.1")(0);
		expect(limitsIn(first)).toMatchObject({ policy: { minute: { q: 3, w: 60 } }, left: { minute: { r: 2 } } });
		expect(await statusesOf(2, priced("203.0.113.1"))).toEqual([200, 200]);
		const refused = await priced("203.0.113.1")(1);
		const { left } = limitsIn(refused);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(left.minute?.t ?? Number.NaN);
		expect(await refusal(refused)).toEqual({ status: 429, detail: expect.stringContaining("the limit is 3") });
		expect((await priced("203.0.113.2")(0)).status).toBe(200);
	});

	it("free operations have a separate limit", async () => {
		expect(await inTurn("203.0.113.3")).toEqual(oneTooMany);
		expect(await statusesOf(5, free("203.0.113.3"))).toEqual([200, 200, 200, 200, 429]);
		expect((await free("203.0.113.4")(0)).status).toBe(200);
	});

	it("an address added by the caller to X-Forwarded-For is not trusted", async () => {
		const spoofed = (place: number) => `198.51.100.${place}, 203.0.113.5`;
		expect(await inTurn(spoofed(1), spoofed(2), spoofed(3), spoofed(4))).toEqual(oneTooMany);
		expect(await inTurn("127.0.0.1, 203.0.113.6")).toEqual(oneTooMany);
		expect(await inTurn("::1, 203.0.113.7", "10.0.0.9, 203.0.113.7")).toEqual(oneTooMany);
	});

	it("chained proxies are skipped as far as they are trusted", async () => {
		expect(await inTurn("203.0.113.8, 10.1.2.3", "203.0.113.8, 10.4.5.6")).toEqual(oneTooMany);
		expect(await inTurn("203.0.113.9, 192.0.2.1", "203.0.113.10, 192.0.2.1")).toEqual(oneTooMany);
		expect(await inTurn("203.0.113.11", "203.0.113.12", "203.0.113.13", "203.0.113.14")).toEqual(eachItsOwn);
	});

	it("an IPv6 network of 64 bits is one caller, and the next is another", async () => {
		expect(await inTurn("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:0DB8:0:1:a:b:c:d")).toEqual(oneTooMany);
		expect((await priced("2001:db8:0:2::1")(0)).status).toBe(200);
		expect(await inTurn("::ffff:203.0.113.15", "203.0.113.15")).toEqual(oneTooMany);
	});

	it("callers with invalid addresses count as one", async () => {
		expect(await inTurn("unknown", "_hidden", "999.1.1.1", "a, b")).toEqual(oneTooMany);
	});

	it("a key has the limits of its plan instead of its address's", async () => {
		expect(await inTurn("203.0.113.16")).toEqual(oneTooMany);
		const { key } = await registered("203.0.113.16");
		const headers = { "x-api-key": key, "x-forwarded-for": "203.0.113.16" };
		expect(await statusesOf(11, () => fetch(`${gateways.urls[1]}/projects`, { headers }))).toEqual([
			...Array<number>(10).fill(200),
			429,
		]);
	});

	const registered = async (forwarded: string) =>
		(await (await register({ "x-forwarded-for": forwarded })).json()) as { key: string };

	it("an address gets a limited number of keys an hour, even with a key", async () => {
		const { key } = await registered("203.0.113.17");
		expect((await register({ "x-forwarded-for": "203.0.113.17" })).status).toBe(200);
		const refused = await register({ "x-forwarded-for": "203.0.113.17" });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
		expect(await refusal(refused)).toEqual({ status: 429, detail: expect.stringContaining("registrations") });
		const withOne = await register({ "x-forwarded-for": "203.0.113.17", "x-api-key": key });
		expect((await refusal(withOne)).status).toBe(429);
		expect((await register({ "x-forwarded-for": "203.0.113.18" })).status).toBe(200);
	});

	it.each([
		["IPv4 /24", (host: number) => `198.51.100.${host}`, "198.51.101.1"],
		["IPv6 /48", (host: number) => `2001:db8:9:${host}::1`, "2001:db8:a:1::1"],
	])("a network (%s) gets as many keys in an hour as four of its addresses", async (_, address, other) => {
		const statuses = await statusesOf(9, (place) => register({ "x-forwarded-for": address(place + 1) }));
		expect(statuses).toEqual([...Array<number>(8).fill(200), 429]);
		expect((await register({ "x-forwarded-for": other })).status).toBe(200);
	});

	describe("priced data on pages", () => {
		/** The cookie of a page as a browser at this address keeps it. */
		const openPage = async (address: string) => {
			const page = await fetch(`${gateways.urls[1]}/explore`, from(address));
			expect(page.headers.get("cache-control")).toBe("private, no-cache");
			const [cookie = ""] = page.headers.getSetCookie();
			expect(cookie).toMatch(/^page=[^;]+; Path=\/web\/data; Max-Age=3600; HttpOnly; SameSite=Strict$/);
			return cookie.split(";", 1)[0] ?? "";
		};
		const read = (path: string, address: string, cookie: string, headers: Record<string, string> = {}, replica = 0) =>
			fetch(`${gateways.urls[1 + replica]}/web/data${path}`, {
				headers: { "x-forwarded-for": address, ...(cookie !== "" && { cookie }), ...headers },
			});

		it("is readable only by this service's pages, at each replica, for an hour and from the page's network", async () => {
			const address = "192.0.2.1";
			const cookie = await openPage(address);
			const answer = await read("/projects?per_page=1", address, `other=1; ${cookie}`, {
				"sec-fetch-site": "same-origin",
			});
			expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
			expect((await read("/projects?per_page=1", "192.0.2.200", cookie, {}, 1)).status).toBe(200);
			const { key } = await newHolder(gateways);
			const before = gateways.clock.now;
			const refused = [
				["without a page", () => read("/projects", address, "")],
				["with a key and no page", () => read("/projects", address, "", { "x-api-key": key })],
				["from another network", () => read("/projects", "192.0.3.1", cookie)],
				["from another site", () => read("/projects", "192.0.2.2", cookie, { "sec-fetch-site": "cross-site" })],
				["typed into a browser", () => read("/projects", "192.0.2.2", cookie, { "sec-fetch-site": "none" })],
				["with a token made up", () => read("/projects", "192.0.2.2", `page=9999999999.${"a".repeat(43)}`)],
				["with a longer life", () => read("/projects", "192.0.2.3", cookie.replace(/\d+\./, "9999999999."))],
				[
					"after an hour",
					() => {
						gateways.clock.now = new Date(before.getTime() + 3_601_000);
						return read("/projects", "192.0.2.3", cookie);
					},
				],
			] as const;
			try {
				for (const [how, ask] of refused)
					expect([how, await refusal(ask())]).toEqual([
						how,
						{ status: 403, detail: expect.stringContaining("only the website may use this address") },
					]);
			} finally {
				gateways.clock.now = before;
			}
			// /plans is free, too.
			expect((await read("/plans", "192.0.2.4", "")).status).toBe(200);
		});

		it("is limited to what a page shows: at most 50 rows, of the first 1,000, without cursors", async () => {
			const cookie = await openPage("192.0.4.1");
			const at = async (path: string) => {
				const response = await read(path, "192.0.4.1", cookie);
				const { errors } = (await response.json()) as { errors?: { loc: string[] }[] };
				return [response.status, errors?.map(({ loc }) => loc.join("."))];
			};
			expect(await at("/projects?per_page=51")).toEqual([422, ["query.per_page"]]);
			expect(await at("/capital/leaderboard?limit=51")).toEqual([422, ["query.limit"]]);
			expect(await at("/projects?per_page=50&page=20")).toEqual([200, undefined]);
			expect(await at("/projects?per_page=50&page=21")).toEqual([422, ["query.page"]]);
			expect(await at("/projects?per_page=1&page=1001")).toEqual([422, ["query.page"]]);
			expect(await at("/capital/leaderboard?limit=20&page=51")).toEqual([422, ["query.page"]]);
			expect(await at("/projects?cursor=*")).toEqual([422, ["query.cursor"]]);
			expect(await at("/changes?after=0&per_page=50")).toEqual([422, ["query.after"]]);
			expect(await at("/changes/stream?after=0")).toEqual([422, ["query.after"]]);
			const compared = await postJson(
				`${gateways.urls[1]}/web/data/compare`,
				{ from: "2026-01-01", to: "2026-02-01", per_page: 100 },
				{ "x-forwarded-for": "192.0.4.1", cookie },
			);
			expect(await refusal(compared)).toMatchObject({ status: 422, detail: expect.stringContaining("per_page") });
		});

		it("is limited to a number of rows per network and day, not counting unchanged or failed reads", async () => {
			await announce(gateways, 1);
			const cookie = await openPage("192.0.5.1");
			const list = "/projects?per_page=50";
			const row = "/projects?per_page=1";
			const known = { "if-none-match": (await read(row, "192.0.5.1", cookie)).headers.get("etag") ?? "" };
			expect(await statusesOf(20, (place) => read(row, `192.0.5.${place}`, cookie, known))).toEqual(
				Array<number>(20).fill(304),
			);
			expect(await statusesOf(5, () => read("/changes/summary", "192.0.5.2", cookie))).toEqual(
				Array<number>(5).fill(404),
			);
			// A list counts its rows, and anything as many as it is worth at least: 10 + 10 + 50 + 50 of 120.
			expect((await read("/projects/X", "192.0.5.3", cookie)).status).toBe(200);
			expect((await read(list, "192.0.5.4", cookie, {}, 1)).status).toBe(200);
			expect((await read(list, "192.0.5.5", cookie)).status).toBe(200);
			let reads = 0;
			await eventually(async () => {
				reads++;
				const refused = await read("/projects/X", "192.0.5.6", cookie, {}, 1);
				expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
				return expect(await refusal(refused)).toEqual({
					status: 429,
					detail: expect.stringContaining("limit of 120 rows a day"),
				});
			});
			// If each of them took one row, more than a hundred would be needed.
			expect(reads).toBeLessThan(20);
			expect((await read(list, "192.0.6.1", await openPage("192.0.6.1"))).status).toBe(200);
			const before = gateways.clock.now;
			try {
				gateways.clock.now = new Date(before.getTime() + 86_400_000);
				expect((await read(list, "192.0.5.7", await openPage("192.0.5.7"))).status).toBe(200);
			} finally {
				gateways.clock.now = before;
			}
		});
	});
});

it("0 means no limit", async () => {
	const ask = (path: string) => fetch(`${gateways.url}${path}`, from("203.0.113.1"));
	expect(await statusesOf(20, () => ask("/projects"))).toEqual(Array<number>(20).fill(200));
	expect((await ask("/plans")).headers.get("ratelimit")).toBeNull();
	const { key } = await newHolder(gateways);
	expect((await fetch(`${gateways.url}/projects`, withKey(key))).headers.get("ratelimit")).toContain('"minute"');
});
