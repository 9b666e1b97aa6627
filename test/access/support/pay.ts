/** Gateways that take payments, payers of every kind, and an account of what each of them was taken and given. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http";
import type { PaymentPayload, PaymentRequired } from "@x402/core/types";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test as vitest } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";
import { putCredits } from "../../../services/gateway/payments/credits/purchases.ts";
import { storablePart } from "../../../services/gateway/payments/credits/token.ts";
import { reconcile } from "../../../services/gateway/payments/reconcile.ts";
import { eventually } from "../../support/eventually.ts";
import { openPayer, type Payer } from "../../support/payments/mpp-payer.ts";
import { silent } from "../../support/silent.ts";
import { type Account, readAccount } from "./account.ts";
import { type AuthorizerOptions, payTo, startGateways, type TestGateways } from "./gateways.ts";
import { countingOwner, type TestOwner } from "./owner.ts";
import { type Change, signed } from "./x402.ts";

export type Sent = Record<string, string>;

/** The token on Tempo's main network that the gateway requests by default. */
const tempoDollar = "0x20C000000000000000000000b9537d11c60E8b50";

/** A response as it was received. */
export interface Raw {
	status: number;
	headers: IncomingMessage["headers"];
	text: string;
}

/** A payer with money for x402 and for MPP. */
export interface Wallet {
	account: PrivateKeyAccount;
	tempo: Payer;
}

export interface Till extends AsyncDisposable {
	gateways: TestGateways;
	owner: TestOwner;
	/** The payer of this test. */
	wallet: Wallet;
	/** Another one, with money too. */
	newWallet(): Wallet;
	get(path: string, sent?: Sent, replica?: number): Promise<Response>;
	/** Sends header lines as they are: `fetch` would join and refuse some. */
	raw(path: string, sent?: Record<string, string | string[]>, method?: string): Promise<Raw>;
	offer(path: string): Promise<PaymentRequired>;
	/** Headers that pay for a path by x402; with `change`, not honestly. */
	x402(path: string, change?: Change, wallet?: Wallet): Promise<Sent>;
	/** Headers that pay for a path by MPP. */
	mpp(path: string): Promise<Sent>;
	/** A token with so many cents on it, and the headers that spend it. */
	credits(cents: number): Promise<Sent & { authorization: string }>;
	/** Headers that pay for a path by the rail. */
	pay(rail: RailName, path: string): Promise<Sent>;
	/** USD that are left on a token. */
	balance(sent: Sent): Promise<number>;
	/** The clock of gateways, billing and chains. MPP's client has a clock of its own. */
	pass(seconds: number): void;
	now(): Date;
	/** Rounds of the job, until nothing is open. */
	reconcile(): Promise<void>;
	account(): Promise<Account>;
	/** Waits until it came to exactly that: what is left out is nothing. */
	comesTo(expected: Partial<Account>): Promise<void>;
	/** Restores the state of the start with another payer: to be called before each test. */
	reset(): Promise<void>;
}

export async function openTill(options: Omit<AuthorizerOptions, "owner"> = {}): Promise<Till> {
	const owner = countingOwner();
	const gateways = await startGateways({ pay: ["x402", "mpp", "card"], ...options, owner: owner.handlers });
	const { token, facilitator, tempo, stripe } = gateways.payments;
	let passed = 0;
	const now = () => new Date(Date.now() + passed);
	// Time goes on: a client of MPP gives its transactions half a minute.
	Object.defineProperty(gateways.clock, "now", { get: now });
	let before = { x402: 0n, movements: 0, published: 0 };

	const get = (path: string, sent: Sent = {}, replica = 0) =>
		fetch(`${gateways.urls[replica]}${path}`, { headers: sent });
	const newWallet = () => fundedWallet(gateways);
	const till: Till = {
		gateways,
		owner,
		wallet: newWallet(),
		newWallet,
		get,
		raw: (path, sent = {}, method = "GET") => askRaw(gateways.url, path, sent, method),
		...payers(gateways, get, () => till.wallet),
		pass(seconds) {
			passed += seconds * 1_000;
		},
		now,
		reconcile: () => reconcileAll(gateways),
		account: () => readAccount(gateways, owner.runs, before),
		comesTo: (expected) => comesTo(till, expected),
		async reset() {
			await gateways.recorded();
			passed = 0;
			for (const faults of Object.values(facilitator.faults)) faults.length = 0;
			tempo.recover();
			stripe.clear();
			stripe.checkouts.webhookUrl = `${gateways.url}/webhooks/stripe`;
			owner.reset();
			await gateways.sql`truncate payments, paid_answers, credits, credit_entries, usage, usage_hours`;
			const published = gateways.published.length;
			before = { x402: token.balanceOf(payTo), movements: tempo.ledger.movements.length, published };
			till.wallet = newWallet();
		},
		[Symbol.asyncDispose]: () => gateways[Symbol.asyncDispose](),
	};
	return till;
}

/**
 * Tests that share one till with every rail: it starts for the first file of a process that needs it and stops with the process. `reset`
 * comes before each of them.
 */
export const test = vitest
	// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that this one needs.
	.extend("sharedTill", { scope: "worker" }, async ({}, { onCleanup }) => {
		const till = await openTill();
		onCleanup(() => till[Symbol.asyncDispose]());
		return till;
	});

function fundedWallet({ payments: { token, tempo } }: TestGateways): Wallet {
	const key = generatePrivateKey();
	const account = privateKeyToAccount(key);
	token.mint(account.address, 1_000_000n);
	tempo.ledger.fund(account.address, tempoDollar, 1_000_000n);
	return { account, tempo: openPayer(tempo, key) };
}

type Payers = Pick<Till, "offer" | "x402" | "mpp" | "credits" | "pay" | "balance">;

function payers(gateways: TestGateways, get: Till["get"], current: () => Wallet): Payers {
	const all: Payers = {
		offer: async (path) => decodePaymentRequiredHeader((await unpaid(get, path)).get("payment-required") ?? ""),
		async x402(path, change = {}, { account } = current()) {
			const payload = await signed(await all.offer(path), account, change, gateways.clock.now.getTime());
			change.edit?.(payload);
			return { "payment-signature": encodePaymentSignatureHeader(payload as unknown as PaymentPayload) };
		},
		async mpp(path) {
			const challenge = (await unpaid(get, path)).get("www-authenticate") ?? "";
			return { authorization: await current().tempo.pay({ "www-authenticate": challenge }) };
		},
		async credits(cents) {
			const secret = makeSecret("cr_");
			const paid = { paymentIntent: `pi_${secret.slice(-8)}`, eventId: null, amountCents: cents };
			await putCredits(limitRequest(gateways), storablePart(secret), paid);
			return { authorization: `Bearer ${secret}` };
		},
		pay: (rail, path) => (rail === "card" ? all.credits(1_000) : all[rail](path)),
		async balance(sent) {
			const answered = await get("/credits", sent);
			return ((await answered.json()) as { balance_usd: number }).balance_usd;
		},
	};
	return all;
}

/** The headers of the 402. */
async function unpaid(get: Till["get"], path: string): Promise<Headers> {
	const answered = await get(path);
	await answered.body?.cancel();
	expect(answered.status).toBe(402);
	return answered.headers;
}

/** The purchase has a name: the extension payment-identifier. */
export const named = (id: unknown): Change => ({
	edit: ({ extensions }) => Object.assign(extensions, { "payment-identifier": { info: { required: false, id } } }),
});

export async function askRaw(
	url: string,
	path: string,
	headers: Record<string, string | string[]>,
	method: string,
): Promise<Raw> {
	const { hostname, port } = new URL(url);
	const asking = request({ hostname, port, path, method, headers, agent: false }).end();
	const [answered] = (await once(asking, "response")) as [IncomingMessage];
	const text = (await buffer(answered)).toString();
	return { status: answered.statusCode ?? 0, headers: answered.headers, text };
}

export function limitRequest({ access: [access] }: TestGateways) {
	if (access === undefined) throw new Error("there is no gateway");
	return access.requestBilling;
}

/** The job of the gateway runs beside it: either may find out. */
async function reconcileAll({ access: [access], sql }: TestGateways): Promise<void> {
	if (access === undefined) throw new Error("there is no gateway");
	const { payments, requestBilling } = access;
	await eventually(async () => {
		await reconcile({ rails: payments.rails, requestBilling, log: silent });
		return (await sql`select from payments where state in ('claimed', 'settling', 'unknown')`).count === 0;
	});
}

async function comesTo(till: Till, expected: Partial<Account>): Promise<void> {
	const nothing: Account = { runs: 0, charged: {}, payments: {}, usage: {} };
	await eventually(async () => {
		await till.gateways.recorded();
		expect(await till.account()).toEqual({ ...nothing, ...expected });
		return true;
	});
}
