/** Reads RSS 2.0 (and 0.9x), RSS 1.0 and Atom feeds. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Feed } from "../../polling/hosts.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { childrenOf, findChild, readXmlTree, textOf, type XmlNode } from "../../records/xml-tree.ts";
import { canonicalUrl, domainOf } from "../canonical-url.ts";
import { ArticleRows } from "./article-rows.ts";
import { parseFeedTime } from "./moments.ts";

/** A feed has a few dozen entries. With whole articles, it takes a megabyte or two. */
const limits = { maxBytes: 16 * 1024 * 1024, maxElements: 100_000 };

/** Elements with a date, in order of preference. `date` is Dublin Core's; `issued` and `modified` are Atom 0.3's. */
const dateElements = ["pubDate", "published", "date", "issued", "created", "updated", "modified"];
const summaryElements = ["description", "summary", "subtitle"];

/**
 * The articles' source and the base of relative links come from `feed`, or from the home page in the file if there is no `feed`.
 * @throws StructureError if the XML is truncated, too large or not a feed
 */
export function readRss(bytes: Uint8Array, name: string, feed: Feed | null = null): Parsed<Article> {
	const root = readXmlTree(bytes, name, limits);
	const { head, entries } = splitFeed(root, name);
	const home = linkOf(head);
	const base = root.attributes.get("xml:base") ?? feed?.url ?? home;
	const source = feed?.name ?? (home === null ? null : domainOf(home)) ?? name;
	const rows = new ArticleRows();
	for (const [index, entry] of entries.entries()) {
		const link = linkOf(entry);
		const stated = {
			url: link === null ? null : resolveLink(link, entry.attributes.get("xml:base") ?? base),
			title: titleOf(entry),
			publishedAt: readPublishedAt(entry),
			source,
			snippet: firstText(entry, summaryElements),
		};
		rows.add(stated, `entry ${index + 1}`);
	}
	return rows.finish();
}

function splitFeed(root: XmlNode, name: string): { head: XmlNode; entries: XmlNode[] } {
	if (root.name === "feed") return { head: root, entries: childrenOf(root, "entry") };
	const channel = findChild(root, "channel");
	if (root.name === "rss" && channel) return { head: channel, entries: childrenOf(channel, "item") };
	// In RSS 1.0 the items are siblings of the channel.
	if (root.name === "RDF" && channel) return { head: channel, entries: childrenOf(root, "item") };
	throw new StructureError(`${name}: <${root.name}> is not an RSS or Atom feed`);
}

/**
 * An Atom title of `type="xhtml"` contains one `div`. Returns null if that `div` contains elements, because the order of its texts is then
 * unknown.
 */
function titleOf(entry: XmlNode): string | null {
	const title = findChild(entry, "title");
	const [div] = title?.children ?? [];
	if (!div) return title?.text ?? null;
	return div.children.length === 0 ? div.text : null;
}

/** Prefers `origLink`, because FeedBurner's `link` is a redirect that counts clicks. A guid is an address unless `isPermaLink` is false. */
function linkOf(node: XmlNode): string | null {
	const links = childrenOf(node, "link").filter(({ attributes }) => {
		return ["alternate", undefined].includes(attributes.get("rel"));
	});
	const linkTexts = links.map((link) => link.text.trim() || (link.attributes.get("href") ?? "").trim());
	const link = textOf(node, "origLink") ?? linkTexts.find((address) => address !== "");
	if (link !== undefined) return link;
	const guid = findChild(node, "guid");
	const isPermaLink = guid?.attributes.get("isPermaLink")?.toLowerCase() !== "false";
	if (guid && isPermaLink && canonicalUrl(guid.text) !== null) return guid.text.trim();
	return node.attributes.get("rdf:about") ?? null;
}

function resolveLink(link: string, base: string | null): string {
	if (base === null || /^[a-z][a-z0-9+.-]{0,20}:/i.test(link)) return link;
	return URL.parse(link, base)?.href ?? link;
}

function readPublishedAt(entry: XmlNode): string | null {
	for (const name of dateElements) {
		const found = parseFeedTime(textOf(entry, name) ?? "");
		if (found !== null) return found;
	}
	return null;
}

function firstText(entry: XmlNode, names: string[]): string | null {
	return names.map((name) => findChild(entry, name)?.text ?? null).find((found) => found !== null) ?? null;
}
