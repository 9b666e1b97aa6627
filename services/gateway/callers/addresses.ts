/** Addresses of callers: the units that limits count, loopback addresses, and trusted proxies. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";

/** Where a request comes from, as limits count it. */
export interface ClientAddress {
	address: string;
	loopback: boolean;
}

/** Parsed addresses of recent callers, because parsing takes time on each request. */
const parsedAddresses = new LRUCache<string, ClientAddress>({ max: 10_000 });
/** Longest value that is cached. A proxy can send anything as an address. */
const longest = 64;

/** Parses an IP address from the socket or a trusted proxy. Never throws. */
export function clientAddress(ip: string): ClientAddress {
	const known = parsedAddresses.get(ip);
	if (known !== undefined) return known;
	const client = { address: countedAddress(ip), loopback: isLoopback(ip) };
	if (ip.length <= longest) parsedAddresses.set(ip, client);
	return client;
}

/** The address of a request. A local proxy that is not configured as trusted must not make all its callers local. */
export function requestAddress({ ip, headers }: { ip: string; headers: IncomingHttpHeaders }): ClientAddress {
	const client = clientAddress(ip);
	const passedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
	return client.loopback && passedOn ? { ...client, loopback: false } : client;
}

/**
 * The unit by which limits count: an IPv4 address, also one mapped into IPv6, or the /64 of an IPv6 address, which one customer has.
 * Anything else, which a proxy can send, is "unknown". Never throws.
 */
export function countedAddress(ip: string): string {
	const plain = plainAddress(ip);
	if (plain === undefined) return "unknown";
	if (isIPv4(plain)) return plain;
	const groups = groupsOf(plain);
	return (
		mappedIPv4(groups) ??
		`${groups
			.slice(0, 4)
			.map((group) => group.toString(16))
			.join(":")}::/64`
	);
}

/** The network that providers assign to one customer or office: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export const networkOf = (ip: string): string => networkOfAddress(countedAddress(ip));

/** `address` is a result of `countedAddress`. */
export function networkOfAddress(address: string): string {
	if (address === "unknown") return address;
	return isIPv4(address) ? address.replace(/\d+$/, "0/24") : `${address.split(":", 3).join(":")}::/48`;
}

export function isLoopback(ip: string): boolean {
	const plain = plainAddress(ip);
	if (plain === undefined) return false;
	const groups = isIPv6(plain) ? groupsOf(plain) : [];
	const ipv4 = isIPv4(plain) ? plain : mappedIPv4(groups);
	if (ipv4 !== undefined) return ipv4.startsWith("127.");
	return groups.at(-1) === 1 && groups.slice(0, -1).every((group) => group === 0);
}

/**
 * Addresses and networks (CIDR), separated by commas, whose `X-Forwarded-For` is trusted, in the form of Fastify's `trustProxy`. @throws
 * Error with a readable message, also for a network that contains every address
 */
export function parseProxies(text: string): string[] {
	const entries = text.split(",").map((entry) => entry.trim());
	return entries.filter((entry) => entry !== "").map(checkProxy);
}

/** Whether an address is a proxy's and not a caller's. */
export function isAmong(proxies: readonly string[]): (ip: string) => boolean {
	const list = new BlockList();
	for (const entry of proxies) {
		const [address = "", prefix] = entry.split("/");
		const family = isIPv4(address) ? "ipv4" : "ipv6";
		if (prefix === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(prefix), family);
	}
	return (ip) => {
		const plain = plainAddress(ip);
		if (plain === undefined) return false;
		const ipv4 = isIPv4(plain) ? plain : mappedIPv4(groupsOf(plain));
		return ipv4 === undefined ? list.check(plain, "ipv6") : list.check(ipv4, "ipv4");
	};
}

/** The nearest address that is not a proxy's, as Fastify finds it, for a request that Fastify refused before it did. */
export function callerBehind(isProxy: (ip: string) => boolean, { socket, headers }: IncomingMessage): string {
	const passedOn = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
	const hops = [...passedOn.map((hop) => hop.trim()).filter((hop) => hop !== ""), socket.remoteAddress ?? ""];
	return hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? "";
}

function checkProxy(entry: string): string {
	const [address = "", prefix, ...rest] = entry.split("/");
	const family = isIP(address);
	const refuse = (reason: string) => new Error(`"${entry}" ${reason}`);
	if (family === 0 || address.includes("%") || rest.length > 0) {
		throw refuse("is neither an IP address nor a network such as 10.0.0.0/8");
	}
	if (prefix === undefined) return entry;
	if (!/^\d{1,3}$/.test(prefix)) throw refuse("has no number of bits after its slash");
	if (Number(prefix) === 0) throw refuse("contains every address: any caller could then claim the address of another");
	try {
		new BlockList().addSubnet(address, Number(prefix), family === 4 ? "ipv4" : "ipv6");
	} catch {
		throw refuse("has more bits after its slash than an address has");
	}
	return entry;
}

/** Removes zone, brackets and port, which some proxies add. */
function plainAddress(ip: string): string | undefined {
	const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip) ?? [];
	const [plain = ""] = (bracketed ?? withPort ?? ip).split("%", 1);
	return isIP(plain) === 0 ? undefined : plain;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(ip: string): number[] {
	const hex = ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
		const bytes = [a, b, c, d].map(Number) as [number, number, number, number];
		return `${((bytes[0] << 8) | bytes[1]).toString(16)}:${((bytes[2] << 8) | bytes[3]).toString(16)}`;
	});
	const numbers = (text: string | undefined) =>
		text === undefined || text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
	const [before, after] = hex.split("::");
	const [head, tail] = [numbers(before), numbers(after)];
	return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function mappedIPv4(groups: number[]): string | undefined {
	const [high = 0, low = 0] = groups.slice(6);
	if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return undefined;
	return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
