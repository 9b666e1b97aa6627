/** Webhooks on real servers: what is sent, in which order, how often, and what an account can do with it. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { jetstream } from "@nats-io/jetstream";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { usageReached } from "#libs/contract/events/billing.ts";
import { subjectOf } from "#libs/contract/events/event.ts";
import { webhookMessages } from "#libs/contract/operations/subscriptions/webhook-messages.ts";
import { mailer } from "#libs/service/mail.ts";
import { attemptDelivery, readPendingChallenge } from "../../services/subscriptions/dispatch/attempt.ts";
import { createDeliver } from "../../services/subscriptions/dispatch/deliver.ts";
import { readWebhook } from "../../services/subscriptions/dispatch/rows.ts";
import { Sender } from "../../services/subscriptions/dispatch/send.ts";
import { alertMail } from "../../services/subscriptions/domain/alert-mails.ts";
import { toAlert } from "../../services/subscriptions/domain/alerts.ts";
import { retryForMs } from "../../services/subscriptions/domain/delivery.ts";
import { deleteWatchlists } from "../../services/subscriptions/jobs/delete-old.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";
import { startSmtp, type TestSmtp, tokenIn } from "../support/smtp.ts";
import { openReceiver, type Received, type Receiver, seqsOf } from "./support/receiver.ts";
import { openSystem, type TestSystem } from "./support/system.ts";

const account = 1;
const another = 2;
let system: TestSystem;
let receiver: Receiver;
let smtp: TestSmtp;
const site = "https://service.example";
beforeAll(async () => {
	smtp = await startSmtp();
	system = await openSystem({
		replicas: 2,
		config: {
			...{ WEBHOOKS_PER_ACCOUNT: "3", FILTERS_MAX_BYTES: "200", WEBHOOK_TIMEOUT_MS: "500" },
			...{ WEBHOOKS_AT_ONCE: "4", WEBHOOKS_AT_ONCE_PER_ACCOUNT: "2" },
			...{ SMTP_URL: smtp.url, MAIL_FROM: "alerts@service.example", PUBLIC_URL: site },
		},
	});
	await system.list("2026-03-01", [{ number: "J101" }, { number: "J102" }, { number: "J103" }]);
});
afterAll(async () => {
	await system?.[Symbol.asyncDispose]();
	await smtp[Symbol.asyncDispose]();
});
beforeEach(async () => {
	await system.sql`delete from webhooks`;
	await system.sql`delete from requested_mails`;
	smtp.mails.length = 0;
	system.clock.now = new Date();
	receiver = await openReceiver();
	return () => receiver[Symbol.asyncDispose]();
});

let lists = 1;
const dayOf = (time: Date) => time.toISOString().slice(0, 10);
const nextList = () => new Date(Date.UTC(2026, 2, lists + 1, 12));
/** A list in which these requests have another capacity than before; answers the numbers of its changes. */
async function change(...numbers: string[]): Promise<number[]> {
	const before = await system.queue.lastSeq();
	const at = nextList().toISOString();
	lists++;
	const mw = (number: string) => (numbers.includes(number) ? 200 + lists : (capacity.get(number) ?? 150));
	for (const number of ["J101", "J102", "J103"]) capacity.set(number, mw(number));
	const rows = [...capacity].map(([number, each]) => ({ number, summer: each, winter: each }));
	await system.list(at, rows);
	const after = await system.queue.lastSeq();
	return Array.from({ length: after - before }, (_, index) => before + 1 + index);
}
const capacity = new Map<string, number>();

const create = async (more: object = {}) => {
	const made = await system.ask(account, "createWebhook", { url: receiver.url, ...more });
	receiver.secret = made.secret;
	await eventually(async () => (await show(made.webhook_id)).proven);
	return made;
};
const show = (webhook_id: number) => system.ask(account, "getWebhook", { webhook_id });
const deliveriesOf = async (webhook_id: number) =>
	(await system.ask(account, "listDeliveries", { webhook_id, per_page: 200 })).data;
const moveClock = (ms: number) => {
	system.clock.now = new Date(system.clock.now.getTime() + ms);
};
/** Resolves when everything up to a change was taken. */
const taken = (webhookId: number, seq: number | undefined) =>
	eventually(async () => {
		const { pending, seq: reached } = await show(webhookId);
		return pending === 0 && reached >= (seq ?? 0);
	});

test("nothing is sent to an address that has not echoed its challenge", async () => {
	receiver.echo = () => "thank you";
	const { webhook_id, secret, proven } = await system.ask(account, "createWebhook", { url: receiver.url, after: 0 });
	receiver.secret = secret;
	expect(proven).toBe(false);
	const waiting = await eventually(async () => {
		const [one, ...others] = await deliveriesOf(webhook_id);
		return others.length === 0 && one?.attempts === 1 && one;
	});
	const failed = { type: "webhook.challenge", seq: null, answer_status: 200, error: "the challenge was not echoed" };
	expect(waiting).toMatchObject({ ...failed, status: "pending" });
	moveClock(5_000);
	await eventually(() => receiver.challenges.length === 2);
	expect(await system.ask(account, "testWebhook", { webhook_id })).toMatchObject({ ...failed, status: "failed" });
	await system.ask(account, "replayWebhook", { webhook_id, after: 0 });
	expect(await show(webhook_id)).toMatchObject({ proven: false, pending: 1 });
	expect(receiver.arrived).toEqual([]);
	receiver.echo = (challenge) => JSON.stringify({ challenge });
	const tested = await system.ask(account, "testWebhook", { webhook_id });
	expect(tested).toMatchObject({ type: "webhook.challenge", status: "delivered" });
	expect((await show(webhook_id)).proven).toBe(true);
	await taken(webhook_id, await system.queue.lastSeq());
	expect(seqsOf(receiver.taken)[0]).toBe(1);
	expect(receiver.faults).toEqual([]);
});

test("a new address proves itself before it gets pending deliveries, and the earlier address gets none", async () => {
	const made = await create();
	const { webhook_id } = made;
	await using other = await openReceiver();
	other.echo = () => "";
	const moved = await system.ask(account, "changeWebhook", { webhook_id, url: other.url });
	expect(moved.proven).toBe(false);
	const seqs = await change("J101", "J102");
	await eventually(() => other.challenges.length === 1);
	const stale = await readWebhook(system.sql, webhook_id);
	const challenge = await readPendingChallenge(system.sql, webhook_id);
	if (stale === undefined || challenge === undefined) throw new Error("the challenge waits");
	// The webhook as a process read it before the change.
	const before = { ...stale, url: receiver.url };
	const sender = new Sender({ policy: { allowPrivate: true, ports: [] }, timeoutMs: 500 });
	const deliver = createDeliver({ sender, site, sendMail: undefined, timeoutMs: 500, log: silent });
	const options = { sql: system.sql, now: () => system.clock.now, retryMs: 1, signal: new AbortController().signal };
	expect((await attemptDelivery(before, challenge, { ...options, deliver })).delivered).toBe(false);
	expect([receiver.challenges.length, receiver.arrived, other.arrived]).toEqual([1, [], []]);
	other.echo = (text) => text;
	moveClock(60_000);
	await taken(webhook_id, seqs.at(-1));
	expect([seqsOf(other.taken), receiver.arrived]).toEqual([seqs, []]);
	await system.ask(account, "changeWebhook", { webhook_id, url: other.url });
	expect((await show(webhook_id)).proven).toBe(true);
});

test("each change is sent once, in order, signed, with the request as it was afterwards", async () => {
	const made = await create();
	expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
	const seqs = [...(await change("J101", "J102")), ...(await change("J103"))];
	expect(seqs.length).toBeGreaterThanOrEqual(3);
	await taken(made.webhook_id, seqs.at(-1));
	expect(seqsOf(receiver.arrived)).toEqual(seqs);
	expect(receiver.faults).toEqual([]);
	const log = await system.queue.ask("listChanges", { after: (seqs[0] ?? 1) - 1, include: "row" });
	expect(receiver.taken.map(({ data }) => data)).toEqual(log.data);
	expect(receiver.taken[0]).toMatchObject({ type: "change.recorded", id: `msg_${made.webhook_id}_${seqs[0]}` });
	for (const { id, timestamp, data, headers } of receiver.taken)
		expect(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("ce-")))).toEqual({
			"ce-specversion": "1.0",
			"ce-id": id,
			"ce-source": "/subscriptions",
			"ce-type": "subscriptions.change.recorded",
			"ce-time": timestamp,
			"ce-subject": data.project_id,
		});
	const [newest] = await deliveriesOf(made.webhook_id);
	expect(newest).toMatchObject({ status: "delivered", attempts: 1, answer_status: 200, answer_start: "thank you" });
});

test("a delivery that fails holds up those behind it, and is tried again with increasing pauses under one id", async () => {
	const made = await create();
	receiver.answer = (_, at) => ({ status: at <= 3 ? 500 : 200 });
	const seqs = await change("J101", "J102");
	const [first] = seqs;
	for (const [attempts, pauseMs] of [
		[1, 5_000],
		[2, 15_000],
		[3, 45_000],
	] as const) {
		const due = await eventually(async () => {
			const head = (await deliveriesOf(made.webhook_id)).find(({ seq }) => seq === first);
			return head?.attempts === attempts && head;
		});
		const lastAt = Date.parse(due.last_attempt_at ?? "");
		expect([due.status, due.answer_status, due.error]).toEqual(["pending", 500, "the server responded with 500"]);
		expect(Date.parse(due.next_attempt_at ?? "") - lastAt).toBe(pauseMs);
		expect(seqsOf(receiver.arrived)).toEqual(Array.from({ length: attempts }, () => first));
		moveClock(pauseMs);
	}
	await taken(made.webhook_id, seqs.at(-1));
	expect(seqsOf(receiver.taken)).toEqual(seqs);
	expect(new Set(receiver.arrived.slice(0, 4).map(({ id }) => id)).size).toBe(1);
});

test("while no change comes, nothing is requested from the owner of the log, however often the dispatcher runs", async () => {
	const made = await create();
	receiver.answer = () => ({ status: 500 });
	await change("J101");
	await using bus = await connectBus({
		...{ url: system.nats.url, name: "queue-ingest", log: silent },
		...system.nats.login("queue-ingest"),
	});
	let requests = 0;
	bus.nats.subscribe("rpc.queue-ingest.>", { callback: () => void requests++ });
	await bus.nats.flush();
	const attempted = (attempts: number) =>
		eventually(async () => {
			moveClock(10 * 60_000);
			return ((await deliveriesOf(made.webhook_id))[0]?.attempts ?? 0) >= attempts;
		});
	await attempted(3);
	const before = requests;
	await attempted(9);
	expect(requests).toBe(before);
	await change("J102");
	await eventually(() => requests > before);
});

test("after three days a webhook is disabled with a reason; enabled again, it misses nothing", async () => {
	const made = await create();
	receiver.answer = () => ({ status: 503 });
	const seqs = await change("J101", "J102", "J103");
	for (let attempts = 1; ; attempts++) {
		const webhook = await eventually(async () => {
			const [row] = await system.sql<
				{ attempts: number }[]
			>`select max(attempts) as attempts from deliveries where seq > 0`;
			return (row?.attempts ?? 0) >= attempts && (await show(made.webhook_id));
		});
		if (!webhook.enabled) break;
		const next = (await deliveriesOf(made.webhook_id)).find(({ seq }) => seq === seqs[0])?.next_attempt_at;
		moveClock(Math.max(0, Date.parse(next ?? "") + 999 - system.clock.now.getTime()));
	}
	const disabled = await show(made.webhook_id);
	expect(disabled).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining("responded with 503") });
	const began = Date.parse((await deliveriesOf(made.webhook_id))[0]?.created_at ?? "");
	expect(Date.parse(disabled.disabled_at ?? "") - began).toBeGreaterThanOrEqual(retryForMs);
	const { notices } = await system.ask(account, "listNotices", { account_id: account });
	expect(notices).toEqual([
		{
			webhook_id: made.webhook_id,
			url: receiver.url,
			disabled_at: disabled.disabled_at,
			reason: disabled.disabled_reason,
		},
	]);
	const more = await change("J102");
	receiver.answer = () => ({ status: 204 });
	expect(receiver.taken).toEqual([]);
	await system.ask(account, "changeWebhook", { webhook_id: made.webhook_id, enabled: true });
	await taken(made.webhook_id, more.at(-1));
	expect(seqsOf(receiver.taken)).toEqual([...seqs, ...more]);
	expect((await system.ask(account, "listNotices", { account_id: account })).notices).toEqual([]);
});

test("a receiver that answers 410 gets no more deliveries", async () => {
	const made = await create();
	receiver.answer = () => ({ status: 410 });
	await change("J101");
	const webhook = await eventually(async () => {
		const shown = await show(made.webhook_id);
		return !shown.enabled && shown;
	});
	expect(webhook.disabled_reason).toContain("410");
	expect(receiver.arrived.length).toBe(1);
});

test("a redirect is not followed, and the wait for a server without a response is limited", async () => {
	const made = await create();
	await using other = await openReceiver();
	receiver.answer = () => ({ status: 307, headers: { location: other.url } });
	const sent = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(sent).toMatchObject({ status: "failed", answer_status: 307, error: expect.stringContaining("redirect") });
	receiver.answer = () => new Promise(() => {});
	const late = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(late).toMatchObject({ status: "failed", answer_status: null, error: "no response within 500 ms" });
	expect(other.arrived).toEqual([]);
});

test("a server that switches protocols has answered, and is tried again like any other failure", async () => {
	const made = await create();
	receiver.answer = () => ({ status: 101, headers: { upgrade: "websocket", connection: "Upgrade" } });
	const sent = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(sent).toMatchObject({ status: "failed", answer_status: 101, error: "the server responded with 101" });
	const [seq] = await change("J101");
	await eventually(async () => {
		moveClock(60_000);
		return ((await deliveriesOf(made.webhook_id)).find((each) => each.seq === seq)?.attempts ?? 0) >= 2;
	});
	receiver.answer = () => ({ status: 200 });
	moveClock(3_600_000);
	await taken(made.webhook_id, seq);
});

test("tests that wait for a server take few slots, and leave the others to other requests", async () => {
	const made = await create();
	receiver.answer = () => new Promise(() => {});
	const tests = Array.from({ length: 100 }, () =>
		system.ask(account, "testWebhook", { webhook_id: made.webhook_id }).then(
			({ status }) => status,
			({ status }) => status,
		),
	);
	expect((await system.ask(another, "listWebhooks", {})).data).toEqual([]);
	const ended = Object.groupBy(await Promise.all(tests), String);
	expect(Object.keys(ended).sort()).toEqual(["429", "failed"]);
	expect(ended.failed?.length).toBeLessThan(30);
});

test("free webhooks whose servers hang delay neither deliveries nor tests of a paid plan, however often they are tried", async () => {
	const made = await create();
	const hanging = new Set<ServerResponse>();
	let most = 0;
	const server = createServer((_, response) => {
		hanging.add(response.on("close", () => hanging.delete(response)));
		most = Math.max(most, hanging.size);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	await using stack = new AsyncDisposableStack();
	stack.defer(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const accounts = Array.from({ length: 6 }, (_, at) => 100 + at);
	const ids = new Map<number, number>();
	for (const each of accounts) ids.set(each, (await system.ask(each, "createWebhook", { url }, "Free")).webhook_id);
	const hold = <T>(request: (accountId: number, webhookId: number, round: number) => Promise<T>) => {
		const end = new AbortController();
		const ended = Promise.all(
			[...ids].map(async ([accountId, id]) => {
				for (let round = 1; !end.signal.aborted; round++) {
					await request(accountId, id, round).catch(() => {});
					await pause(10);
				}
			}),
		);
		return async () => {
			end.abort();
			await ended;
		};
	};
	const stopTrying = hold(async (accountId, webhook_id, round) => {
		await system.ask(accountId, "changeWebhook", { webhook_id, url: `${url}/${round}` }, "Free");
		await system.ask(accountId, "changeWebhook", { webhook_id, enabled: true }, "Free");
	});
	stack.defer(stopTrying);
	await eventually(() => hanging.size >= 4);
	const [seq] = await change("J101");
	await taken(made.webhook_id, seq);
	await stopTrying();
	// Half of the slots of each replica.
	expect(most).toBeLessThanOrEqual(4);
	stack.defer(hold((accountId, webhook_id) => system.ask(accountId, "testWebhook", { webhook_id }, "Free")));
	await eventually(() => hanging.size >= 4);
	for (let sent = 0; sent < 4; sent++)
		expect((await system.ask(account, "testWebhook", { webhook_id: made.webhook_id })).status).toBe("delivered");
});

test("a challenge that failed waits for its next attempt, also when its webhook is enabled or it is redelivered", async () => {
	receiver.echo = () => "";
	const { webhook_id } = await system.ask(account, "createWebhook", { url: receiver.url });
	const failed = (attempts: number) =>
		eventually(async () => {
			const [one] = await deliveriesOf(webhook_id);
			return one?.attempts === attempts && one;
		});
	const challenge = await failed(1);
	for (const enabled of [true, false, true]) await system.ask(account, "changeWebhook", { webhook_id, enabled });
	await system.ask(account, "redeliver", { webhook_id, delivery_id: challenge.delivery_id });
	expect(await deliveriesOf(webhook_id)).toEqual([challenge]);
	moveClock(5_000);
	const again = await failed(2);
	expect(Date.parse(again.next_attempt_at ?? "") - system.clock.now.getTime()).toBeGreaterThan(10_000);
	moveClock(retryForMs);
	await eventually(async () => !(await show(webhook_id)).enabled);
	receiver.echo = (text) => text;
	await system.ask(account, "changeWebhook", { webhook_id, enabled: true });
	await eventually(async () => (await show(webhook_id)).proven);
});

test("an attempt that does not end makes its process unready", async () => {
	const made = await create();
	const late = () => system.replicas.some((replica) => replica.isStuck(performance.now() + 180_001));
	const { promise, resolve } = Promise.withResolvers<{ status: number }>();
	receiver.answer = () => promise;
	const [seq] = await change("J101");
	await eventually(late);
	expect(system.replicas.some((replica) => replica.isStuck())).toBe(false);
	resolve({ status: 200 });
	await eventually(() => !late());
	moveClock(60_000);
	await taken(made.webhook_id, seq);
});

test("a test is sent at once and shows its outcome; the beginning of a long response is recorded", async () => {
	const made = await create();
	receiver.answer = () => ({ status: 200, body: `\u0000${"é".repeat(100_000)}` });
	const sent = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(sent).toMatchObject({ type: "webhook.test", status: "delivered", seq: null, attempts: 1, answer_status: 200 });
	expect(sent.answer_start?.length).toBeLessThanOrEqual(1_000);
	expect(receiver.arrived).toMatchObject([{ type: "webhook.test", data: { webhook_id: made.webhook_id } }]);
	expect(receiver.faults).toEqual([]);
});

test("a replaced secret signs beside the new one for a day", async () => {
	const made = await create();
	const rotated = await system.ask(account, "rotateWebhook", { webhook_id: made.webhook_id });
	expect(rotated.secret).not.toBe(made.secret);
	expect(rotated.old_secret_until).not.toBeNull();
	const verifies = async (secret: string) => {
		await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
		const { body, headers } = receiver.arrived.at(-1) as Received;
		try {
			// The package looks at its own clock, and refuses what is minutes off.
			withClock(system.clock.now, () => new Webhook(secret).verify(body, headers as Record<string, string>));
			return true;
		} catch {
			return false;
		}
	};
	expect([await verifies(made.secret), await verifies(rotated.secret)]).toEqual([true, true]);
	moveClock(24 * 3_600_000 + 1_000);
	expect([await verifies(made.secret), await verifies(rotated.secret)]).toEqual([false, true]);
	expect((await show(made.webhook_id)).old_secret_until).toBeNull();
});

test("a delivery is sent again under its id, and so are the changes after a seq", async () => {
	const made = await create();
	const seqs = await change("J101", "J102");
	await taken(made.webhook_id, seqs.at(-1));
	const [newest] = await deliveriesOf(made.webhook_id);
	await system.ask(account, "redeliver", { webhook_id: made.webhook_id, delivery_id: newest?.delivery_id ?? 0 });
	await eventually(() => receiver.taken.length === seqs.length + 1);
	expect(receiver.taken.at(-1)?.id).toBe(newest?.message_id);
	await taken(made.webhook_id, seqs.at(-1));
	receiver.arrived.length = 0;
	await system.ask(account, "replayWebhook", { webhook_id: made.webhook_id, after: (seqs[0] ?? 1) - 1 });
	await eventually(() => receiver.arrived.length === seqs.length);
	expect(seqsOf(receiver.arrived)).toEqual(seqs);
	expect(receiver.arrived.map(({ id }) => id)).toEqual(seqs.map((seq) => `msg_${made.webhook_id}_${seq}`));
});

test("filters apply to the request after the change; include_row=false leaves the request out", async () => {
	const made = await create({ filters: { id: ["MISO-J102"], change_type: ["capacity_change"] }, include_row: false });
	await change("J101");
	await change("J101", "J102");
	const last = (await change("J103")).at(-1);
	await taken(made.webhook_id, last);
	expect(receiver.taken.map(({ data }) => [data.project_id, data.change_type, data.project])).toEqual([
		["MISO-J102", "capacity_change", undefined],
	]);
});

test("a digest is one delivery a day, with the changes since the one before", async () => {
	const made = await create({ digest: "daily" });
	const listDay = dayOf(nextList());
	const seqs = await change("J101", "J102");
	moveClock(24 * 3_600_000);
	await eventually(() => receiver.taken.length === 1);
	moveClock(24 * 3_600_000);
	await eventually(() => receiver.taken.length === 2);
	const [full, empty] = receiver.taken;
	expect(full).toMatchObject({
		type: "digest.daily",
		data: { total: seqs.length, by_region: { MISO: seqs.length }, next: seqs.at(-1), rows_left_out: 0 },
	});
	// The list is older than the webhook.
	expect(full?.data.from_day).toBe(listDay);
	expect(empty?.data.from_day).toBe(empty?.data.day);
	expect(((full?.data.rows ?? []) as { seq: number }[]).map(({ seq }) => seq)).toEqual(seqs);
	expect(empty).toMatchObject({ type: "digest.daily", data: { total: 0, rows: [], after: seqs.at(-1) } });
	expect((await show(made.webhook_id)).digest).toBe("daily");
});

test.each(["slack", "teams"] as const)(
	"%s gets one message for all new changes, without a challenge",
	async (format) => {
		const made = await system.ask(account, "createWebhook", { url: receiver.url, format });
		expect(made).toMatchObject({ format, proven: true, digest: null });
		await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
		const seqs = await change("J101", "J102");
		await taken(made.webhook_id, seqs.at(-1));
		expect(receiver.challenges).toEqual([]);
		const [test, ...alerts] = receiver.taken.map(({ body }) => body);
		expect(test).toContain("This is a test");
		expect(alerts.length).toBeLessThanOrEqual(seqs.length);
		for (const number of ["J101", "J102"]) expect(alerts.join()).toContain(`${site}/projects/MISO-${number}`);
		expect(alerts.join()).toMatch(/Capacity (raised|reduced) from/);
		expect((await deliveriesOf(made.webhook_id)).map(({ type }) => type)).toContain("changes.recorded");
	},
);

const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
const mailTo = (address: string, number = 1) => eventually(() => mailsTo(address)[number - 1]);
const openLink = (token: string, action: "confirm" | "stop") => system.ask(account, "openAlertLink", { token, action });
const createMails = (more: object = {}, email = "ann@example.org") =>
	system.ask(account, "createWebhook", { url: `mailto:${email}`, ...more });

test("an e-mail address gets only a link until that is opened, then one mail for a day with changes", async () => {
	system.clock.now = nextList();
	const made = await createMails();
	expect(made).toMatchObject({ url: "mailto:ann@example.org", format: "email", digest: "daily", proven: false });
	const first = await mailTo("ann@example.org");
	expect(first.headers).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
	const token = tokenIn(first);
	const seqs = await change("J101", "J102");
	moveClock(2 * 24 * 3_600_000);
	lists++;
	// A change of the day of the confirmation belongs to the next digest.
	const late = await change("J103");
	await expect(openLink(`${token.slice(0, -1)}x`, "confirm")).rejects.toMatchObject({ status: 410 });
	const waiting = await eventually(async () => (await deliveriesOf(made.webhook_id)).find(({ attempts }) => attempts));
	expect(waiting).toMatchObject({
		type: "webhook.challenge",
		status: "pending",
		answer_status: 250,
		next_attempt_at: null,
	});
	expect(await show(made.webhook_id)).toMatchObject({ proven: false, enabled: true, pending: 1 });
	for (const _ of [1, 2])
		expect(await openLink(token, "confirm")).toMatchObject({
			email: "ann@example.org",
			note: expect.stringContaining("once a day"),
		});
	expect((await show(made.webhook_id)).proven).toBe(true);
	const digest = await mailTo("ann@example.org", 2);
	const day = (days: number) => dayOf(new Date(system.clock.now.getTime() + days * 86_400_000));
	expect(digest.headers.replaceAll("\r\n ", " ")).toMatch(
		new RegExp(`^Subject: ${seqs.length} changes from ${day(-2)} to ${day(-1)}\r?$`, "m"),
	);
	expect(digest.headers).toContain(`List-ID: <webhook-${made.webhook_id}.service.example>`);
	expect(digest.headers.replaceAll("\r\n ", " ")).toContain(`List-Unsubscribe: <${site}/unsubscribe/${token}>`);
	expect(digest.headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
	expect(digest.text).toContain(`${site}/projects/MISO-J101`);
	expect(digest.text).not.toContain("MISO-J103");
	moveClock(24 * 3_600_000);
	const third = (await mailTo("ann@example.org", 3)).headers;
	expect(third.replaceAll("\r\n ", " ")).toContain(late.length === 1 ? ` (${day(-1)})` : ` on ${day(-1)}`);
	// A day without changes is no mail.
	moveClock(24 * 3_600_000);
	await taken(made.webhook_id, late.at(-1));
	expect(smtp.mails).toHaveLength(3);
});

test("on the free plan a webhook whose link is never opened keeps no watchlist, and is deleted with it", async () => {
	const filters = { id: ["MISO-J101"] };
	const follow = async (email: string) => {
		const { watchlist_id } = await system.ask(account, "createWatchlist", { name: email, filters }, "Free");
		const hook = { url: `mailto:${email}`, watchlist_id };
		const { webhook_id } = await system.ask(account, "createWebhook", hook, "Free");
		return { watchlist_id, webhook_id };
	};
	const [opened, ignored] = [await follow("ann@example.org"), await follow("bob@example.org")];
	await openLink(tokenIn(await mailTo("ann@example.org")), "confirm");
	const { data } = await system.ask(account, "listWatchlists", {}, "Free");
	expect(data.map(({ expires_at }) => expires_at)).toEqual([null, expect.any(String)]);
	const inDays = (days: number) => new Date(system.clock.now.getTime() + days * 86_400_000);
	const deleteIn = (days: number) => deleteWatchlists(system.sql, { now: () => inDays(days), unusedDays: 90 });
	const confirmed = await follow("eve@example.org");
	const deleted = await system.sql.begin(async (tx) => {
		await tx`select from webhooks where id = ${confirmed.webhook_id} for update`;
		const deleting = deleteIn(91);
		await eventually(async () => {
			const { count } = await system.sql`
				select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
					and query like '%from webhooks%watchlist_id = any%'`;
			return count > 0;
		});
		await tx`update deliveries set state = 'delivered', next_attempt_at = null where webhook_id = ${confirmed.webhook_id}`;
		return { deleting };
	});
	expect([await deleteIn(89), await deleted.deleting]).toEqual([0, 1]);
	await system.ask(account, "deleteWebhook", { webhook_id: confirmed.webhook_id });
	await system.ask(account, "deleteWatchlist", { watchlist_id: confirmed.watchlist_id });
	const left = await system.ask(account, "listWatchlists", {}, "Free");
	expect(left.data.map(({ watchlist_id }) => watchlist_id)).toEqual([opened.watchlist_id]);
	expect((await show(opened.webhook_id)).enabled).toBe(true);
	await expect(show(ignored.webhook_id)).rejects.toMatchObject({ status: 404 });
});

test("a filed name adds no header and no recipient to a mail that is sent", async () => {
	const { type, data } = webhookMessages["change.recorded"].example;
	const project_name = "Sun\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>";
	const alert = toAlert({ type, data: { ...data, project_name } }, site);
	const send = mailer({ smtpUrl: smtp.url, from: "alerts@service.example", log: silent });
	await send(alertMail(alert, { webhookId: 3, to: "ann@example.org", token: "ml_x", site }));
	const { to, headers } = await mailTo("ann@example.org");
	expect([to, headers.replaceAll("\r\n ", " ").match(/^(Bcc|Cc|To):.*$/gim)]).toEqual([
		["ann@example.org"],
		["To: ann@example.org"],
	]);
	expect(headers.replaceAll("\r\n ", " ")).toContain("Subject: SunBcc: eve@example.org<script>");
});

test("the recipient ends the mails, and they go on only after another link is opened", async () => {
	const { webhook_id } = await createMails({ digest: null });
	const token = tokenIn(await mailTo("ann@example.org"));
	await openLink(token, "confirm");
	await change("J101");
	await mailTo("ann@example.org", 2);
	for (const _ of [1, 2]) expect(await openLink(token, "stop")).toMatchObject({ email: "ann@example.org" });
	expect(await show(webhook_id)).toMatchObject({
		...{ enabled: false, proven: false, disabled_reason: "the recipient ended the mails" },
	});
	const enable = () => system.ask(account, "changeWebhook", { webhook_id, enabled: true });
	const seqs = await change("J102");
	await enable();
	expect(tokenIn(await mailTo("ann@example.org", 3))).toBe(token);
	await eventually(async () => (await deliveriesOf(webhook_id))[0]?.attempts === 1);
	expect(smtp.mails).toHaveLength(3);
	await openLink(token, "confirm");
	expect((await mailTo("ann@example.org", 4)).text).toContain("MISO-J102");
	await taken(webhook_id, seqs.at(-1));
	// Another address has other links.
	await system.ask(account, "changeWebhook", { webhook_id, url: "mailto:bob@example.org" });
	await expect(openLink(token, "stop")).rejects.toMatchObject({
		...{ status: 410, message: expect.stringContaining("this link is no longer valid") },
	});
	expect(tokenIn(await mailTo("bob@example.org"))).not.toBe(token);
});

test("a mail server that is down delays mails and loses none; a refused address ends them", async () => {
	await smtp.stop();
	const made = await createMails();
	const attempted = async () => (await deliveriesOf(made.webhook_id))[0];
	expect(await eventually(async () => ((await attempted())?.attempts ?? 0) > 0 && attempted())).toMatchObject({
		...{ status: "pending", error: expect.stringContaining("did not accept the mail") },
	});
	await smtp.start();
	moveClock(5_000);
	await openLink(tokenIn(await mailTo("ann@example.org")), "confirm");
	smtp.refused.add("gone@example.org");
	const refused = await createMails({}, "gone@example.org");
	const disabled = await eventually(async () => {
		const shown = await show(refused.webhook_id);
		return !shown.enabled && shown;
	});
	expect(disabled.disabled_reason).toContain("refuses the address");
});

test("an inbox is sent three links and tests a day, and an account's are five", async () => {
	const remove = async () => {
		for (const { webhook_id } of (await system.ask(account, "listWebhooks", {})).data)
			await system.ask(account, "deleteWebhook", { webhook_id });
	};
	const { webhook_id } = await createMails();
	await system.ask(account, "testWebhook", { webhook_id });
	await remove();
	await createMails({}, "ANN+more@example.org");
	await remove();
	const tooMany = { status: 429 };
	await expect(createMails()).rejects.toMatchObject(tooMany);
	await expect(system.ask(another, "createWebhook", { url: "mailto:ann@example.org" })).rejects.toMatchObject(tooMany);
	await createMails({}, "bob@example.org");
	await createMails({}, "eve@example.org");
	await expect(createMails({}, "kim@example.org")).rejects.toMatchObject(tooMany);
	moveClock(24 * 3_600_000 + 1);
	await createMails({}, "kim@example.org");
});

test.each([
	["mailto:ann@example.org\r\nBcc: eve@example.org", undefined, "url"],
	["mailto:ann@example.org,eve@example.org", undefined, "url"],
	["mailto:ann@example.org?cc=eve@example.org", undefined, "url"],
	["mailto:ann@example.org", "slack", "format"],
	["https://example.com/", "email", "format"],
] as const)("%j as %s is refused by the name of its field", async (url, format, field) => {
	const params = { url, ...(format !== undefined && { format }) };
	await expect(system.ask(account, "createWebhook", params)).rejects.toMatchObject({
		errors: [{ loc: ["body", field] }],
	});
});

test("another account sees nothing and changes nothing", async () => {
	const { webhook_id } = await create();
	const missing = { status: 404 };
	const calls = [
		() => system.ask(another, "getWebhook", { webhook_id }),
		() => system.ask(another, "changeWebhook", { webhook_id, enabled: false }),
		() => system.ask(another, "deleteWebhook", { webhook_id }),
		() => system.ask(another, "testWebhook", { webhook_id }),
		() => system.ask(another, "rotateWebhook", { webhook_id }),
		() => system.ask(another, "replayWebhook", { webhook_id, after: 0 }),
		() => system.ask(another, "listDeliveries", { webhook_id }),
		() => system.ask(another, "redeliver", { webhook_id, delivery_id: 1 }),
	];
	for (const each of calls) await expect(each()).rejects.toMatchObject(missing);
	expect((await system.ask(another, "listWebhooks", {})).data).toEqual([]);
	expect((await system.ask(account, "listWebhooks", {})).data).toEqual([await show(webhook_id)]);
	await system.ask(account, "deleteWebhook", { webhook_id });
	await expect(show(webhook_id)).rejects.toMatchObject(missing);
});

test("values above a limit, or in the future, are refused with the field's name", async () => {
	const refused = (params: object, field: string) =>
		expect(create(params)).rejects.toMatchObject({ status: 422, errors: [{ loc: ["body", field] }] });
	await refused({ after: 1_000_000 }, "after");
	await refused({ filters: { id: Array.from({ length: 50 }, (_, at) => `MISO-J${at}`) } }, "filters");
	await refused({ watchlist_id: 4_711 }, "watchlist_id");
	for (let at = 0; at < 3; at++) await create();
	await refused({}, "url");
});

/** Runs with another time for `Date.now`. */
function withClock<T>(now: Date, work: () => T): T {
	const original = Date.now;
	Date.now = () => now.getTime();
	try {
		return work();
	} finally {
		Date.now = original;
	}
}

test("usage is sent to each webhook of the account that requests it, once, and without changes if they are not requested", async () => {
	const { webhook_id, events } = await create({ events: "usage" });
	expect(events).toEqual(["usage"]);
	await using both = await openReceiver();
	const other = await system.ask(account, "createWebhook", { url: both.url, events: ["changes", "usage"] });
	both.secret = other.secret;
	await eventually(async () => (await show(other.webhook_id)).proven);
	const seqs = await change("J101");
	await taken(other.webhook_id, seqs.at(-1));
	const bus = await connectBus({ url: system.nats.url, name: "billing", log: silent, ...system.nats.login("billing") });
	await using _ = bus;
	await ensureStream(bus, "billing");
	const publish = (account_id: number, share: number, attempt: number, month = "2026-03") => {
		const occurred_at = `${month}-01T00:00:00Z`;
		const usage = { plan: "Free", month, share, used: 50 * share, monthly_queries: 50 } as const;
		const id = `usage.reached:${account_id}:${month}:50:${share}:${attempt}`;
		const event = { id, occurred_at, version: 1, account_id, ...usage };
		return jetstream(bus.nats).publish(subjectOf(usageReached), JSON.stringify(usageReached.payload.parse(event)));
	};
	for (const [share, attempt] of [
		[0.5, 1],
		[0.5, 2],
		[0.8, 1],
	] as const)
		await publish(account, share, attempt);
	await publish(another, 1, 1);
	await eventually(() => receiver.taken.length === 2 && both.taken.length === seqs.length + 2);
	const expected = [0.5, 0.8].map((share) => ({
		type: "usage.reached",
		data: { plan: "Free", month: "2026-03", share, used: 50 * share, monthly_queries: 50 },
	}));
	expect(receiver.taken).toMatchObject(expected);
	expect(both.taken.slice(seqs.length)).toMatchObject(expected);
	expect([...receiver.faults, ...both.faults]).toEqual([]);
	// The receiver answers before the outcome is stored.
	const delivered = { seq: null, status: "delivered" };
	await eventually(async () => (await deliveriesOf(webhook_id)).every(({ status }) => status === "delivered"));
	expect(await deliveriesOf(webhook_id)).toMatchObject([delivered, delivered, delivered]);
	// Changes that it requests later begin with the next one.
	await system.ask(account, "changeWebhook", { webhook_id, events: ["changes"] });
	const later = await change("J102");
	await taken(webhook_id, later.at(-1));
	expect(seqsOf(receiver.taken.slice(2))).toEqual(later);
	// A disabled webhook gets no messages; one that waited for its link gets those of the month.
	await system.ask(account, "changeWebhook", { webhook_id: other.webhook_id, enabled: false });
	const mailed = await createMails({ events: ["usage"] });
	const token = tokenIn(await mailTo("ann@example.org"));
	await publish(account, 0.8, 2);
	const month = system.clock.now.toISOString().slice(0, 7);
	await publish(account, 1, 1, month);
	await eventually(async () => (await show(mailed.webhook_id)).pending === 3);
	expect((await show(other.webhook_id)).pending).toBe(0);
	await openLink(token, "confirm");
	expect((await mailTo("ann@example.org", 2)).headers).toContain(`100 % of the queries of ${month} are used`);
	await taken(mailed.webhook_id, 0);
	expect(smtp.mails).toHaveLength(2);
});
