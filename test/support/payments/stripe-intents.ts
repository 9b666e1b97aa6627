/** Payment intents, shared payment tokens and idempotency keys of the stand-in for Stripe. */
import { randomBytes } from "node:crypto";
import { type Answer, type Call, failure, type Lever } from "./stripe.ts";

export interface Intent {
	id: string;
	object: "payment_intent";
	amount: number;
	amount_received: number;
	currency: string;
	status: string;
	created: number;
	metadata: Record<string, string>;
	last_payment_error: object | null;
}

interface Grant {
	amountCents: number;
	currency: string;
	networkId: string;
	expiresAt: Date;
	isUsed: boolean;
}

export interface Intents {
	all: Intent[];
	readonly requests: number;
	grant(grant: { amountCents: number; currency?: string; networkId?: string; expiresAt?: Date }): string;
	charge(key: string, form: URLSearchParams, lever?: Lever): Answer;
	/** A charge that no token is for: a checkout. */
	succeed(amountCents: number, currency: string, metadata: Record<string, string>): Intent;
	answer(call: Call): Answer | undefined;
	clear(): void;
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

/** `metadata[name]=value`, as the SDK writes it. */
export function metadataOf(form: URLSearchParams): Record<string, string> {
	const named = [...form].flatMap(([name, value]) => {
		const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
		return field === undefined ? [] : [[field, value] as const];
	});
	return Object.fromEntries(named);
}

export function openIntents(networkId: string, now: () => Date): Intents {
	const all: Intent[] = [];
	const grants = new Map<string, Grant>();
	/** Responses by idempotency key, with the parameters that they answered. */
	const answered = new Map<string, { asked: string; answer: Answer }>();
	let requests = 0;

	function add(amount: number, currency: string, metadata: Record<string, string>, status: string): Intent {
		const intent: Intent = {
			id: newId("pi"),
			object: "payment_intent",
			amount,
			amount_received: status === "succeeded" ? amount : 0,
			currency,
			status,
			created: Math.floor(now().getTime() / 1000),
			metadata,
			last_payment_error: status === "requires_payment_method" ? { code: "card_declined" } : null,
		};
		all.push(intent);
		return intent;
	}

	function charge(form: URLSearchParams, lever: Lever | undefined): Answer {
		const token = form.get("shared_payment_granted_token") ?? "";
		const grant = grants.get(token);
		const amount = Number(form.get("amount"));
		const currency = form.get("currency") ?? "";
		// The real one repeats the token in its sentence too.
		const refused = (code: string) =>
			failure(400, { code, message: `shared_payment_granted_token '${token}': ${code}` });
		if (grant === undefined) return refused("resource_missing");
		if (grant.isUsed) return refused("token_already_used");
		if (grant.expiresAt <= now()) return refused("token_expired");
		if (grant.networkId !== networkId) return refused("token_not_for_this_seller");
		if (grant.currency !== currency || amount > grant.amountCents) return refused("amount_too_large");
		if (lever === "decline") {
			const payment_intent = add(amount, currency, metadataOf(form), "requires_payment_method");
			return failure(402, { code: "card_declined", decline_code: "insufficient_funds", payment_intent });
		}
		grant.isUsed = true;
		const status = lever === "requires_action" || lever === "processing" ? lever : "succeeded";
		return {
			status: 200,
			body: { ...add(amount, currency, metadataOf(form), status), client_secret: newId("pi_secret") },
		};
	}

	function list(form: URLSearchParams): Answer {
		const [from, to] = [Number(form.get("created[gte]") ?? 0), Number(form.get("created[lte]") ?? Infinity)];
		const newest = all.filter(({ created }) => created >= from && created <= to).reverse();
		const after = newest.findIndex(({ id }) => id === form.get("starting_after")) + 1;
		const limit = Number(form.get("limit") ?? 10);
		const data = newest.slice(after, after + limit);
		const has_more = newest.length > after + limit;
		return { status: 200, body: { object: "list", url: "/v1/payment_intents", has_more, data } };
	}

	function cancel(id: string | undefined): Answer {
		const intent = all.find((one) => one.id === id);
		if (intent === undefined) return failure(404, { code: "resource_missing" });
		if (intent.status === "succeeded" || intent.status === "canceled")
			return failure(400, { code: "payment_intent_unexpected_state" });
		intent.status = "canceled";
		return { status: 200, body: intent };
	}

	function grant({
		amountCents,
		currency = "usd",
		networkId: seller = networkId,
		expiresAt,
	}: Parameters<Intents["grant"]>[0]) {
		const token = newId("spt");
		const until = expiresAt ?? new Date(now().getTime() + 3_600_000);
		grants.set(token, { amountCents, currency, networkId: seller, expiresAt: until, isUsed: false });
		return token;
	}

	return {
		all,
		get requests() {
			return requests;
		},
		grant,
		charge(key, form, lever) {
			requests++;
			const params = form.toString();
			const before = answered.get(key);
			if (before !== undefined && before.asked !== params) return failure(400, { type: "idempotency_error" });
			if (before !== undefined) return { ...before.answer, headers: { "idempotent-replayed": "true" } };
			const answer = charge(form, lever);
			answered.set(key, { asked: params, answer });
			return answer;
		},
		clear() {
			all.length = 0;
			requests = 0;
			grants.clear();
			answered.clear();
		},
		succeed: (amountCents, currency, metadata) => add(amountCents, currency, metadata, "succeeded"),
		answer({ method, path, form }) {
			if (method === "GET" && path === "/v1/payment_intents") return list(form);
			const [, cancelled] = /^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(path) ?? [];
			if (method === "POST" && cancelled !== undefined) return cancel(cancelled);
			// A wallet's own call, which Stripe has for tests.
			if (method !== "POST" || path !== "/v1/test_helpers/shared_payment/granted_tokens") return undefined;
			const currency = form.get("usage_limits[currency]") ?? "usd";
			const seller = form.get("seller_details[network_id]") ?? networkId;
			const amountCents = Number(form.get("usage_limits[max_amount]"));
			return { status: 200, body: { id: grant({ amountCents, currency, networkId: seller }) } };
		},
	};
}
