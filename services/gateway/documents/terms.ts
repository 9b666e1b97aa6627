/** Explains access and prices, for `/pricing-info`, the OpenAPI document and the references for agents. */
import type { RailName } from "#libs/contract/vocabulary.ts";
import type { Config } from "../config.ts";

export interface Terms {
	keyless: Config["KEYLESS"];
	/** Configured rails, whether or not payment is required now. */
	railsEnabled: readonly RailName[];
}

/** Whether priced endpoints require payment from callers without a key. */
export const isPayable = ({ keyless, railsEnabled }: Terms): boolean => keyless === "pay" && railsEnabled.length > 0;

const withKey =
	'With a key, calls cost nothing: its plan limits the queries of a month and the requests of a minute (GET /plans, GET /usage). After the last query of a month, the key can still make the calls that need no key. A free key: GET /register, or POST /register with {"email": "..."}. Send it as header X-API-Key, as Authorization: Bearer, or as query parameter api_key.';

const howToPay: Record<RailName, string> = {
	x402: "x402 (version 2, stablecoin): the 402 states its terms in the header PAYMENT-REQUIRED; repeat the request with PAYMENT-SIGNATURE. The receipt is in PAYMENT-RESPONSE.",
	mpp: "Machine Payments Protocol (stablecoin): the 402 states its challenge in WWW-Authenticate: Payment; repeat the request with Authorization: Payment. The receipt is in Payment-Receipt.",
	card: "Card: prepaid credits of 5, 20 or 50 US dollars. An agent buys them at POST /credits (MPP stripe/charge), a person at POST /credits/checkout; send the token as Authorization: Bearer cr_..., and GET /credits returns its balance.",
};

const uncharged =
	"A response with a status of 400 or more is not charged, and a payment is charged once, however often it is sent.";

export function notesOn(terms: Terms): string[] {
	return [withoutKey(terms), ...(isPayable(terms) ? payment(terms.railsEnabled) : []), withKey];
}

function withoutKey(terms: Terms): string {
	if (terms.keyless === "open")
		return "This server charges nothing: every endpoint can be called without a key and without payment, within a rate limit for each address. Printed prices apply only to servers that require payment.";
	if (isPayable(terms))
		return "Without a key a priced endpoint returns 402 with every way to pay that is enabled here; repeat the request with a payment.";
	const why = terms.keyless === "closed" ? "takes no payments for single calls" : "has no way to pay enabled";
	return `This server ${why}: without a key a priced endpoint returns 403. Free endpoints need no key.`;
}

const payment = (rails: readonly RailName[]): string[] => [...rails.map((rail) => howToPay[rail]), uncharged];
