/** The caller of a request, identified by its key or its address. */
import type { RequestContext } from "#libs/contract/index.ts";

/** A caller with a valid key. Null means that there is no such limit. */
export interface KeyCaller extends NonNullable<RequestContext["caller"]> {
	kind: "key";
}

/** A caller without a key. `address` is the unit of limits: an IPv4 address, or the /64 network of an IPv6 address. */
export interface AnonymousCaller {
	kind: "anonymous";
	address: string;
	loopback: boolean;
}

export type Caller = KeyCaller | AnonymousCaller;

/** Limits count all keys of an account together, so that a new key gives no new quota. */
export const accountSubject = (accountId: number): string => `account:${accountId}`;

/** Subject of the daily cap of one key. */
export const keySubject = (keyId: number): string => `key:${keyId}`;

/** The subject whose share of a pool a caller uses: the account, else the address. Undefined for a loopback address, which is not limited. */
export function callerSubject({ accountId, address, loopback }: CallerIdentity): string | undefined {
	if (accountId !== undefined) return accountSubject(accountId);
	return address === undefined || loopback === true ? undefined : `address:${address}`;
}

/** The fields of a `QueueCaller` that identify an account. */
export const accountFields = ({ accountId, plan }: Pick<KeyCaller, "accountId" | "plan">) => ({
	account: String(accountId),
	plan,
});

/** A caller with or without a key. */
type CallerIdentity = Partial<Pick<KeyCaller, "accountId"> & Pick<AnonymousCaller, "address" | "loopback">>;
