import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startGateway({ owner: null });
});
afterAll(() => gateway[Symbol.asyncDispose]());

test("the page and everything it names come from here", async () => {
	const page = await gateway.get("/docs");
	expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
	const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
	expect(named.length).toBeGreaterThan(3);
	for (const address of named) {
		expect(address).toMatch(/^\/docs\//);
		expect((await gateway.get(address)).status).toBe(200);
	}
	expect(await (await gateway.get("/docs/start.js")).text()).toContain('url: "/openapi.json"');
});

test("the page may load nothing from elsewhere and run nothing that is not a file of ours", async () => {
	const policy = (await gateway.get("/docs")).headers.get("content-security-policy");
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toMatch(/https?:|\*|unsafe/);
});

test("a browser that has the page's files does not load them again", async () => {
	const first = await gateway.get("/docs/swagger-ui-bundle.js");
	const again = await gateway.get("/docs/swagger-ui-bundle.js", { "if-none-match": first.headers.get("etag") ?? "" });
	expect(again.status).toBe(304);
});

test("no other file of the package is served", async () => {
	for (const file of ["package.json", "index.html", "..%2fpackage.json"])
		expect((await gateway.get(`/docs/${file}`)).status).toBe(404);
});
