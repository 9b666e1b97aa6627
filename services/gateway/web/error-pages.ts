/** Errors as pages: who follows a link that leads nowhere gets a way on. */

import { about } from "../documents/about.ts";
import type { ErrorPage } from "../http/errors.ts";
import { html } from "../pages/html.ts";
import { pagePolicy } from "../pages/policy.ts";
import type { BuiltPage } from "./built.ts";
import { frameOf } from "./frame.ts";
import { navigation } from "./page-texts.ts";

interface ErrorText {
	heading: string;
	lead: string;
}

const wrongAddress: ErrorText = {
	heading: "This address asks for something that cannot be",
	lead: "A part of it is not what it has to be; below stands which.",
};

const texts: Record<number, ErrorText> = {
	400: wrongAddress,
	402: { heading: "This has a price", lead: "Programs pay for it by the call, or use a key." },
	403: { heading: "This needs a key", lead: "A free one is issued at once; programs send it as the header X-API-Key." },
	404: {
		heading: "There is nothing at this address",
		lead: "The link may be old, or a letter of it wrong. The search below finds what is near.",
	},
	405: { heading: "This address is for programs", lead: "It cannot be read: something is sent to it." },
	422: wrongAddress,
	429: { heading: "Too many requests", lead: "This address of the internet asks more than its share; wait a little." },
};
const ours: ErrorText = {
	heading: "This cannot be answered now",
	lead: "The fault is on our side. Most of them pass within a minute: try again.",
};
const other: ErrorText = { heading: "This cannot be answered", lead: "What is wrong stands below." };

/** The page of an error. `built`: its script, which brings the search. */
export const errorPages =
	(built: BuiltPage): ErrorPage =>
	({ status, detail, requestId }) => {
		const text = texts[status] ?? (status >= 500 ? ours : other);
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
