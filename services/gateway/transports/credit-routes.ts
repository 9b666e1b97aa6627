/** Routes of prepaid credits that are not operations: the processor's webhook, and the pages after a checkout. */
import type { FastifyInstance } from "fastify";
import { html } from "#libs/contract/documents/html.ts";
import { pagePolicy } from "../http/headers.ts";
import type { CreditSales } from "../payments/credits/sales.ts";
import { checkoutPages } from "../payments/credits/start-checkout.ts";

const webhookPath = "/webhooks/stripe";
/** Maximum size of an event, which contains a checkout session of a few kilobytes. */
const maxEventBytes = 256 * 1024;

/** Does nothing if the card rail is not enabled. */
export function addCreditRoutes(app: FastifyInstance, sales: Pick<CreditSales, "receiveEvent">): void {
	const { receiveEvent } = sales;
	if (receiveEvent === undefined) return;
	// The webhook has a separate scope with an unparsed body, because the signature covers the raw bytes.
	app.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxEventBytes }, (_request, body, done) =>
			done(null, body),
		);
		scope.post(webhookPath, { bodyLimit: maxEventBytes }, async (request, reply) => {
			await receiveEvent(request.body, request.headers["stripe-signature"]);
			return reply.header("cache-control", "no-store").send({ received: true });
		});
	});
	addCheckoutPages(app);
}

const texts = {
	paid: ["Paid", "Thank you. The credits are on your token in a few seconds: GET /credits returns the balance."],
	left: ["Not paid", "Nothing was charged. The payment page stays open for a day; the token is empty until you pay."],
} as const;

/** Pages to which the processor's page returns. They show no token: the buyer got it together with the address of the processor's page. */
function addCheckoutPages(app: FastifyInstance): void {
	for (const [end, path] of Object.entries(checkoutPages) as [keyof typeof checkoutPages, string][]) {
		const [title, text] = texts[end];
		const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>`;
		app.get(path, async (_request, reply) =>
			reply
				.headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy })
				.header("cache-control", "public, max-age=3600")
				.send(page.text),
		);
	}
}
