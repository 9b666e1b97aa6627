/** Addresses of callers: the units that limits count, loopback addresses, and trusted proxies. */
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
/** Longest address that is cached (characters). A proxy can send anything as an address. */
const longestCached = 64;

/** Parses an IP address from the socket or a trusted proxy. Never throws. */
export function clientAddress(ip: string): ClientAddress {
	const known = parsedAddresses.get(ip);
	if (known !== undefined) return known;
	const client = { address: countedAddress(ip), loopback: isLoopback(ip) };
	if (ip.length <= longestCached) parsedAddresses.set(ip, client);
	return client;
}

/** The client address of a request. A forwarded request is not local, even if a local proxy that is not configured as trusted sent it. */
export function requestAddress({ ip, headers }: { ip: string; headers: IncomingHttpHeaders }): ClientAddress {
	const client = clientAddress(ip);
	const passedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
	return client.loopback && passedOn ? { ...client, loopback: false } : client;
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

/** The network that providers assign to one customer or office: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (ip: string): string => networkOfAddress(countedAddress(ip));

/** `address` is a result of `countedAddress`. */
export function networkOfAddress(address: string): string {
	if (address === "unknown") return address;
	return isIPv4(address) ? address.replace(/\d+$/, "0/24") : `${address.split(":", 3).join(":")}::/48`;
}

export const isLoopback = (ip: string): boolean => parseAddress(ip)?.range() === "loopback";

/**
 * Parses the addresses and networks (CIDR), separated by commas, whose `X-Forwarded-For` is trusted, for Fastify's `trustProxy`. @throws
 * Error for an invalid entry, and for a network that contains every address
 */
export function parseProxies(text: string): string[] {
	const entries = text.split(",").map((entry) => entry.trim());
	return entries.filter((entry) => entry !== "").map(checkProxy);
}

/** @returns a function that checks whether an address is a proxy's */
export function isAmong(proxies: readonly string[]): (ip: string) => boolean {
	const networks = proxies.map((entry) =>
		ipaddr.parseCIDR(entry.includes("/") ? entry : `${entry}/${isIPv4(entry) ? 32 : 128}`),
	);
	return (ip) => {
		const parsed = parseAddress(ip);
		return parsed !== undefined && ipaddr.subnetMatch(parsed, { proxy: networks }, "caller") === "proxy";
	};
}

/** The nearest address that is not a proxy's, for a request that Fastify refused before it determined the address the same way. */
export function callerBehind(isProxy: (ip: string) => boolean, { socket, headers }: IncomingMessage): string {
	const passedOn = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
	const hops = [...passedOn.map((hop) => hop.trim()).filter((hop) => hop !== ""), socket.remoteAddress ?? ""];
	return hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? "";
}

function checkProxy(entry: string): string {
	const [address = "", prefix, ...rest] = entry.split("/");
	const refuse = (reason: string) => new Error(`"${entry}" ${reason}`);
	if (isIP(address) === 0 || address.includes("%") || rest.length > 0)
		throw refuse("is neither an IP address nor a network such as 10.0.0.0/8");
	if (prefix === undefined) return entry;
	if (!/^\d{1,3}$/.test(prefix)) throw refuse("must have a number of bits after its slash");
	if (Number(prefix) === 0) throw refuse("contains every address: any caller could then claim the address of another");
	if (!ipaddr.isValidCIDR(entry)) throw refuse("has more bits after its slash than an address has");
	return entry;
}

/** Removes zone, brackets and port, which some proxies add. An IPv4 address that is mapped into IPv6 is returned as itself. */
function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
	const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip) ?? [];
	const [plain = ""] = (bracketed ?? withPort ?? ip).split("%", 1);
	if (isIP(plain) === 0) return undefined;
	// `URL` writes IPv6 in hexadecimal: the package would read the deprecated `::127.0.0.1` as a mapped address.
	return ipaddr.process(isIPv4(plain) ? plain : new URL(`http://[${plain}]`).hostname.slice(1, -1));
}
