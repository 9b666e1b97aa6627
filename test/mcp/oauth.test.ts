/** Assistants that are hosted elsewhere connect to `/mcp` by OAuth: the official client completes it, and attacks are refused. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
	Client,
	type OAuthClientInformationMixed,
	type OAuthClientProvider,
	type OAuthTokens,
	StreamableHTTPClientTransport,
	UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { deleteExpired } from "../../services/billing/jobs/delete-old.ts";
import { returnPage } from "../../services/gateway/oauth/consent-page.ts";
import { type Holder, newHolder, usageOf, withKey } from "../access/support/callers.ts";
import { startGateways, type TestGateways } from "../access/support/gateways.ts";
import { countingOwner } from "../access/support/owner.ts";
import { eventually } from "../support/eventually.ts";
import { hasBrowser, launch } from "../web/browser.ts";
import { connect, message, post, textOf } from "./support/client.ts";
import {
	Browser,
	begin,
	codeFor,
	connectRaw,
	redeem,
	redirectUri,
	registerClient,
	requestTokens,
} from "./support/oauth.ts";

const owner = countingOwner();
let gateways: TestGateways;
let base: string;
beforeAll(async () => {
	gateways = await startGateways({
		owner: owner.handlers,
		subscriptions: { deleteSubscriptions: async () => ({ json: "{}" as never, dataVersion: 0 }) },
		settings: { REGISTRATIONS_PER_HOUR: "1000000", OAUTH_CLIENTS_PER_HOUR: "70", TRUSTED_PROXIES: "127.0.0.1" },
	});
	base = gateways.url;
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

const usage = message("tools/call", { name: "get_usage", arguments: {} });
/** HTTP status, and `WWW-Authenticate`, of a call with a token. */
async function callWith(token?: string, headers: Record<string, string> = {}, at = base) {
	const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
	const answered = await post(at, usage.body, { ...usage.headers, ...authorization, ...headers });
	return { ...answered, challenge: answered.headers.get("www-authenticate") };
}
const statusWith = async (token: string, at = base) => (await callWith(token, {}, at)).status;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const htmlType = "text/html; charset=utf-8";

class MemoryProvider implements OAuthClientProvider {
	readonly redirectUrl = redirectUri;
	readonly clientMetadata = { client_name: "Assistant", redirect_uris: [redirectUri] };
	#client: OAuthClientInformationMixed | undefined;
	#verifier = "";
	stored: OAuthTokens | undefined;
	sentTo: URL | undefined;
	clientInformation = () => this.#client;
	saveClientInformation = (client: OAuthClientInformationMixed) => {
		this.#client = client;
	};
	tokens = () => this.stored;
	saveTokens = (tokens: OAuthTokens) => {
		this.stored = tokens;
	};
	redirectToAuthorization = (url: URL) => {
		this.sentTo = url;
	};
	saveCodeVerifier = (verifier: string) => {
		this.#verifier = verifier;
	};
	codeVerifier = () => this.#verifier;
}

test("the official client is sent from a 401 to the consent page, calls a tool, and refreshes its token", async () => {
	const { key } = await newHolder(gateways);
	const authProvider = new MemoryProvider();
	const address = new URL(`${base}/mcp?auth=required`);
	const attempt = async () => {
		const client = new Client({ name: "test", version: "1" });
		const transport = new StreamableHTTPClientTransport(address, { authProvider });
		return { client, transport, connected: client.connect(transport) };
	};
	const first = await attempt();
	await expect(first.connected).rejects.toThrow(UnauthorizedError);
	const browser = new Browser();
	await browser.open(authProvider.sentTo ?? "");
	expect(browser.page).toContain("“Assistant” requests access");
	expect(browser.page).toContain("<strong>127.0.0.1:7</strong>");
	const back = await browser.submit({ api_key: key });
	expect(back?.origin).toBe(new URL(redirectUri).origin);
	await first.transport.finishAuth(back?.searchParams ?? new URLSearchParams());
	const { client, connected } = await attempt();
	await connected;
	const called = await client.callTool({ name: "list_projects", arguments: {} });
	expect(called.isError ?? false).toBe(false);
	await gateways.recorded();
	// The call is one of the key.
	expect(await usageOf(gateways, key)).toMatchObject({ used: 1, by_operation: [{ operation: "listProjects" }] });
	const before = authProvider.stored;
	authProvider.stored = { ...(before as OAuthTokens), access_token: "expired" };
	await client.callTool({ name: "list_projects", arguments: {} });
	expect(authProvider.stored.access_token).not.toBe(before?.access_token);
	expect(authProvider.stored.refresh_token).not.toBe(before?.refresh_token);
	await client.close();
	// The key, the tokens and the codes are in no log.
	const secrets = [key, before?.access_token ?? key, before?.refresh_token ?? key];
	expect(secrets.filter((secret) => gateways.logged.some((line) => line.includes(secret)))).toEqual([]);
	const stored = await gateways.sql<{ text: string }[]>`select r::text as text from oauth_records r`;
	expect(secrets.filter((secret) => stored.some(({ text }) => text.includes(secret)))).toEqual([]);
});

test("metadata names the resource, the server and S256 alone, and works from a browser", async () => {
	for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
		const response = await fetch(base + path);
		expect(response.headers.get("access-control-allow-origin")).toBe("*");
		expect(await response.json()).toMatchObject({ resource: `${base}/mcp`, authorization_servers: [base] });
	}
	expect(await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json()).toMatchObject({
		issuer: base,
		authorization_endpoint: `${base}/oauth/authorize`,
		registration_endpoint: `${base}/oauth/register`,
		code_challenge_methods_supported: ["S256"],
		token_endpoint_auth_methods_supported: ["none"],
	});
});

test("a 401 says where to be authorized, only where a key is needed or a token is not valid", async () => {
	const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
	const needed = await callWith();
	expect([needed.status, needed.challenge]).toEqual([401, `Bearer ${metadata}, scope="mcp"`]);
	expect(needed.json.error?.message).toContain("this call requires an API key");
	const invalid = await callWith("no-such-token");
	expect([invalid.status, invalid.challenge]).toEqual([401, `Bearer ${metadata}, scope="mcp", error="invalid_token"`]);
	await using agent = await connect(base);
	expect((await agent.call("list_projects")).isError ?? false).toBe(false);
	await expect(agent.call("watch_request", { project_id: "any" })).rejects.toThrow();
	const { key } = await newHolder(gateways);
	await using holder = await connect(base, { headers: { authorization: `Bearer ${key}` } });
	expect(JSON.parse(textOf(await holder.call("get_usage"))).plan).toBe("Free");
});

describe("tokens", () => {
	test("end with the key, with its account, and with their revocation", async () => {
		const ends: ((holder: Holder, tokens: { access_token: string; clientId: string }) => Promise<Response>)[] = [
			({ key }) => fetch(`${base}/keys/revoke`, { method: "POST", ...withKey(key) }),
			({ key, email }) => fetch(`${base}/account?confirm=${email}`, { method: "DELETE", ...withKey(key) }),
			(_holder, { access_token: token, clientId: client_id }) =>
				fetch(`${base}/oauth/revoke`, { method: "POST", body: new URLSearchParams({ token, client_id }) }),
		];
		for (const end of ends) {
			const holder = await newHolder(gateways);
			const { key } = holder;
			const tokens = await connectRaw(base, key);
			expect(await statusWith(tokens.access_token)).toBe(200);
			const [row] = await gateways.sql<{ account_id: number }[]>`
				select account_id from keys where sha256 = ${digestOf(key)}`;
			const account = { account_id: row?.account_id ?? 0 };
			const { connections } = (await gateways.access[0]?.requestBilling("describeAccount", account)) ?? {};
			expect(connections).toMatchObject([{ client_name: "Helper", key_id: expect.any(Number) }]);
			expect((await end(holder, tokens)).status).toBe(200);
			expect(await statusWith(tokens.access_token)).toBe(401);
			const { refresh_token, clientId: client_id } = tokens;
			const refreshed = await requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
			expect([refreshed.status, refreshed.json.error]).toEqual([400, "invalid_grant"]);
		}
	});

	test("expire, and are deleted then", async () => {
		const { key } = await newHolder(gateways);
		const { access_token } = await connectRaw(base, key);
		const count = async () => (await gateways.sql`select from oauth_records where kind = 'AccessToken'`).count;
		const before = await count();
		const { now } = gateways.clock;
		gateways.clock.now = new Date(now.getTime() + 3_601_000);
		expect(await statusWith(access_token)).toBe(401);
		const retention = { now: () => gateways.clock.now, keepDays: 400 };
		await deleteExpired(gateways.sql, retention, new AbortController().signal);
		gateways.clock.now = now;
		expect(await count()).toBeLessThan(before);
		expect(await statusWith(access_token)).toBe(401);
	});

	test("are not valid for another resource, elsewhere than at /mcp, or beside a key", async () => {
		const { key } = await newHolder(gateways);
		const { access_token, refresh_token } = await connectRaw(base, key);
		const other = base.replace("127.0.0.1", "localhost");
		const elsewhere = await post(other, usage.body, { ...usage.headers, authorization: `Bearer ${access_token}` });
		expect(elsewhere.status).toBe(401);
		const headers = { authorization: `Bearer ${access_token}` };
		expect((await fetch(`${base}/usage`, { headers })).status).toBe(403);
		expect((await callWith(access_token, { "x-api-key": key })).status).toBe(403);
		const unused = await codeFor(await begin(base), key);
		for (const credential of [refresh_token, unused]) expect(await statusWith(credential)).toBe(401);
		const started = await begin(base, { resource: "https://elsewhere.example/mcp" });
		const browser = new Browser();
		const back = await browser.open(started.url);
		expect(back?.searchParams.get("error")).toBe("invalid_target");
		const mine = await begin(base);
		const code = await codeFor(mine, key);
		const { json } = await redeem(base, mine, code, { resource: "https://elsewhere.example/mcp" });
		expect(json.error).toBe("invalid_target");
	});

	test("a refresh token survives an outage between the writes of its use", async () => {
		const { key } = await newHolder(gateways);
		const { refresh_token, clientId: client_id } = await connectRaw(base, key);
		const refresh = () => requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
		await gateways.sql`
			create function no_access_token() returns trigger language plpgsql as
				$$ begin raise exception 'stopping' using errcode = '57P01'; end $$`;
		await gateways.sql`
			create trigger no_access_token before insert on oauth_records for each row
				when (new.kind = 'AccessToken') execute function no_access_token()`;
		expect((await refresh()).status).toBe(503);
		await gateways.sql`drop function no_access_token cascade`;
		expect(await statusWith((await refresh()).json.access_token)).toBe(200);
	});

	test("a refresh that waits for a consent with the same key has locked no token, so that the two cannot deadlock", async () => {
		const { key } = await newHolder(gateways);
		const { refresh_token, clientId: client_id } = await connectRaw(base, key);
		const renewed = await gateways.sql.begin(async (tx) => {
			const own = tx`kind = 'RefreshToken' and sha256 = ${digestOf(refresh_token)}`;
			await tx`select from keys where id = (select key_id from oauth_records where ${own}) for no key update`;
			const refresh = requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
			await eventually(async () => {
				const { count } = await gateways.sql`
					select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
				return count > 0;
			});
			expect(await tx`select from oauth_records where ${own} for update skip locked`).toHaveLength(1);
			return { refresh };
		});
		expect((await renewed.refresh).status).toBe(200);
	});

	test("a key has at most 50 connections, of which the oldest ends first, and each at most 200 access tokens and 1,000 refresh tokens", async () => {
		const { key } = await newHolder(gateways);
		const oldest = await connectRaw(base, key);
		const { sql } = gateways;
		const tick = () => {
			gateways.clock.now = new Date(gateways.clock.now.getTime() + 10);
		};
		/** Copies the record of a token, or its connection, under other ids. */
		const copy = (token: string, kind: string, times: number) => sql`
			with given as (select grant_sha256 from oauth_records where sha256 = ${digestOf(token)})
			insert into oauth_records (kind, sha256, payload, grant_sha256, key_id, expires_at)
			select r.kind, id, r.payload, case when r.kind = 'Grant' then id else r.grant_sha256 end, r.key_id, r.expires_at + interval '1 ms'
			from oauth_records r join given using (grant_sha256),
				generate_series(1, ${times}::int) nth, encode(sha256((r.sha256 || nth)::bytea), 'hex') id
			where r.kind = ${kind}`;
		await copy(oldest.access_token, "Grant", 48);
		tick();
		const newest = await connectRaw(base, key);
		expect(await statusWith(oldest.access_token)).toBe(200);
		const { access_token, refresh_token, clientId: client_id } = await connectRaw(base, key);
		expect([await statusWith(oldest.access_token), await statusWith(newest.access_token)]).toEqual([401, 200]);
		await copy(access_token, "AccessToken", 199);
		await copy(access_token, "RefreshToken", 999);
		expect(await statusWith(access_token)).toBe(200);
		tick();
		const { json } = await requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
		expect([await statusWith(access_token), await statusWith(json.access_token)]).toEqual([401, 200]);
		const [row] = await sql`
			select count(*) filter (where kind = 'AccessToken') as access, count(*) filter (where kind = 'RefreshToken') as refresh
			from oauth_records where grant_sha256 =
				(select grant_sha256 from oauth_records where sha256 = ${digestOf(json.access_token)})`;
		expect(row).toEqual({ access: 200, refresh: 1_000 });
	});

	test("valid tokens and keys are accepted from an address that has sent too many invalid ones", async () => {
		await using strict = await startGateways({
			owner: owner.handlers,
			settings: { CHALLENGES_PER_MINUTE: "3", REGISTRATIONS_PER_HOUR: "1000000" },
		});
		const { key } = await newHolder(strict);
		const { access_token } = await connectRaw(strict.url, key);
		const statusOf = (token: string) => statusWith(token, strict.url);
		expect(await statusOf(access_token)).toBe(200);
		const invalid = [];
		for (let nth = 0; nth < 5; nth++) invalid.push(await statusOf(`invalid-${nth}`));
		expect(invalid).toEqual([401, 401, 401, 429, 429]);
		expect(await statusOf(access_token)).toBe(200);
		expect((await connectRaw(strict.url, key)).access_token).toMatch(/./);
		await fetch(`${strict.url}/keys/revoke`, { method: "POST", ...withKey(key) });
		expect(await statusOf(access_token)).toBe(429);
		expect(await statusOf(access_token)).toBe(429);
	});

	test("a refresh token that is used twice ends the connection", async () => {
		const { key } = await newHolder(gateways);
		const { refresh_token, clientId: client_id } = await connectRaw(base, key);
		const refresh = () => requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
		const { json: renewed } = await refresh();
		expect(await statusWith(renewed.access_token)).toBe(200);
		expect((await refresh()).json.error).toBe("invalid_grant");
		expect(await statusWith(renewed.access_token)).toBe(401);
	});
});

describe("codes", () => {
	test("a code that is redeemed twice ends the tokens of the first", async () => {
		const { key } = await newHolder(gateways);
		const started = await begin(base);
		const code = await codeFor(started, key);
		const { json } = await redeem(base, started, code);
		expect(await statusWith(json.access_token)).toBe(200);
		expect((await redeem(base, started, code)).json.error).toBe("invalid_grant");
		expect(await statusWith(json.access_token)).toBe(401);
	});

	test("of requests at the same time for one code, one at most gets tokens", async () => {
		const { key } = await newHolder(gateways);
		const started = await begin(base);
		const code = await codeFor(started, key);
		const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(base, started, code)));
		const redeemed = answers.filter(({ status }) => status === 200);
		expect(redeemed.length).toBeLessThanOrEqual(1);
		await redeem(base, started, code);
		for (const { json } of redeemed) expect(await statusWith(json.access_token)).toBe(401);
	});

	test("a request without PKCE, or with plain, gets none", async () => {
		for (const change of [
			{ code_challenge: undefined, code_challenge_method: undefined },
			{ code_challenge_method: "plain" },
			{ code_challenge_method: undefined },
		]) {
			const { url } = await begin(base, change);
			const back = await new Browser().open(url);
			expect([change, back?.searchParams.get("error")]).toEqual([change, "invalid_request"]);
		}
	});

	test.each([
		["another verifier", { code_verifier: "a".repeat(43) }],
		["no verifier", { code_verifier: "" }],
		["the challenge as verifier", (challenge: string) => ({ code_verifier: challenge })],
		["another redirect", { redirect_uri: "http://127.0.0.1:7/elsewhere" }],
	])("%s redeems none", async (_what, change) => {
		const { key } = await newHolder(gateways);
		const started = await begin(base);
		const code = await codeFor(started, key);
		const changed = typeof change === "object" ? change : change(started.url.searchParams.get("code_challenge") ?? "");
		const { status, json } = await redeem(base, started, code, changed);
		expect([status, json.access_token]).toEqual([400, undefined]);
	});

	test("another client redeems none", async () => {
		const { key } = await newHolder(gateways);
		const started = await begin(base);
		const other = await begin(base);
		const { json } = await redeem(base, { ...started, clientId: other.clientId }, await codeFor(started, key));
		expect(json.error).toBe("invalid_grant");
		const connected = await connectRaw(base, key);
		const { access_token, refresh_token } = connected;
		const client_id = other.clientId;
		const refreshed = await requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
		expect(refreshed.json.error).toBe("invalid_grant");
		const body = new URLSearchParams({ token: access_token, client_id });
		await fetch(`${base}/oauth/revoke`, { method: "POST", body });
		expect(await statusWith(access_token)).toBe(200);
	});
});

describe("the consent page", () => {
	test("is no redirect to an address that the client did not register", async () => {
		for (const redirect_uri of [
			"https://evil.example/",
			"http://127.0.0.1:7/other",
			`${redirectUri}/../other`,
			`${redirectUri}?more=1`,
			`${redirectUri}#fragment`,
			"http://localhost:7/callback",
			"http://127.0.0.1:7@evil.example/callback",
			"http://127.0.0.1.evil.example/callback",
			"https://127.0.0.1:7/callback",
			"http://127.0.0.1:7/Callback",
			"//evil.example",
			"javascript:1",
		]) {
			const browser = new Browser();
			const { url } = await begin(base, { redirect_uri });
			expect([redirect_uri, await browser.open(url), browser.status]).toEqual([redirect_uri, undefined, 400]);
			expect(browser.page).not.toContain("<form method");
		}
		const twice = (await begin(base)).url;
		twice.searchParams.append("redirect_uri", "https://evil.example/");
		const browser = new Browser();
		const back = await browser.open(twice);
		expect([back?.origin, back?.searchParams.get("error")]).toEqual([new URL(redirectUri).origin, "invalid_request"]);
		expect(await browser.open(`${base}/oauth/authorize?client_id=none&redirect_uri=https://evil.example`)).toBe(
			undefined,
		);
	});

	test("shows a hostile name as text, and lets the form be sent only here", async () => {
		const client_name = `<script>alert(1)</script>\u202Eevil"'&\u0007`;
		const { client_id } = (await (await registerClient(base, { client_name })).json()) as { client_id: string };
		const browser = new Browser();
		await browser.open((await begin(base, { client_id })).url);
		expect(browser.page).toContain("“&lt;script&gt;alert(1)&lt;/script&gt;evil&quot;&#39;&amp;”");
		expect(browser.headers.get("content-security-policy")).toMatch(
			/default-src 'none'.*frame-ancestors 'none'.*form-action 'self'$/,
		);
		expect(browser.headers.get("cache-control")).toBe("no-store");
	});

	test.skipIf(!hasBrowser)("leads a browser to a client whose callback redirects to another host", async () => {
		await using client = createServer(({ url = "", headers }, response) => {
			if (headers.host?.startsWith("localhost")) return void response.end("arrived");
			response.writeHead(302, { location: `http://localhost:${portOf(client)}${url}` }).end();
		});
		client.listen(0);
		await once(client, "listening");
		const callback = `http://127.0.0.1:${portOf(client)}/callback`;
		const metadata = { redirect_uris: [callback] };
		const { client_id } = (await (await registerClient(base, metadata)).json()) as { client_id: string };
		const { key } = await newHolder(gateways);
		await using browser = await launch();
		const page = await browser.newPage();
		for (const button of ["Connect", "Cancel"]) {
			await page.goto((await begin(base, { client_id, redirect_uri: callback })).url.href);
			await page.getByLabel("API key").fill(key);
			await page.getByRole("button", { name: button }).click();
			await page.getByText("arrived").waitFor();
			expect(page.url()).toContain(button === "Connect" ? "code=" : "error=access_denied");
		}
	});

	test.each([
		[redirectUri, false],
		["com.example.app:/callback", true],
	])("of the callback %s says what to do if its program does not open: %s", (redirectUri, isProgram) => {
		const page = returnPage({ path: "/oauth/interaction/x", clientName: "App", redirectUri, styles: [] }, redirectUri);
		expect(page.includes("If the program did not open, connect again from it")).toBe(isProgram);
	});

	test("takes the form from its own page in the browser that began, and nothing from elsewhere", async () => {
		const { key } = await newHolder(gateways);
		const browser = new Browser();
		await browser.open((await begin(base)).url);
		const { address, page } = browser;
		for (const headers of [
			{ origin: "https://evil.example" },
			{ origin: "null" },
			{ "sec-fetch-site": "cross-site" },
		]) {
			expect(await browser.submit({ api_key: key }, headers)).toBe(undefined);
			expect([headers, browser.status]).toEqual([headers, 403]);
			Object.assign(browser, { address, page });
		}
		const stranger = Object.assign(new Browser(), { address, page });
		expect([await stranger.submit({ api_key: key }), stranger.status]).toEqual([undefined, 400]);
		const own = { origin: base, "sec-fetch-site": "same-origin" };
		expect((await browser.submit({ api_key: key }, own))?.searchParams.get("state")).toBe("a state");
	});

	test("refuses a key that is not valid, remembers none, and goes back with an error if it is cancelled", async () => {
		const browser = new Browser();
		await browser.open((await begin(base)).url);
		const { address, page } = browser;
		await browser.submit({ api_key: "pk_nonsense" });
		expect([browser.status, browser.page.includes("the API key is not valid")]).toEqual([403, true]);
		Object.assign(browser, { address, page });
		const back = await browser.submit({ decision: "cancel" });
		expect(back?.searchParams.get("error")).toBe("access_denied");
		// The same browser connects one account, then another.
		for (let accounts = 0; accounts < 2; accounts++) {
			const { key } = await newHolder(gateways);
			expect(await browser.open((await begin(base)).url)).toBe(undefined);
			expect((await browser.submit({ api_key: key }))?.searchParams.get("code")).toMatch(/./);
		}
	});
});

test("while billing is down each endpoint answers 503 with Retry-After, and goes on afterwards", async () => {
	const { key } = await newHolder(gateways);
	const connected = await connectRaw(base, key);
	const browser = new Browser();
	const started = await begin(base);
	await browser.open(started.url);
	const { address, page } = browser;
	const next = await begin(base);
	const code = await codeFor(next, key);
	const { access_token, refresh_token, clientId: client_id } = connected;
	const form = (fields: object) => ({ method: "POST", body: new URLSearchParams({ ...fields }) });
	const redeemed = {
		...{ grant_type: "authorization_code", client_id: next.clientId, redirect_uri: redirectUri },
		...{ code, code_verifier: next.verifier },
	};
	await gateways.stopBilling();
	const requests: [string | URL, RequestInit?][] = [
		[started.url],
		[started.url, { headers: { accept: "text/html" } }],
		[`${base}/oauth/token`, form({ grant_type: "refresh_token", refresh_token, client_id })],
		[`${base}/oauth/token`, form(redeemed)],
		[`${base}/oauth/revoke`, form({ token: access_token, client_id })],
	];
	for (const [at, init] of requests) {
		const response = await fetch(at, { ...init, redirect: "manual" });
		expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true]);
		expect(response.headers.get("cache-control")).toBe("no-store");
		const body = await response.text();
		if (init?.headers === undefined) expect(JSON.parse(body)).toMatchObject({ status: 503, code: "unavailable" });
		else expect([response.headers.get("content-type"), body.includes("503")]).toEqual([htmlType, true]);
	}
	expect((await registerClient(base)).status).toBe(503);
	expect(await callWith(access_token)).toMatchObject({ status: 503 });
	await browser.submit({ api_key: key });
	expect(browser.status).toBe(503);
	await gateways.startBilling();
	expect(await statusWith(access_token)).toBe(200);
	Object.assign(browser, { address, page });
	expect((await browser.submit({ api_key: key }))?.searchParams.get("code")).toMatch(/./);
	expect((await requestTokens(base, redeemed)).status).toBe(200);
	const refreshed = await requestTokens(base, { grant_type: "refresh_token", refresh_token, client_id });
	expect(await statusWith(refreshed.json.access_token)).toBe(200);
});

test.each([
	["http://evil.example/callback"],
	["javascript:alert(1)"],
	["data:text/html,x"],
	["https://a.example/#fragment"],
	["not an address"],
	[5],
	[undefined],
])("no client is registered with the redirect %s", async (redirect) => {
	const response = await registerClient(base, { redirect_uris: redirect === undefined ? [] : [redirect] });
	expect(response.status).toBe(400);
});

test("a client registers no secret, no keys and nothing to fetch, and a network only so many clients", async () => {
	const metadata = {
		redirect_uris: ["https://assistant.example/callback", "cursor://helper/callback"],
		token_endpoint_auth_method: "client_secret_post",
		jwks_uri: "http://127.0.0.1:9/",
		logo_uri: "http://127.0.0.1:9/",
		sector_identifier_uri: "http://127.0.0.1:9/",
		scope: "openid admin",
	};
	const client = await (await registerClient(base, metadata)).json();
	expect(client).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: metadata.redirect_uris });
	expect(Object.keys(client as object)).not.toEqual(expect.arrayContaining(["client_secret"]));
	for (const name of ["jwks_uri", "logo_uri", "sector_identifier_uri", "scope"])
		expect(client).not.toHaveProperty(name);
	const register = async (address: string) => {
		const headers = { "content-type": "application/json", "x-forwarded-for": address };
		const body = JSON.stringify({ redirect_uris: [redirectUri] });
		return (await fetch(`${base}/oauth/register`, { method: "POST", headers, body })).status;
	};
	const statuses = [];
	for (let nth = 0; nth < 71; nth++) statuses.push(await register(`203.0.113.${nth}`));
	expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([70, 429]);
	expect(await register("198.51.100.1")).toBe(201);
});
