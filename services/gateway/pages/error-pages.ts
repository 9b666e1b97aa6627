/** Pages for errors, with links and a search. */
import { about } from "#libs/contract/documents/about.ts";
import { html } from "#libs/contract/documents/html.ts";
import type { ErrorCode } from "#libs/contract/error-codes.ts";
import type { ErrorPage } from "../http/errors.ts";
import { pagePolicy } from "../http/headers.ts";
import type { BuiltPage } from "./assets.ts";
import { frameOf, navigation } from "./frame.ts";

interface ErrorText {
	heading: string;
	lead: string;
}

const wrongAddress: ErrorText = {
	heading: "A part of this address is wrong",
	lead: "The message below names it, and what it has to be.",
};

/** Texts by status, for codes without an entry in `codeTexts`. */
const texts: Record<number, ErrorText> = {
	400: wrongAddress,
	402: { heading: "This has a price", lead: "Programs pay for it by the call, or use a key." },
	403: { heading: "This is refused", lead: "The reason is below. A retry gets the same answer." },
	404: {
		heading: "There is nothing at this address",
		lead: "The link may be old, or a letter of it wrong. The search below finds what is near.",
	},
	405: { heading: "This address is for programs", lead: "It accepts data and shows none." },
	422: wrongAddress,
	429: {
		heading: "Too many requests",
		lead: "The message below names the limit. Wait a minute and load the page again.",
	},
};
const codeTexts: Partial<Record<ErrorCode, ErrorText>> = {
	key_needed: {
		heading: "This needs a key",
		lead: "A free one is issued at once; programs send it as the header X-API-Key.",
	},
	key_invalid: { heading: "This key is not valid", lead: "The fault is below. A new key is free." },
	quota_used_up: { heading: "The queries of the month are used up", lead: "The date of the reset is below." },
};
const serverError: ErrorText = {
	heading: "This cannot be answered now",
	lead: "The fault is on our side. Most of them pass within a minute: try again.",
};
const otherError: ErrorText = { heading: "This cannot be answered", lead: "The reason is below." };

/** @param built the built error page, whose script adds the search */
export const errorPages =
	(built: BuiltPage): ErrorPage =>
	({ status, code, detail, requestId }) => {
		const text = codeTexts[code] ?? texts[status] ?? (status >= 500 ? serverError : otherError);
		const links = navigation.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`);
		const content = html`<p class="failure" role="status">${detail}</p>
<div id="search"></div>
<h2>From here</h2>
<ul>
<li><a href="/">The landing page</a></li>
${links}</ul>
<p class="soft">Status ${status}, request ${requestId}. Programs get it as JSON.</p>`;
		const page = { folder: "error", title: `${text.heading} - ${about.name}`, ...text };
		return { body: frameOf(page, built, { content }), policy: pagePolicy };
	};
