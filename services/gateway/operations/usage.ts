/** The usage of an account, and the receipt of one paid call. */

import type { IncomingHttpHeaders } from "node:http";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { alertShares } from "#libs/contract/operations/access/billing-fields.ts";
import { dayOf } from "../limiter/limits.ts";
import type { RequestBilling } from "../payments/billing.ts";
import { readCreditToken } from "../payments/credits/token.ts";
import { callerOf } from "./keys.ts";

export interface UsageOptions {
	requestBilling: RequestBilling;
	/** Queries of the month, by the live counter; undefined if that cannot be read. */
	usedNow(accountId: number): Promise<number | undefined>;
	/** Queries of a key today, by the live counter; undefined if that cannot be read. */
	usedToday(keyId: number): Promise<number | undefined>;
	/** @throws while the service subscriptions does not respond */
	noticesOf(accountId: number): Promise<NonNullable<Reply<"getUsage">["notices"]>>;
	now(): Date;
}

/** Reports the higher of two counts of queries: the live counter is seconds ahead of the ledger, but can be lost. */
export function getUsage(options: UsageOptions): Handler<"getUsage"> {
	const { requestBilling, usedNow, usedToday, noticesOf, now } = options;
	return async ({ format = "json" }, context) => {
		const { keyId, accountId, plan, monthlyQueries, perMinute, dailyQueries } = callerOf(context);
		const notices = noticesOf(accountId).catch(() => null);
		const ledger = await requestBilling("describeUsage", {
			key_id: keyId,
			...(format === "csv" && { by_day_and_operation: true }),
		});
		if (format === "csv") return toCsv(ledger.by_day_and_operation ?? []);
		// The counter is read after the ledger, so that the counter of the old month is never combined with the new month.
		const used = Math.max(ledger.counted, (await usedNow(accountId)) ?? 0);
		const today = Math.max(ledger.key_today ?? 0, (await usedToday(keyId)) ?? 0);
		const day = { used: today, resets_at: dayOf(now()).resetsAt };
		const resets_at = endOf(ledger.month);
		const reply: Reply<"getUsage"> = {
			key: ledger.key,
			email: ledger.email,
			email_verified: ledger.email_verified,
			plan,
			month: ledger.month,
			used,
			monthly_queries: monthlyQueries,
			remaining: monthlyQueries === null ? null : Math.max(0, monthlyQueries - used),
			resets_at,
			per_minute: perMinute,
			key_day: dailyQueries === null ? null : { daily_queries: dailyQueries, ...day },
			last_24_hours: ledger.last_24_hours,
			by_operation: ledger.by_operation,
			by_day: ledger.by_day,
			alerts: alertsOf([
				{ of: "month", used, limit: monthlyQueries, resets_at },
				{ of: "key_day", limit: dailyQueries, ...day },
			]),
			notices: await notices,
		};
		return { json: JSON.stringify(reply) };
	};
}

/** CSV (RFC 4180). No operation's name needs quotation marks. */
function toCsv(rows: NonNullable<Reply<"describeUsage">["by_day_and_operation"]>) {
	const lines = rows.map(({ day, operation, requests, counted }) => `${day},${operation},${requests},${counted}\r\n`);
	return {
		json: Buffer.from(`day,operation,requests,counted\r\n${lines.join("")}`),
		headers: { "content-type": "text/csv; charset=utf-8; header=present" },
	};
}

function endOf(month: string): string {
	const [year = 0, number = 0] = month.split("-").map(Number);
	return new Date(Date.UTC(year, number)).toISOString().replace(".000Z", "Z");
}

type Alert = Reply<"getUsage">["alerts"][number];

export interface Limited {
	of: Alert["of"];
	used: number;
	limit: number | null;
	resets_at: string;
}

export const alertsOf = (limits: readonly Limited[]): Alert[] =>
	limits.flatMap(({ of, used, limit, resets_at }) => {
		const share = limit === null ? undefined : alertShares.find((each) => used >= each * limit);
		return share === undefined || limit === null ? [] : [{ of, share, used, limit, resets_at }];
	});

/** Only the caller that paid can get a receipt by the id of the request. Anyone can get it by the transaction of the payment, which is public. */
export function getReceipt({ requestBilling }: { requestBilling: RequestBilling }): Handler<"getReceipt"> {
	return async ({ receipt_id }, { caller, http }) => {
		const token = readCreditToken((http?.headers ?? {}) as IncomingHttpHeaders);
		const { receipt } = await requestBilling("readReceipt", {
			receipt_id,
			account_id: caller?.accountId ?? null,
			credits_sha256: token !== undefined && isSecret(token, "cr_") ? digestOf(token) : null,
		});
		if (receipt === null)
			throw notFound(
				"this caller has no receipt with this id: a receipt exists a few seconds after the response, for the key or credit token that requested it",
			);
		return { json: JSON.stringify(receipt), headers: { "cache-control": "private, no-store" } };
	};
}
