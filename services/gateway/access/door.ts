/**
 * Who gets in, in this order: room for the record of it, the key (403), the rate and the quota (429), the price (402). What the
 * parameters are worth is said after it (422), and payments are made after that.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, forbidden, unavailable } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { HttpOperation } from "../http/bindings.ts";
import { toolOf } from "../mcp/connection.ts";
import { placeOf } from "./addresses.ts";
import type { AnonymousCaller, Caller, KeyCaller } from "./caller.ts";
import { challenge } from "./challenge.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Decision, Limiter } from "./limiter/limiter.ts";
import type { Payments } from "./pay.ts";
import type { Penalties } from "./penalties.ts";
import { type Charge, PaymentRefused } from "./rails/rail.ts";
import { rateHeaders, tooMany } from "./rate-headers.ts";
import { readKey, withoutKey } from "./secrets.ts";
import type { Payment } from "./settle.ts";
import type { Usage } from "./usage.ts";

export interface DoorOptions {
	keys: KeyRing;
	limiter: Limiter;
	payments: Payments;
	penalties: Penalties;
	usage: Pick<Usage, "hasRoom">;
	config: {
		KEYLESS: "open" | "pay" | "closed";
		ANONYMOUS_PER_MINUTE: number;
		FREE_PER_MINUTE: number;
		PUBLIC_URL?: string | undefined;
	};
}

export interface Admission {
	caller: Caller;
	/** One query of the month was taken. */
	counted: boolean;
	/** To be made before the answer goes out. */
	payment?: { payment: Payment; charge: Charge };
}

export interface Door {
	/**
	 * `readable`: the parameters parsed; a request with others costs no quota. Sets the RateLimit headers.
	 * @throws AppError 400, 402, 403, 429, 503.
	 */
	admit(request: FastifyRequest, reply: FastifyReply, asked: HttpOperation, readable: boolean): Promise<Admission>;
	/** A query of the month that was taken for nothing. */
	giveBack(caller: Caller): void;
}

export function openDoor({ keys, limiter, payments, penalties, usage, config }: DoorOptions): Door {
	async function take(reply: FastifyReply, subject: string, caller: Limited, month: boolean): Promise<Decision> {
		const decision = await limiter.take(subject, caller, month);
		reply.headers(rateHeaders(decision));
		if (!decision.allowed) throw tooMany(decision);
		return decision;
	}

	async function admitKey(
		caller: KeyCaller,
		reply: FastifyReply,
		asked: HttpOperation,
		readable: boolean,
	): Promise<Admission> {
		if (asked.http.needsKey && asked.http.method === "POST") {
			// Whoever stole a key and calls all the time must not keep its owner from ending it, which works once and needs no limit.
			const ends = asked.name === "revokeKey" && readable;
			if (!ends) await take(reply, `keys:${caller.accountId}`, keyChanges, false);
			return { caller, counted: false };
		}
		const counted = readable && asked.http.price !== "free";
		await take(reply, accountSubject(caller.accountId), caller, counted);
		return { caller, counted };
	}

	/** At once where nothing has to be asked: most answers are. */
	function admitAnonymous(
		request: FastifyRequest,
		reply: FastifyReply,
		asked: HttpOperation,
		caller: AnonymousCaller,
	): Admission | Promise<Admission> {
		const { price, needsKey } = asked.http;
		if (needsKey) throw forbidden("this needs an API key: X-API-Key; /register issues one for free");
		const admission = { caller, counted: false };
		const limited = (kind: string, most: number): Admission | Promise<Admission> => {
			if (most === 0 || caller.loopback) return admission;
			const limits = { perMinute: most, monthlyQueries: null };
			return take(reply, `${kind}:${caller.address}`, limits, false).then(() => admission);
		};
		if (price === "free") return limited("free", config.FREE_PER_MINUTE);
		if (config.KEYLESS === "open") return limited("address", config.ANONYMOUS_PER_MINUTE);
		if (config.KEYLESS === "closed" || payments.rails.length === 0)
			throw forbidden("an API key is needed: X-API-Key; /register issues one for free");
		return admitPaying(request, asked, caller);
	}

	/** What costs us something each time is limited by address whoever asks. */
	async function limitCostly(caller: AnonymousCaller, reply: FastifyReply, name: string, perMinute: number) {
		if (!caller.loopback) await take(reply, `${name}:${caller.address}`, { perMinute, monthlyQueries: null }, false);
	}

	/** A key that billing had to be asked about and that is no good counts against who sent it. */
	async function counting(known: Promise<KeyCaller>, { ip }: FastifyRequest): Promise<KeyCaller> {
		try {
			return await known;
		} catch (error) {
			if (error instanceof AppError && error.status === 403)
				await penalties.count("key", placeOf(ip).address).catch(() => {});
			throw error;
		}
	}

	async function admitPaying(
		request: FastifyRequest,
		asked: HttpOperation,
		caller: AnonymousCaller,
	): Promise<Admission> {
		const charge = chargeOf(request, asked, config.PUBLIC_URL);
		const payment = readOr(() => payments.read(request.headers));
		if (payment === undefined || payment instanceof PaymentRefused) {
			penalties.check("price", caller.address);
			await penalties.count("price", caller.address);
			throw await challenge(payments.rails, charge, payment);
		}
		penalties.check("payment", caller.address);
		// Nobody is charged for headers.
		if (request.method === "HEAD") throw new AppError(400, "a payment buys an answer: send it with GET");
		return { caller, counted: false, payment: { payment, charge } };
	}

	return {
		async admit(request, reply, asked, readable) {
			if (!usage.hasRoom) throw unavailable("usage cannot be recorded at the moment", 2);
			const key = readKey(request.headers, (request.query as { text: string }).text);
			const { name, http } = asked;
			if (http.perMinute !== undefined) await limitCostly(anonymous(request), reply, name, http.perMinute);
			if (key === undefined) return admitAnonymous(request, reply, asked, anonymous(request));
			const known = keys.callerOf(key, () => penalties.check("key", placeOf(request.ip).address));
			const caller = known instanceof Promise ? await counting(known, request) : known;
			return admitKey(caller, reply, asked, readable);
		},
		giveBack(caller) {
			if (caller.kind === "key") limiter.giveBack(accountSubject(caller.accountId));
		},
	};
}

/** Rotations of an account in a minute, and what cannot be read, beside its plan's rate. */
const keyChanges = { perMinute: 10, monthlyQueries: null };

type Limited = Pick<KeyCaller, "perMinute" | "monthlyQueries">;

/** What limits count a key's requests under: all keys of an account together, so that replacing one gives nothing for free. */
export const accountSubject = (accountId: number): string => `account:${accountId}`;

/** A proxy on this machine that nobody configured as trusted must not make the whole world local. */
function anonymous({ ip, headers }: FastifyRequest): AnonymousCaller {
	const { address, loopback } = placeOf(ip);
	const passedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
	return { kind: "anonymous", address, loopback: loopback && !passedOn };
}

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
