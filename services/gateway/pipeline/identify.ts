/** The first step of a call: identifies the caller by its API key or its address. */
import { AppError, keyNeeded, unavailable } from "#libs/contract/errors.ts";
import type { ApiKeyCache } from "../authorization/api-key-cache.ts";
import type { PageTokens } from "../authorization/page-tokens.ts";
import type { Usage } from "../authorization/usage.ts";
import { clientAddress } from "../callers/addresses.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { readKey } from "../callers/secrets.ts";
import type { Call } from "../calls/call.ts";
import type { Config } from "../config.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { Payments } from "../payments/pay.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { isPricedRead } from "./page-read.ts";
import type { Rates } from "./rate.ts";

const keyNeededText = "this endpoint requires an API key: send it as X-API-Key (GET /register issues a free one)";

export interface IdentifyOptions {
	keys: ApiKeyCache;
	pageTokens: Pick<PageTokens, "isFromPage">;
	rates: Pick<Rates, "costly" | "free">;
	payments: Pick<Payments, "rails">;
	abuseThrottle: AbuseThrottle;
	usage: Pick<Usage, "hasRoom">;
	settings: Pick<Config, "KEYLESS">;
}

/** @returns a step that sets `caller`. It throws AppError 400, 403, 414 (these are counted as free requests), 429 and 503 */
export function identifyStep(operation: HttpOperation, options: IdentifyOptions): (call: Call) => Promise<void> {
	const { name, http } = operation;
	const { keys, pageTokens, rates, payments, abuseThrottle, usage, settings } = options;

	/** Counts a key that billing reported as invalid against the address that sent it. */
	async function countIfInvalid(resolving: Promise<KeyCaller>, ip: string): Promise<KeyCaller> {
		try {
			return await resolving;
		} catch (error) {
			if (error instanceof AppError && error.status === 403)
				await abuseThrottle.count("key", clientAddress(ip).address).catch(() => {});
			throw error;
		}
	}

	/** The caller with a key; undefined without a key. Returns no promise if the key is cached, which most are. */
	function identify({ transport }: Call): KeyCaller | Promise<KeyCaller> | undefined {
		const { headers, query, ip } = transport;
		if (isPricedRead(operation) && !pageTokens.isFromPage(transport))
			throw keyNeeded(
				`only the website may use this address: programs call ${name} at its own address (/openapi.json)`,
			);
		if (transport.tokenCaller !== undefined) return transport.tokenCaller;
		const key = readKey(headers, query);
		if (key !== undefined) {
			const caller = keys.callerOf(key, () => abuseThrottle.check("key", clientAddress(ip).address));
			return caller instanceof Promise ? countIfInvalid(caller, ip) : caller;
		}
		if (http.needsKey) throw keyNeeded(keyNeededText);
		const mayPay = settings.KEYLESS === "pay" && payments.rails.length > 0;
		if (http.price !== "free" && settings.KEYLESS !== "open" && !mayPay) throw keyNeeded(keyNeededText);
		return undefined;
	}

	return async (call) => {
		if (!usage.hasRoom) throw unavailable("usage cannot be recorded at the moment", 2);
		if (http.perMinute !== undefined) await rates.costly(call);
		let caller: ReturnType<typeof identify>;
		try {
			caller = identify(call);
		} catch (error) {
			// The request is counted here, because it does not reach the step `rate`, which counts requests.
			if (error instanceof AppError && error.status !== 429) await rates.free(call.transport);
			throw error;
		}
		if (caller !== undefined) call.caller = await caller;
	};
}
