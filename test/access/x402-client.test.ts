/** The x402 rail in a server: with a facilitator that comes late, and paid by the official client. */
import { createServer } from "node:http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { createLogger } from "#libs/service/logger.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import type { Rail } from "../../services/gateway/payments/rails/rail.ts";
import { openX402 } from "../../services/gateway/payments/rails/x402.ts";
import { eventually } from "../support/eventually.ts";
import { inProcessFacilitator, startFacilitator } from "../support/payments/facilitator.ts";
import { createToken } from "../support/payments/token.ts";
import { silent } from "../support/silent.ts";
import { chargeOf, errorOf, network, openShop, payTo, type Shop } from "./support/x402.ts";

/** The order of a paid call without a ledger: that is the gateway's. */
async function serve(rail: Rail): Promise<AsyncDisposable & { url: string }> {
	const server = createServer(async (request, response) => {
		const charge = chargeOf({ url: `http://${request.headers.host}${request.url}` });
		try {
			const credential = rail.read(request.headers);
			if (credential === undefined) {
				response.writeHead(402, (await rail.offer(charge))?.headers).end();
				return;
			}
			const { stored } = await rail.validate(credential, charge);
			const settlement = await rail.settle(stored, charge);
			if (settlement.outcome !== "settled") throw new AppError(402, settlement.reason);
			response.writeHead(200, settlement.headers).end("paid for");
		} catch (error) {
			response.writeHead(error instanceof AppError ? error.status : 500).end(String(error));
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const at = server.address();
	if (at === null || typeof at === "string") throw new Error("no port");
	return {
		url: `http://127.0.0.1:${at.port}`,
		[Symbol.asyncDispose]: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const payingFetch = ({ payer }: Pick<Shop, "payer">) =>
	wrapFetchWithPayment(fetch, new x402Client().register(network, new ExactEvmScheme(payer)));

it("the official client pays, gets its answer, and reads the receipt", async () => {
	await using shop = await openShop();
	await using server = await serve(shop.rail);
	const response = await payingFetch(shop)(`${server.url}/projects?state=TX`);
	expect(await response.text()).toBe("paid for");
	const receipt = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
	expect(receipt).toMatchObject({ success: true, transaction: shop.token.logs[0]?.transactionHash });
	expect(shop.token.balanceOf(payTo)).toBe(10_000n);
});

it("the official client without money is refused, and nothing moves", async () => {
	await using shop = await openShop();
	await using server = await serve(shop.rail);
	const payer = privateKeyToAccount(generatePrivateKey());
	const response = await payingFetch({ payer })(`${server.url}/projects`);
	expect(response.status).toBe(402);
	expect(shop.token.logs).toEqual([]);
});

it("a facilitator in the same process needs no HTTP", async () => {
	const token = createToken({ network });
	await using shop = await openShop();
	token.mint(shop.payer.address, 10_000n);
	await using rail = openX402({
		config: { ...shop.config, X402_FACILITATOR_URL: undefined },
		log: silent,
		facilitator: inProcessFacilitator(token),
	});
	await eventually(() => rail.offer(chargeOf()));
	await using server = await serve(rail);
	expect((await payingFetch(shop)(`${server.url}/projects`)).status).toBe(200);
	expect(token.balanceOf(payTo)).toBe(10_000n);
});

it("nothing is offered or taken while the facilitator is away; from when it answers on, everything is", async () => {
	await using shop = await openShop();
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

it("a facilitator that does not support the network is asked again, and nothing is offered", async () => {
	const token = createToken({ network: "eip155:8453" });
	await using facilitator = await startFacilitator({ token });
	await using shop = await openShop();
	const warnings: unknown[] = [];
	const log = { info() {}, warn: (about: unknown) => void warnings.push(about) };
	const config = { ...shop.config, X402_FACILITATOR_URL: facilitator.url };
	await using rail = openX402({ config, log, retryMs: 20 });
	await eventually(() => facilitator.asked.supported > 2);
	expect(await rail.offer(chargeOf())).toBeUndefined();
	expect(warnings[0]).toMatchObject({ fault: expect.stringContaining("does not support") });
});

it("the facilitator's token goes with every request, and into no log", async () => {
	const lines: string[] = [];
	const log = createLogger({ name: "x402", destination: { write: (line) => void lines.push(line) } });
	await using shop = await openShop();
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
