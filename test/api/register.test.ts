/** Registration, and what can be done with the key: over HTTP, with billing and its database. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { startMails } from "../../services/billing/jobs/send-mails.ts";
import { eventually } from "../support/eventually.ts";
import { startSmtp, tokenIn } from "../support/smtp.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld({ data: "none", gateway: { REGISTRATIONS_PER_HOUR: "1000" } });
});
afterAll(() => world[Symbol.asyncDispose]());

const form = "application/x-www-form-urlencoded";
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const newAddress = (): string => `${randomBytes(6).toString("hex")}@example.com`;

function post(path: string, body: string | undefined, headers: Record<string, string> = {}): Promise<Response> {
	return fetch(world.url + path, { method: "POST", headers, ...(body !== undefined && { body }) });
}
const postJson = (path: string, body: object, headers: Record<string, string> = {}) =>
	post(path, JSON.stringify(body), { "content-type": "application/json", ...headers });
const postForm = (fields: Record<string, string>, accept: string) =>
	post("/register", new URLSearchParams(fields).toString(), { "content-type": form, accept });

async function newKey(): Promise<string> {
	const response = await postJson("/register", { email: newAddress() });
	expect(response.status).toBe(200);
	return operations.register.reply.parse(await response.json()).key;
}

async function ledgerKnows(key: string): Promise<void> {
	await eventually(async () => {
		const used = await world.billingSql`
			select from usage where key_id = (select id from keys where sha256 = ${digestOf(key)})`;
		return used.count > 0;
	});
}

const usage = (headers: Record<string, string>, query = "") => fetch(`${world.url}/usage${query}`, { headers });

describe("a key", () => {
	test("is issued for an e-mail address as JSON, and works at once in each of its three places", async () => {
		const response = await postJson("/register", { email: newAddress(), name: "Ann" });
		const { key, plan, monthly_queries, per_minute } = operations.register.reply.parse(await response.json());
		expect(isSecret(key, "pk_")).toBe(true);
		expect({ plan, monthly_queries, per_minute }).toEqual({ plan: "Free", monthly_queries: 50, per_minute: 10 });
		expect((await usage({ "x-api-key": key })).status).toBe(200);
		expect((await usage({ authorization: `Bearer ${key}` })).status).toBe(200);
		expect((await usage({}, `?api_key=${key}`)).status).toBe(200);
	});

	test("is shown only once: the response is not cached, and only the fingerprint is stored", async () => {
		const response = await postJson("/register", { email: newAddress() });
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(response.headers.get("etag")).toBeNull();
		const { key } = operations.register.reply.parse(await response.json());
		const [stored] =
			await world.billingSql`select to_jsonb(k)::text as row from keys k where sha256 = ${digestOf(key)}`;
		expect(stored?.row).toContain(digestOf(key));
		expect(stored?.row).not.toContain(key);
	});

	test.each([
		["no address", {}, ["body.email"]],
		["no such address", { email: "ann@" }, ["body.email"]],
		["an unknown field", { email: "ann@example.com", plan: "Scale" }, ["body.plan"]],
	])("is not issued with %s: a 422 names the error", async (_what, body, at) => {
		const response = await postJson("/register", body);
		expect(response.status).toBe(422);
		const { errors } = (await response.json()) as { errors: { loc: string[] }[] };
		expect(errors.map(({ loc }) => loc.join("."))).toEqual(at);
	});

	test("is issued for the e-mail address of an account in use, and opens an empty account", async () => {
		const email = newAddress();
		const register = async (spelling: string) => {
			const response = await postJson("/register", { email: spelling });
			return { status: response.status, key: ((await response.json()) as { key: string }).key };
		};
		const ownedBy = async (key: string) => {
			const list = await fetch(`${world.url}/watchlists`, { headers: { "x-api-key": key } });
			return ((await list.json()) as { data: object[] }).data;
		};
		const first = await register(email);
		const watchlist = { name: "mine", filters: { state: "TX" } };
		expect((await postJson("/watchlists", watchlist, { "x-api-key": first.key })).status).toBe(200);
		await ledgerKnows(first.key);
		const second = await register(email);
		expect([second.status, (await ownedBy(first.key)).length, await ownedBy(second.key)]).toEqual([200, 1, []]);
		await post("/keys/revoke", undefined, { "x-api-key": first.key });
		const third = await register(email.toUpperCase());
		expect([third.status, await ownedBy(third.key)]).toEqual([200, []]);
	});

	test.each([
		["text/plain", "{}", 415],
		["application/json", "{", 400],
		["application/json", "[]", 400],
		[form, "email=%", 400],
		["application/json", `{"email":"a@example.com","email":"b@example.com"}`, 422],
		["application/json", `{"email":"${"a".repeat(70_000)}"}`, 413],
	])("is not issued with an unusable body of %s: %#", async (type, body, status) => {
		const response = await post("/register", body, { "content-type": type });
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/./) });
	});
});

test.each([browser, "*/*"])(
	"the page of an account is at GET /register, and a form gets JSON: Accept %s",
	async (accept) => {
		const pages = ["/register", "/account"].map(async (path) => {
			const page = await fetch(world.url + path, { headers: { accept } });
			expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
			return /<script [^>]+>/.exec(await page.text())?.[0];
		});
		const [own, account] = await Promise.all(pages);
		expect(own).toBe(account);
		const response = await postForm({ email: newAddress(), name: "Ann" }, accept);
		expect(response.headers.get("cache-control")).toBe("no-store");
		const { key } = operations.register.reply.parse(await response.json());
		expect((await usage({ "x-api-key": key })).status).toBe(200);
	},
);

describe("the holder of a key", () => {
	test("reads its usage", async () => {
		const key = await newKey();
		expect((await fetch(`${world.url}/projects`, { headers: { "x-api-key": key } })).status).toBe(200);
		const used = async () => operations.getUsage.reply.parse(await (await usage({ "x-api-key": key })).json());
		expect(await used()).toMatchObject({ plan: "Free", used: 1, monthly_queries: 50, remaining: 49, per_minute: 10 });
		// The ledger comes after.
		await eventually(async () => (await used()).by_operation.some(({ operation }) => operation === "listProjects"));
		expect((await used()).used).toBe(1);
	});

	test("replaces it: the new key works, the old one until its grace ends, and the counters remain", async () => {
		const old = await newKey();
		await fetch(`${world.url}/projects`, { headers: { "x-api-key": old } });
		const rotated = await postJson("/keys/rotate", { grace_seconds: 3_600 }, { "x-api-key": old });
		expect([rotated.status, rotated.headers.get("cache-control")]).toEqual([200, "no-store"]);
		const { key } = operations.rotateKey.reply.parse(await rotated.json());
		for (const either of [old, key]) {
			const answer = await usage({ "x-api-key": either });
			expect(await answer.json()).toMatchObject({ used: 1, remaining: 49 });
		}
		await ledgerKnows(key);
		expect((await post("/keys/rotate", undefined, { "x-api-key": old })).status).toBe(409);
	});

	test("replaces it without a body, with one day of grace", async () => {
		const rotated = await post("/keys/rotate", undefined, { "x-api-key": await newKey() });
		const { created_at, old_key_works_until } = operations.rotateKey.reply.parse(await rotated.json());
		expect(Date.parse(old_key_works_until) - Date.parse(created_at)).toBe(86_400_000);
	});

	test("revokes it at once", async () => {
		const key = await newKey();
		expect((await usage({ "x-api-key": key })).status).toBe(200);
		const revoked = await post("/keys/revoke", undefined, { authorization: `Bearer ${key}` });
		operations.revokeKey.reply.parse(await revoked.json());
		await eventually(async () => (await usage({ "x-api-key": key })).status === 403);
	});

	test.each(["/keys/rotate", "/keys/revoke"])("must send it: POST %s without a key is 403", async (path) => {
		expect((await post(path, undefined)).status).toBe(403);
		const refused = await post(path, undefined, { "x-api-key": "pk_nonsense" });
		expect(refused.status).toBe(403);
		expect(await refused.text()).not.toContain("pk_nonsense");
	});
});

describe("the owner of an account", () => {
	const stack = new AsyncDisposableStack();
	afterAll(() => stack.disposeAsync());

	test("verifies the address, and replaces a lost key by a mail to it, with the same reply for any address", async () => {
		const smtp = stack.use(await startSmtp());
		const log = { info: () => {}, warn: () => {} };
		const settings = { smtpUrl: smtp.url, from: "keys@example.org", publicUrl: world.url, now: () => world.clock.now };
		stack.use(await startMails(world.billingSql, { ...settings, log }));
		const mailTo = (address: string, number: number) =>
			eventually(() => smtp.mails.filter(({ to }) => to.includes(address))[number - 1]);
		const email = newAddress();
		const { key } = (await (await postJson("/register", { email })).json()) as { key: string };
		const isVerified = async (headers: Record<string, string>) =>
			operations.getUsage.reply.parse(await (await usage(headers)).json()).email_verified;
		expect(await isVerified({ "x-api-key": key })).toBe(false);
		const confirmed = await postJson("/account/email/confirm", { token: tokenIn(await mailTo(email, 1)) });
		expect(await confirmed.json()).toEqual({ email, email_verified: true });
		expect(await isVerified({ "x-api-key": key })).toBe(true);

		const replies = [email, newAddress()].map(async (each) => {
			const response = await postJson("/keys/recover", { email: each });
			return [response.status, await response.json()];
		});
		const [known, unknown] = await Promise.all(replies);
		expect(known).toEqual([200, { note: expect.stringContaining("If this is the verified address") }]);
		expect(unknown).toEqual(known);
		const token = tokenIn(await mailTo(email, 2));
		const recovered = await postJson("/keys/recover/confirm", { token });
		expect(recovered.headers.get("cache-control")).toBe("no-store");
		const issued = operations.recoverKey.reply.parse(await recovered.json());
		expect(issued.revoked).toHaveLength(1);
		expect((await usage({ "x-api-key": issued.key })).status).toBe(200);
		await eventually(async () => (await usage({ "x-api-key": key })).status === 403);
		expect((await postJson("/keys/recover/confirm", { token })).status).toBe(410);
		expect((await postJson("/account/email", { email }, { "x-api-key": issued.key })).status).toBe(200);
	});

	test("has mails about changes, which the recipient confirms, and ends with one click and without a key", async () => {
		const headers = { "x-api-key": await newKey() };
		const email = newAddress();
		const made = await postJson("/webhooks", { url: `mailto:${email}` }, headers);
		const { webhook_id, proven } = operations.createWebhook.reply.parse(await made.json());
		expect(proven).toBe(false);
		const [row] = await world.subscriptionsSql<{ mail_token: string }[]>`
			select mail_token from webhooks where id = ${webhook_id}`;
		const token = row?.mail_token ?? "";
		const confirmed = await postJson("/alerts/confirm", { token });
		expect(operations.confirmAlerts.reply.parse(await confirmed.json()).email).toBe(email);
		const show = async () => (await fetch(`${world.url}/webhooks/${webhook_id}`, { headers })).json();
		const opened = await fetch(`${world.url}/unsubscribe/${token}`, { redirect: "manual" });
		expect([opened.status, opened.headers.get("location")]).toEqual([303, `/account#stop=${token}`]);
		expect(await show()).toMatchObject({ enabled: true, proven: true });
		// As RFC 8058 describes the request of a mail program.
		const fields = new FormData();
		fields.set("List-Unsubscribe", "One-Click");
		for (const body of [fields, new URLSearchParams({ "List-Unsubscribe": "One-Click" })]) {
			const stopped = await fetch(`${world.url}/unsubscribe/${token}`, { method: "POST", body });
			expect(operations.stopAlerts.reply.parse(await stopped.json()).email).toBe(email);
		}
		expect(await show()).toMatchObject({ enabled: false, disabled_reason: "the recipient ended the mails" });
		expect((await post(`/unsubscribe/${token}x`, undefined)).status).toBe(410);
	});

	test("exports the stored data, and deletes the account after confirmation", async () => {
		const email = newAddress();
		const { key, key_id } = (await (await postJson("/register", { email, name: "Ann" })).json()) as {
			key: string;
			key_id: number;
		};
		const headers = { "x-api-key": key };
		const watchlist = { name: "mine", filters: { state: "TX" } };
		const { watchlist_id } = (await (await postJson("/watchlists", watchlist, headers)).json()) as {
			watchlist_id: number;
		};
		await postJson("/webhooks", { url: "http://127.0.0.1:9/", watchlist_id }, headers);
		await fetch(`${world.url}/projects`, { headers });
		const read = async () =>
			operations.exportAccount.reply.parse(await (await fetch(`${world.url}/account/export`, { headers })).json());
		const exported = await eventually(async () => {
			const now = await read();
			return now.usage.some(({ operation }) => operation === "listProjects") && now;
		});
		expect(exported).toMatchObject({
			account: { email, email_verified: false, name: "Ann", plan: "Free" },
			keys: [{ key_id, revoked_at: null }],
			requests: expect.arrayContaining([expect.objectContaining({ operation: "listProjects", key_id, counted: true })]),
			watchlists: [{ watchlist_id, name: "mine" }],
			webhooks: [{ url: "http://127.0.0.1:9/", watchlist_id }],
			saved_queries: [],
		});
		expect(JSON.stringify(exported)).not.toContain("whsec_");
		const remove = (confirm: string) =>
			fetch(`${world.url}/account?${new URLSearchParams({ confirm })}`, { method: "DELETE", headers });
		expect((await remove("other@example.com")).status).toBe(422);
		expect((await read()).watchlists).toHaveLength(1);
		const removed = operations.deleteAccount.reply.parse(await (await remove(email)).json());
		expect(removed.retained.join(" ")).toContain("accounting law");
		await eventually(async () => (await usage(headers)).status === 403);
		const account_id = exported.account.account_id;
		for (const table of ["webhooks", "watchlists", "saved_queries"])
			expect(
				(await world.subscriptionsSql`select from ${world.subscriptionsSql(table)} where account_id = ${account_id}`)
					.count,
			).toBe(0);
		const [account] = await world.billingSql`
			select coalesce(email, registered_email, name) as anything from accounts where id = ${account_id}`;
		expect(account?.anything).toBeNull();
	});
});

test("an address gets a limited number of keys an hour", async () => {
	await using strict = await startWorld({ data: "none", gateway: { REGISTRATIONS_PER_HOUR: "2" } });
	const ask = () =>
		fetch(`${strict.url}/register`, {
			method: "POST",
			headers: { "content-type": form },
			body: new URLSearchParams({ email: newAddress() }),
		});
	expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
	const refused = await ask();
	expect(refused.status).toBe(429);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	// An address that may not register may not have mails sent either.
	const body = new URLSearchParams({ email: newAddress() });
	expect((await fetch(`${strict.url}/keys/recover`, { method: "POST", body })).status).toBe(429);
	const [counted] = await strict.billingSql`select count(*)::int as accounts from accounts`;
	expect(counted?.accounts).toBe(2);
});
