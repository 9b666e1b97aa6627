/** A steady load at gateways that take payments: every kind of caller at once, and what each was answered. */
import { setTimeout as pause } from "node:timers/promises";
import { encodePaymentSignatureHeader } from "@x402/core/http";
import type { PaymentPayload, PaymentRequired } from "@x402/core/types";
import { expect } from "vitest";
import { type Holder, newHolder, postJson, withKey } from "../access/support/callers.ts";
import type { Sent, Till } from "../access/support/pay.ts";
import { authorizationOf, signed } from "../access/support/x402.ts";
import { eventually } from "../support/eventually.ts";

/** `free`: what the gateway knows by itself. `unpaid`: asks what a priced answer costs. The others get priced answers. */
export type Kind = "free" | "unpaid" | "key" | "x402" | "card";

export interface Answer {
	kind: Kind;
	/** 0: the connection broke. */
	status: number;
	sentAt: number;
	receivedAt: number;
	retryAfter: string | null;
	text: string;
}

/** One credential of x402, sent until it is answered or its caller has had enough. */
export interface Attempt {
	sent: Sent;
	nonce: string;
	statuses: number[];
}

export interface LoadOptions {
	/** Addresses to which requests go, in turn. */
	urls?: () => readonly string[];
	/** Callers of each kind. */
	callers?: Record<Kind, number>;
	/** The account of every caller with a key; one without limits when absent. */
	holder?: Holder;
}

export interface Load extends AsyncDisposable {
	holder: Holder;
	answers: readonly Answer[];
	attempts: readonly Attempt[];
	/** When it began, by the clock of the gateways. */
	since: Date;
	/** Resolves when each caller has had so many answers to what it sent since now; answers them all. */
	rounds(count: number): Promise<Answer[]>;
	/** Requests that were sent after `from` and answered before `until`. */
	between(from: number, until?: number): Answer[];
	/** Lets every caller finish. Answers everything. */
	stop(): Promise<readonly Answer[]>;
}

export const path = "/projects?state=TX";
/** Longer than anything in a gateway may take with a caller: it hangs. */
const hangsMs = 25_000;
/** The number of attempts with a payment that cannot be accepted at the moment. */
const patience = 3;
/** Between two requests of a caller. */
const paceMs = 40;

const everyKind: Record<Kind, number> = { free: 3, unpaid: 3, key: 6, x402: 4, card: 4 };

/** The terms of a caller without limits. */
export const noLimits = { plan: "Enterprise" } as const;

/** Settings of gateways under load: a busy machine's delays are not faults. */
export const patientSettings = { X402_TIMEOUT_MS: "10000", REQUEST_TIMEOUT_MS: "5000", REGISTRATIONS_PER_HOUR: "1000" };

export async function startLoad(till: Till, options: LoadOptions = {}): Promise<Load> {
	const {
		urls = () => till.gateways.urls,
		callers = everyKind,
		holder = await newHolder(till.gateways, noLimits),
	} = options;
	const answers: Answer[] = [];
	const attempts: Attempt[] = [];
	const offer = await till.offer(path);
	const since = till.now();
	let number = 0;
	let stopped = false;
	const counts: number[] = [];

	async function ask(kind: Kind, at: string, headers: Sent = {}): Promise<number> {
		const addresses = urls();
		const url = addresses[number++ % addresses.length] ?? "";
		const answer = await askOnce(url + at, headers);
		answers.push({ kind, ...answer });
		return answer.status;
	}

	const calls: Record<Kind, () => Promise<() => Promise<unknown>>> = {
		free: async () => () => ask("free", "/pricing-info"),
		unpaid: async () => () => ask("unpaid", path),
		key: async () => () => ask("key", path, { "x-api-key": holder.key }),
		async card() {
			const sent = await till.credits(10_000);
			return () => ask("card", path, sent);
		},
		async x402() {
			const { account } = till.newWallet();
			till.gateways.payments.token.mint(account.address, 1_000_000_000n);
			return async () => {
				const attempt = await signOne(offer, account, till.now());
				attempts.push(attempt);
				for (let turn = 0; turn < patience; turn++) {
					const status = await ask("x402", path, attempt.sent);
					attempt.statuses.push(status);
					if (status !== 409 && status !== 503) return;
					await pause(paceMs * 3);
				}
			};
		},
	};

	async function run(kind: Kind, place: number): Promise<void> {
		const call = await calls[kind]();
		while (!stopped) {
			await call();
			counts[place] = (counts[place] ?? 0) + 1;
			await pause(paceMs);
		}
	}

	const kinds = (Object.keys(callers) as Kind[]).flatMap((kind) => Array<Kind>(callers[kind]).fill(kind));
	const running = Promise.all(kinds.map((kind, place) => run(kind, place)));
	// A failure is reported where the load is stopped.
	running.catch(() => {});
	const between = (from: number, until = Number.POSITIVE_INFINITY) =>
		answers.filter(({ sentAt, receivedAt }) => sentAt >= from && receivedAt <= until);
	return {
		holder,
		answers,
		attempts,
		since,
		between,
		async rounds(count) {
			const from = performance.now();
			// Requests under way at the beginning do not count.
			const enough = kinds.map((_, place) => (counts[place] ?? 0) + count + 1);
			const all = () => enough.every((wanted, place) => (counts[place] ?? 0) >= wanted);
			await Promise.race([running, eventually(all, { withinMs: 60_000 })]);
			return between(from);
		},
		async stop() {
			stopped = true;
			await running;
			return answers;
		},
		// A test that has failed has said why.
		async [Symbol.asyncDispose]() {
			stopped = true;
			await running.catch(() => {});
		},
	};
}

/** Never throws for what becomes of the connection. */
async function askOnce(url: string, headers: Sent): Promise<Omit<Answer, "kind">> {
	const sentAt = performance.now();
	const answer = await fetch(url, { headers, signal: AbortSignal.timeout(hangsMs) })
		.then(async (response) => ({
			status: response.status,
			retryAfter: response.headers.get("retry-after"),
			text: await response.text(),
		}))
		.catch((error: Error) => {
			if (error.name === "TimeoutError") throw new Error(`${url} was not answered in ${hangsMs} ms`);
			return { status: 0, retryAfter: null, text: "" };
		});
	return { sentAt, receivedAt: performance.now(), ...answer };
}

async function signOne(offer: PaymentRequired, account: Parameters<typeof signed>[1], now: Date): Promise<Attempt> {
	const payload = await signed(offer, account, {}, now.getTime());
	const credential = encodePaymentSignatureHeader(payload as unknown as PaymentPayload);
	const { nonce } = authorizationOf(credential);
	return { sent: { "payment-signature": credential }, nonce: nonce.toLowerCase(), statuses: [] };
}

/** Counts of responses of each kind by status: `{ key: { 200: 40 } }`. */
export function tallyOf(answers: readonly Answer[]): Partial<Record<Kind, Record<number, number>>> {
	const tally: Partial<Record<Kind, Record<number, number>>> = {};
	for (const { kind, status } of answers) {
		tally[kind] = { ...tally[kind], [status]: (tally[kind]?.[status] ?? 0) + 1 };
	}
	return tally;
}

/** The statuses that each kind was answered, without how often. */
export const statusesOf = (answers: readonly Answer[]): Partial<Record<Kind, number[]>> =>
	Object.fromEntries(
		Object.entries(tallyOf(answers)).map(([kind, counted]) => [kind, Object.keys(counted).map(Number)]),
	);

/** The statuses of every kind of caller without a fault. */
export const asEver = { free: [200], unpaid: [402], key: [200], x402: [200], card: [200] };

/** Resolves when everybody is answered as ever again: what was under way has ended. */
export async function recovered(load: Load): Promise<void> {
	await eventually(async () => expect(statusesOf(await load.rounds(1))).toEqual(asEver) ?? true, { withinMs: 30_000 });
}

/** Requests of single callers at the first gateway. */
export const callersOf = (till: () => Till) => ({
	askWith: (key: string) => fetch(`${till().gateways.url}${path}`, withKey(key)),
	register: () => postJson(`${till().gateways.url}/register`, { email: `late-${crypto.randomUUID()}@example.org` }),
});
