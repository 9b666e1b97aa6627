/** Headers for browsers on every response, and more on pages: no frame around them, no script but ours, no guessing, no referrer. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../api/support/gateway.ts";

let gateway: TestGateway;
let behindTls: TestGateway;
beforeAll(async () => {
	const stripe = {
		STRIPE_SECRET_KEY: "sk_test_1",
		STRIPE_WEBHOOK_SECRET: "whsec_1",
		STRIPE_NETWORK_ID: "network_1",
		MPP_SECRET_KEY: "x".repeat(32),
		PUBLIC_URL: "https://energy.example.org",
	};
	gateway = await startGateway();
	behindTls = await startGateway({ settings: stripe });
});
afterAll(async () => {
	await gateway?.[Symbol.asyncDispose]();
	await behindTls?.[Symbol.asyncDispose]();
});

/** The policy of an answer, a directive a name. */
function policyOf({ headers }: Response): Record<string, string> {
	const directives = headers.get("content-security-policy")?.split("; ") ?? [];
	return Object.fromEntries(directives.map((one) => [one.split(" ", 1)[0], one.slice(one.indexOf(" ") + 1)]));
}

describe.each([
	["/docs", {}],
	["/docs/events", {}],
	["/register", { accept: "text/html" }],
	["/credits/paid", {}],
	["/credits/not-paid", {}],
])("the page %s", (path, headers) => {
	test("runs only this service's scripts, sends its form nowhere else and cannot be framed", async () => {
		const response = await behindTls.get(path, headers);
		expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
		const policy = policyOf(response);
		expect(policy).toMatchObject({ "default-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'" });
		expect(["'none'", "'self'"]).toContain(policy["form-action"]);
		for (const [directive, sources] of Object.entries(policy)) expect(sources, directive).not.toMatch(/unsafe|\*|http/);
		// The page has nothing that the policy forbids: JSON-LD is data, which no browser executes.
		const page = await response.text();
		expect(page).not.toMatch(
			/<script(?! type="application\/ld\+json">)(?![^>]* src="\/)|<style|\son\w+=|\sstyle=|javascript:|(src|href)="(https?:)?\/\//,
		);
	});
});

test.each([
	["an answer", "/favicon.svg"],
	["a document", "/openapi.json"],
	["what is not there", "/nothing"],
	["what is wrong", "/projects?nothing=1"],
	["a path that cannot be read", "/%ff"],
	["an address that is too long", `/projects?developer=${"x".repeat(9_000)}`],
	["headers that are too long", `/projects?developer=${"x".repeat(60_000)}`],
])("%s is not sniffed, cannot be framed, and sends no referrer", async (_what, path) => {
	const { headers } = await gateway.get(path);
	expect(Object.fromEntries(headers)).toMatchObject({
		"x-content-type-options": "nosniff",
		"referrer-policy": "no-referrer",
		"cross-origin-opener-policy": "same-origin",
		"content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
	});
	expect(headers.get("x-powered-by") ?? headers.get("server")).toBeNull();
});

test("HSTS is sent if callers use TLS, and not otherwise", async () => {
	for (const path of ["/docs", "/nothing"]) {
		expect((await behindTls.get(path)).headers.get("strict-transport-security")).toBe("max-age=31536000");
		expect((await gateway.get(path)).headers.get("strict-transport-security")).toBeNull();
	}
});
