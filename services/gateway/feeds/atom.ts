/** Atom feeds (RFC 4287) of changes and news. */
import { hash } from "node:crypto";
import { about } from "#libs/contract/documents/about.ts";
import { changeFacts, changeLink, changeTitle, type WatchedChange } from "#libs/contract/documents/change-sentence.ts";
import { type Html, html } from "#libs/contract/documents/html.ts";
import { labelOf, safeText } from "#libs/contract/documents/text.ts";
import type { Reply } from "#libs/contract/index.ts";

export interface Feed {
	title: string;
	entries: Entry[];
}

interface Entry {
	/** Unique within the service: the same entry has the same id in every feed. */
	id: string;
	title: string;
	updated: string;
	/** Address of a page for people. */
	link: string;
	summary: string;
	category: string;
}

type News = Omit<Reply<"listEvents">["data"][number], "developer_canonical">;

export function changeEntry(change: WatchedChange, site: string): Entry {
	const { seq, event } = change;
	return {
		id: event ? `change/${seq}/${event}` : `change/${seq}`,
		title: changeTitle(change),
		updated: change.detected_at,
		link: changeLink(change, site),
		summary: changeFacts(change),
		category: event ?? change.change_type,
	};
}

export function newsEntry(news: News, developer: string, site: string): Entry {
	const isWeb = /^https?:$/.test(URL.parse(news.url)?.protocol ?? "");
	return {
		id: `news/${hash("sha256", `${developer}\n${news.url}`, "base64url").slice(0, 22)}`,
		title: news.title,
		updated: news.published_at,
		link: isWeb ? news.url : `${site}/events`,
		summary: `${developer} · ${labelOf(news.event_type)} · ${news.domain}`,
		category: news.event_type,
	};
}

/** The `updated` time of a feed without entries, because Atom requires one. */
const never = "1970-01-01T00:00:00Z";

interface FeedRequest {
	url: string;
	site: string;
	hasMore: boolean;
}

export function atomDocument({ title, entries }: Feed, { url, site, hasMore }: FeedRequest): string {
	const self = new URL(url);
	const next = new URL(url);
	next.searchParams.set("page", String(Number(self.searchParams.get("page") ?? 1) + 1));
	const filters = new URLSearchParams(self.search);
	filters.delete("page");
	const query = String(filters);
	const feed = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${tagOf(site, self.pathname + (query && `?${query}`))}</id>
<title>${clean(query === "" ? title : `${title} (${decodeURIComponent(query.replaceAll("+", " "))})`)}</title>
<updated>${
		entries
			.map((entry) => entry.updated)
			.sort()
			.at(-1) ?? never
	}</updated>
<author><name>${about.name}</name><uri>${site}/</uri></author>
<link rel="self" type="application/atom+xml" href="${url}"/>
<link rel="alternate" type="text/html" href="${site}${self.pathname.includes("/events") ? "/events" : "/changes"}"/>
${
	hasMore
		? html`<link rel="next" href="${next.href}"/>
`
		: undefined
}${entries.map((entry) => entryOf(entry, site))}</feed>
`.text;
	return `<?xml version="1.0" encoding="utf-8"?>\n${feed}`;
}

const entryOf = ({ id, title, updated, link, summary, category }: Entry, site: string): Html => html`<entry>
<id>${tagOf(site, `/${id}`)}</id>
<title>${clean(title)}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${clean(link, 2_000)}"/>
<category term="${clean(category)}"/>
<summary>${clean(summary, 400)}</summary>
</entry>
`;

/** An identifier that does not depend on the scheme or port (RFC 4151). */
const tagOf = (site: string, specific: string): string =>
	`tag:${new URL(site).hostname.replaceAll(/[^\w.-]/g, "")},2026:${specific}`;

/** Removes characters that XML 1.0 cannot contain. */
const clean = (text: string, longest = 300): string =>
	safeText(text, longest).replaceAll(/[\u{FFFE}\u{FFFF}\p{Cs}]/gu, "");
