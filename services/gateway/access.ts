/** Authorization, payments and usage, opened together and closed in reverse order, so that usage is recorded before the process ends. */
import type { Bus } from "#libs/bus/connect.ts";
import { gaugeOf } from "#libs/bus/scrape.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type ResolveToken, tokenResolver } from "./authorization/access-tokens.ts";
import { ApiKeyCache } from "./authorization/api-key-cache.ts";
import { openPageTokens, type PageTokens } from "./authorization/page-tokens.ts";
import { openUsage, type Usage } from "./authorization/usage.ts";
import { openUsageFiles } from "./authorization/usage-files.ts";
import { networkOfAddress } from "./callers/addresses.ts";
import { accountSubject, keySubject } from "./callers/caller.ts";
import type { Config } from "./config.ts";
import { type AbuseThrottle, openAbuseThrottle } from "./limiter/abuse-throttle.ts";
import { type Limiter, openLimiter } from "./limiter/limiter.ts";
import { tooMany } from "./limiter/rate-headers.ts";
import { billingRequester, type RequestBilling } from "./payments/billing.ts";
import type { CreditSales } from "./payments/credits/sales.ts";
import { openPayments, type Payments } from "./payments/pay.ts";
import { openRails, type RailsOptions } from "./payments/rails/index.ts";
import { startReconciling } from "./payments/reconcile.ts";
import { openRates, type Rates } from "./pipeline/rate.ts";

export interface Access extends AsyncDisposable {
	requestBilling: RequestBilling;
	keys: ApiKeyCache;
	resolveToken: ResolveToken;
	pageTokens: PageTokens;
	rates: Rates;
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	usage: Usage;
	sales: CreditSales;
	/** Queries of an account this month, by the live counter; undefined if that cannot be read. */
	usedNow(accountId: number): Promise<number | undefined>;
	/** Queries of a key today, by the live counter; undefined if that cannot be read. */
	usedToday(keyId: number): Promise<number | undefined>;
	/** @throws AppError 429 for an address that has registered too many keys in the last hour */
	limitRegistrations(address: string): Promise<void>;
	/** @throws AppError 429 for an address whose network has registered too many OAuth clients in the last hour */
	limitClients(address: string): Promise<void>;
}

export interface AccessOptions {
	bus: Bus;
	config: Config;
	log: Logger;
	now?: () => Date;
	/** Monotonic clock of the API key cache (ms). */
	ticks?: () => number;
	facilitator?: RailsOptions["facilitator"];
}

export async function openAccess(options: AccessOptions): Promise<Access> {
	const { bus, config, log, now = () => new Date(), ticks = () => performance.now(), facilitator } = options;
	await using stack = new AsyncDisposableStack();
	const requestBilling = billingRequester(bus, config.REQUEST_TIMEOUT_MS);
	const findRecorded = async (ids: string[]) => (await requestBilling("listRecordedUsage", { ids })).ids;
	const { USAGE_DIR: dir, USAGE_BUFFER: capacity } = config;
	const files = dir === undefined ? undefined : stack.use(await openUsageFiles({ dir, bus, log, findRecorded }));
	const usage = stack.use(openUsage({ bus, log, capacity, files, now }));
	gaugeOf({
		name: "usage_waiting",
		help: "Answered requests that are not acknowledged as usage.",
		read: () => usage.waiting,
	});
	const limiter = stack.use(
		openLimiter({
			redisUrl: config.REDIS_URL,
			redisCa: config.REDIS_CA,
			timeoutMs: config.REDIS_TIMEOUT_MS,
			instances: config.INSTANCES,
			countUsedRequests: (subject, period) => countUsedRequests(requestBilling, usage, subject, period),
			log,
			now,
		}),
	);
	gaugeOf({
		name: "limiter_degraded",
		help: "1 while limits are kept in memory because Redis does not answer.",
		read: () => (limiter.degraded ? 1 : 0),
	});
	const { rails, sales } = stack.use(await openRails({ config, requestBilling, log, now, facilitator }));
	const abuseThrottle = openAbuseThrottle(limiter, config.CHALLENGES_PER_MINUTE);
	const payments = stack.use(openPayments({ rails, requestBilling, log, abuseThrottle, now }));
	if (rails.length > 0) stack.use(startReconciling({ rails, requestBilling, log }));
	const keys = stack.use(new ApiKeyCache(bus, { timeoutMs: config.REQUEST_TIMEOUT_MS, now, ticks }));
	const pageTokens = openPageTokens({ shared: config.NATS_PASSWORD ?? config.REDIS_URL, now });
	const rates = openRates({ limiter, settings: config });
	const resources = stack.move();
	return {
		requestBilling,
		keys,
		resolveToken: tokenResolver(requestBilling, abuseThrottle),
		pageTokens,
		rates,
		payments,
		abuseThrottle,
		usage,
		sales,
		usedNow: (accountId) => limiter.used(accountSubject(accountId)),
		usedToday: (keyId) => limiter.used(keySubject(keyId), "day"),
		limitRegistrations: async (address) => {
			await limitHourly(limiter, `register:${address}`, config.REGISTRATIONS_PER_HOUR);
			// One customer can have many addresses, so a network gets as many keys as four addresses.
			const network = `register-network:${networkOfAddress(address)}`;
			await limitHourly(limiter, network, 4 * config.REGISTRATIONS_PER_HOUR);
		},
		limitClients: (address) =>
			limitHourly(limiter, `oauth-clients:${networkOfAddress(address)}`, config.OAUTH_CLIENTS_PER_HOUR, "new clients"),
		[Symbol.asyncDispose]: () => resources.disposeAsync(),
	};
}

/**
 * Adds the ledger's count and the requests that this process has not sent to the ledger yet. `period` is a month for an account, a day for a
 * key. The ledger does not count the rows that pages read.
 */
async function countUsedRequests(
	requestBilling: RequestBilling,
	usage: Usage,
	subject: string,
	period: string,
): Promise<number> {
	const [kind, number] = subject.split(":");
	if (kind === "rows") return 0;
	const id = Number(number);
	const pending = usage.countPending(kind === "key" ? { key_id: id } : { account_id: id });
	const { counted } =
		kind === "key"
			? await requestBilling("countKeyUsage", { key_id: id, day: period })
			: await requestBilling("countUsage", { account_id: id, month: period });
	return counted + pending;
}

async function limitHourly(limiter: Limiter, subject: string, perHour: number, what = "registrations"): Promise<void> {
	const limits = { perMinute: perHour, periodQueries: null, windowSeconds: 3_600 };
	const decision = await limiter.take(subject, limits, false);
	if (!decision.allowed) throw tooMany(decision, what);
}
