/** What keys may do, remembered: asking billing for each request would cost more than most answers. */

import type { Bus } from "#libs/bus/connect.ts";
import { overhear } from "#libs/bus/overhear.ts";
import { requestJson } from "#libs/bus/request.ts";
import { AppError, forbidden } from "#libs/contract/errors.ts";
import { events, type Params, type Reply } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { within } from "#libs/contract/within.ts";
import type { KeyCaller } from "./caller.ts";

type Grant = NonNullable<Reply<"resolveKey">["grant"]>;

interface Entry {
	/** Null: nobody was given this key. */
	grant: Grant | null;
	/** When billing said so (monotonic ms). */
	askedAt: number;
	/** Set while billing is asked again. */
	asking?: Promise<Entry>;
	/** Until then (monotonic ms) nobody waits for what billing says: it has just been waited for in vain. */
	unheardUntil?: number;
}

export interface KeyRingOptions {
	/** Most keys remembered, known or not. */
	capacity?: number;
	timeoutMs: number;
	/** Clock of the world, for keys that expire. */
	now?: () => Date;
	/** Monotonic clock (ms). */
	ticks?: () => number;
}

/** Younger: not asked again. Revocation does not wait for it: that is heard at once. */
const freshMs = 10_000;
/** Younger: answered from memory while billing is asked. */
const staleMs = 60_000;
/** Younger: still good while billing does not answer. Longer than a restart takes. */
const lostMs = 15 * 60_000;
/** Longest wait for billing's word on a key that is still good without it (ms). */
const patienceMs = 1_000;
/** Pause before the next wait. */
const unheardMs = 10_000;

export class KeyRing implements Disposable {
	readonly #ask: (params: Params<"resolveKey">) => Promise<Reply<"resolveKey">>;
	readonly #capacity: number;
	readonly #now: () => Date;
	readonly #ticks: () => number;
	readonly #listening: Disposable;
	/** By SHA-256, in order of use: the keys themselves are not kept. */
	readonly #entries = new Map<string, Entry>();
	/** Keys that nobody was given, apart: whoever makes them up by the thousand must not push out those that are good. */
	readonly #unknown = new Map<string, Entry>();

	constructor(bus: Bus, { capacity = 20_000, timeoutMs, now = () => new Date(), ticks }: KeyRingOptions) {
		this.#ask = (params) => requestJson(bus, "resolveKey", params, { timeoutMs });
		this.#capacity = capacity;
		this.#now = now;
		this.#ticks = ticks ?? (() => performance.now());
		this.#listening = overhear(bus, events.keyChanged, {
			heard: ({ sha256, id: _, occurred_at: __, version: ___, ...grant }) => this.#learn(sha256, grant),
			gap: () => this.#doubt(),
		});
	}

	/**
	 * Who has this key; at once where it is remembered. `beforeAsking` is called, and may throw, when nothing good is known of it.
	 * @throws AppError 403 for one that is not good, 503 when billing does not answer about one that is not remembered.
	 */
	callerOf(key: string, beforeAsking = () => {}): KeyCaller | Promise<KeyCaller> {
		if (!isSecret(key, "pk_")) throw forbidden("the API key is not valid: its form or its checksum is wrong");
		const sha256 = digestOf(key);
		const entry = this.#find(sha256);
		const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : this.#ticks() - entry.askedAt;
		if (entry !== undefined && ageMs < staleMs) {
			// The answer of this request does not wait for it, and neither does anybody else's fail with it.
			if (ageMs >= freshMs) this.#renew(sha256).catch(() => {});
			return this.#admit(entry);
		}
		if (!entry?.grant) beforeAsking();
		const renewed = this.#renew(sha256);
		if (!entry?.grant || ageMs >= lostMs) return renewed.then((it) => this.#admit(it));
		if (this.#ticks() >= (entry.unheardUntil ?? 0)) return this.#admitIfUnheard(entry, renewed);
		renewed.catch(() => {});
		return this.#admit(entry);
	}

	[Symbol.dispose](): void {
		this.#listening[Symbol.dispose]();
	}

	/** By what billing says now; by what it said last when it does not answer. */
	async #admitIfUnheard(entry: Entry, renewed: Promise<Entry>): Promise<KeyCaller> {
		const heard = await within(renewed, patienceMs).catch((error) => {
			if (error instanceof AppError && error.status === 503) return { value: entry };
			throw error;
		});
		if (heard === undefined) entry.unheardUntil = this.#ticks() + unheardMs;
		return this.#admit(heard?.value ?? entry);
	}

	#admit({ grant }: Entry): KeyCaller {
		if (grant === null) throw forbidden("the API key is not valid: nobody was given it");
		if (grant.revoked) throw forbidden("the API key was revoked");
		if (grant.expires_at !== null && new Date(grant.expires_at) <= this.#now())
			throw forbidden("the API key has expired: it was replaced by another");
		return {
			kind: "key",
			keyId: grant.key_id,
			accountId: grant.account_id,
			plan: grant.plan,
			monthlyQueries: grant.monthly_queries,
			perMinute: grant.per_minute,
		};
	}

	/** Asks billing once, however many requests wait for it. */
	#renew(sha256: string): Promise<Entry> {
		const holder = this.#find(sha256) ?? this.#keep(sha256, { grant: null, askedAt: Number.NEGATIVE_INFINITY });
		if (holder.asking) return holder.asking;
		const askedAt = this.#ticks();
		const forget = () => {
			delete holder.asking;
			const isPlaceholder = holder.askedAt === Number.NEGATIVE_INFINITY && holder.grant === null;
			if (isPlaceholder && this.#find(sha256) === holder) this.#forget(sha256);
		};
		holder.asking = this.#ask({ sha256 })
			.then(({ grant }) => {
				const heard = this.#find(sha256);
				if (heard === holder) return this.#keep(sha256, { grant, askedAt });
				// Something was said of the key meanwhile. What is revoked stays so; anything else is asked for again by the next.
				return heard?.grant?.revoked ? heard : { grant, askedAt };
			})
			.finally(forget);
		return holder.asking;
	}

	/** A revocation is final, so it is believed at once. Anything else is asked for when the key comes next: order is not promised. */
	#learn(sha256: string, grant: Grant): void {
		if (this.#find(sha256) === undefined) return;
		if (grant.revoked) this.#keep(sha256, { grant, askedAt: this.#ticks() });
		else this.#forget(sha256);
	}

	/** Nothing remembered is fresh any more; it is still something to go by while billing does not answer. */
	#doubt(): void {
		const old = this.#ticks() - staleMs;
		for (const entry of this.#entries.values()) {
			entry.askedAt = Math.min(entry.askedAt, old);
			delete entry.unheardUntil;
		}
	}

	#find(sha256: string): Entry | undefined {
		return this.#entries.get(sha256) ?? this.#unknown.get(sha256);
	}

	#forget(sha256: string): void {
		this.#entries.delete(sha256);
		this.#unknown.delete(sha256);
	}

	#keep(sha256: string, entry: Entry): Entry {
		this.#forget(sha256);
		const [among, most] =
			entry.grant === null ? [this.#unknown, this.#capacity / 4] : ([this.#entries, this.#capacity] as const);
		among.set(sha256, entry);
		for (const oldest of among.keys()) {
			if (among.size <= most) break;
			among.delete(oldest);
		}
		return entry;
	}
}
