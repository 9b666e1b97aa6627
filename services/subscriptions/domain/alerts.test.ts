import { expect, test } from "vitest";
import { z } from "zod";
import { webhookMessages } from "#libs/contract/operations/subscriptions/webhook-messages.ts";
import { alertMail } from "./alert-mails.ts";
import { type Alert, toAlert } from "./alerts.ts";
import { slackMessage, teamsMessage } from "./chat-messages.ts";

const site = "https://service.example";
const hostile = '<!channel> <https://evil.example|x> & "</li><script>\r\n\u2028Bcc: eve@example.org\u202e *a* [b](c)';

const digest = webhookMessages["digest.daily"].example;
const [row] = digest.data.rows;
const messageOf = (name: string, rows: number) => ({
	type: "digest.daily",
	data: { ...digest.data, total: rows + 10, rows: Array(rows).fill({ ...row, project_name: name }), rows_left_out: 10 },
});
const hostileAlert = toAlert(messageOf(hostile, 200), site);

const slack = z.strictObject({
	text: z.string().min(1),
	blocks: z
		.array(
			z.strictObject({
				type: z.literal("section"),
				text: z.strictObject({
					type: z.literal("mrkdwn"),
					text: z.string().min(1).max(3_000),
					verbatim: z.literal(true),
				}),
			}),
		)
		.min(1)
		.max(50),
});
const openUrl = z.strictObject({ type: z.literal("Action.OpenUrl"), url: z.url({ protocol: /^https$/ }) });
const textRun = z.strictObject({
	type: z.literal("TextRun"),
	text: z.string().min(1),
	weight: z.literal("Bolder").optional(),
	isSubtle: z.literal(true).optional(),
	selectAction: openUrl.optional(),
});
const teams = z.strictObject({
	type: z.literal("message"),
	attachments: z.tuple([
		z.strictObject({
			contentType: z.literal("application/vnd.microsoft.card.adaptive"),
			contentUrl: z.null(),
			content: z.strictObject({
				$schema: z.url(),
				type: z.literal("AdaptiveCard"),
				version: z.literal("1.4"),
				body: z.array(z.strictObject({ type: z.literal("RichTextBlock"), inlines: z.array(textRun).min(1) })).min(1),
			}),
		}),
	]),
});

test.each(Object.values(webhookMessages).map(({ example }) => [example.type, example] as const))(
	"%s is a valid message of Slack and of Teams, and a mail",
	(_type, example) => {
		for (const each of [toAlert(example, site), toAlert(example, undefined)]) {
			slack.parse(slackMessage(each));
			teams.parse(teamsMessage(each));
		}
		expect(mailOf(toAlert(example, site)).text).toContain(`End them: ${site}/unsubscribe/ml_x`);
	},
);

test("a type without a text of its own shows its values", () => {
	const alert = toAlert({ type: "limit.reached", data: { limit: 50, of: "month", nested: {} } }, site);
	expect([alert.title, ...alert.items.map(({ title }) => title)]).toEqual(["Limit reached", "Limit: 50", "Of: month"]);
});

test("filed texts are no markup for Slack, and long messages are within its limits", () => {
	const { text, blocks } = slack.parse(slackMessage(hostileAlert));
	const texts = blocks.map((block) => block.text.text);
	expect(text).toBe("210 changes on 2026-03-01");
	expect(texts[1]).toContain("&lt;!channel&gt; &lt;https://evil.example|x&gt; &amp;");
	for (const each of texts.slice(1))
		expect(each.replace(/^<https:\/\/service\.example\/[\w/-]+\|[^<>]+>/, "")).not.toMatch(/[<>]/);
	expect(texts.join("").length).toBeLessThan(13_000);
	expect(texts.at(-1)).toBe(`<${site}/changes|and ${210 - (texts.length - 2)} more>`);
});

test("filed texts are plain runs for Teams, and long messages are within its limit", () => {
	const message = teamsMessage(hostileAlert);
	expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(28_000);
	const [{ content }] = teams.parse(message).attachments;
	const links = content.body.flatMap(({ inlines }) => inlines.flatMap(({ selectAction }) => selectAction?.url ?? []));
	expect(links.every((link) => link.startsWith(`${site}/`))).toBe(true);
});

test("a digest of several days names the days of many changes, and the day of a single one", () => {
	const titleOf = (total: number) => {
		const rows = Array(total).fill(row);
		return toAlert({ type: "digest.daily", data: { ...digest.data, day: "2026-03-04", total, rows } }, site).title;
	};
	expect(titleOf(2)).toBe("2 changes from 2026-03-01 to 2026-03-04");
	expect(titleOf(1)).toMatch(/ \(2026-03-01\)$/);
});

const mailOf = (alert: Alert) => alertMail(alert, { webhookId: 3, to: "ann@example.org", token: "ml_x", site });

test("filed texts add no header and no markup to a mail", () => {
	const one = { ...digest.data, total: 1, rows: [{ ...row, project_name: hostile }], rows_left_out: 0 };
	const { subject, html = "", text } = mailOf(toAlert({ type: "changes.recorded", data: one }, site));
	expect(subject).toContain("<!channel>");
	expect(`${subject}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
	expect(html).not.toMatch(/<script|<!channel|\u202e/);
	expect(html).toContain("&lt;/li&gt;&lt;script&gt;");
	expect(text).not.toMatch(/^Bcc/m);
});
