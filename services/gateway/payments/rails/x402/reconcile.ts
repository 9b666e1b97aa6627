/** Finding out what became of a charge without an answer. What may have been charged is never given back. */
import type { Logger } from "#libs/service/logger.ts";
import type { Settlement } from "../rail.ts";
import type { readChain } from "./chain.ts";
import { failed, type Stored, settled } from "./charge.ts";
import { faultOf } from "./reasons.ts";

export interface ReconcileOptions {
	askChain: ReturnType<typeof readChain>;
	log: Pick<Logger, "warn">;
}

const unknown = (reason: string): Settlement => ({ outcome: "unknown", reason });

/** Never throws. */
export async function reconcile(stored: Stored, ageSeconds: number, options: ReconcileOptions): Promise<Settlement> {
	const { askChain, log } = options;
	try {
		const { asset } = stored.paymentRequirements as { asset: `0x${string}` };
		const fate = await askChain({ asset, authorization: stored.paymentPayload.payload.authorization, ageSeconds });
		switch (fate.kind) {
			case "paid":
				return settled(stored, fate.transaction);
			case "spent otherwise":
				return failed(
					stored,
					"authorization_spent_otherwise",
					"the authorization was cancelled or spent on something else",
				);
			case "expired":
				return failed(stored, "authorization_expired_unused", "the authorization expired before it was charged");
			case "open":
				// It is not charged again: the caller may no longer wait for the answer. In a few minutes it cannot be charged at all.
				return unknown("the authorization is not used, and can still be");
			case "unclear":
				log.warn(
					{ rail: "x402", ...named(stored) },
					"a charge was used for what is not to be found: an operator must look",
				);
				return unknown("the authorization is used, and what for is not to be found");
		}
	} catch (error) {
		return unknown(`the chain does not answer: ${faultOf(error)}`);
	}
}

/** By which an operator finds it on the chain. Neither is secret, nor enough to pay with. */
function named({ paymentPayload }: Stored): { payer: string; nonce: string } {
	const { from, nonce } = paymentPayload.payload.authorization;
	return { payer: from, nonce };
}
