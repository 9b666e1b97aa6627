/** Addresses that deliveries may not go to: refused when a webhook is created, and again at each attempt. */
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { configSchema } from "../../services/subscriptions/config.ts";
import { type ResolvedAddress, resolveWith } from "../../services/subscriptions/dispatch/send.ts";
import { openReceiver } from "./support/receiver.ts";
import { openSystem, type TestSystem } from "./support/system.ts";

const account = 1;
let system: TestSystem;
/** Addresses of each name, one answer a lookup; the last one repeats. */
const names = new Map<string, ResolvedAddress[][]>();
beforeAll(async () => {
	const resolve = async (host: string) => {
		const answers = names.get(host) ?? [[]];
		return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
	};
	system = await openSystem({ config: { WEBHOOKS_ALLOW_PRIVATE: "false" }, resolve });
	await system.list("2026-03-01", [{ number: "J101" }]);
});
afterAll(() => system?.[Symbol.asyncDispose]());
beforeEach(() => {
	names.clear();
});

const create = (url: string) => system.ask(account, "createWebhook", { url });
const at = (address: string): ResolvedAddress[] => [{ address, family: 4 }];

test("private addresses are refused by default", () => {
	const bus = { POSTGRES_URL: "postgres://localhost/energy", NATS_URL: "nats://localhost" };
	expect(configSchema.parse(bus).WEBHOOKS_ALLOW_PRIVATE).toBe(false);
});

test.each([
	["http://example.com/", "must begin with https://"],
	["https://127.0.0.1/", "not a public address"],
	["https://private.example/", "private.example has an address that is not public"],
	["https://both.example/", "an address that is not public"],
	["https://nowhere.example/", "has no address"],
])("%s is refused by the name of its field", async (url, reason) => {
	names.set("private.example", [at("10.0.0.7")]);
	names.set("both.example", [[...at("8.8.8.8"), ...at("192.168.0.1")]]);
	names.set("nowhere.example", [[]]);
	await expect(create(url)).rejects.toMatchObject({
		status: 422,
		errors: [{ loc: ["body", "url"], msg: expect.stringContaining(reason) }],
	});
});

test("Slack and Teams are sent to at addresses of theirs alone", async () => {
	const resolved = [at("8.8.8.8")];
	const hosts = {
		slack: ["hooks.slack.com"],
		teams: ["default1.a2.environment.api.powerplatform.com", "prod-1.westus.logic.azure.com", "me.webhook.office.com"],
	};
	for (const [format, known] of Object.entries(hosts) as ["slack" | "teams", string[]][]) {
		for (const host of known) {
			names.set(host, resolved);
			const { webhook_id, proven } = await system.ask(account, "createWebhook", { url: `https://${host}/x`, format });
			expect(proven).toBe(true);
			await system.ask(account, "deleteWebhook", { webhook_id });
		}
		for (const host of ["example.com", `${known[0]}.example.com`]) {
			names.set(host, resolved);
			const refused = { errors: [{ loc: ["body", "url"], msg: expect.stringContaining("must be the address of") }] };
			await expect(system.ask(account, "createWebhook", { url: `https://${host}/x`, format })).rejects.toMatchObject(
				refused,
			);
		}
	}
	const mails = { errors: [{ loc: ["body", "url"], msg: expect.stringContaining("sends no mails") }] };
	await expect(create("mailto:ann@example.org")).rejects.toMatchObject(mails);
});

test("a name that was public at first and is private at the attempt is not connected to", async () => {
	await using receiver = await openReceiver();
	const { port } = new URL(receiver.url);
	names.set("rebound.example", [at("8.8.8.8"), at("127.0.0.1")]);
	// The receiver's port, as if the policy had it: what stops the attempt is the address.
	const made = await create("https://rebound.example/");
	await system.sql`delete from deliveries`;
	await system.sql`update webhooks set url = ${`https://rebound.example:8443/?${port}`}`;
	const sent = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(sent).toMatchObject({
		status: "failed",
		answer_status: null,
		error: "rebound.example has an address that is not public",
	});
	expect(receiver.arrived).toEqual([]);
});

test("an address that is no longer allowed is not connected to", async () => {
	// The challenge must not leave this machine.
	names.set("public.example", [at("8.8.8.8"), at("127.0.0.1")]);
	const made = await create("https://public.example/");
	await system.sql`delete from deliveries`;
	await using receiver = await openReceiver();
	await system.sql`update webhooks set url = ${receiver.url} where id = ${made.webhook_id}`;
	const sent = await system.ask(account, "testWebhook", { webhook_id: made.webhook_id });
	expect(sent).toMatchObject({ status: "failed", error: "the address must begin with https://" });
	expect(receiver.arrived).toEqual([]);
});

test("a name is resolved while those of others are not answered", async () => {
	await using server = createSocket("udp4", (query, { port }) => {
		const name = query.subarray(12).toString("latin1");
		const isIpv4 = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1;
		const answer = Buffer.from("c00c0001000100000001000408080808", "hex");
		const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
		const question = query.subarray(12, query.indexOf(0, 12) + 5);
		if (!name.includes("silent")) server.send(Buffer.concat([header, question, ...(isIpv4 ? [answer] : [])]), port);
	});
	server.bind(0, "127.0.0.1");
	await once(server, "listening");
	const resolver = new Resolver({ timeout: 60_000, tries: 1 });
	resolver.setServers([`127.0.0.1:${server.address().port}`]);
	const silent = Array.from({ length: 10 }, (_, index) => resolveWith(resolver)(`silent${index}.example`));
	expect(await resolveWith(resolver)("public.example")).toEqual(at("8.8.8.8"));
	resolver.cancel();
	const ended = await Promise.allSettled(silent);
	expect(ended.map((each) => each.status)).toEqual(silent.map(() => "rejected"));
});
