/** Alerts as messages of Slack's and Teams' incoming webhooks. Pure. */
import { safeText } from "#libs/contract/documents/text.ts";
import { type Alert, takeFitting } from "./alerts.ts";

/** Maximum changes in a message, which links to the others. Slack allows 50 blocks. */
const maxItems = 40;
/** Maximum length of a text and of all blocks (characters). Slack allows 3,000 in a block, and about 13,000 in all blocks. */
const maxSlackLength = { text: 400, blocks: 10_000 };
/** Maximum length of the list of changes (characters). Teams allows 28 KB in a message. */
const maxTeamsLength = 20_000;

/** Escapes the three characters that are markup in Slack. */
const escapeMarkup = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const slackLink = (text: string, link: string | undefined): string =>
	link === undefined ? text : `<${escapeMarkup(link)}|${text}>`;
/** `verbatim` prevents Slack from turning names and addresses in the text into links. */
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

export function slackMessage({ title, summary, items, omitted, moreLink }: Alert): object {
	const shorten = (text: string) => escapeMarkup(safeText(text, maxSlackLength.text));
	const lines = items.map((item) =>
		[slackLink(shorten(item.title), item.link), shorten(item.detail)].filter(Boolean).join("\n"),
	);
	const shown = takeFitting(lines.slice(0, maxItems), (line) => line.length, maxSlackLength.blocks);
	const more = describeRest(items.length + omitted - shown.length);
	const text = [`*${shorten(title)}*`, shorten(summary)].filter(Boolean).join("\n");
	return {
		text: shorten(title),
		blocks: [section(text), ...shown.map(section), ...(more === undefined ? [] : [section(slackLink(more, moreLink))])],
	};
}

interface TextRun {
	type: "TextRun";
	text: string;
	weight?: "Bolder";
	isSubtle?: true;
	selectAction?: { type: "Action.OpenUrl"; url: string };
}

/** Formats an alert as an Adaptive Card. It uses text runs, which have no markup, instead of text blocks. */
export function teamsMessage({ title, summary, items, omitted, moreLink }: Alert): object {
	const run = (text: string, more: Partial<TextRun> = {}): TextRun => ({ type: "TextRun", text, ...more });
	const linked = (text: string, url: string | undefined) =>
		run(text, url === undefined ? {} : { selectAction: { type: "Action.OpenUrl", url } });
	const paragraph = (...inlines: TextRun[]) => ({
		type: "RichTextBlock",
		inlines: inlines.filter(({ text }) => text !== ""),
	});
	const lines = items.map((item) =>
		paragraph(linked(item.title, item.link), run(item.detail && ` ${item.detail}`, { isSubtle: true })),
	);
	const shown = takeFitting(lines.slice(0, maxItems), (line) => JSON.stringify(line).length, maxTeamsLength);
	const more = describeRest(items.length + omitted - shown.length);
	const body = [
		paragraph(run(title, { weight: "Bolder" })),
		...(summary === "" ? [] : [paragraph(run(summary))]),
		...shown,
		...(more === undefined ? [] : [paragraph(linked(more, moreLink))]),
	];
	const content = {
		$schema: "http://adaptivecards.io/schemas/adaptive-card.json",
		type: "AdaptiveCard",
		version: "1.4",
		body,
	};
	return {
		type: "message",
		attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
	};
}

export const describeRest = (number: number): string | undefined => (number > 0 ? `and ${number} more` : undefined);
