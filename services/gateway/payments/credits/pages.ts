/** Where the processor's page sends people back to. They have their token already: it came with the page's address. */
import type { FastifyInstance } from "fastify";
import { html } from "../../pages/html.ts";
import { pagePolicy } from "../../pages/policy.ts";
import { checkoutPages } from "./start-checkout.ts";

const texts = {
	paid: ["Paid", "Thank you. The credits are on your token in a few seconds: GET /credits says the balance."],
	left: ["Not paid", "Nothing was charged. The page to pay on is open for a day; the token is empty until then."],
} as const;

export function addCheckoutPages(app: FastifyInstance): void {
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
