/** API keys and their grants, cached, because a request to billing takes longer than most calls. */

import { LRUCache } from "lru-cache";
import type { Bus } from "#libs/bus/connect.ts";
import { subscribeEphemeral } from "#libs/bus/plain-messages.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { AppError, keyInvalid } from "#libs/contract/errors.ts";
import { events, type Params, type Reply } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { within } from "#libs/contract/within.ts";
import type { KeyCaller } from "../callers/caller.ts";

type Grant = NonNullable<Reply<"resolveKey">["grant"]>;

interface Entry {
	grant: Grant | null;
	/** Time of the last request to billing (monotonic ms). */
	requestedAt: number;
	/** Set while a request to billing is pending. */
	pending?: Promise<Entry>;
	/** Until this time no call waits for billing, because it did not respond in time (monotonic ms). */
	noWaitUntil?: number;
}

export interface ApiKeyCacheOptions {
	timeoutMs: number;
	/** Wall clock, for keys that expire. */
	now: () => Date;
	/** Monotonic clock (ms). */
	ticks: () => number;
}

/** Entries up to this age are used without a request to billing (ms). A revocation arrives at once, as an event. */
const freshMs = 10_000;
/** Entries up to this age are used while they are renewed (ms). */
const staleMs = 60_000;
/** Entries up to this age are used while billing is unavailable (ms). It is longer than a restart of billing takes. */
const outageMs = 15 * 60_000;
/** Longest wait for billing while the cached grant is still usable (ms). */
const renewalWaitMs = 1_000;
const noWaitAfterTimeoutMs = 10_000;
const capacity = 20_000;

export class ApiKeyCache implements Disposable {
	readonly #requestGrant: (params: Params<"resolveKey">) => Promise<Reply<"resolveKey">>;
	readonly #now: () => Date;
	readonly #ticks: () => number;
	readonly #listening: Disposable;
	/** By SHA-256: the cache does not contain the keys themselves. */
	readonly #entries: LRUCache<string, Entry>;
	/** Invalid keys have a separate cache, so that a caller that invents thousands of them does not evict valid keys. */
	readonly #unknown: LRUCache<string, Entry>;

	constructor(bus: Bus, { timeoutMs, now, ticks }: ApiKeyCacheOptions) {
		this.#requestGrant = (params) => requestJson(bus, "resolveKey", params, { timeoutMs });
		this.#entries = new LRUCache({ max: capacity });
		this.#unknown = new LRUCache({ max: Math.ceil(capacity / 4) });
		this.#now = now;
		this.#ticks = ticks;
		this.#listening = subscribeEphemeral(bus, events.keyChanged, {
			onEvent: ({ sha256, id: _, occurred_at: __, version: ___, ...grant }) => this.#applyEvent(sha256, grant),
			onReconnect: () => this.#expireAll(),
		});
	}

	/**
	 * The caller with this key, without a promise if it is cached. `beforeRequest` is called if no valid grant is cached, and may throw.
	 * @throws AppError 403 for an invalid key, 503 if it is not cached and billing is unavailable
	 */
	callerOf(key: string, beforeRequest = () => {}): KeyCaller | Promise<KeyCaller> {
		if (!isSecret(key, "pk_")) throw keyInvalid("the API key is not valid: its form or its checksum is wrong");
		const sha256 = digestOf(key);
		const entry = this.#find(sha256);
		const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.#ticks() - entry.requestedAt;
		if (entry !== undefined && ageMs < staleMs) {
			// Renewed in the background, so a failure does not concern this request.
			if (ageMs >= freshMs) this.#renew(sha256).catch(() => {});
			return this.#authorize(entry);
		}
		if (!entry?.grant) beforeRequest();
		const renewed = this.#renew(sha256);
		if (!entry?.grant || ageMs >= outageMs) return renewed.then((entry) => this.#authorize(entry));
		if (this.#ticks() >= (entry.noWaitUntil ?? 0)) return this.#authorizeWithin(entry, renewed);
		renewed.catch(() => {});
		return this.#authorize(entry);
	}

	[Symbol.dispose](): void {
		this.#listening[Symbol.dispose]();
	}

	/** Uses the renewed grant, or the cached one if billing does not respond in time. */
	async #authorizeWithin(entry: Entry, renewed: Promise<Entry>): Promise<KeyCaller> {
		const renewal = await within(renewed, renewalWaitMs).catch((error) => {
			if (error instanceof AppError && error.status === 503) return { value: entry };
			throw error;
		});
		if (renewal === undefined) entry.noWaitUntil = this.#ticks() + noWaitAfterTimeoutMs;
		return this.#authorize(renewal?.value ?? entry);
	}

	#authorize({ grant }: Entry): KeyCaller {
		if (grant === null) throw keyInvalid("the API key is not valid: it was never issued");
		if (grant.revoked) throw keyInvalid("the API key was revoked");
		if (grant.expires_at !== null && new Date(grant.expires_at) <= this.#now())
			throw keyInvalid("the API key has expired: it was replaced by another");
		return keyCaller(grant);
	}

	/** Requests the grant once for all requests that wait for it. */
	#renew(sha256: string): Promise<Entry> {
		const holder = this.#find(sha256) ?? this.#store(sha256, { grant: null, requestedAt: Number.NEGATIVE_INFINITY });
		if (holder.pending) return holder.pending;
		const requestedAt = this.#ticks();
		const removePlaceholder = () => {
			delete holder.pending;
			const isPlaceholder = holder.requestedAt === Number.NEGATIVE_INFINITY && holder.grant === null;
			if (isPlaceholder && this.#find(sha256) === holder) this.#remove(sha256);
		};
		holder.pending = this.#requestGrant({ sha256 })
			.then(({ grant }) => {
				const current = this.#find(sha256);
				if (current === holder) return this.#store(sha256, { grant, requestedAt });
				// An event changed the entry meanwhile. A revocation is final; any other change is read when the key is used next.
				if (current?.grant?.revoked) return current;
				if (grant !== null) this.#store(sha256, { grant, requestedAt: requestedAt - staleMs });
				return { grant, requestedAt };
			})
			.finally(removePlaceholder);
		return holder.pending;
	}

	/**
	 * A revocation is final and applies at once. Any other change is read from billing when the key is used next, because events may arrive out
	 * of order; until billing responds, the previous grant applies.
	 */
	#applyEvent(sha256: string, grant: Grant): void {
		const cached = this.#find(sha256);
		if (cached === undefined) return;
		if (grant.revoked) this.#store(sha256, { grant, requestedAt: this.#ticks() });
		else if (cached.grant === null || cached.grant.revoked) this.#remove(sha256);
		else
			this.#store(sha256, { grant: cached.grant, requestedAt: Math.min(cached.requestedAt, this.#ticks() - staleMs) });
	}

	/** Makes every entry stale, because events may have been missed. Stale entries still apply while billing is unavailable. */
	#expireAll(): void {
		const old = this.#ticks() - staleMs;
		for (const entry of this.#entries.values()) {
			entry.requestedAt = Math.min(entry.requestedAt, old);
			delete entry.noWaitUntil;
		}
	}

	#find(sha256: string): Entry | undefined {
		return this.#entries.get(sha256) ?? this.#unknown.get(sha256);
	}

	#remove(sha256: string): void {
		this.#entries.delete(sha256);
		this.#unknown.delete(sha256);
	}

	#store(sha256: string, entry: Entry): Entry {
		this.#remove(sha256);
		const cache = entry.grant === null ? this.#unknown : this.#entries;
		cache.set(sha256, entry);
		return entry;
	}
}

export const keyCaller = (grant: Grant): KeyCaller => ({
	kind: "key",
	keyId: grant.key_id,
	accountId: grant.account_id,
	plan: grant.plan,
	monthlyQueries: grant.monthly_queries,
	perMinute: grant.per_minute,
	dailyQueries: grant.daily_queries,
});
