/** Charging by x402: what is known of a charge, and finding out what is not. */
import { decodePaymentResponseHeader } from "@x402/core/http";
import type { Hex } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Settlement } from "../../services/gateway/payments/rails/rail.ts";
import { openX402 } from "../../services/gateway/payments/rails/x402.ts";
import { eventually } from "../support/eventually.ts";
import type { Fault } from "../support/payments/facilitator.ts";
import { silent } from "../support/silent.ts";
import { authorizationOf, chargeOf, network, openShop, payTo, type Shop } from "./support/x402.ts";

let shop: Shop;
beforeEach(async () => {
	shop = await openShop();
});
afterEach(() => shop[Symbol.asyncDispose]());

/** A payment that was checked and is claimed. */
async function claimed(of = shop): Promise<{ stored: string; nonce: Hex; validBefore: number }> {
	const credential = await of.pay();
	const { nonce, validBefore } = authorizationOf(credential);
	const { stored } = await of.rail.validate(credential, chargeOf());
	return { stored, nonce, validBefore: Number(validBefore) };
}

const earned = (of = shop) => of.token.balanceOf(payTo);
const receiptIn = (settlement: Settlement) =>
	decodePaymentResponseHeader("headers" in settlement ? (settlement.headers["PAYMENT-RESPONSE"] ?? "") : "");
const transferTo = (to: Hex) => ({ from: shop.payer.address, to, value: 10_000n });
const elsewhere = "0x2222222222222222222222222222222222222222";
const later = (seconds: number, of = shop) => {
	of.clock.ms += seconds * 1000;
};

describe("a charge", () => {
	it("transfers the price once, and its receipt names the transaction", async () => {
		const { stored } = await claimed();
		const settlement = await shop.rail.settle(stored, chargeOf());
		const transaction = shop.token.logs[0]?.transactionHash;
		expect(settlement).toMatchObject({ outcome: "settled", reference: transaction });
		expect(receiptIn(settlement)).toEqual({ success: true, transaction, network, payer: shop.payer.address });
		expect(earned()).toBe(10_000n);
		expect(receiptIn({ outcome: "settled", reference: "", headers: shop.rail.receipt(`${transaction}`) })).toEqual({
			success: true,
			transaction,
			network,
		});
	});

	it.each<Fault>(["refuse", "refuse-400"])(
		"that is refused (%s) transfers nothing, and its receipt states so",
		async (fault) => {
			const { stored } = await claimed();
			shop.facilitator.faults.settle.push(fault);
			const settlement = await shop.rail.settle(stored, chargeOf());
			expect(settlement).toMatchObject({ outcome: "failed", reason: "the payer's balance is too low" });
			expect(receiptIn(settlement)).toMatchObject({ success: false, transaction: "" });
		},
	);

	it.each<Fault>(["error", "refuse-500", "drop", "lost", "pending", "contradict"])(
		"whose request ends in %s is unknown, and sent once",
		async (fault) => {
			const { stored } = await claimed();
			shop.facilitator.faults.settle.push(fault);
			expect((await shop.rail.settle(stored, chargeOf())).outcome).toBe("unknown");
			expect(shop.facilitator.asked.settle).toBe(1);
		},
	);

	it.each<Fault>(["hang", "late"])("whose request is %s is unknown after the time-out", async (fault) => {
		const { stored } = await claimed();
		shop.facilitator.faults.settle.push(fault);
		await using hasty = openX402({ config: { ...shop.config, X402_TIMEOUT_MS: 100 }, log: silent });
		expect(await hasty.settle(stored, chargeOf())).toEqual({ outcome: "unknown", reason: "timeout" });
	});

	it("of an authorization that another party has sent is unknown, then settled by that transaction", async () => {
		const { stored, nonce } = await claimed();
		const reference = shop.token.spend([{ nonce, transfer: transferTo(payTo) }]);
		expect((await shop.rail.settle(stored, chargeOf())).outcome).toBe("unknown");
		expect(await shop.rail.reconcile(stored, 5)).toMatchObject({ outcome: "settled", reference });
		expect(earned()).toBe(10_000n);
	});

	it("of an unreadable stored payment is unknown", async () => {
		for (const stored of ["", "{}", "null", '{"paymentPayload":{}}']) {
			expect((await shop.rail.settle(stored, chargeOf())).outcome).toBe("unknown");
			expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("unknown");
		}
	});
});

describe("a charge without a response", () => {
	it.each<Fault>(["late", "lost", "pending"])(
		"that was %s is found on the chain and not charged again",
		async (fault) => {
			const { stored, nonce } = await claimed();
			shop.facilitator.faults.settle.push(fault);
			await using hasty = openX402({
				config: { ...shop.config, X402_TIMEOUT_MS: 1_000 },
				log: silent,
			});
			await hasty.settle(stored, chargeOf());
			await eventually(() => shop.token.isUsed(shop.payer.address, nonce));
			const before = shop.facilitator.asked.settle;
			const reference = shop.token.logs[0]?.transactionHash;
			expect(await shop.rail.reconcile(stored, 60)).toMatchObject({ outcome: "settled", reference });
			expect(shop.facilitator.asked.settle).toBe(before);
			expect(earned()).toBe(10_000n);
		},
	);

	it("is found however many blocks have passed", async () => {
		const { stored } = await claimed();
		await shop.rail.settle(stored, chargeOf());
		later(20_000);
		expect((await shop.rail.reconcile(stored, 20_000)).outcome).toBe("settled");
		const { stored: newest } = await claimed();
		await shop.rail.settle(newest, chargeOf());
		expect((await shop.rail.reconcile(newest, 20_000)).outcome).toBe("settled");
	});

	it("that never arrived remains unknown until it expires on the chain, then fails, and is never charged", async () => {
		const { stored, validBefore } = await claimed();
		shop.facilitator.faults.settle.push("drop");
		await shop.rail.settle(stored, chargeOf());
		const before = shop.facilitator.asked.settle;
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("unknown");
		shop.clock.ms = (validBefore + 30) * 1000;
		expect((await shop.rail.reconcile(stored, 330)).outcome).toBe("unknown");
		shop.clock.ms = (validBefore + 70) * 1000;
		expect(await shop.rail.reconcile(stored, 370)).toMatchObject({ outcome: "failed", reason: /expired/ });
		expect(shop.facilitator.asked.settle).toBe(before);
		expect(earned()).toBe(0n);
	});

	it("whose authorization its payer cancelled has failed", async () => {
		const { stored, nonce } = await claimed();
		shop.token.cancelAuthorization(shop.payer.address, nonce);
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("failed");
	});

	it("whose authorization was spent on another payee has failed", async () => {
		const { stored, nonce } = await claimed();
		shop.token.spend([{ nonce, transfer: transferTo(elsewhere) }]);
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("failed");
	});

	it("is not settled by the transfer of another payment in the same transaction", async () => {
		const { stored, nonce } = await claimed();
		const another = await claimed();
		shop.token.spend([
			{ nonce: another.nonce, transfer: transferTo(payTo) },
			{ nonce, transfer: transferTo(elsewhere) },
		]);
		expect((await shop.rail.reconcile(another.stored, 60)).outcome).toBe("settled");
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("unknown");
		expect(shop.logged.join()).toContain("an operator must investigate");
	});

	it("remains unknown while the node does not respond", async () => {
		const { stored } = await claimed();
		await shop.rail.settle(stored, chargeOf());
		shop.facilitator.faults.rpc.push("error");
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("unknown");
		expect((await shop.rail.reconcile(stored, 60)).outcome).toBe("settled");
	});
});
