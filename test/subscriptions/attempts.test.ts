/** When a delivery that failed is tried again, by the clock of the machine. */
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openReceiver } from "./support/receiver.ts";
import { openSystem } from "./support/system.ts";

const hourMs = 3_600_000;

test("the next attempt is made in its time, and does not wait for the regular look", async () => {
	await using receiver = await openReceiver();
	receiver.answer = (_, at) => ({ status: at <= 4 ? 500 : 200 });
	const config = { WEBHOOK_RETRY_MS: "50" };
	await using system = await openSystem({ config, everyMs: hourMs, now: () => new Date() });
	await system.list("2026-03-01", [{ number: "J101" }]);
	await system.ask(1, "createWebhook", { url: receiver.url, after: 0 });
	await eventually(() => receiver.taken.length > 0);
	expect(new Set(receiver.arrived.slice(0, 5).map(({ id }) => id)).size).toBe(1);
});

test("a delivery that failed while the clock was a day ahead is tried again when the clock is right again", async () => {
	await using receiver = await openReceiver();
	receiver.answer = (_, at) => ({ status: at === 1 ? 500 : 200 });
	let aheadMs = 24 * hourMs;
	await using system = await openSystem({
		...{ config: { WEBHOOK_RETRY_MS: String(hourMs) }, now: () => new Date(Date.now() + aheadMs) },
	});
	await system.list("2026-03-01", [{ number: "J101" }]);
	await system.ask(1, "createWebhook", { url: receiver.url, after: 0 });
	const planned = () => system.sql`
		select from deliveries where attempts = 1 and next_attempt_at > now() + interval '12 hours'`;
	await eventually(async () => (await planned()).count === 1);
	aheadMs = -hourMs;
	await eventually(() => receiver.taken.length > 0);
	expect(receiver.arrived[0]?.id).toBe(receiver.arrived[1]?.id);
});
