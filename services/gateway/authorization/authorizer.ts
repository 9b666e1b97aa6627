/**
 * Who gets in, in this order: room for the record of it, the key (403), the rate and the quota (429), the price (402). What the
 * parameters are worth is said after it (422), and payments are made after that.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, forbidden, unavailable } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { placeOf, placeOfRequest } from "../callers/addresses.ts";
import { type AnonymousCaller, accountSubject, type Caller, type KeyCaller } from "../callers/caller.ts";
import { readKey, withoutKey } from "../callers/secrets.ts";
import { toolOf } from "../http/own-requests.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { Decision, Limiter } from "../limiter/limiter.ts";
import { rateHeaders, tooMany } from "../limiter/rate-headers.ts";
import { challenge } from "../payments/challenge.ts";
import type { Payments } from "../payments/pay.ts";
import { type Charge, PaymentRefused } from "../payments/rails/rail.ts";
import type { Payment } from "../payments/settle.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import type { ApiKeyCache } from "./api-key-cache.ts";
import type { Usage } from "./usage.ts";

export interface AuthorizerOptions {
	keys: ApiKeyCache;
	limiter: Limiter;
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	usage: Pick<Usage, "hasRoom">;
	config: {
		KEYLESS: "open" | "pay" | "closed";
		ANONYMOUS_PER_MINUTE: number;
		FREE_PER_MINUTE: number;
		PUBLIC_URL?: string | undefined;
	};
}

export interface Authorization {
	caller: Caller;
	/** One query of the month was taken. */
	counted: boolean;
	/** What the window said, where it was asked. */
	decision?: Decision;
	/** To be made before the answer goes out. */
	payment?: { payment: Payment; charge: Charge };
}

export interface Authorizer {
	/**
	 * The same for a request whose body is still to be read, as far as that does not depend on it: who it is, the rate, the price. `authorize`
	 * then takes what is left. @throws as `authorize`.
	 */
	arrive(request: FastifyRequest, reply: FastifyReply, asked: HttpOperation): Promise<Caller>;
	/** Counts what asks for no operation, or is refused before it reaches one, as a free request of its address. @throws AppError 429. */
	countFree(request: FastifyRequest, reply: FastifyReply): Promise<void>;
	/** The same for what could not even be read as a request. @throws AppError 429. */
	countUnread(from: { ip: string; headers: IncomingHttpHeaders }): Promise<void>;
	/**
	 * `readable`: the parameters parsed; a request with others costs no quota. Sets the RateLimit headers.
	 * @throws AppError 400, 402, 403, 429, 503.
	 */
	authorize(
		request: FastifyRequest,
		reply: FastifyReply,
		asked: HttpOperation,
		readable: boolean,
	): Promise<Authorization>;
	/** Takes a query of the month for who was let in without. It is not `counted` before there is an answer. @throws AppError 429 */
	countQuery(authorization: Authorization, reply: FastifyReply): Promise<void>;
	/** A query of the month that was taken for nothing. */
	giveBack(caller: Caller): void;
}

/** Who it is, and what was taken before the body was read. */
interface Arrival {
	who: Authorization | KeyCaller;
	taken?: Decision;
}

export function openAuthorizer({
	keys,
	limiter,
	payments,
	abuseThrottle,
	usage,
	config,
}: AuthorizerOptions): Authorizer {
	const arrivals = new WeakMap<FastifyRequest, Arrival>();

	async function take(reply: FastifyReply, subject: string, caller: Limited, month: boolean): Promise<Decision> {
		const decision = await limiter.take(subject, caller, month);
		reply.headers(rateHeaders(decision));
		if (!decision.allowed) throw tooMany(decision);
		return decision;
	}

	async function authorizeKey(
		caller: KeyCaller,
		reply: FastifyReply,
		asked: HttpOperation,
		readable: boolean,
		taken?: Decision,
	): Promise<Authorization> {
		if (asked.http.needsKey && asked.http.method === "POST") {
			const ends = asked.http.endsKey === true && readable;
			if (!ends && taken === undefined) await take(reply, `keys:${caller.accountId}`, keyChanges, false);
			return { caller, counted: false };
		}
		// What a file costs is known when it is there: `countQuery`.
		const counted = readable && asked.http.price !== "free" && asked.operation.streamed !== true;
		if (taken === undefined) {
			const decision = await take(reply, accountSubject(caller.accountId), caller, counted);
			return { caller, counted, decision };
		}
		if (counted) await takeMonth(reply, caller, taken);
		return { caller, counted, decision: taken };
	}

	/** The minute was taken when the request arrived. */
	async function takeMonth(reply: FastifyReply, { accountId, monthlyQueries }: KeyCaller, before?: Decision) {
		const month = await limiter.take(accountSubject(accountId), { perMinute: null, monthlyQueries }, true);
		const decision = before?.minute === undefined ? month : { ...month, minute: before.minute };
		reply.headers(rateHeaders(decision));
		if (!decision.allowed) throw tooMany(decision);
	}

	/** All that does not depend on the parameters, but the limits of a key. */
	async function identify(
		request: FastifyRequest,
		reply: FastifyReply,
		asked: HttpOperation,
	): Promise<Authorization | KeyCaller> {
		if (!usage.hasRoom) throw unavailable("usage cannot be recorded at the moment", 2);
		const { perMinute } = asked.http;
		if (perMinute !== undefined) await limitCostly(anonymous(request), reply, asked.name, perMinute);
		const begin = () => {
			const key = readKey(request.headers, (request.query as { text: string }).text);
			if (key === undefined) return authorizeAnonymous(request, reply, asked, anonymous(request));
			const known = keys.callerOf(key, () => abuseThrottle.check("key", placeOf(request.ip).address));
			return known instanceof Promise ? counting(known, request) : known;
		};
		let begun: ReturnType<typeof begin>;
		try {
			begun = begin();
		} catch (error) {
			// Refused at once: no other limit has counted it.
			if (error instanceof AppError && error.status !== 429) await countFree(request, reply);
			throw error;
		}
		return begun;
	}

	async function countFree(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const decision = await takeFree(anonymous(request));
		if (decision !== undefined) reply.headers(rateHeaders(decision));
		if (decision?.allowed === false) throw tooMany(decision);
	}

	async function takeFree({ address, loopback }: Pick<AnonymousCaller, "address" | "loopback">) {
		const { FREE_PER_MINUTE: perMinute } = config;
		if (perMinute === 0 || loopback) return undefined;
		return limiter.take(`free:${address}`, { perMinute, monthlyQueries: null }, false);
	}

	/** At once where nothing has to be asked: most answers are. */
	function authorizeAnonymous(
		request: FastifyRequest,
		reply: FastifyReply,
		asked: HttpOperation,
		caller: AnonymousCaller,
	): Authorization | Promise<Authorization> {
		const { price, needsKey } = asked.http;
		if (needsKey) throw forbidden("this needs an API key: X-API-Key; /register issues one for free");
		const authorization = { caller, counted: false };
		const limited = (kind: string, most: number): Authorization | Promise<Authorization> => {
			if (most === 0 || caller.loopback) return authorization;
			const limits = { perMinute: most, monthlyQueries: null };
			return take(reply, `${kind}:${caller.address}`, limits, false).then(() => authorization);
		};
		if (price === "free") return limited("free", config.FREE_PER_MINUTE);
		if (config.KEYLESS === "open") return limited("address", config.ANONYMOUS_PER_MINUTE);
		if (config.KEYLESS === "closed" || payments.rails.length === 0)
			throw forbidden("an API key is needed: X-API-Key; /register issues one for free");
		// HEAD of a file is free.
		if (asksAboutFile(request, asked)) return limited("free", config.FREE_PER_MINUTE);
		return admitPaying(request, asked, caller);
	}

	/** What costs us something each time is limited by address, with or without a key. */
	async function limitCostly(caller: AnonymousCaller, reply: FastifyReply, name: string, perMinute: number) {
		if (!caller.loopback) await take(reply, `${name}:${caller.address}`, { perMinute, monthlyQueries: null }, false);
	}

	/** A key that billing had to be asked about and that is no good counts against who sent it. */
	async function counting(known: Promise<KeyCaller>, { ip }: FastifyRequest): Promise<KeyCaller> {
		try {
			return await known;
		} catch (error) {
			if (error instanceof AppError && error.status === 403)
				await abuseThrottle.count("key", placeOf(ip).address).catch(() => {});
			throw error;
		}
	}

	async function admitPaying(
		request: FastifyRequest,
		asked: HttpOperation,
		caller: AnonymousCaller,
	): Promise<Authorization> {
		const charge = chargeOf(request, asked, config.PUBLIC_URL);
		const payment = readOr(() => payments.read(request.headers));
		if (payment === undefined || payment instanceof PaymentRefused) {
			abuseThrottle.check("price", caller.address);
			await abuseThrottle.count("price", caller.address);
			throw await challenge(payments.rails, charge, payment);
		}
		abuseThrottle.check("payment", caller.address);
		// Headers alone are not charged.
		if (request.method === "HEAD") throw new AppError(400, "a payment buys an answer: send it with GET");
		return { caller, counted: false, payment: { payment, charge } };
	}

	return {
		async arrive(request, reply, asked) {
			const who = await identify(request, reply, asked);
			const arrival: Arrival = { who };
			arrivals.set(request, arrival);
			if (!("kind" in who)) return who.caller;
			// What ends a key has a limit only where it cannot be read.
			if (asked.http.endsKey) return who;
			arrival.taken = asked.http.needsKey
				? await take(reply, `keys:${who.accountId}`, keyChanges, false)
				: await take(reply, accountSubject(who.accountId), who, false);
			return who;
		},
		countFree,
		async countUnread(from) {
			const decision = await takeFree(placeOfRequest(from));
			if (decision?.allowed === false) throw tooMany(decision);
		},
		async authorize(request, reply, asked, readable) {
			const { who, taken } = arrivals.get(request) ?? { who: await identify(request, reply, asked) };
			return "kind" in who ? authorizeKey(who, reply, asked, readable, taken) : who;
		},
		async countQuery(authorization, reply) {
			const { caller, decision } = authorization;
			if (caller.kind === "key") await takeMonth(reply, caller, decision);
		},
		giveBack(caller) {
			if (caller.kind === "key") limiter.giveBack(accountSubject(caller.accountId));
		},
	};
}

const asksAboutFile = ({ method }: FastifyRequest, { operation }: HttpOperation): boolean =>
	method === "HEAD" && operation.streamed === true;

/** Rotations of an account in a minute, and what cannot be read, beside its plan's rate. */
const keyChanges = { perMinute: 10, monthlyQueries: null };

type Limited = Pick<KeyCaller, "perMinute" | "monthlyQueries">;

const anonymous = (request: FastifyRequest): AnonymousCaller => ({ kind: "anonymous", ...placeOfRequest(request) });

function readOr<T>(read: () => T): T | PaymentRefused {
	try {
		return read();
	} catch (error) {
		if (error instanceof PaymentRefused) return error;
		throw error;
	}
}

function chargeOf(request: FastifyRequest, { name, operation, http }: HttpOperation, publicUrl?: string): Charge {
	const tool = toolOf(request.raw.socket);
	const address = `${publicUrl ?? `${request.protocol}://${request.host}`}${withoutKey(request.raw.url ?? "/")}`;
	return {
		operation: name,
		// HEAD is priced as the GET that it stands for.
		method: http.method,
		route: http.path,
		// What an agent buys is the tool, as x402 has it for MCP.
		url: tool === undefined ? address : `mcp://tool/${tool}`,
		amountMicroUsd: priceMicroUsd[http.price],
		description: operation.summary,
	};
}
