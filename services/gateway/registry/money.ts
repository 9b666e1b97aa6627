/** Amounts as people and documents write them, and what is sold for them. */
import type { HttpBinding } from "#libs/contract/operation.ts";
import { type Price, priceMicroUsd } from "#libs/contract/vocabulary.ts";

/** Millionths of a US dollar as dollars: at least the cents, and no digit more than there is (`0.01`, `5.00`, `0.0025`). */
export function usdText(microUsd: number): string {
	const digits = (microUsd / 1_000_000).toFixed(6);
	return digits.replace(/(\.\d\d)(\d*?)0*$/, "$1$2");
}

/** Whether single calls of it can be paid for: what needs a key takes queries of its plan. */
export const isSold = ({ price, needsKey }: HttpBinding): boolean => price !== "free" && needsKey !== true;

/** A tier as its price: `free`, `$0.01`. */
export const usdOf = (price: Price): string => (price === "free" ? "free" : `$${usdText(priceMicroUsd[price])}`);
