import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { blankProject } from "#libs/contract/records/project.ts";
import { atomDocument, changeEntry, newsEntry } from "./atom.ts";
import { calendarDocument } from "./calendar.ts";

const site = "https://example.org";
/** Markup, line ends, a control character, a mark that reverses text, and a character that XML cannot contain. */
const hostile = `</title><script>"'&]]>\r\n\u2028\u2029\u0085BEGIN:VEVENT\u0001\u202e\uffff;,\\`;

const change = {
	...{ seq: 7, detected_at: "2026-06-30T12:00:00Z", project_id: "PJM-A/1", queue_id: "A/1", region: "PJM" },
	...{ kind: "generation", change_type: "capacity_change", field_name: "capacity_mw", old_value: "200" },
	...{ new_value: "150", project_name: hostile, developer_canonical: hostile, capacity_mw: 150, type_std: "Solar" },
	...{ state: "TX", backfilled: false },
} as Parameters<typeof changeEntry>[0];
const news = {
	...{ event_type: "financing", title: hostile, url: "javascript:alert(1)", domain: "example.com" },
	published_at: "2026-06-29T12:00:00Z",
} as Parameters<typeof newsEntry>[0];

/** The texts of each element, and the attributes of each link; throws if the XML is not well-formed. */
function readXml(xml: string) {
	const texts: [string, string][] = [];
	const links: Record<string, string>[] = [];
	const parser = new SaxesParser();
	let last = "";
	parser.on("error", (error) => {
		throw error;
	});
	parser.on("opentag", ({ name, attributes }) => {
		last = name;
		if (name === "link") links.push(attributes as Record<string, string>);
	});
	parser.on("text", (text) => text.trim() !== "" && texts.push([last, text]));
	parser.write(xml).close();
	return { texts, links, all: (name: string) => texts.filter(([each]) => each === name).map(([, text]) => text) };
}

test("a feed is well-formed XML with the elements that Atom requires, whatever the texts", () => {
	const entries = [changeEntry({ ...change, event: null }, site), newsEntry(news, hostile, site)];
	const url = `${site}/changes.atom?state=TX&q=${encodeURIComponent(hostile)}`;
	const { all, links } = readXml(atomDocument({ title: "Changes", entries }, { url, site, hasMore: true }));
	const shown = `</title><script>"'&]]>BEGIN:VEVENT;,\\`;
	expect(all("title")[0]).toContain("Changes (state=TX&q=</title>");
	expect(all("title").slice(1)).toEqual([`${shown} (PJM): Capacity reduced from 200 MW to 150 MW`, shown]);
	expect(all("updated")).toEqual(["2026-06-30T12:00:00Z", "2026-06-30T12:00:00Z", "2026-06-29T12:00:00Z"]);
	expect(all("id")).toEqual([
		expect.stringMatching(/^tag:example\.org,2026:\/changes\.atom\?state=TX/),
		"tag:example.org,2026:/change/7",
		expect.stringMatching(/^tag:example\.org,2026:\/news\/[\w-]{22}$/),
	]);
	expect(links.map(({ rel, href }) => [rel, rel === "next" ? href?.replace(/\?.*(?=&page)/, "") : href])).toEqual([
		["self", url],
		["alternate", `${site}/changes`],
		["next", `${site}/changes.atom&page=2`],
		["alternate", `${site}/projects/PJM-A%2F1`],
		["alternate", `${site}/events`],
	]);
});

test("a change that adds a request to a watchlist begins with that fact", () => {
	const { title, summary } = changeEntry({ ...change, project_name: "Sun", event: "entered" }, site);
	expect([title, summary.split(" · ")[0]]).toEqual([
		"Sun (PJM): Entered the watchlist",
		"Capacity reduced from 200 MW to 150 MW",
	]);
});

test("a calendar has an all-day event for each day, folded at 75 octets, and no text can break a line", () => {
	const row = {
		...{ ...blankProject, id: "PJM-A/1", name: `${hostile} ${"é€😀".repeat(20)}`, region: "PJM", type_std: "Solar" },
		...{ capacity_mw: 150, cod: "2028-06-01", ia_date: "2025-01-31", last_changed_at: "2026-06-30T12:00:00.123Z" },
	} as Parameters<typeof calendarDocument>[0]["rows"][number];
	const text = calendarDocument({ name: hostile, rows: [row], total: 2 }, site);
	const lines = text.split("\r\n");
	expect(lines.pop()).toBe("");
	expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n\u0085\u2028\u2029]/.test(line))).toEqual([]);
	const whole = text.replaceAll("\r\n ", "").split("\r\n");
	expect(whole.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(2);
	expect(whole).toEqual(
		expect.arrayContaining([
			`X-WR-CALNAME:</title><script>"'&]]>BEGIN:VEVENT\uffff\\;\\,\\\\`,
			"X-WR-CALDESC:Shows only part of 2 requests: narrow the filters",
			"UID:cod/PJM-A/1",
			"DTSTAMP:20260630T120000Z",
			"DTSTART;VALUE=DATE:20280601",
			"UID:ia_date/PJM-A/1",
			"DTSTART;VALUE=DATE:20250131",
			"DESCRIPTION:PJM · 150 MW · Solar",
			"URL:https://example.org/projects/PJM-A%2F1",
		]),
	);
	expect(whole.find((line) => line.startsWith("SUMMARY:Projected operation: "))).toContain(
		`BEGIN:VEVENT\uffff\\;\\,\\\\ é€😀`,
	);
});
