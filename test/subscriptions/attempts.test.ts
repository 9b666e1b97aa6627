/** When a delivery that failed is tried again, by the clock of the machine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import { eventually } from "../support/eventually.ts";
import { openReceiver } from "./support/receiver.ts";
import { openSystem, type TestSystem } from "./support/system.ts";

const hourMs = 3_600_000;

test("the next attempt is made on time, and does not wait for the regular run", async () => {
	await using receiver = await openReceiver();
	receiver.answer = (_, at) => ({ status: at <= 2 ? 500 : 200 });
	const config = { WEBHOOK_RETRY_MS: "50" };
	await using system = await openSystem({ config, everyMs: hourMs, now: () => new Date() });
	await system.list("2026-03-01", [{ number: "J101" }]);
	await system.ask(1, "createWebhook", { url: receiver.url, after: 0 });
	await eventually(() => receiver.taken.length > 0);
	expect(new Set(receiver.arrived.slice(0, 3).map(({ id }) => id)).size).toBe(1);
});

describe("with one attempt at a time, the next an hour later", () => {
	let system: TestSystem;
	let aheadMs = 0;
	beforeAll(async () => {
		const config = { WEBHOOK_RETRY_MS: String(hourMs), WEBHOOKS_AT_ONCE: "1", WEBHOOKS_AT_ONCE_PER_ACCOUNT: "1" };
		system = await openSystem({ config, now: () => new Date(Date.now() + aheadMs) });
		await system.list("2026-03-01", [{ number: "J101" }]);
	});
	afterAll(() => system?.[Symbol.asyncDispose]());

	test("a delivery that failed while the clock was a day ahead is tried again when the clock is right again", async () => {
		await using receiver = await openReceiver();
		receiver.answer = (_, at) => ({ status: at === 1 ? 500 : 200 });
		aheadMs = 24 * hourMs;
		const { webhook_id } = await system.ask(1, "createWebhook", { url: receiver.url, after: 0 });
		const planned = () => system.sql`
		select from deliveries where attempts = 1 and next_attempt_at > now() + interval '12 hours'`;
		await eventually(async () => (await planned()).count === 1);
		aheadMs = -hourMs;
		await eventually(() => receiver.taken.length > 0);
		expect(receiver.arrived[0]?.id).toBe(receiver.arrived[1]?.id);
		await system.ask(1, "deleteWebhook", { webhook_id });
	});

	test("accounts take turns, and paid plans come first", async () => {
		await using receiver = await openReceiver();
		const create = async (accountId: number, plan: PlanName) => {
			const { webhook_id } = await system.ask(accountId, "createWebhook", { url: receiver.url }, plan);
			await eventually(async () => (await system.ask(accountId, "getWebhook", { webhook_id }, plan)).proven);
			return webhook_id;
		};
		const first = await create(1, "Free");
		const second = await create(1, "Free");
		const other = await create(2, "Free");
		const paid = await create(3, "Growth");
		await system.ask(2, "changeWebhook", { webhook_id: other, enabled: false }, "Free");
		await system.ask(3, "changeWebhook", { webhook_id: paid, enabled: false }, "Growth");
		const { promise, resolve } = Promise.withResolvers<{ status: number }>();
		receiver.answer = () => promise;
		await system.list("2026-03-02", [{ number: "J101", summer: 200, winter: 200 }]);
		await eventually(() => receiver.arrived.length === 1);
		await system.ask(2, "changeWebhook", { webhook_id: other, enabled: true }, "Free");
		await system.ask(3, "changeWebhook", { webhook_id: paid, enabled: true }, "Growth");
		resolve({ status: 200 });
		const inOrder = () => [...new Set(receiver.taken.map(({ id }) => Number(id.split("_")[1])))];
		await eventually(() => inOrder().length === 4);
		const held = inOrder()[0];
		expect(inOrder()).toEqual([held, paid, other, held === first ? second : first]);
	});
});
