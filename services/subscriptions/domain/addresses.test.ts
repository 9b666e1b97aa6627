import { describe, expect, test } from "vitest";
import { findAddressFault, isPublic, parseTarget } from "./addresses.ts";

const policy = { allowPrivate: false, ports: [443, 8443] };

describe("an address of a webhook", () => {
	test.each([
		"https://127.0.0.1/",
		"https://2130706433/",
		"https://0x7f000001/",
		"https://0177.0.0.1/",
		"https://0x7f.1/",
		"https://127.1/",
		"https://%31%32%37.0.0.1/",
		"https://１２７.0.0.1/",
		"https://127.0.0.1./",
		"https://0/",
		"https://0.0.0.0/",
		"https://10.0.0.1/",
		"https://172.16.0.1/",
		"https://192.168.1.1/",
		"https://3232235777/",
		"https://100.64.0.1/",
		"https://100.100.100.200/",
		"https://169.254.169.254/latest/meta-data/",
		"https://0xA9FEA9FE/",
		"https://168.63.129.16/",
		"https://192.0.0.192/",
		"https://198.18.0.1/",
		"https://192.0.2.1/",
		"https://224.0.0.1/",
		"https://240.0.0.1/",
		"https://255.255.255.255/",
		"https://[::1]/",
		"https://[::]/",
		"https://[::127.0.0.1]/",
		"https://[::ffff:127.0.0.1]/",
		"https://[::ffff:a9fe:a9fe]/",
		"https://[0:0:0:0:0:ffff:10.0.0.1]/",
		"https://[64:ff9b::127.0.0.1]/",
		"https://[64:ff9b:1::10.0.0.1]/",
		"https://[2002:7f00:1::]/",
		"https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
		"https://[fe80::1]/",
		"https://[fc00::1]/",
		"https://[fd00:ec2::254]/",
		"https://[fec0::1]/",
		"https://[ff02::1]/",
		"https://[2001:db8::1]/",
		"https://[100::1]/",
	])("%s is refused: it is not public", (url) => {
		expect(parseTarget(url, policy)).toMatch(/^is not a public address/);
	});

	test.each([
		["http://example.com/", "must begin with https://"],
		["ftp://example.com/", "must begin with https://"],
		["file:///etc/passwd", "must begin with https://"],
		["gopher://example.com/", "must begin with https://"],
		["example.com", "must be an address"],
		["", "must be an address"],
		["https://", "must be an address"],
		["https://me:secret@example.com/", "user or password"],
		["https://me@example.com/", "user or password"],
		["https://example.com/#part", "fragment"],
		["https://example.com:22/", "port 443 or 8443"],
		["https://example.com:80/", "port 443 or 8443"],
		["https://[fe80::1%25eth0]/", "must be an address"],
	])("%s is refused: it %s", (url, reason) => {
		expect(parseTarget(url, policy)).toContain(reason);
	});

	test.each([
		"https://example.com/hook?x=1",
		"https://example.com:8443/",
		"https://8.8.8.8/",
		"https://[2606:4700::1111]/",
	])("%s is taken", (url) => {
		expect(parseTarget(url, policy)).toMatchObject({ url: new URL(url) });
	});

	test("may be any http or https address if private ones are allowed", () => {
		const lifted = { ...policy, allowPrivate: true };
		expect(parseTarget("http://127.0.0.1:9020/", lifted)).toMatchObject({ host: "127.0.0.1", isIpAddress: true });
		expect(parseTarget("ftp://127.0.0.1/", lifted)).toContain("https://");
	});
});

describe("the addresses of a name", () => {
	test("are refused if one of them is not public or there is none", () => {
		expect(findAddressFault("example.com", ["8.8.8.8", "2606:4700::1111"], policy)).toBeUndefined();
		// The message omits the address, which would tell the caller about this network.
		for (const addresses of [["8.8.8.8", "10.0.0.1"], ["::ffff:169.254.169.254"]])
			expect(findAddressFault("example.com", addresses, policy)).toBe("example.com has an address that is not public");
		expect(findAddressFault("example.com", [], policy)).toContain("no address");
		expect(findAddressFault("example.com", ["10.0.0.1"], { ...policy, allowPrivate: true })).toBeUndefined();
	});

	test("are not public if they are invalid", () => {
		expect(isPublic("nonsense")).toBe(false);
		expect(isPublic("")).toBe(false);
	});
});
