/** Credits on sale over HTTP: the gateway's own handlers, rail and webhook, before real billing and the stand-in for Stripe. */
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { Challenge, Credential } from "mppx";
import { pino } from "pino";
import { expect } from "vitest";
import { z } from "zod";
import { type AppError, unavailable } from "#libs/contract/errors.ts";
import { type Handler, operations, type RequestContext } from "#libs/contract/index.ts";
import { sendError } from "../../../services/gateway/http/errors.ts";
import type { RequestBilling } from "../../../services/gateway/payments/billing.ts";
import { openCreditSales } from "../../../services/gateway/payments/credits/index.ts";
import { reconcile } from "../../../services/gateway/payments/reconcile.ts";
import { addCreditRoutes } from "../../../services/gateway/transports/credit-routes.ts";
import { openBilling, type TestBilling } from "../../billing/support/billing.ts";
import { startStripe } from "../../support/payments/stripe.ts";

export type CreditSales = Awaited<ReturnType<typeof sellCredits>>;

const secretKey = "a secret that signs challenges, long enough";

export async function sellCredits(settings: { MPP_REALM?: string; PUBLIC_URL?: string; STRIPE_API_URL?: string } = {}) {
	await using stack = new AsyncDisposableStack();
	const billing = stack.use(await openBilling());
	const { now: start } = billing.clock;
	const stripe = stack.use(await startStripe({ now: () => billing.clock.now }));
	const logged: string[] = [];
	const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
	/** Operations of billing that do not answer. */
	const away = new Set<string>();
	const ask: RequestBilling = (name, params) =>
		away.has(name) ? Promise.reject(unavailable("billing is away")) : billing.ask(name as never, params as never);
	const config = {
		STRIPE_SECRET_KEY: stripe.secretKey,
		STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
		STRIPE_NETWORK_ID: stripe.networkId,
		STRIPE_API_URL: stripe.url,
		MPP_SECRET_KEY: secretKey,
		...{ MPP_REALM: undefined, PUBLIC_URL: undefined },
		...settings,
	};
	const sales = openCreditSales({
		config,
		requestBilling: ask,
		log,
		now: () => billing.clock.now,
		stripeTimeoutMs: 400,
	});
	const { rail } = sales;
	if (rail === undefined) throw new Error("the card rail is not enabled");

	const app = stack.adopt(Fastify({ forceCloseConnections: true }), (it) => it.close());
	app.setErrorHandler((error: AppError, request, reply) => sendError(error, request, reply, { log }));
	const serve = (method: "GET" | "POST", path: string, handle: Handler<"buyCredits" | "getCredits">) =>
		app.route({
			method,
			url: path,
			async handler(request, reply) {
				const context: RequestContext = {
					signal: AbortSignal.timeout(15_000),
					http: { headers: request.headers, address: request.ip },
				};
				const { json, headers = {} } = await handle((request.body ?? {}) as never, context);
				return reply.headers({ "content-type": "application/json", ...headers }).send(json);
			},
		});
	serve("POST", "/credits", sales.handlers.buyCredits as never);
	serve("POST", "/credits/checkout", sales.handlers.startCheckout as never);
	serve("GET", "/credits", sales.handlers.getCredits as never);
	addCreditRoutes(app, sales);
	await app.listen({ host: "127.0.0.1", port: 0 });
	const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

	const post = (path: string, body: object, headers: Record<string, string> = {}) =>
		fetch(url + path, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
	const owned = stack.move();
	return {
		url,
		billing,
		stripe,
		rail,
		ask,
		away,
		logged,
		post,
		buy: (credential?: string, amountUsd = 5) =>
			post("/credits", { amount_usd: amountUsd }, credential === undefined ? {} : { authorization: credential }),
		checkout: async (amountUsd = 20) => {
			const answered = await post("/credits/checkout", { amount_usd: amountUsd });
			return operations.startCheckout.reply.parse(await answered.json());
		},
		balance: async (token: string): Promise<number> => {
			const answered = await fetch(`${url}/credits`, { headers: { authorization: `Bearer ${token}` } });
			return answered.ok ? operations.getCredits.reply.parse(await answered.json()).balance_usd : Number.NaN;
		},
		/** Restores the state of the start: a database for each test takes longer than all of its requests. */
		reset: async () => {
			stripe.clear();
			away.clear();
			logged.length = 0;
			billing.clock.now = start;
			await billing.sql`truncate payments, paid_answers, credits, credit_entries, credit_reversals restart identity cascade`;
		},
		reconcile: () => reconcile({ rails: [rail], requestBilling: ask, log }),
		pass: (seconds: number) => {
			billing.clock.now = new Date(billing.clock.now.getTime() + seconds * 1000);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** The challenge of a 402. */
export const challengeOf = (answered: Response) => Challenge.fromResponse(answered);

/** A wallet's answer to a challenge, with a token that is good for it unless another is given. */
export async function pay(
	{ buy, stripe }: Pick<CreditSales, "buy" | "stripe">,
	{ amountUsd = 5, token }: { amountUsd?: number; token?: string } = {},
): Promise<string> {
	const challenge = challengeOf(await buy(undefined, amountUsd));
	return answerTo(challenge, token ?? stripe.grant({ amountCents: amountUsd * 100 }));
}

export const answerTo = (challenge: Challenge.Challenge, spt: string): string =>
	Credential.serialize(Credential.from({ challenge, payload: { spt } }));

/** The states of all payments, oldest first. */
export async function statesOf({ sql }: TestBilling): Promise<string[]> {
	const rows = await sql<{ state: string }[]>`select state from payments order by id`;
	return rows.map(({ state }) => state);
}

/** The sum of all tokens in billing (USD). */
export async function soldUsd({ sql }: Pick<TestBilling, "sql">): Promise<number> {
	const [row] = await sql<{ sold: number }[]>`
		select coalesce(sum(amount_micro_usd), 0)::float8 / 1e6 as sold from credit_entries where kind = 'purchase'`;
	return row?.sold ?? 0;
}

/** The token that an answer sells. */
export async function tokenIn(answered: Response): Promise<string> {
	expect(answered.status).toBe(200);
	const { token } = operations.buyCredits.reply.parse(await answered.json());
	return token;
}

/** Why it was refused, or could not be done. */
export async function refusalIn(answered: Response, status = 402): Promise<string> {
	expect(answered.status).toBe(status);
	return z.looseObject({ detail: z.string() }).parse(await answered.json()).detail;
}
