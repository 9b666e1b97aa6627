/** Keys, credit tokens and payments go through everything that can go wrong, and are then looked for wherever others may read. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { railNames } from "#libs/contract/vocabulary.ts";
import { answerTo, challengeOf } from "./support/credit-sales.ts";
import { challengeSecret } from "./support/gateways.ts";
import { openTill, type Sent, type Till } from "./support/pay.ts";

let till: Till;
const secrets = new Set<string>();
const refusals: string[] = [];
const statuses = new Set<number>();

beforeAll(async () => {
	till = await openTill({ settings: { X402_TIMEOUT_MS: "1000" } });
	const { stripe } = till.gateways.payments;
	for (const secret of [challengeSecret, stripe.secretKey, stripe.webhookSecret]) secrets.add(secret);
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

/** Asks with secrets. */
async function ask(path: string, sent: Sent = {}, init: RequestInit = {}): Promise<void> {
	for (const secret of [...Object.values(sent).flatMap(secretsIn), ...keysIn(path)]) secrets.add(secret);
	const answered = await fetch(`${till.gateways.url}${path}`, { ...init, headers: { ...sent, ...init.headers } });
	const body = await answered.text().catch(() => "it broke off");
	statuses.add(answered.status);
	for (const secret of keysIn(body)) secrets.add(secret);
	if (answered.status >= 400) refusals.push(JSON.stringify([...answered.headers]) + body);
}

const keysIn = (text: string): string[] => text.match(/(?:pk|cr|spt)_\w{8,}/g) ?? [];

/** A header's value, and what in it is worth stealing: also of a payment that is cut short. */
function secretsIn(value: string): string[] {
	const found = [value, ...keysIn(value)];
	const encoded = /(?:^|^Payment )([\w+/=-]{400,})$/.exec(value)?.[1];
	if (encoded !== undefined) {
		const text = Buffer.from(encoded, "base64").toString();
		const signature = /"signature":"(0x\w+)/.exec(text)?.[1] ?? "";
		// A secret is found in base64 too, wherever it is cut.
		const at = Math.ceil((text.indexOf(signature) * 4) / 3) + 8;
		found.push(encoded, signature, encoded.slice(at, at + 60));
	}
	return found.filter((secret) => secret.length >= 12);
}

async function misuseKeys(): Promise<void> {
	const key = await till.gateways.register();
	for (const one of [key, makeSecret("pk_"), `${key.slice(0, -1)}-`, "pk_of_no_form_at_all"])
		for (const [query, sent] of [
			["", { "x-api-key": one }],
			["", { authorization: `Bearer ${one}` }],
			[`api_key=${one}`, {}],
			[`api_key=${one}`, { "x-api-key": makeSecret("pk_") }],
		] satisfies [string, Sent][]) {
			await ask(`/projects?${query}`, sent);
			await ask(`/projects?no_such=1&${query}`, sent);
			await ask(`/projects?state=%zz&${query}`, sent);
			await ask(`/nowhere?${query}`, sent);
			await ask(`/projects?${query}`, sent, { method: "POST" });
			await ask(`/projects?${query}&q=${"x".repeat(9_000)}`, sent);
		}
	till.owner.next(() => Promise.reject(new Error("a fault")));
	await ask(`/changes?api_key=${await till.gateways.register()}`);
	await ask("/keys/revoke", { "x-api-key": await till.gateways.register() }, { method: "POST" });
}

async function misusePayments(): Promise<void> {
	const { facilitator, tempo } = till.gateways.payments;
	const { verify, settle } = facilitator.faults;
	const all: Sent[] = [];
	for (const rail of railNames) {
		const sent = await till.pay(rail, "/projects");
		till.owner.next(() => Promise.reject(new Error("a fault")));
		for (const path of ["/projects", "/projects?no_such=1", "/projects", "/projects", "/changes"])
			await ask(path, sent);
		till.owner.midway(() => Promise.reject(new Error("a fault")));
		await ask("/export/projects", await till.pay(rail, "/export/projects"));
		all.push(sent);
	}
	await ask("/projects", Object.assign({}, ...all));
	for (const fault of ["error", "drop", "hang", "refuse-400", "refuse-500"] as const) {
		verify.push(fault);
		await ask("/projects", await till.x402("/projects"));
	}
	for (const fault of ["error", "late", "lost", "pending", "contradict", "refuse", "refuse-500"] as const) {
		settle.push(fault);
		const sent = await till.x402("/projects");
		await ask("/projects", sent);
		await ask("/projects", sent);
	}
	for (const fault of ["lose", "busy", "revert", "hold"] as const) {
		tempo.fail("eth_sendRawTransactionSync", fault, 1);
		await ask("/projects", await till.mpp("/projects"));
	}
	tempo.fail("eth_call", "busy", 3);
	await ask("/projects", await till.mpp("/projects"));
	await ask("/projects", await till.x402("/projects", { signer: till.newWallet().account }));
	const [x402, mpp] = [await till.x402("/projects"), await till.mpp("/projects")];
	await ask("/projects", { "payment-signature": x402["payment-signature"]?.slice(0, -9) ?? "" });
	await ask("/projects", { authorization: mpp.authorization?.slice(0, -9) ?? "" });
	await till.gateways.stopBilling();
	for (const sent of [x402, mpp]) await ask("/projects", sent);
	await ask("/projects", { "x-api-key": makeSecret("pk_") });
	await till.gateways.startBilling();
	tempo.ledger.mine();
}

async function misuseCards(): Promise<void> {
	const { stripe } = till.gateways.payments;
	const body = JSON.stringify({ amount_usd: 5 });
	const buy = (sent: Sent) =>
		ask("/credits", sent, { method: "POST", body, headers: { "content-type": "application/json" } });
	for (const lever of ["decline", "requires_action", "error", "drop", undefined] as const) {
		if (lever !== undefined) stripe.next(lever);
		const unpaid = await fetch(`${till.gateways.url}/credits`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body,
		});
		const spt = stripe.grant({ amountCents: 500 });
		secrets.add(spt);
		const sent = { authorization: answerTo(challengeOf(unpaid), spt) };
		await buy(sent);
		await buy(sent);
	}
	const signature = `t=1,v1=${"0".repeat(64)}`;
	await ask("/webhooks/stripe", { "stripe-signature": signature }, { method: "POST", body });
}

test("no key, token, signature or payment is in any log, error or stored row", async () => {
	await misuseKeys();
	await misusePayments();
	await misuseCards();
	till.pass(1_000);
	await till.reconcile();
	await till.gateways.recorded();

	const { logged, sql } = till.gateways;
	const [rows] = await sql<{ text: string }[]>`
		select concat((select json_agg(u) from usage u), (select json_agg(p) from payments p), (select json_agg(k) from keys k),
			(select json_agg(c) from credits c), (select json_agg(e) from credit_entries e)) as text`;
	const read = { logged: logged.join("\n"), refusals: refusals.join("\n"), rows: rows?.text ?? "" };
	// The search covered logs, errors and rows that exist.
	expect(logged.length).toBeGreaterThan(100);
	expect([...statuses].sort()).toEqual([200, 400, 402, 403, 404, 405, 409, 414, 422, 500, 503]);
	expect(secrets.size).toBeGreaterThan(100);
	const leaked = [...secrets].flatMap((secret) =>
		Object.entries(read)
			.filter(([, text]) => text.includes(secret))
			.map(([where]) => `${secret.slice(0, 40)} in ${where}`),
	);
	expect(leaked).toEqual([]);
});
