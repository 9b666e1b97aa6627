/** Whose request it is, as far as a key says. */
import type { PlanName } from "#libs/contract/vocabulary.ts";

/** A key that is good now. Null limits: none. */
export interface KeyCaller {
	kind: "key";
	keyId: number;
	accountId: number;
	plan: PlanName;
	monthlyQueries: number | null;
	perMinute: number | null;
}

/** No key. `address` is what limits count: an IPv4 address, or the /64 network of an IPv6 address. */
export interface AnonymousCaller {
	kind: "anonymous";
	address: string;
	loopback: boolean;
}

export type Caller = KeyCaller | AnonymousCaller;
