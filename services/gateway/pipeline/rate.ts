/**
 * Steps `rate` and `quota`, which limit requests a minute and queries a month. With a key, one Redis script counts both if the parameters have
 * been parsed. A caller with a key that has used up its plan can still make the calls that its address could make without a key.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import { requestAddress } from "../callers/addresses.ts";
import { type AnonymousCaller, accountSubject, type Caller, type KeyCaller, keySubject } from "../callers/caller.ts";
import type { Call, Transport } from "../calls/call.ts";
import type { Config } from "../config.ts";
import type { Decision, Limiter } from "../limiter/limiter.ts";
import type { Limits } from "../limiter/limits.ts";
import { rateHeaders, tooMany } from "../limiter/rate-headers.ts";
import { openRowsOfDay } from "./page-read.ts";

export interface RateOptions {
	limiter: Limiter;
	settings: AccessSettings;
}

export type AccessSettings = Pick<
	Config,
	"KEYLESS" | "ANONYMOUS_PER_MINUTE" | "FREE_PER_MINUTE" | "PAGES_PER_MINUTE" | "PAGE_ROWS_PER_DAY"
>;

/**
 * Methods that return a promise throw AppError 429; all of them except `unread` set the RateLimit headers. `quota` and `countQuery` also throw
 * 403 for a key that has reached its daily cap.
 */
export interface Rates {
	/** Limits expensive operations by address, with or without a key. */
	costly(call: Call): Promise<void>;
	/** Step `rate`. With a key, a GET is counted in step `quota`. */
	rate(call: Call): Promise<void>;
	/** Step `quota`: counts the call against the monthly quota, only if its parameters are valid. */
	quota(call: Call): Promise<void>;
	/**
	 * Takes a query of the month for an authorized call. The caller of this method must set `counted` when there is a response. @returns false if
	 * the plan was used up, so that no query was taken
	 */
	countQuery(call: Call): Promise<boolean>;
	/** Gives back a query of the month, and of the key's daily cap. */
	giveBack(caller: Caller): void;
	/** Gives back the rows of a page's read. */
	giveBackRows(call: Call): void;
	/** Counts a request that has no operation, or is refused before its operation runs, as a free request of its address. */
	free(transport: Pick<Transport, "ip" | "headers" | "setHeaders">): Promise<void>;
	/** Counts a request that cannot be parsed as a free request of its address, without setting headers. */
	unread(from: { ip: string; headers: IncomingHttpHeaders }): Promise<void>;
}

/** Limit of an account's changes of its keys, and of revocations with invalid parameters, separate from its plan. */
const keyChanges = { perMinute: 10, periodQueries: null };
/** Limit of an account's other changes, such as those of webhooks and watchlists. */
const otherChanges = { perMinute: 60, periodQueries: null };

const planLimits = ({ perMinute, monthlyQueries }: KeyCaller): Limits => ({ perMinute, periodQueries: monthlyQueries });

type Headed = Pick<Transport, "setHeaders">;
type Take = () => Promise<Decision>;

export function openRates({ limiter, settings }: RateOptions): Rates {
	const rowsOfDay = openRowsOfDay(limiter, settings.PAGE_ROWS_PER_DAY);

	function enforce(transport: Headed, decision: Decision): Decision {
		transport.setHeaders(rateHeaders(decision));
		if (!decision.allowed) throw tooMany(decision);
		return decision;
	}

	const take = async (transport: Headed, subject: string, limits: Limits): Promise<Decision> =>
		enforce(transport, await limiter.take(subject, limits, false));

	/** Makes a function that takes a request from the limit without a key; undefined for a call that needs a key or a payment. */
	function keylessTake({ operation, transport, client: { address, loopback } }: Call): Take | undefined {
		const { price, needsKey } = operation.http;
		const isFree = price === "free";
		const perMinuteOf = (setting: number) => (setting === 0 || loopback ? null : setting);
		if (operation.pageRead !== undefined) {
			const perMinute = perMinuteOf(settings.PAGES_PER_MINUTE);
			return () => limiter.take(`pages:${address}`, { perMinute, periodQueries: null }, false);
		}
		// A HEAD request for a file is free.
		if (needsKey || (!isFree && settings.KEYLESS !== "open" && !asksAboutFile({ transport, operation })))
			return undefined;
		const [kind, setting] =
			isFree || settings.KEYLESS !== "open"
				? ["free", settings.FREE_PER_MINUTE]
				: ["address", settings.ANONYMOUS_PER_MINUTE];
		const perMinute = perMinuteOf(setting);
		return () => limiter.take(`${kind}:${address}`, { perMinute, periodQueries: null }, false);
	}

	/** @returns true if the plan covered the call, false if the limit without a key did. @throws AppError 429 if neither does */
	async function takeWithKey(call: Call, takeFromPlan: Take): Promise<boolean> {
		const { operation, transport } = call;
		const takeKeyless = keylessTake(call);
		// A free call uses the plan only after the address has used up its limit.
		const free = operation.http.price === "free" ? await takeKeyless?.() : undefined;
		if (free?.allowed) {
			call.decision = free;
			transport.setHeaders(rateHeaders(free));
			return false;
		}
		const plan = await takeFromPlan();
		call.decision = plan;
		transport.setHeaders(rateHeaders(plan));
		if (plan.allowed) return true;
		const keyless = free ?? (await takeKeyless?.());
		if (keyless === undefined) throw tooMany(plan);
		transport.setHeaders(rateHeaders(keyless));
		if (!keyless.allowed) throw soonerRefusal(plan, keyless);
		call.decision = keyless;
		call.beyondPlan = true;
		return false;
	}

	/** Takes a query of the month for a call that is already counted against the limit a minute. */
	function takeMonth(call: Call, { accountId, monthlyQueries }: KeyCaller): Promise<boolean> {
		const minute = call.decision?.minute;
		return takeWithKey(call, async () => {
			const monthlyLimits = { perMinute: null, periodQueries: monthlyQueries };
			const month = await limiter.take(accountSubject(accountId), monthlyLimits, true);
			return minute === undefined ? month : { ...month, minute };
		});
	}

	/** Limits changes of an account's keys, webhooks and the like, which do not count against its plan. */
	const takeChange = ({ operation, transport }: Call, { accountId }: KeyCaller): Promise<Decision> =>
		operation.operation.owner === "gateway"
			? take(transport, `keys:${accountId}`, keyChanges)
			: take(transport, `${operation.operation.owner}:${accountId}`, otherChanges);

	const giveBackDaily = ({ keyId, dailyQueries }: KeyCaller) => {
		if (dailyQueries !== null) limiter.add(keySubject(keyId), -1, "day");
	};

	/** Takes a query of the key's daily cap, and gives it back if `take` took no query of the month. @throws AppError 403 */
	async function withinCap(caller: KeyCaller, take: () => Promise<boolean>): Promise<boolean> {
		const { keyId, dailyQueries } = caller;
		if (dailyQueries === null) return take();
		const dailyLimits = { perMinute: null, periodQueries: dailyQueries, period: "day" } as const;
		const decision = await limiter.take(keySubject(keyId), dailyLimits, true);
		if (!decision.allowed) throw capReached(dailyQueries, decision);
		let hasTakenQuery = false;
		try {
			hasTakenQuery = await take();
			return hasTakenQuery;
		} finally {
			if (!hasTakenQuery) giveBackDaily(caller);
		}
	}

	async function takeFree({ address, loopback }: Pick<AnonymousCaller, "address" | "loopback">) {
		const { FREE_PER_MINUTE: perMinute } = settings;
		if (perMinute === 0 || loopback) return undefined;
		return limiter.take(`free:${address}`, { perMinute, periodQueries: null }, false);
	}

	async function takeKeylessOrThrow(call: Call): Promise<void> {
		const decision = await keylessTake(call)?.();
		if (decision !== undefined) enforce(call.transport, decision);
	}

	return {
		async costly({ operation: { name, http }, transport, client: { address, loopback } }) {
			if (http.perMinute === undefined || loopback) return;
			await take(transport, `${name}:${address}`, { perMinute: http.perMinute, periodQueries: null });
		},
		async rate(call) {
			const { caller, operation } = call;
			if (caller.kind === "anonymous") return takeKeylessOrThrow(call);
			const { http } = operation;
			// Revocation is limited only if the request is malformed.
			if (http.method === "GET" || http.endsKey) return;
			if (http.needsKey) call.decision = await takeChange(call, caller);
			else await takeWithKey(call, () => limiter.take(accountSubject(caller.accountId), planLimits(caller), false));
		},
		async quota(call) {
			const { caller, operation } = call;
			if (operation.pageRead !== undefined) await rowsOfDay.take(call);
			if (caller.kind === "anonymous") return;
			const { http } = operation;
			if (http.needsKey && http.price === "free" && http.method === "GET" && operation.pageRead === undefined) {
				// A separate limit, so that an account that has used up its plan can still read its usage.
				const ownReads = { perMinute: caller.perMinute, periodQueries: null };
				call.decision = await take(call.transport, `own:${caller.accountId}`, ownReads);
				return;
			}
			const hasParams = call.params !== undefined;
			if (http.needsKey && http.method !== "GET") {
				if (call.decision === undefined && !(http.endsKey && hasParams)) await takeChange(call, caller);
				return;
			}
			// A file's query is taken when the file exists (`countQuery`).
			const counts = hasParams && http.price !== "free" && operation.operation.streamed !== true && !call.beyondPlan;
			const takeFromPlan = () => limiter.take(accountSubject(caller.accountId), planLimits(caller), counts);
			const takeQuery = async () =>
				call.decision === undefined
					? (await takeWithKey(call, takeFromPlan)) && counts
					: counts && (await takeMonth(call, caller));
			call.counted = counts ? await withinCap(caller, takeQuery) : await takeQuery();
		},
		async countQuery(call) {
			const { caller, beyondPlan } = call;
			if (caller.kind !== "key" || beyondPlan) return false;
			return withinCap(caller, () => takeMonth(call, caller));
		},
		giveBack(caller) {
			if (caller.kind !== "key") return;
			limiter.add(accountSubject(caller.accountId), -1);
			giveBackDaily(caller);
		},
		giveBackRows: rowsOfDay.giveBack,
		async free(transport) {
			const decision = await takeFree(requestAddress(transport));
			if (decision !== undefined) enforce(transport, decision);
		},
		async unread(from) {
			const decision = await takeFree(requestAddress(from));
			if (decision?.allowed === false) throw tooMany(decision);
		},
	};
}

export const asksAboutFile = ({
	transport: { method },
	operation: { operation },
}: Pick<Call, "transport" | "operation">): boolean => method === "HEAD" && operation.streamed === true;

/** The refusal by the plan or by the limit without a key, whichever resets earlier. */
function soonerRefusal(plan: Decision, keyless: Decision): Error {
	const resetOf = ({ violated, minute, month }: Decision) =>
		(violated === "month" ? month : minute)?.resetSeconds ?? Number.POSITIVE_INFINITY;
	if (resetOf(plan) <= resetOf(keyless)) return tooMany(plan);
	const month = plan.violated === "month" ? plan.month : undefined;
	const planLimit = month === undefined ? "the plan" : `the monthly limit of ${month.limit} queries`;
	return tooMany(keyless, `requests beyond ${planLimit}`);
}

/** The error for a key at its daily cap. The call is refused even if it would be allowed without a key, because the key's owner set the cap. */
function capReached(cap: number, { month }: Decision): AppError {
	const { resetsAt, resetSeconds } = month ?? { resetsAt: "the end of the day (UTC)", resetSeconds: 1 };
	return new AppError(403, `daily cap of ${cap} queries reached; resets at ${resetsAt}`, {
		code: "spend_cap_reached",
		retryAfterSeconds: resetSeconds,
	});
}
