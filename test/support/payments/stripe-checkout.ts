/** Checkout of the stand-in for Stripe: sessions, the page that pays them, and the signed events that tell of it. */
import Stripe from "stripe";
import type { Answer, Call } from "./stripe.ts";
import { type Intents, metadataOf, newId } from "./stripe-intents.ts";

export interface Session {
	id: string;
	object: "checkout.session";
	url: string;
	amount_total: number;
	amount_subtotal: number;
	currency: string;
	metadata: Record<string, string>;
	payment_status: string;
	payment_intent: string | null;
	success_url: string;
	cancel_url: string;
}

/** An event as it is sent: its text and the header that signs it. */
export interface SignedEvent {
	id: string;
	payload: string;
	signature: string;
}

export interface EventOptions {
	type?: string;
	id?: string;
	/** When it was signed. */
	at?: Date;
	secret?: string;
	/** Changes to the session. */
	session?: Partial<Session>;
	/** The event's object, where it is not a session. */
	object?: object;
}

export interface Checkouts {
	sessions: Session[];
	/** The address for events when the page is paid. */
	webhookUrl: string | undefined;
	/** Pays a session without its page. */
	pay(session: Session): void;
	event(session: Session, options?: EventOptions): SignedEvent;
	/** Hands an event over, as Stripe would. */
	send(url: string, event: SignedEvent): Promise<Response>;
	/** The page of a session; undefined for any other path. */
	page(call: Call): Promise<Answer | undefined>;
	answer(call: Call): Answer | undefined;
}

interface CheckoutOptions {
	intents: Intents;
	webhookSecret: string;
	now(): Date;
	address(): string;
}

export function openCheckouts({ intents, webhookSecret, now, address }: CheckoutOptions): Checkouts {
	const sessions: Session[] = [];

	function open(form: URLSearchParams): Session {
		const id = newId("cs_test");
		const amount = Number(form.get("line_items[0][price_data][unit_amount]"));
		return {
			id,
			object: "checkout.session",
			url: `${address()}/pay/${id}`,
			amount_total: amount,
			amount_subtotal: amount,
			currency: form.get("line_items[0][price_data][currency]") ?? "",
			metadata: metadataOf(form),
			payment_status: "unpaid",
			payment_intent: null,
			success_url: form.get("success_url") ?? "",
			cancel_url: form.get("cancel_url") ?? "",
		};
	}

	const checkouts: Checkouts = {
		sessions,
		webhookUrl: undefined,
		pay(session) {
			if (session.payment_status === "paid") return;
			session.payment_intent = intents.succeed(session.amount_total, session.currency, session.metadata).id;
			session.payment_status = "paid";
		},
		event(
			session,
			{ type = "checkout.session.completed", id = newId("evt"), at = now(), secret = webhookSecret, ...rest } = {},
		) {
			const created = Math.floor(at.getTime() / 1000);
			const object = rest.object ?? { ...session, ...rest.session };
			const payload = JSON.stringify({ id, object: "event", type, created, livemode: false, data: { object } });
			const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: created });
			return { id, payload, signature };
		},
		send: (url, { payload, signature }) =>
			fetch(url, {
				method: "POST",
				headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
				body: payload,
			}),
		async page({ method, path }) {
			const session = sessions.find(({ id }) => path === `/pay/${id}`);
			if (session === undefined) return undefined;
			if (method !== "POST") return { status: 200, body: pageOf(session) };
			checkouts.pay(session);
			if (checkouts.webhookUrl !== undefined) await checkouts.send(checkouts.webhookUrl, checkouts.event(session));
			return { status: 303, body: "", headers: { location: session.success_url } };
		},
		answer({ method, path, form }) {
			if (method !== "POST" || path !== "/v1/checkout/sessions") return undefined;
			const session = open(form);
			sessions.push(session);
			return { status: 200, body: session };
		},
	};
	return checkouts;
}

/** The cancel address is the gateway's own. */
const pageOf = ({ amount_total, cancel_url }: Session): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Stand-in for Stripe</title></head>
<body><h1>Not Stripe</h1><p>This stands in for the card processor. No card is charged.</p>
<form method="post"><button>Pay $${(amount_total / 100).toFixed(2)}</button></form>
<p><a href="${encodeURI(cancel_url)}">Do not pay</a></p></body></html>`;
