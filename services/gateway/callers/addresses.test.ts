import type { IncomingMessage } from "node:http";
import { describe, expect, it, test } from "vitest";
import { clientBehindProxies, countedAddress, isLoopback, networkOf, parseProxies, proxyMatcher } from "./addresses.ts";

describe("a caller's address", () => {
	it.each([
		["192.0.2.1", "192.0.2.1"],
		["::ffff:192.0.2.1", "192.0.2.1"],
		["::ffff:c000:201", "192.0.2.1"],
		["0:0:0:0:0:FFFF:192.0.2.1", "192.0.2.1"],
		["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
		["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
		["2001:db8::1", "2001:db8:0:0::/64"],
		["::1", "0:0:0:0::/64"],
		["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
		["fe80::1%eth0", "fe80:0:0:0::/64"],
		["192.0.2.1:4711", "192.0.2.1"],
		["[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
		["unknown", "unknown"],
		["", "unknown"],
		["127.1", "unknown"],
	])("%s counts as %s", (ip, counted) => {
		expect(countedAddress(ip)).toBe(counted);
	});

	it("is the same for all addresses of one network, and differs for the next", () => {
		expect(countedAddress("2001:db8:0:1:ffff:ffff:ffff:ffff")).toBe(countedAddress("2001:db8:0:1::"));
		expect(countedAddress("2001:db8:0:2::")).not.toBe(countedAddress("2001:db8:0:1::"));
	});
});

test.each([
	["192.0.2.1", "192.0.2.0/24"],
	["::ffff:192.0.2.1", "192.0.2.0/24"],
	["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
	["2001:db8::1", "2001:db8:0::/48"],
	["unknown", "unknown"],
])("%s belongs to the network %s", (ip, network) => {
	expect(networkOf(ip)).toBe(network);
});

describe("loopback", () => {
	it.each(["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"])(
		"is %s",
		(ip) => {
			expect(isLoopback(ip)).toBe(true);
		},
	);

	it.each(["128.0.0.1", "10.0.0.1", "::", "::2", "1::1", "::ffff:10.0.0.1", "::127.0.0.1", "localhost", "127.1", ""])(
		"is not %s",
		(ip) => {
			expect(isLoopback(ip)).toBe(false);
		},
	);
});

describe("trusted proxies", () => {
	it("are addresses and networks, separated by commas", () => {
		expect(parseProxies("10.0.0.0/8, 192.0.2.1,2001:db8::/32 , ::1")).toEqual([
			"10.0.0.0/8",
			"192.0.2.1",
			"2001:db8::/32",
			"::1",
		]);
		expect(parseProxies(" ")).toEqual([]);
	});

	it.each([
		"loopback",
		"true",
		"10.0.0.0/33",
		"2001:db8::/129",
		"10.0.0.0/",
		"10.0.0.0/-1",
		"10.0.0.0/8/8",
		"10.0.0",
		"fe80::1%eth0",
		"0.0.0.0/0",
		"::/0",
		"10.0.0.0/00",
	])("are not %s", (text) => {
		expect(() => parseProxies(`192.0.2.1,${text}`)).toThrow(text);
	});
});

describe("a trusted proxy", () => {
	const isProxy = proxyMatcher(parseProxies("10.0.0.0/8, 192.0.2.1, 2001:db8::/32"));

	it.each([
		["10.1.2.3", true],
		["::ffff:10.1.2.3", true],
		["192.0.2.1", true],
		["192.0.2.2", false],
		["2001:db8::7", true],
		["2001:db9::7", false],
		["", false],
		["nonsense", false],
	])("is recognised by its address: %s, %s", (ip, named) => {
		expect(isProxy(ip)).toBe(named);
	});

	it.each([
		["198.51.100.1", undefined, "198.51.100.1"],
		["198.51.100.1", "203.0.113.1", "198.51.100.1"],
		["10.0.0.1", "203.0.113.1", "203.0.113.1"],
		["10.0.0.1", "203.0.113.9, 203.0.113.1 , 10.0.0.2", "203.0.113.1"],
		["10.0.0.1", "10.0.0.3", "10.0.0.3"],
		["10.0.0.1", undefined, "10.0.0.1"],
	])("is skipped to find the caller: from %s, for %s", (remoteAddress, passedOn, caller) => {
		const headers = passedOn === undefined ? {} : { "x-forwarded-for": passedOn };
		expect(clientBehindProxies(isProxy, { socket: { remoteAddress }, headers } as IncomingMessage)).toBe(caller);
	});
});
