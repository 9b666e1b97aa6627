/** The page on which the owner of an API key connects an assistant. It has no script. */
import { about } from "#libs/contract/documents/about.ts";
import { type Html, html } from "#libs/contract/documents/html.ts";
import { siteHeader } from "../pages/frame.ts";

export interface Consent {
	/** Address of the form. */
	path: string;
	/** The name that the client gave at its registration. It is not verified. */
	clientName: string | undefined;
	redirectUri: string;
	styles: readonly string[];
	/** Why the last attempt failed. */
	fault?: string | undefined;
}

export function consentPage({ path, clientName, redirectUri, styles, fault }: Consent): string {
	const host = destinationOf(redirectUri);
	const name = printable(clientName) || "An assistant";
	return documentOf(
		path,
		styles,
		html`<p class="lead">“${name}” requests access to the tools of this service with your API key. You return to <strong>${host}</strong>.</p>
<div id="page">
<p>The assistant named itself; the name is not verified. Connect it only if you came here from it and trust ${host}.</p>
<ul>
<li>It can read everything that your key can, within the limits and the plan of the key, and create watchlists and webhooks.</li>
<li>It never sees the key, and can neither change keys nor buy credits.</li>
<li>The connection ends when you revoke the key, when it is unused for 30 days, after 180 days, or, if it is the oldest of the key, when the key gets a 51st connection.</li>
</ul>
${fault && html`<p class="failure" role="alert">${fault}</p>`}
<form method="post" action="${path}">
<p><label>API key <input name="api_key" type="password" autocomplete="off" spellcheck="false" required></label></p>
<p><button name="decision" value="connect">Connect</button> <button name="decision" value="cancel" formnovalidate>Cancel</button></p>
</form>
<p>No key yet? <a href="/account" target="_blank" rel="noopener">Register for a free one</a>, then paste it here.</p>
</div>`,
	);
}

/** The response to the form. Its header `Refresh` returns the browser to the client; the link is for browsers that ignore the header. */
export const returnPage = ({ path, redirectUri, styles }: Consent, next: string): string =>
	documentOf(
		path,
		styles,
		html`<p class="lead"><a href="${next}">Return to ${destinationOf(redirectUri)}</a></p>
${isWeb(redirectUri) ? "" : html`<p>If the program did not open, connect again from it; otherwise close this page.</p>`}`,
	);

const documentOf = (path: string, styles: readonly string[], content: Html): string =>
	html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connect an assistant - ${about.name}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
</head>
<body>
${siteHeader(about.name, path)}
<main>
<h1>Connect an assistant</h1>
${content}
</main>
</body>
</html>
`.text;

/** Browsers apply `form-action` to all redirects after the form, even the client's, so the response to the form is a page and not a redirect. */
export const consentPolicy = [
	...["default-src 'none'", "style-src 'self'", "img-src 'self' data:", "base-uri 'none'", "frame-ancestors 'none'"],
	"form-action 'self'",
].join("; ");

/** Describes where an address leads: its host, or the program that opens it. */
function destinationOf(redirectUri: string): string {
	const { protocol, host } = new URL(redirectUri);
	return isWeb(redirectUri) ? host : `the program for ${protocol} links`;
}

const isWeb = (address: string): boolean => /^https?:/i.test(address);

/** Removes control characters, and characters that change the direction of text. */
const printable = (text = ""): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
