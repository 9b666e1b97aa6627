/** The x402 rail by itself: what it offers, what it can read, and what it needs of a facilitator, which is the official one without a chain. */
import { validateDiscoveryExtension } from "@x402/extensions/bazaar";
import { appendPaymentIdentifierToExtensions } from "@x402/extensions/payment-identifier";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { createLogger } from "#libs/service/logger.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { openX402 } from "../../services/gateway/payments/rails/x402.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { eventually } from "../support/eventually.ts";
import { inProcessFacilitator, startFacilitator } from "../support/payments/facilitator.ts";
import { createToken } from "../support/payments/token.ts";
import { silent } from "../support/silent.ts";
import { chargeOf, type Editable, errorOf, network, openShop, payTo, type Shop } from "./support/x402.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

describe("an offer", () => {
	it("states the price in the network's USDC, in header and body alike", async () => {
		const offer = await shop.rail.offer(chargeOf({ amountMicroUsd: 50_000 }));
		const required = await shop.required(chargeOf({ amountMicroUsd: 50_000 }));
		expect(offer?.body).toEqual(required);
		expect(required).toMatchObject({
			x402Version: 2,
			resource: { url: "https://data.example/projects?state=TX", mimeType: "application/json" },
			accepts: [
				{
					scheme: "exact",
					network,
					amount: "50000",
					asset: shop.token.address,
					payTo,
					extra: { name: "USDC", version: "2" },
				},
			],
			extensions: { "payment-identifier": { info: { required: false } } },
		});
	});

	it("sends no request", async () => {
		const before = { ...shop.facilitator.asked };
		await shop.required(chargeOf({ amountMicroUsd: 70_000 }));
		await shop.required(chargeOf({ amountMicroUsd: 70_000 }));
		expect(shop.facilitator.asked).toEqual(before);
	});

	it("describes every priced operation for indexers, within 6 KB", async () => {
		for (const { name, http } of httpOperations().filter((one) => one.http.price !== "free")) {
			const charge = chargeOf({ operation: name, route: http.path, amountMicroUsd: priceMicroUsd[http.price] });
			const header = (await shop.rail.offer(charge))?.headers["PAYMENT-REQUIRED"] ?? "";
			expect(header.length, name).toBeLessThan(6_144);
			const { extensions = {} } = await shop.required(charge);
			const bazaar = extensions.bazaar as Parameters<typeof validateDiscoveryExtension>[0];
			expect(validateDiscoveryExtension(bazaar), name).toEqual({ valid: true });
			const { input, output } = bazaar.schema.properties;
			expect(input.properties, name).toHaveProperty(http.method === "POST" ? "body" : "queryParams.properties");
			expect(output?.properties, name).toHaveProperty("example.type");
		}
		const { extensions = {} } = await shop.required(chargeOf({ operation: "getProject" }));
		expect(extensions.bazaar).toMatchObject({ routeTemplate: "/projects/:project_id" });
	});

	it("names the first optional parameters of an operation with many, and where to find the others", async () => {
		const { extensions = {} } = await shop.required(chargeOf({ operation: "listProjects" }));
		const { schema } = extensions.bazaar as {
			schema: { properties: { input: { properties: { queryParams: { description: string; properties: object } } } } };
		};
		const { description, properties } = schema.properties.input.properties.queryParams;
		const left = Object.keys(operations.listProjects.params.shape).length - 20;
		expect(description).toBe(`${left} more optional parameters are in /openapi.json`);
		expect(Object.keys(properties)).toEqual(Object.keys(operations.listProjects.params.shape).slice(0, 20));
	});

	it("omits the query of a very long address", async () => {
		const url = `https://data.example/projects?developer=${"x".repeat(3_000)}`;
		expect((await shop.required(chargeOf({ url }))).resource.url).toBe("https://data.example/projects");
	});
});

describe("reading a credential", () => {
	it("finds the credential in its header only", () => {
		expect(shop.rail.read({ "payment-signature": "abc" })).toBe("abc");
		expect(shop.rail.read({ authorization: "Payment abc" })).toBeUndefined();
	});

	it.each([
		["sent twice, joined by Node.js", { "payment-signature": "abc, abc" }, /more than once/],
		["sent twice, as a list", { "payment-signature": ["abc", "def"] }, /more than once/],
		["empty", { "payment-signature": "" }, /empty/],
		["of version 1", { "x-payment": "abc" }, /version 2/],
	])("is 400 for one that is %s", async (_, headers, reason) => {
		const error = await errorOf(() => shop.rail.read(headers));
		expect(error.status).toBe(400);
		expect(error.message).toMatch(reason);
	});

	const broken = (edit: (payload: Editable) => unknown) => () => shop.pay({ edit });
	it.each<[string, () => string | Promise<string>]>([
		["no base64", () => "%%%"],
		["base64 of no JSON", () => Buffer.from("pay me").toString("base64")],
		["JSON of no object", () => base64(7)],
		["deep beyond measure", () => Buffer.from(`${"[".repeat(4_000)}${"]".repeat(4_000)}`).toString("base64")],
		["longer than any payload", () => base64({ x402Version: 2, filler: "x".repeat(12_000) })],
		["of version 1", broken((payload) => Object.assign(payload, { x402Version: 1 }))],
		["without an authorization", broken((payload) => Object.assign(payload, { payload: { signature: "0x00" } }))],
		["with a second way to charge", broken(({ payload }) => Object.assign(payload, { permit2Authorization: {} }))],
		[
			"with an amount in hexadecimal",
			broken(({ payload }) => Object.assign(payload.authorization, { value: "0x2710" })),
		],
		[
			"with an amount of leading zeros",
			broken(({ payload }) => Object.assign(payload.authorization, { value: "010000" })),
		],
		["with a short nonce", broken(({ payload }) => Object.assign(payload.authorization, { nonce: "0x01" }))],
		["with deep terms", broken(({ accepted }) => Object.assign(accepted, { amount: [[["10000"]]] }))],
	])("is 400 for a credential that is %s", async (_, make) => {
		const credential = await make();
		const error = await errorOf(() => shop.rail.identifierOf(credential));
		expect(error.status).toBe(400);
		expect((await errorOf(() => shop.rail.validate(credential, chargeOf()))).status).toBe(400);
		expect((await errorOf(() => shop.rail.claimOf(credential))).status).toBe(400);
	});

	it("reads the official client's payment identifier, and none if only the offer is repeated", async () => {
		const id = "pay_0123456789abcdef";
		const named = await shop.pay({
			edit: ({ extensions }) => void appendPaymentIdentifierToExtensions(extensions, id),
		});
		expect(shop.rail.identifierOf(named)).toBe(id);
		expect(shop.rail.identifierOf(await shop.pay())).toBeNull();
		expect(
			shop.rail.identifierOf(await shop.pay({ edit: (payload) => Object.assign(payload, { extensions: {} }) })),
		).toBeNull();
	});

	it.each([
		["x".repeat(15)],
		["x".repeat(129)],
		["with spaces and more"],
		[12_345_678_901_234],
		[null],
		["päyment-identifier-1"],
	])("is 400 for the identifier %s", async (id) => {
		const edit = ({ extensions }: Editable) =>
			void Object.assign(extensions, { "payment-identifier": { info: { id } } });
		const credential = await shop.pay({ edit });
		expect((await errorOf(() => shop.rail.identifierOf(credential))).status).toBe(400);
	});
});

describe("a facilitator", () => {
	it("that is in the same process is used without HTTP", async () => {
		const token = createToken({ network });
		token.mint(shop.payer.address, 10_000n);
		const config = { ...shop.config, X402_FACILITATOR_URL: undefined };
		await using rail = openX402({ config, log: silent, facilitator: inProcessFacilitator(token) });
		await eventually(() => rail.offer(chargeOf()));
		const { stored } = await rail.validate(await shop.pay(), chargeOf());
		expect(await rail.settle(stored, chargeOf())).toMatchObject({ outcome: "settled" });
		expect(token.balanceOf(payTo)).toBe(10_000n);
	});

	it("that is unavailable offers and accepts nothing until it responds", async () => {
		const port = await freePort();
		const config = { ...shop.config, X402_FACILITATOR_URL: `http://127.0.0.1:${port}` };
		const warnings: unknown[] = [];
		const log = { info() {}, warn: (about: unknown) => void warnings.push(about) };
		await using rail = openX402({ config, log, retryMs: 20 });
		expect(await rail.offer(chargeOf())).toBeUndefined();
		const error = await errorOf(async () => rail.validate(await shop.pay(), chargeOf()));
		expect(error.status).toBe(503);
		await eventually(() => warnings.length > 1);
		expect(warnings[0]).toMatchObject({ fault: "TypeError ECONNREFUSED" });

		await using facilitator = await startFacilitator({ token: shop.token, port });
		expect(facilitator.asked.verify).toBe(0);
		await eventually(() => rail.offer(chargeOf()));
		await expect(rail.validate(await shop.pay(), chargeOf())).resolves.toBeDefined();
	});

	it("that does not support the network is checked again, and nothing is offered", async () => {
		const token = createToken({ network: "eip155:8453" });
		await using facilitator = await startFacilitator({ token });
		const warnings: unknown[] = [];
		const log = { info() {}, warn: (about: unknown) => void warnings.push(about) };
		const config = { ...shop.config, X402_FACILITATOR_URL: facilitator.url };
		await using rail = openX402({ config, log, retryMs: 20 });
		await eventually(() => facilitator.asked.supported > 2);
		expect(await rail.offer(chargeOf())).toBeUndefined();
		expect(warnings[0]).toMatchObject({ fault: expect.stringContaining("does not support") });
	});

	it("receives its token with every request, and the token is not logged", async () => {
		const lines: string[] = [];
		const log = createLogger({ name: "x402", destination: { write: (line) => void lines.push(line) } });
		await using rail = openX402({ config: { ...shop.config, X402_FACILITATOR_TOKEN: "quite-secret" }, log });
		await eventually(() => rail.offer(chargeOf()));
		shop.facilitator.authorizations.length = 0;
		const { stored } = await rail.validate(await shop.pay(), chargeOf());
		await rail.settle(stored, chargeOf());
		shop.facilitator.faults.verify.push("error");
		await errorOf(async () => rail.validate(await shop.pay(), chargeOf()));
		expect(shop.facilitator.authorizations).toEqual(Array(3).fill("Bearer quite-secret"));
		expect(lines.length).toBeGreaterThan(1);
		expect(lines.join()).not.toContain("quite-secret");
	});
});
