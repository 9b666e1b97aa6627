/** The addresses of receivers' names. */
import { lookup, Resolver } from "node:dns/promises";
import type { AddressPolicy } from "../domain/addresses.ts";

export interface Resolved {
	address: string;
	family: number;
}

export type Resolve = (host: string) => Promise<Resolved[]>;

/**
 * Sends DNS queries for public names, each with a time of its own: the system's `getaddrinfo` has four threads in a process, and four
 * names whose servers do not answer would hold all other deliveries. Only the system knows private names (its files, its search
 * domains), so it resolves those.
 */
export function resolverFor({ allowPrivate }: AddressPolicy, timeoutMs: number): Resolve {
	if (allowPrivate) return (host) => lookup(host, { all: true });
	return queryWith(new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 }));
}

export function queryWith(resolver: Resolver): Resolve {
	return async (host) => {
		const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
		if (four.status === "rejected" && six.status === "rejected") throw four.reason;
		const found = (result: typeof four, family: number) =>
			result.status === "rejected" ? [] : result.value.map((address) => ({ address, family }));
		return [...found(four, 4), ...found(six, 6)];
	};
}
