import type { Handler, Reply } from "#libs/contract/index.ts";
import type { AskBilling } from "../payments/billing.ts";
import { callerOf } from "./caller-of.ts";

export interface UsageOptions {
	askBilling: AskBilling;
	/** What the live counter says of the current month; undefined while it cannot be read. */
	usedNow(accountId: number): Promise<number | undefined>;
	/** Throws while the service that keeps webhooks does not answer. */
	noticesOf(accountId: number): Promise<Notices>;
}

type Notices = NonNullable<Reply<"getUsage">["notices"]>;

/** The counter that decides is ahead of the ledger by seconds, and behind it when it was lost: the larger one is answered. */
export function getUsage({ askBilling, usedNow, noticesOf }: UsageOptions): Handler<"getUsage"> {
	return async (_params, context) => {
		const { keyId, accountId, plan, monthlyQueries, perMinute } = callerOf(context);
		const notices = noticesOf(accountId).catch(() => null);
		const ledger = await askBilling("describeUsage", { key_id: keyId });
		// After the ledger: at the turn of a month the counter may be that of the new month, never the ledger's with the old counter.
		const used = Math.max(ledger.counted, (await usedNow(accountId)) ?? 0);
		const reply: Reply<"getUsage"> = {
			key: ledger.key,
			plan,
			month: ledger.month,
			used,
			monthly_queries: monthlyQueries,
			remaining: monthlyQueries === null ? null : Math.max(0, monthlyQueries - used),
			resets_at: endOf(ledger.month),
			per_minute: perMinute,
			last_24_hours: ledger.last_24_hours,
			by_operation: ledger.by_operation,
			by_day: ledger.by_day,
			notices: await notices,
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}

/** The first moment after a month, `YYYY-MM`, in UTC. */
function endOf(month: string): string {
	const [year = 0, number = 0] = month.split("-").map(Number);
	return new Date(Date.UTC(year, number)).toISOString().replace(".000Z", "Z");
}
