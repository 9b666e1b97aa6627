/** Steps: requests a minute, and queries a month. With a key both are taken by one Redis script where the parameters are known. */
import type { IncomingHttpHeaders } from "node:http";
import { placeOfRequest } from "../callers/addresses.ts";
import { type AnonymousCaller, accountSubject, type Caller, type KeyCaller } from "../callers/caller.ts";
import { anonymous, type Call, type Transport } from "../calls/call.ts";
import type { Decision, Limiter } from "../limiter/limiter.ts";
import { rateHeaders, tooMany } from "../limiter/rate-headers.ts";

export interface RateOptions {
	limiter: Limiter;
	access: { KEYLESS: "open" | "pay" | "closed"; ANONYMOUS_PER_MINUTE: number; FREE_PER_MINUTE: number };
}

/** All throw AppError 429, and set the RateLimit headers of the answer. */
export interface Rates {
	/** Of an operation that costs something each time, by address, with or without a key. */
	costly(call: Call): Promise<void>;
	/** Step `rate`. Of a GET with a key it is taken with the quota. */
	rate(call: Call): Promise<void>;
	/** Step `quota`: only valid parameters cost a query of the month. */
	quota(call: Call): Promise<void>;
	/** Takes a query of the month for a call that was authorized without. It is not `counted` before there is an answer. */
	countQuery(call: Call): Promise<void>;
	/** A query of the month that was taken for nothing. */
	giveBack(caller: Caller): void;
	/** Counts what asks for no operation, or is refused before it reaches one, as a free request of its address. */
	free(transport: Pick<Transport, "ip" | "headers" | "setHeaders">): Promise<void>;
	/** The same for what could not even be read as a request. */
	unread(from: { ip: string; headers: IncomingHttpHeaders }): Promise<void>;
}

/** Rotations of an account in a minute, and what cannot be read, beside its plan's rate. */
const keyChanges = { perMinute: 10, monthlyQueries: null };

type Limited = Pick<KeyCaller, "perMinute" | "monthlyQueries">;
type Headed = Pick<Transport, "setHeaders">;

export function openRates({ limiter, access }: RateOptions): Rates {
	async function take(transport: Headed, subject: string, limits: Limited, month: boolean): Promise<Decision> {
		const decision = await limiter.take(subject, limits, month);
		transport.setHeaders(rateHeaders(decision));
		if (!decision.allowed) throw tooMany(decision);
		return decision;
	}

	/** The minute was taken before. */
	async function takeMonth({ transport, decision }: Call, { accountId, monthlyQueries }: KeyCaller): Promise<void> {
		const month = await limiter.take(accountSubject(accountId), { perMinute: null, monthlyQueries }, true);
		const both = decision?.minute === undefined ? month : { ...month, minute: decision.minute };
		transport.setHeaders(rateHeaders(both));
		if (!both.allowed) throw tooMany(both);
	}

	async function takeFree({ address, loopback }: Pick<AnonymousCaller, "address" | "loopback">) {
		const { FREE_PER_MINUTE: perMinute } = access;
		if (perMinute === 0 || loopback) return undefined;
		return limiter.take(`free:${address}`, { perMinute, monthlyQueries: null }, false);
	}

	async function ofAddress(call: Call, { address, loopback }: AnonymousCaller): Promise<void> {
		const isFree = call.operation.http.price === "free";
		// What is paid for by the call has no rate; headers of a file are free.
		if (!isFree && access.KEYLESS !== "open" && !asksAboutFile(call)) return;
		const [kind, most] =
			isFree || access.KEYLESS !== "open" ? ["free", access.FREE_PER_MINUTE] : ["address", access.ANONYMOUS_PER_MINUTE];
		if (most === 0 || loopback) return;
		await take(call.transport, `${kind}:${address}`, { perMinute: most, monthlyQueries: null }, false);
	}

	return {
		async costly({ operation: { name, http }, transport, place: { address, loopback } }) {
			if (http.perMinute === undefined || loopback) return;
			await take(transport, `${name}:${address}`, { perMinute: http.perMinute, monthlyQueries: null }, false);
		},
		async rate(call) {
			const { caller, operation, transport } = call;
			if (caller.kind === "anonymous") return ofAddress(call, caller);
			const { http } = operation;
			// What ends a key has a limit only where it cannot be read.
			if (http.method !== "POST" || http.endsKey) return;
			const subject = http.needsKey ? `keys:${caller.accountId}` : accountSubject(caller.accountId);
			call.decision = await take(transport, subject, http.needsKey ? keyChanges : caller, false);
		},
		async quota(call) {
			const { caller, operation, transport } = call;
			if (caller.kind === "anonymous") return;
			const { http } = operation;
			const isReadable = call.params !== undefined;
			if (http.needsKey && http.method === "POST") {
				if (call.decision === undefined && !(http.endsKey && isReadable))
					await take(transport, `keys:${caller.accountId}`, keyChanges, false);
				return;
			}
			// What a file costs is known when it is there: `countQuery`.
			call.counted = isReadable && http.price !== "free" && operation.operation.streamed !== true;
			if (call.decision === undefined)
				call.decision = await take(transport, accountSubject(caller.accountId), caller, call.counted);
			else if (call.counted) await takeMonth(call, caller);
		},
		async countQuery(call) {
			if (call.caller.kind === "key") await takeMonth(call, call.caller);
		},
		giveBack(caller) {
			if (caller.kind === "key") limiter.giveBack(accountSubject(caller.accountId));
		},
		async free(transport) {
			const decision = await takeFree(anonymous(transport));
			if (decision !== undefined) transport.setHeaders(rateHeaders(decision));
			if (decision?.allowed === false) throw tooMany(decision);
		},
		async unread(from) {
			const decision = await takeFree(placeOfRequest(from));
			if (decision?.allowed === false) throw tooMany(decision);
		},
	};
}

/** HEAD of a file is free. */
export const asksAboutFile = ({ transport: { method }, operation: { operation } }: Call): boolean =>
	method === "HEAD" && operation.streamed === true;
