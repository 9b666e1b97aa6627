/** Feeds and calendars over HTTP: the rows of the JSON at the same address, for readers that send no headers. */
import { SaxesParser } from "saxes";
import { expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { test, type World } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

let world: World;
let key: string;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	key = await unlimitedKey(world);
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(world.url + path, { headers });
type RowField = "detected_at" | "region" | "title" | "published_at" | "developer_canonical" | "id" | "cod";
interface Listed {
	data: (Record<RowField, string> & { seq: number })[];
	total: number;
	watchlist: { seq: number | null };
}
const json = async (path: string) => (await get(path, { "x-api-key": key })).json() as Promise<Listed>;

/** Texts by element; throws unless the document is well-formed. */
async function read(response: Response): Promise<Record<string, string[]>> {
	const found: Record<string, string[]> = {};
	const parser = new SaxesParser();
	const path: string[] = [];
	const note = (name: string, text: string) => {
		found[name] ??= [];
		found[name].push(text);
	};
	parser.on("error", (error) => {
		throw error;
	});
	parser.on("opentag", ({ name, attributes }) => {
		path.push(name);
		if (name === "link") note(String(attributes.rel), String(attributes.href));
	});
	parser.on("closetag", () => path.pop());
	parser.on("text", (text) => text.trim() && note(path.slice(-2).join(" "), text));
	parser.write(await response.text()).close();
	return found;
}

test("/changes.atom has the changes of /changes, newest first, with the same filters", async () => {
	const filters = "since_days=90&include_evidence=true";
	const { data, total } = await json(`/changes?${filters}&per_page=5`);
	const response = await get(`/changes.atom?${filters}&per_page=5`);
	expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
	const feed = await read(response);
	expect(feed["entry id"]).toEqual(
		data.map(({ seq }) => expect.stringMatching(new RegExp(`^tag:127\\.0\\.0\\.1,2026:/change/${seq}$`))),
	);
	expect(feed["entry updated"]).toEqual(data.map((row) => row.detected_at));
	expect(feed["feed updated"]).toEqual([data[0]?.detected_at]);
	expect(feed.self).toEqual([`${world.url}/changes.atom?${filters}&per_page=5`]);
	expect(feed.next).toEqual(total > 5 ? [`${world.url}/changes.atom?${filters}&per_page=5&page=2`] : undefined);
	expect(feed["entry title"]?.[0]).toContain(`(${data[0]?.region}): `);
	const day = (await json("/changes?since=2000-01-01&per_page=1")).data[0]?.detected_at.slice(0, 10);
	const past = await read(await get(`/changes.atom?since=2000-01-01&as_of=${day}&per_page=1`));
	expect(past.next).toEqual([expect.stringContaining("&page=2")]);
	const page = await (await get("/changes", { accept: "text/html" })).text();
	expect(page).toContain('<link rel="alternate" type="application/atom+xml" href="/changes.atom">');
	const none = await read(await get("/changes.atom?state=VI"));
	expect([none["entry id"], none["feed updated"]]).toEqual([undefined, ["1970-01-01T00:00:00Z"]]);
});

test("an unchanged feed is a 304, and feeds are compressed and cached like their JSON", async () => {
	const [feed, list] = await Promise.all([get("/changes.atom?since_days=30"), get("/changes?since_days=30")]);
	const etag = feed.headers.get("etag") ?? "";
	for (const tag of [etag, `W/${etag}`])
		expect((await get("/changes.atom?since_days=30", { "if-none-match": tag })).status).toBe(304);
	const directives = (response: Response) => response.headers.get("cache-control")?.replace(/\d+/, "n");
	expect(directives(feed)).toBe(directives(list));
	const plain = await get("/changes.atom?since_days=30", { "accept-encoding": "identity" });
	expect(await plain.text()).toBe(await feed.text());
	expect(plain.headers.get("vary")).toBe("Accept-Encoding");
});

test("a feed refuses parameters that only the JSON has, and names them", async () => {
	for (const [query, name] of [
		["after=0", "after"],
		["fields=seq", "fields"],
		["cursor=*", "cursor"],
		["per_page=101", "per_page"],
		["sate=TX", "sate"],
	] as const) {
		const response = await get(`/changes.atom?${query}`);
		expect([query, response.status, await response.json()]).toMatchObject([
			query,
			422,
			{ errors: [{ loc: ["query", name] }] },
		]);
	}
});

test("news is available as a feed, for all developers or one", async () => {
	const { data } = await json("/events?days=365");
	const feed = await read(await get("/events.atom?days=365"));
	expect(feed["entry title"]).toEqual(data.map(({ title }) => title));
	expect(feed["entry updated"]).toEqual(data.map((row) => row.published_at));
	const developer = data[0]?.developer_canonical ?? "";
	const path = `/developers/${encodeURIComponent(developer)}/events`;
	const own = await read(await get(`${path}.atom?days=365`));
	expect(own["feed title"]?.[0]).toMatch(new RegExp(`^News about ${developer}`));
	const mine = new Set(own["entry id"]);
	expect(mine.size).toBe((await json(`${path}?days=365`)).data.length);
	expect(feed["entry id"]).toEqual(expect.arrayContaining([...mine]));
});

test("a watchlist is available as a feed and a calendar to its account, with the key in the URL", async () => {
	const headers = { "x-api-key": key, "content-type": "application/json" };
	const body = JSON.stringify({ name: "Texas, mine", filters: { state: ["TX"] } });
	const made = await fetch(`${world.url}/watchlists`, { method: "POST", headers, body });
	const { watchlist_id: id } = (await made.json()) as { watchlist_id: number };
	await eventually(async () => (await json(`/watchlists/${id}`)).watchlist.seq !== null);
	for (const path of [`/watchlists/${id}.ics`, `/watchlists/${id}/changes.atom`]) {
		expect((await get(path)).status).toBe(403);
		const response = await get(`${path}?api_key=${key}`);
		expect([path, response.status, response.headers.get("cache-control")]).toEqual([path, 200, "private, no-cache"]);
		const text = await response.text();
		expect(text).not.toContain(key);
		const again = { "if-none-match": response.headers.get("etag") ?? "" };
		expect((await get(`${path}?api_key=${key}`, again)).status).toBe(304);
		if (path.endsWith(".ics")) expect(text).toContain("X-WR-CALNAME:Texas\\, mine\r\n");
		else expect(text).toContain(`/watchlists/${id}/changes.atom</id>`);
	}
});

test("/projects.ics has the days of the requests that match", async () => {
	const filters = "state=TX&status=Active&cod_from=2020-01-01";
	const { data } = await json(`/projects?${filters}&sort=cod&per_page=500`);
	const response = await get(`/projects.ics?${filters}`);
	expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
	const lines = (await response.text()).replaceAll("\r\n ", "").split("\r\n");
	const days = lines.flatMap((line, at) =>
		line.startsWith("UID:cod/")
			? [[line.slice("UID:cod/".length), lines[at + 2]?.slice("DTSTART;VALUE=DATE:".length)]]
			: [],
	);
	expect(days.length).toBeGreaterThan(0);
	expect(days).toEqual(data.map(({ id, cod }) => [id, cod.replaceAll("-", "")]));
	expect((await get("/projects.ics?fields=id")).status).toBe(422);
});
