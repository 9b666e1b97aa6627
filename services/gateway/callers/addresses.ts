/** Addresses of callers: the units by which limits count, loopback addresses, and trusted proxies. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** The client address of a request, as limits count it. */
export interface ClientAddress {
	address: string;
	loopback: boolean;
}

/** Parsed addresses of recent callers, because parsing takes time on each request. */
const parsedAddresses = new LRUCache<string, ClientAddress>({ max: 10_000 });
/** Longer addresses are not cached, because a proxy can send anything as an address. */
const maxCachedCharacters = 64;

/** Parses an IP address from the socket or a trusted proxy. Never throws. */
export function clientAddress(ip: string): ClientAddress {
	const cached = parsedAddresses.get(ip);
	if (cached !== undefined) return cached;
	const client = { address: countedAddress(ip), loopback: isLoopback(ip) };
	if (ip.length <= maxCachedCharacters) parsedAddresses.set(ip, client);
	return client;
}

/** The client address of a request. A forwarded request never counts as loopback, even if it came from a local proxy that is not trusted. */
export function requestAddress({ ip, headers }: { ip: string; headers: IncomingHttpHeaders }): ClientAddress {
	const client = clientAddress(ip);
	const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
	return client.loopback && isForwarded ? { ...client, loopback: false } : client;
}

/**
 * The unit by which limits count: an IPv4 address, also one mapped into IPv6, or the /64 network of an IPv6 address, which belongs to one
 * customer. Any other text, which a proxy can send, is "unknown". Never throws.
 */
export function countedAddress(ip: string): string {
	const parsed = parseAddress(ip);
	if (parsed === undefined) return "unknown";
	if (parsed instanceof ipaddr.IPv4) return parsed.toString();
	const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
	return `${groups.join(":")}::/64`;
}

/** The network of an address, which one customer or office may have: /24 for IPv4, /48 for IPv6. */
export const networkOf = (ip: string): string => networkOfAddress(countedAddress(ip));

/** `address` is a result of `countedAddress`. */
export function networkOfAddress(address: string): string {
	if (address === "unknown") return address;
	return isIPv4(address) ? address.replace(/\d+$/, "0/24") : `${address.split(":", 3).join(":")}::/48`;
}

export const isLoopback = (ip: string): boolean => parseAddress(ip)?.range() === "loopback";

/**
 * Parses TRUSTED_PROXIES for Fastify's `trustProxy`: addresses and networks (CIDR), separated by commas. @throws Error if an entry is invalid
 * or contains every address
 */
export function parseProxies(text: string): string[] {
	const entries = text.split(",").map((entry) => entry.trim());
	return entries.filter((entry) => entry !== "").map(checkProxy);
}

/** @returns a function that checks whether an address belongs to one of the proxies */
export function proxyMatcher(proxies: readonly string[]): (ip: string) => boolean {
	const networks = proxies.map((entry) =>
		ipaddr.parseCIDR(entry.includes("/") ? entry : `${entry}/${isIPv4(entry) ? 32 : 128}`),
	);
	return (ip) => {
		const parsed = parseAddress(ip);
		return parsed !== undefined && ipaddr.subnetMatch(parsed, { proxy: networks }, "caller") === "proxy";
	};
}

/**
 * Finds the client's address in a request that Fastify refused before it determined the address itself. Like Fastify, it takes the nearest
 * hop that is not a trusted proxy.
 */
export function clientBehindProxies(isProxy: (ip: string) => boolean, { socket, headers }: IncomingMessage): string {
	const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
	const hops = [...forwarded.map((hop) => hop.trim()).filter((hop) => hop !== ""), socket.remoteAddress ?? ""];
	return hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? "";
}

function checkProxy(entry: string): string {
	const [address = "", prefix, ...rest] = entry.split("/");
	const refuse = (reason: string) => new Error(`"${entry}" ${reason}`);
	if (isIP(address) === 0 || address.includes("%") || rest.length > 0)
		throw refuse("is neither an IP address nor a network such as 10.0.0.0/8");
	if (prefix === undefined) return entry;
	if (!/^\d{1,3}$/.test(prefix)) throw refuse("needs a prefix length after its slash, such as 10.0.0.0/8");
	if (Number(prefix) === 0)
		throw refuse("contains every address, so any caller could claim any address: name only the proxies");
	if (!ipaddr.isValidCIDR(entry)) throw refuse("has too long a prefix: at most 32 for IPv4 and 128 for IPv6");
	return entry;
}

/** Parses an address; undefined if it is invalid. Zone, brackets and port, which some proxies add, are ignored. An IPv4-mapped address becomes IPv4. */
function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
	const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip) ?? [];
	const [plain = ""] = (bracketed ?? withPort ?? ip).split("%", 1);
	if (isIP(plain) === 0) return undefined;
	// `URL` rewrites IPv6 in hexadecimal, because the package would parse the deprecated form `::127.0.0.1` as an IPv4-mapped address.
	return ipaddr.process(isIPv4(plain) ? plain : new URL(`http://[${plain}]`).hostname.slice(1, -1));
}
