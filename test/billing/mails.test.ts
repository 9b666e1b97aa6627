/** Mailed links: how they are sent, limited and used. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { deleteExpired } from "../../services/billing/jobs/delete-old.ts";
import { startMails } from "../../services/billing/jobs/send-mails.ts";
import { eventually } from "../support/eventually.ts";
import { startSmtp, type TestSmtp, tokenIn } from "../support/smtp.ts";
import { newSecret, openBilling, type TestBilling } from "./support/billing.ts";

const start = "2026-11-21T12:00:00Z";
const hourMs = 3_600_000;

let billing: TestBilling;
let smtp: TestSmtp;
const stack = new AsyncDisposableStack();
/** Codes of failed attempts. */
const failures: unknown[] = [];

beforeAll(async () => {
	billing = stack.use(await openBilling());
	smtp = stack.use(await startSmtp());
	const log = { info: () => {}, warn: (line: { err?: { code?: string } }) => void failures.push(line.err?.code) };
	const settings = { smtpUrl: smtp.url, from: "keys@service.example", publicUrl: "https://service.example" };
	const clock = { now: () => billing.clock.now, retryMs: 1, everyMs: 20 };
	stack.use(await startMails(billing.sql, { ...settings, ...clock, log: log as never }));
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
	billing.clock.now = new Date(start);
	await billing.sql`truncate accounts, keys, mails, usage, usage_hours, outbox cascade`;
	smtp.mails.length = 0;
	failures.length = 0;
});

const pass = (ms: number) => {
	billing.clock.now = new Date(billing.clock.now.getTime() + ms);
};
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
/** The token of the newest mail to an address, the `number`th there. */
const tokenFor = async (address: string, number = 1) => tokenIn(await eventually(() => mailsTo(address)[number - 1]));
const statusOf = (request: Promise<unknown>): Promise<number> =>
	request.then(
		() => 200,
		({ status }) => status,
	);
const confirm = (token: string) => billing.ask("redeemEmailLink", { token_sha256: digestOf(token) });
const recover = (token: string) => {
	const { secret: _, ...key } = newSecret();
	return billing.ask("redeemKeyLink", { token_sha256: digestOf(token), ...key });
};
const verified = async (email: string) => {
	const key = await billing.issue(email);
	await confirm(await tokenFor(email));
	return key;
};

test("registering mails a link with which the address is verified; its token is stored nowhere", async () => {
	const key = await billing.issue("ann@example.org");
	const token = await tokenFor("ann@example.org");
	const [mail] = smtp.mails;
	expect(mail?.to).toEqual(["ann@example.org"]);
	expect(mail?.headers).toMatch(/^From: keys@service\.example$/m);
	expect(mail?.headers).toMatch(/^Subject: Confirm your e-mail address\r?$/m);
	expect(mail?.text).toContain(`https://service.example/account#verify=${token}`);
	expect(mail?.text).toContain(key.hint);
	const [stored] = await billing.sql<{ row: string }[]>`select to_jsonb(m)::text as row from mails m`;
	expect(stored?.row).toContain(digestOf(token));
	expect(stored?.row).not.toContain(token);
	const usage = () => billing.ask("describeUsage", { key_id: key.id });
	expect(await usage()).toMatchObject({ email: "ann@example.org", email_verified: false });
	expect(await confirm(token)).toEqual({ email: "ann@example.org" });
	expect(await usage()).toMatchObject({ email: "ann@example.org", email_verified: true });
});

test("a link expires after 24 hours, and an invented one is refused", async () => {
	await billing.issue("ann@example.org");
	const token = await tokenFor("ann@example.org");
	expect(await statusOf(confirm(`${token}x`))).toBe(410);
	expect(await statusOf(recover(token))).toBe(410);
	pass(24 * hourMs);
	expect(await statusOf(confirm(token))).toBe(410);
});

test("only one account can verify an address, and its key cannot change that", async () => {
	const first = await verified("ann@example.org");
	const second = await billing.issue("Ann@example.org");
	expect(await statusOf(confirm(await tokenFor("ann@example.org", 2)))).toBe(409);
	const ask = (email: string, accountId: number) => billing.ask("verifyEmail", { email }, { accountId });
	expect(await statusOf(ask("eve@example.org", first.accountId))).toBe(409);
	expect((await ask("ann@example.org", first.accountId)).note).toBe("The address is verified.");
	await ask("bob@example.org", second.accountId);
	await confirm(await tokenFor("bob@example.org"));
	expect(await billing.ask("describeUsage", { key_id: second.id })).toMatchObject({
		email: "bob@example.org",
		email_verified: true,
	});
});

test("a lost key is replaced once by a mail to the verified address, and the other keys expire", async () => {
	const lost = await verified("ann@example.org");
	await billing.ask("capKey", { key_id: lost.id, daily_queries: 7 });
	await billing.announced();
	expect(await billing.ask("mailKeyLink", { email: "ANN@example.org" })).toEqual({});
	const token = await tokenFor("ann@example.org", 2);
	expect(smtp.mails[1]?.headers).toMatch(/^Subject: Replace your API key\r?$/m);
	const { secret: _, ...key } = newSecret();
	const redeem = () => billing.ask("redeemKeyLink", { token_sha256: digestOf(token), ...key });
	const issued = await redeem();
	expect(issued).toMatchObject({ account_id: lost.accountId, daily_queries: 7, revoked: [lost.hint] });
	// A repeated request, whose reply was lost, gets the same key, and any other request none.
	expect((await redeem()).key_id).toBe(issued.key_id);
	expect(await statusOf(recover(token))).toBe(410);
	expect((await billing.announced()).map(({ key_id, revoked }) => [key_id, revoked])).toEqual([
		[lost.id, true],
		[issued.key_id, false],
	]);
});

test("an address without a verified account gets the same reply, and no mail", async () => {
	await billing.issue("ann@example.org");
	await tokenFor("ann@example.org");
	for (const email of ["ann@example.org", "unknown@example.org"])
		expect(await billing.ask("mailKeyLink", { email })).toEqual({});
	expect((await billing.sql`select from mails where purpose = 'recover'`).count).toBe(0);
});

test("an inbox gets at most three mails of a purpose in 24 hours, whatever follows a plus sign", async () => {
	const register = async (emails: string[]) => {
		for (const email of emails) await billing.issue(email);
	};
	await register(["ann@example.org", "ann+1@example.org", "ANN+2@example.org", "ann+3@example.org"]);
	await eventually(() => smtp.mails.length === 3);
	const queued = async () => (await billing.sql`select from mails`).count;
	expect(await queued()).toBe(3);
	// Registrations with an address do not keep its owner from replacing a key.
	await billing.sql`update accounts set email = registered_email where registered_email = 'ann@example.org'`;
	await billing.ask("mailKeyLink", { email: "ann@example.org" });
	expect(await queued()).toBe(4);
	pass(24 * hourMs + 1);
	await register(["ann@example.org"]);
	expect(await queued()).toBe(5);
});

test("an account can send five links in 24 hours, to any address", async () => {
	const { accountId } = await billing.issue("ann@example.org");
	for (let number = 1; number <= 6; number++)
		await billing.ask("verifyEmail", { email: `other${number}@example.org` }, { accountId });
	expect((await billing.sql`select from mails`).count).toBe(5);
});

test("a mail server that is down delays mails and loses none", async () => {
	await smtp.stop();
	const emails = ["ann@example.org", "bob@example.org"];
	for (const email of emails) await billing.issue(email);
	await eventually(() => failures.length >= 2);
	expect(failures).toContain("ESOCKET");
	await smtp.start();
	await eventually(() => {
		pass(hourMs / 60);
		return smtp.mails.length >= 2;
	});
	for (const email of emails) await confirm(await tokenFor(email));
});

test("a permanently refused recipient does not delay others", async () => {
	smtp.refused.add("gone@example.org");
	await billing.issue("gone@example.org");
	await billing.issue("ann@example.org");
	await tokenFor("ann@example.org");
	await eventually(async () => (await billing.sql`select from mails where failed_at is not null`).count === 1);
	expect((await billing.sql`select from mails where sent_at is not null`).count).toBe(1);
});

test.each(["ann@example.org\r\nBcc: eve@example.org", "ann@example.org, eve@example.org", "ann@example.org>"])(
	"an address that would add a header or a recipient is refused: %j",
	async (email) => {
		for (const request of [billing.issue(email), billing.ask("mailKeyLink", { email })])
			await expect(request).rejects.toThrow("must be an e-mail address");
	},
);

test("text from a caller is not mailed", async () => {
	const { secret: _, ...key } = newSecret();
	await billing.ask("issueKey", { email: "ann@example.org", name: "Buy now\r\nBcc: eve@example.org", ...key });
	await tokenFor("ann@example.org");
	expect(smtp.mails[0]?.to).toEqual(["ann@example.org"]);
	expect(`${smtp.mails[0]?.headers} ${smtp.mails[0]?.text}`).not.toMatch(/Buy now|eve@/);
});

test("a deleted account has no address, valid key, link or usage; deleting it again changes nothing", async () => {
	const key = await verified("ann@example.org");
	await billing.ask("mailKeyLink", { email: "ann@example.org" });
	const token = await tokenFor("ann@example.org", 2);
	const record = async (account_id: number) =>
		billing.sql`insert into usage_hours values (${account_id}, date_trunc('hour', ${billing.clock.now}::timestamptz), 'listProjects', 1, 1, 0, 0)`;
	await record(key.accountId);
	await record(0);
	const other = await billing.issue("bob@example.org");
	for (const confirm of ["bob@example.org", String(other.id)])
		expect(await statusOf(billing.ask("checkDeletion", { key_id: key.id, confirm }))).toBe(422);
	for (const confirm of [" Ann@example.org", String(key.id)])
		await billing.ask("checkDeletion", { key_id: key.id, confirm });
	const closed = await billing.ask("closeAccount", { account_id: key.accountId });
	pass(hourMs);
	expect(await billing.ask("closeAccount", { account_id: key.accountId })).toEqual(closed);
	expect(await statusOf(recover(token))).toBe(410);
	expect(await statusOf(billing.ask("describeAccount", { account_id: key.accountId }))).toBe(404);
	expect((await billing.ask("resolveKey", { sha256: key.sha256 })).grant?.revoked).toBe(true);
	expect([
		...(await billing.sql`select email, registered_email, name from accounts where id = ${key.accountId}`),
	]).toEqual([{ email: null, registered_email: null, name: null }]);
	await deleteExpired(billing.sql, { now: () => billing.clock.now, keepDays: 400 }, new AbortController().signal);
	expect([...(await billing.sql`select account_id from usage_hours`)]).toEqual([{ account_id: 0 }]);
	// The address is free again.
	await verified("ann2@example.org");
});
