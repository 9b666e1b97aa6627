/** Documents that clients look for: prices, manifest, interface, icon. */
import {
	checkFavicon,
	checkL2ForOpenAPI,
	checkL4ForOpenAPI,
	getOpenAPI,
	getWarningsForL2,
	getWarningsForL4,
	getWarningsForOpenAPI,
} from "@agentcash/discovery";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startGateway({ owner: null, settings: { CONTACT: "data@example.com" } });
});
afterAll(() => gateway[Symbol.asyncDispose]());

test("prices are shown to any caller, even while no service responds", async () => {
	const response = await gateway.get("/pricing-info");
	expect(response.status).toBe(200);
	const info = operations.getPricingInfo.reply.parse(await response.json());
	expect(info.endpoints.standard.endpoints).toContain("GET /projects");
	expect(info.rails_enabled).toEqual({ x402: false, mpp: false, card: false });
	expect(info.notes[0]).toContain("charges nothing");
});

test("the manifest links to the form, and names the plans and the operator", async () => {
	const manifest = operations.getManifest.reply.parse(await (await gateway.get("/")).json());
	expect(manifest).toMatchObject({
		links: { register: "/register" },
		plans: ["Free", "Growth", "Scale", "Enterprise"],
		contact: "data@example.com",
	});
});

test.each(["/favicon.ico", "/favicon.svg"])("%s is an image", async (path) => {
	const response = await gateway.get(path);
	expect(response.headers.get("content-type")).toBe("image/svg+xml");
	expect(await response.text()).toMatch(/^<svg /);
	const head = await fetch(gateway.url + path, { method: "HEAD" });
	expect([head.status, head.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
});

test("a registry of agents finds the document, a contact, guidance and an icon", async () => {
	const document = (await getOpenAPI(gateway.url))._unsafeUnwrap();
	if (document === null || !("routes" in document)) throw new Error("the document was not found, or not understood");
	expect(getWarningsForOpenAPI(document)).toEqual([]);
	expect(document.info.contactEmail).toBe("data@example.com");
	expect(getWarningsForL4(checkL4ForOpenAPI(document))).toEqual([]);
	expect((await checkFavicon(gateway.url))._unsafeUnwrap()).toBe(true);
	const faults = getWarningsForL2(checkL2ForOpenAPI(document)).map(({ code }) => code);
	expect(faults.filter((code) => code !== "L2_ROUTE_COUNT_HIGH" && code !== "L2_NO_PAID_ROUTES")).toEqual([]);
});

test("a page of another site may read the headers that it needs to pay", async () => {
	const exposed = (await gateway.get("/pricing-info")).headers.get("access-control-expose-headers")?.split(", ");
	const paying = ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "Payment-Receipt", "WWW-Authenticate"];
	expect(exposed).toEqual(expect.arrayContaining([...paying, "RateLimit", "RateLimit-Policy", "Retry-After"]));
	const preflight = await fetch(`${gateway.url}/projects`, { method: "OPTIONS" });
	const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
	expect(allowed).toEqual(expect.arrayContaining(["Authorization", "Content-Type", "PAYMENT-SIGNATURE", "X-API-Key"]));
});
