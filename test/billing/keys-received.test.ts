/** Keys over the bus: a gateway asks with its own rights, and receives every change. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { newSecret, type ServedBilling, serveBilling } from "./support/billing.ts";
import { runKeys } from "./support/keys-command.ts";

let served: ServedBilling;
beforeAll(async () => {
	served = await serveBilling();
});
afterAll(() => served[Symbol.asyncDispose]());

it("a gateway resolves a key, and receives each of its changes in order", async () => {
	const key = await served.issue("a@example.org");
	const { secret: _, ...by } = newSecret();
	const replaced = await served.ask("replaceKey", { key_id: key.id, grace_seconds: 3_600, ...by });
	await served.ask("endKey", { key_id: key.id });
	await eventually(() => served.received.length === 4);
	expect(served.received.map(({ key_id, version, revoked }) => [key_id, version, revoked])).toEqual([
		[key.id, 1, false],
		[key.id, 2, false],
		[replaced.key_id, 1, false],
		[key.id, 3, true],
	]);
	const { grant } = await served.ask("resolveKey", { sha256: by.sha256 });
	expect(served.received[2]).toMatchObject({ sha256: by.sha256, ...grant });
});

it("an error arrives with its status and text", async () => {
	const key = await served.issue("once@example.org");
	const refused = served.ask("issueKey", {
		email: "other@example.org",
		name: null,
		sha256: key.sha256,
		hint: key.hint,
	});
	await expect(refused).rejects.toMatchObject({ status: 409, message: expect.stringContaining("was issued before") });
});

it("a key that is revoked or upgraded on the command line is published by the running billing", async () => {
	const key = await served.issue("b@example.org");
	expect(await runKeys(served, "upgrade", "--key", key.hint, "--plan", "Scale")).toMatchObject({ code: 0 });
	expect(await runKeys(served, "revoke", key.hint)).toMatchObject({ code: 0 });
	const ofKey = () => served.received.filter(({ key_id }) => key_id === key.id);
	await eventually(() => ofKey().length === 3);
	expect(ofKey().map(({ version, plan, revoked }) => [version, plan, revoked])).toEqual([
		[1, "Free", false],
		[2, "Scale", false],
		[3, "Scale", true],
	]);
});
