/**
 * What can be paid for by x402, for indexers and agents that know only the host: `/.well-known/x402`. There is no finished standard: most
 * publish `version` and `resources` as addresses, which is what indexers read; `items` say of each what a facilitator's list says
 * (`DiscoveredResource`), with the very terms of the 402.
 */
import { unavailable } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { Rail } from "../payments/rails/rail.ts";
import { mediaTypeOf } from "../payments/rails/x402/extensions.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { isSold } from "../registry/money.ts";

export const x402Path = "/.well-known/x402";

interface Item {
	type: "http";
	/** Of the declaration, with `{name}` where a value of the caller's stands. */
	resource: string;
	method: string;
	description: string;
	mimeType: string;
	x402Version: 2;
	accepts: unknown;
}

export interface X402Resources {
	version: 1;
	x402Version: 2;
	resources: string[];
	instructions: string;
	items: Item[];
}

/** `site`: where callers reach the service. @throws AppError 503 while the rail can make no offer, as a 402 that has no other */
export async function x402Resources(site: string, rail: Pick<Rail, "offer">): Promise<X402Resources> {
	const items = await Promise.all(
		httpOperations()
			.filter(({ http }) => isSold(http))
			.map((declared) => itemOf(site, declared, rail)),
	);
	return {
		version: 1,
		x402Version: 2,
		resources: items.map(({ resource }) => resource),
		instructions: `${site}/openapi.json says every parameter and answer, ${site}/llms.txt what there is. A call without a payment answers 402 with the same terms; the free POST ${site}/quote says what a call would answer.`,
		items,
	};
}

async function itemOf(
	site: string,
	{ name, operation, http }: HttpOperation,
	rail: Pick<Rail, "offer">,
): Promise<Item> {
	const resource = `${site}${http.path}`;
	const { method, path: route, price } = http;
	const { summary: description } = operation;
	const charge = { operation: name, method, route, url: resource, amountMicroUsd: priceMicroUsd[price], description };
	const offer = await rail.offer(charge);
	if (offer?.body === undefined) throw unavailable("no facilitator has answered yet: x402 is not offered", 5);
	const { accepts } = offer.body;
	return { type: "http", resource, method, description, mimeType: mediaTypeOf(name), x402Version: 2, accepts };
}
