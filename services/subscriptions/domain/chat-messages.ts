/** Alerts as messages of Slack's and Teams' incoming webhooks. Pure. */
import { safeText } from "#libs/contract/documents/text.ts";
import { type Alert, takeFitting } from "./alerts.ts";

/** Most changes in a message, which links to the rest. Slack allows 50 blocks. */
const mostItems = 40;
/** Longest text and total length of blocks (characters). Slack allows 3,000 in a block, and about 13,000 in all blocks. */
const slackLength = { text: 400, blocks: 10_000 };
/** Longest list of changes (characters). Teams allows 28 KB in a message. */
const teamsLength = 20_000;

/** Escapes the three characters that are markup in Slack. */
const escapeMarkup = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const slackLink = (text: string, link: string | undefined): string =>
	link === undefined ? text : `<${escapeMarkup(link)}|${text}>`;
/** `verbatim` keeps Slack from linking names and addresses in the text. */
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

export function slackMessage({ title, summary, items, omitted, moreLink }: Alert): object {
	const short = (text: string) => escapeMarkup(safeText(text, slackLength.text));
	const lines = items.map((item) =>
		[slackLink(short(item.title), item.link), short(item.detail)].filter(Boolean).join("\n"),
	);
	const shown = takeFitting(lines.slice(0, mostItems), (line) => line.length, slackLength.blocks);
	const more = describeRest(items.length + omitted - shown.length);
	const text = [`*${short(title)}*`, short(summary)].filter(Boolean).join("\n");
	return {
		text: short(title),
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

/** An Adaptive Card. Runs of text have no markup, unlike text blocks. */
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
	const shown = takeFitting(lines.slice(0, mostItems), (line) => JSON.stringify(line).length, teamsLength);
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
