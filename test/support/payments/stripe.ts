/**
 * Stands in for Stripe: its HTTP interface as far as credits are bought through it, in memory, charging no card. For tests, which can
 * make it fail in every way that matters, and for a demonstration, which may show its page.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Checkouts, openCheckouts } from "./stripe-checkout.ts";
import { type Intent, type Intents, openIntents } from "./stripe-intents.ts";

/**
 * A fault of the next request for a charge. `drop`, `hang`: it is charged, and the connection breaks, or nothing more comes. `refuse`,
 * `stall`: the same, and it is not charged. `error`: 500, not charged.
 */
export type Lever = "drop" | "hang" | "refuse" | "stall" | "error" | "decline" | "requires_action" | "processing";

export interface FakeStripe extends AsyncDisposable {
	/** The value of STRIPE_API_URL. */
	url: string;
	secretKey: string;
	/** The value of STRIPE_NETWORK_ID. */
	networkId: string;
	webhookSecret: string;
	/** A shared payment token, as a wallet mints it. */
	grant(grant: { amountCents: number; currency?: string; networkId?: string; expiresAt?: Date }): string;
	/** Faults of the next requests for a charge, in order. */
	next(...levers: Lever[]): void;
	/** Every payment intent, oldest first. */
	readonly intents: readonly Intent[];
	readonly chargedCents: number;
	/** Requests for a charge that arrived, repetitions too. */
	readonly chargeRequests: number;
	checkouts: Checkouts;
	/** Restores the state of the start. */
	clear(): void;
}

export interface FakeStripeOptions {
	port?: number;
	now?: () => Date;
	secretKey?: string;
	webhookSecret?: string;
	networkId?: string;
}

export interface Call {
	method: string;
	path: string;
	form: URLSearchParams;
}

export interface Answer {
	status: number;
	body: object | string;
	headers?: Record<string, string>;
}

export async function startStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
	const now = options.now ?? (() => new Date());
	const secretKey = options.secretKey ?? "sk_test_standin";
	const networkId = options.networkId ?? "profile_standin";
	const webhookSecret = options.webhookSecret ?? "whsec_standin";
	const intents = openIntents(networkId, now);
	const levers: Lever[] = [];
	const checkouts = openCheckouts({ intents, webhookSecret, now, address: () => url });
	const server = createServer((request, response) => {
		answer(request, response, { intents, checkouts, levers, secretKey }).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		secretKey,
		networkId,
		webhookSecret,
		grant: intents.grant,
		next: (...more) => void levers.push(...more),
		intents: intents.all,
		get chargedCents() {
			return intents.all.reduce((sum, { amount_received }) => sum + amount_received, 0);
		},
		get chargeRequests() {
			return intents.requests;
		},
		checkouts,
		clear() {
			intents.clear();
			levers.length = 0;
			checkouts.sessions.length = 0;
			checkouts.webhookUrl = undefined;
		},
		[Symbol.asyncDispose]: () => stop(server),
	};
}

const stop = (server: Server) =>
	new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});

interface Parts {
	intents: Intents;
	checkouts: Checkouts;
	levers: Lever[];
	secretKey: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://stand-in");
	const sent = new URLSearchParams(await readText(request));
	const call: Call = { method: request.method ?? "", path: pathname, form: sent.size > 0 ? sent : searchParams };
	const page = await parts.checkouts.page(call);
	if (page !== undefined) return write(response, page);
	// The SDK and wallets send the key in one form each; Stripe takes both.
	const keys = [`Bearer ${parts.secretKey}`, `Basic ${btoa(`${parts.secretKey}:`)}`];
	if (!keys.includes(request.headers.authorization ?? "")) return write(response, failure(401, {}));
	const isCharge = call.method === "POST" && call.path === "/v1/payment_intents";
	const given = isCharge
		? charge(String(request.headers["idempotency-key"] ?? randomBytes(8).toString("hex")), call.form, parts)
		: (parts.intents.answer(call) ?? parts.checkouts.answer(call) ?? failure(404, { code: "resource_missing" }));
	if (given === "broken") response.destroy();
	else if (given !== "silent") write(response, given);
}

function charge(key: string, form: URLSearchParams, { intents, levers }: Parts): Answer | "broken" | "silent" {
	const lever = levers.shift();
	if (lever === "refuse") return "broken";
	if (lever === "stall") return "silent";
	if (lever === "error") {
		const message = `no charge of ${form.get("shared_payment_granted_token")}`;
		return { ...failure(500, { type: "api_error", message }), headers: { "stripe-should-retry": "false" } };
	}
	const charged = intents.charge(key, form, lever);
	if (lever === "drop") return "broken";
	return lever === "hang" ? "silent" : charged;
}

async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function write(response: ServerResponse, { status, body, headers = {} }: Answer): void {
	const isPage = typeof body === "string";
	response.writeHead(status, {
		"content-type": isPage ? "text/html; charset=utf-8" : "application/json",
		"request-id": `req_${randomBytes(7).toString("hex")}`,
		...headers,
	});
	response.end(isPage ? body : JSON.stringify(body));
}

export const failure = (status: number, error: object): Answer => ({
	status,
	body: {
		error: {
			type: status === 402 ? "card_error" : "invalid_request_error",
			message: "refused by the stand-in",
			...error,
		},
	},
});
