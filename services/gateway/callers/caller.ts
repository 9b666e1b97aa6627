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
	/** Of this key alone, in a day (UTC). */
	dailyQueries: number | null;
}

/** No key. `address` is what limits count: an IPv4 address, or the /64 network of an IPv6 address. */
export interface AnonymousCaller {
	kind: "anonymous";
	address: string;
	loopback: boolean;
}

export type Caller = KeyCaller | AnonymousCaller;

/** What limits count a key's requests under: all keys of an account together, so that replacing one gives nothing for free. */
export const accountSubject = (accountId: number): string => `account:${accountId}`;

/** What the cap of a key is counted under. */
export const keySubject = (keyId: number): string => `key:${keyId}`;

/** What shares of a pool are counted under: the account, else the address. Undefined for a caller on the same machine, which has no limit of its own. */
export function callerSubject({ accountId, address, loopback }: Counted): string | undefined {
	if (accountId !== undefined) return accountSubject(accountId);
	return address === undefined || loopback === true ? undefined : `address:${address}`;
}

/** What is known of a caller, with or without a key. */
type Counted = Partial<Pick<KeyCaller, "accountId"> & Pick<AnonymousCaller, "address" | "loopback">>;
