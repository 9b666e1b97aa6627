import { expect, it } from "vitest";
import { republish } from "../../services/billing/admin/republish.ts";
import { newSecret, openBilling } from "./support/billing.ts";

it("every published key can be published again, as it is now, under new ids", async () => {
	await using billing = await openBilling();
	const replaced = await billing.issue("a@example.org");
	const { secret: _, ...by } = newSecret();
	await billing.ask("replaceKey", { key_id: replaced.id, grace_seconds: 3_600, ...by });
	const revoked = await billing.issue("b@example.org");
	await billing.ask("endKey", { key_id: revoked.id });
	const published = await billing.announced();
	expect(await republish(billing.sql, "key.changed")).toBe(3);
	const again = await billing.announced();
	// The last of each key: the replaced one's and the revoked one's second.
	const last = [...new Map(published.map((event) => [event.sha256, event])).values()];
	const content = (events: typeof published) =>
		events.map(({ id: _id, occurred_at: _at, ...rest }) => rest).sort((one, other) => one.key_id - other.key_id);
	expect(content(again)).toEqual(content(last));
	expect(again.map(({ version }) => version).sort()).toEqual([1, 2, 2]);
	await republish(billing.sql, "key.changed");
	const ids = [...published, ...again, ...(await billing.announced())].map(({ id }) => id);
	expect(new Set(ids).size).toBe(published.length + 3 + 3);
	for (const name of ["usage.exhausted", "project.changed", ""])
		expect([name, await republish(billing.sql, name)]).toEqual([name, undefined]);
});
