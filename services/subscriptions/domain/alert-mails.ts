/** Alerts as mails, and the mail whose link confirms an address. They contain no text written by an account. Pure. */
import { about } from "#libs/contract/documents/about.ts";
import { type Html, html } from "#libs/contract/documents/html.ts";
import type { Mail } from "#libs/service/mail.ts";
import type { Alert } from "./alerts.ts";
import { describeRest } from "./chat-messages.ts";

interface Addressee {
	webhookId: number;
	to: string;
	/** Part of the links that confirm the address or end the mails. */
	token: string;
	site: string;
}

export function alertMail({ title, summary, items, omitted, moreLink = "" }: Alert, addressee: Addressee): Mail {
	const omittedText = describeRest(omitted);
	const stop = stopLink(addressee);
	const reason = `You get these mails because this address was confirmed at ${addressee.site}.`;
	const texts = items.map(({ title, detail, link }) => [title, detail, link].filter(Boolean).join("\n"));
	const rows = items.map(
		({ title, detail, link }) =>
			html`<li>${link === undefined ? title : html`<a href="${link}">${title}</a>`}<br>${detail}</li>`,
	);
	return {
		...envelopeOf(addressee, title),
		text: [
			[title, summary].filter(Boolean).join("\n"),
			...texts,
			...(omittedText === undefined ? [] : [`${omittedText}: ${moreLink}`]),
			`-- \n${reason}\nEnd them: ${stop}\n`,
		].join("\n\n"),
		html: documentOf(
			title,
			html`<p>${summary}</p>
<ul>${rows}</ul>
${omittedText === undefined ? undefined : html`<p><a href="${moreLink}">${omittedText}</a></p>`}
<p><small>${reason} <a href="${stop}">End them</a></small></p>`,
		),
		link: items[0]?.link ?? stop,
	};
}

export function confirmationMail(addressee: Addressee): Mail {
	const { site, token } = addressee;
	const title = "Confirm that you want alerts by e-mail";
	const link = `${site}/account#alerts=${token}`;
	const stop = stopLink(addressee);
	const reason = `Someone, probably you, wants alerts at this address, from ${site} (${about.name}).`;
	const refusalText = "No alerts are sent until you confirm. If you do not want them, ignore this mail";
	return {
		...envelopeOf(addressee, title),
		text: `${reason}\n\nConfirm: ${link}\n\n${refusalText}, or refuse them: ${stop}\n`,
		html: documentOf(
			title,
			html`<p>${reason}</p>
<p><a href="${link}">Confirm</a></p>
<p>${refusalText}, or <a href="${stop}">refuse them</a>.</p>`,
		),
		link,
	};
}

const stopLink = ({ site, token }: Addressee): string => `${site}/unsubscribe/${token}`;

/** Headers that let mail programs sort these mails (RFC 2919) and unsubscribe with one click (RFC 8058). */
function envelopeOf(addressee: Addressee, subject: string): Pick<Mail, "to" | "subject" | "headers"> {
	const { webhookId, to, site } = addressee;
	return {
		to,
		subject,
		headers: {
			"List-Id": `<webhook-${webhookId}.${new URL(site).hostname}>`,
			"List-Unsubscribe": `<${stopLink(addressee)}>`,
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		},
	};
}

const documentOf = (title: string, content: Html): string =>
	html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font-family: sans-serif">
<h1 style="font-size: 1.25em">${title}</h1>
${content}
</body>
</html>
`.text;
