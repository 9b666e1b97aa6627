/** News is taken in file by file from GDELT, feed by feed from the trade press, and by developers' names where GDELT lets us. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeArchive } from "#libs/files/archive.ts";
import { refreshNow } from "../../services/signals/ingest/refresh.ts";
import type { Policy } from "../../services/signals/polling/hosts.ts";
import { type Publishers, startPublishers } from "./support/publishers.ts";
import { developer } from "./support/records.ts";
import { openSignals, type Signals } from "./support/signals.ts";

const now = "2026-11-18T15:05:00Z";

let signals: Signals;
let publishers: Publishers;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(async () => {
	await signals.clear();
	publishers = await startPublishers();
	await signals.sql`insert into cursors (feed, position) values ('news/gkg', '2026-11-18T14:15:00.000Z')`;
});
afterEach(() => publishers[Symbol.asyncDispose]());

const turn = (at = now, signal?: AbortSignal) => publishers.turn(signals.sql, "news", at, signal);
const titles = async () =>
	(await signals.sql<{ title: string }[]>`select title from articles order by title`).map((row) => row.title);
const position = async () => (await signals.sql`select position from cursors where feed = 'news/gkg'`)[0]?.position;

/** A bulk file with a page for each title. */
function bulk(stamp: string, ...headlines: string[]): Buffer {
	const rows = headlines.map((title) => {
		const slug = title.replace(/\W+/g, "-");
		const cells: Record<number, string> = {
			0: `${stamp}-1`,
			1: stamp,
			2: "1",
			3: "example.com",
			4: `https://www.example.com/${slug}`,
			26: `<PAGE_TITLE>${title}</PAGE_TITLE>`,
		};
		return `${Array.from({ length: 27 }, (_, at) => cells[at] ?? "").join("\t")}\n`;
	});
	return storeArchive(new Map([[`${stamp}.gkg.csv`, Buffer.from(rows.join(""))]]));
}

/** Serves the file of a time of the day. */
function file(time: string, ...headlines: string[]): string {
	const path = `/gkg/20261118${time}00.gkg.csv.zip`;
	publishers.files.set(path, { body: bulk(`20261118${time}00`, ...headlines) });
	return path;
}

describe("the bulk files", () => {
	it("are read from the cursor until now, and only news about energy or a developer is stored", async () => {
		await signals.developers(developer({ developer_id: 1, canonical_name: "Pine Gate Renewables" }));
		file("1415", "Town council approves solar farm", "Singer cancels tour");
		file("1430", "Pine Gate Renewables names a chief");
		file("1445", "Grid operator warns of shortage");
		file("1500", "Nothing of interest");
		expect((await turn()).gkg).toMatchObject({ outcome: "applied", stored: 3, reason: null });
		expect(await titles()).toEqual([
			"Grid operator warns of shortage",
			"Pine Gate Renewables names a chief",
			"Town council approves solar farm",
		]);
		expect(await position()).toBe("2026-11-18T15:15:00.000Z");
		const [recorded] = await signals.sql`select rows_in, dropped from source_files where name like '20261118141500%'`;
		expect(recorded).toMatchObject({ rows_in: 2, dropped: [{ reason: expect.stringContaining("neither"), count: 1 }] });
	});

	it("that are late are requested for an hour, at both addresses, and then skipped with a note", async () => {
		file("1430", "Wind farm opens");
		expect((await turn()).gkg).toMatchObject({ stored: 0 });
		expect(await position()).toBe("2026-11-18T14:15:00.000Z");
		expect(publishers.askedFor("gkg.csv")).toEqual([
			"/gkg/20261118141500.gkg.csv.zip",
			"/mirror/20261118141500.gkg.csv.zip",
		]);
		expect((await turn("2026-11-18T15:15:00Z")).gkg).toMatchObject({ outcome: "applied", stored: 1 });
		expect(await position()).toBe("2026-11-18T14:45:00.000Z");
		const skipped = await signals.sql`select name, reason from source_files where outcome = 'refused'`;
		expect(skipped).toMatchObject([{ name: "20261118141500.gkg.csv.zip", reason: expect.stringContaining("skipped") }]);
	});

	it("are downloaded from the mirror when the publisher refuses, and are not skipped when neither responds", async () => {
		await using mirror = await startPublishers();
		const options = publishers.options(now);
		const hosts = { ...publishers.hosts, gkg: [...publishers.hosts.gkg.slice(0, 1), ...mirror.hosts.gkg.slice(1)] };
		const first = new URL(publishers.hosts.sec).host;
		const policy = (host: string): Policy => ({
			name: host === first ? "first" : "mirror",
			perSecond: 10_000,
			burst: 10_000,
			coolDownMs: 600_000,
		});
		const look = async (at: string) => {
			const withBoth = { ...options, now: () => new Date(at), hosts, policy };
			const looks = await refreshNow(signals.sql, "news", withBoth, new AbortController().signal);
			return looks?.find(({ feed }) => feed === "news/gkg");
		};
		publishers.files.set("/gkg/20261118141500.gkg.csv.zip", { status: 503 });
		mirror.files.set("/mirror/20261118141500.gkg.csv.zip", { body: bulk("20261118141500", "Solar farm one opens") });
		mirror.files.set("/mirror/20261118143000.gkg.csv.zip", { status: 503 });
		expect(await look("2026-11-18T14:45:00Z")).toMatchObject({ outcome: "busy", stored: 1 });
		expect(await titles()).toEqual(["Solar farm one opens"]);
		expect(publishers.askedFor("gkg.csv")).toHaveLength(1);
		expect(await look("2026-11-18T16:45:00Z")).toMatchObject({ outcome: "busy" });
		expect(await position()).toBe("2026-11-18T14:30:00.000Z");
	});

	it("continue where a run ended between two of them", async () => {
		const stop = new AbortController();
		file("1415", "Solar farm one opens");
		file("1445", "Solar farm three opens");
		const second = file("1430", "Solar farm two opens");
		publishers.files.set(second, () => {
			stop.abort(new Error("killed"));
			return {};
		});
		await expect(turn(now, stop.signal)).rejects.toThrow();
		expect(await titles()).toEqual(["Solar farm one opens"]);
		file("1430", "Solar farm two opens");
		publishers.askedFor("");
		await turn("2026-11-18T15:06:00Z");
		expect(publishers.askedFor("gkg.csv")).not.toContain("/gkg/20261118141500.gkg.csv.zip");
		expect(await titles()).toHaveLength(3);
	});

	it("that are truncated are skipped, and the next ones read", async () => {
		const cut = file("1415", "Solar farm one opens");
		publishers.files.set(cut, { body: bulk("20261118141500", "Solar farm one opens").subarray(0, 100) });
		file("1430", "Solar farm two opens");
		const looks = await turn();
		expect(looks.gkg).toMatchObject({ outcome: "applied", stored: 1, reason: expect.stringContaining("archive") });
	});

	it("older than a day are not loaded, and a run reads twelve", async () => {
		await signals.sql`update cursors set position = '2026-10-01T00:00:00.000Z' where feed = 'news/gkg'`;
		await turn();
		const paths = publishers.askedFor("/gkg/");
		expect(paths[0]).toBe("/gkg/20261117151500.gkg.csv.zip");
		expect(paths).toHaveLength(12);
	});

	it("are read from a day ago if a clock that was ahead skipped unpublished files", async () => {
		file("1415", "Solar farm one opens");
		await signals.sql`update cursors set position = '2026-11-19T14:15:00.000Z' where feed = 'news/gkg'`;
		await turn();
		expect(publishers.askedFor("/gkg/")[0]).toBe("/gkg/20261117151500.gkg.csv.zip");
	});

	it("store nothing twice when read again", async () => {
		file("1415", "Solar farm one opens");
		await turn();
		await signals.announced();
		await signals.sql`update cursors set position = '2026-11-18T14:15:00.000Z' where feed = 'news/gkg'`;
		expect((await turn()).gkg).toMatchObject({ outcome: "unchanged", stored: 0, known: 1 });
		expect(await titles()).toHaveLength(1);
	});
});

describe("the feeds of the press", () => {
	const rss = (title: string) =>
		`<rss version="2.0"><channel><title>One</title><link>https://one.example/</link><item><title>${title}</title>
		<link>https://one.example/${title.length}</link><pubDate>Wed, 18 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>`;

	it("are requested once an hour, and only if they have changed", async () => {
		const published = "Wed, 18 Nov 2026 10:00:00 GMT";
		const known: unknown[] = [];
		publishers.files.set("/one/feed", (request) => {
			known.push(request.headers["if-modified-since"]);
			if (known.at(-1) === published) return { status: 304 };
			return { body: rss("Solar lender sued"), headers: { "last-modified": published } };
		});
		expect((await turn()).feeds).toMatchObject({ outcome: "applied", stored: 1 });
		expect(await signals.sql`select source from articles`).toEqual([{ source: "one.example" }]);
		await turn("2026-11-18T15:30:00Z");
		expect(publishers.askedFor("/one/")).toHaveLength(1);
		expect((await turn("2026-11-18T16:30:00Z")).feeds).toMatchObject({ outcome: "unchanged", stored: 0 });
		expect(known).toEqual([undefined, published]);
	});

	it("are requested again at once after a clock that was a day ahead is corrected", async () => {
		publishers.files.set("/one/feed", { body: rss("Solar lender sued") });
		await turn("2026-11-19T15:05:00Z");
		await turn();
		expect(publishers.askedFor("/one/")).toHaveLength(2);
	});

	it("are shown as failing if one has failed for a day, until it responds again", async () => {
		publishers.files.set("/one/feed", { status: 404 });
		publishers.files.set("/two/feed", { body: rss("Wind lender sued") });
		const failing = async (at: string) => {
			await turn(at);
			signals.now = at;
			const { pipelines } = await signals.ask("listSignalPipelines");
			return pipelines.filter(({ pipeline }) => pipeline.startsWith("news/feeds"));
		};
		expect(await failing("2026-11-18T15:05:00Z")).toEqual([]);
		publishers.files.set("/one/feed", { status: 403 });
		expect(await failing("2026-11-19T15:04:00Z")).toEqual([]);
		await signals.sql`update hosts set cooling_until = '-infinity'`;
		expect(await failing("2026-11-19T16:05:00Z")).toEqual([
			{
				...{ pipeline: "news/feeds/one.example", state: "failing", status: "STALE", max_age_hours: 24, age_hours: 25 },
				last_success: "2026-11-18T15:05:00Z",
			},
		]);
		await signals.sql`update hosts set cooling_until = '-infinity'`;
		publishers.files.set("/one/feed", { body: rss("Solar lender sued") });
		expect(await failing("2026-11-19T17:06:00Z")).toEqual([]);
	});

	it("continue after one that refuses or is not a feed", async () => {
		publishers.files.set("/one/feed", { body: "<html>Are you a robot?</html>" });
		publishers.files.set("/two/feed", { body: rss("Wind lender sued") });
		expect((await turn()).feeds).toMatchObject({
			outcome: "applied",
			stored: 1,
			reason: expect.stringContaining("one.example"),
		});
		expect(await titles()).toEqual(["Wind lender sued"]);
	});
});

describe("the search", () => {
	const path = "/gdelt/api/v2/doc/doc";
	const answer = (title: string) =>
		JSON.stringify({
			articles: [
				{ url: `https://example.com/${title.length}`, title, seendate: "20261118T120000Z", language: "English" },
			],
		});
	const names = Array.from(
		{ length: 40 },
		(_, at) => `${String.fromCharCode(65 + (at % 26))}${at} Longer Named Developments`,
	);
	const openDevelopers = () =>
		signals.developers(...names.map((name, at) => developer({ developer_id: at + 1, canonical_name: name })));
	const queries = () =>
		publishers.askedFor(path).map((url) => new URL(url, "http://x").searchParams.get("query") ?? "");

	it("covers all names in turn, as many as fit a query", async () => {
		await openDevelopers();
		publishers.files.set(path, { body: "{}" });
		const sent: string[] = [];
		for (let round = 0; round < 3; round++) {
			await turn();
			sent.push(...queries());
		}
		expect(sent).toHaveLength(12);
		for (const query of sent) expect(query.length).toBeLessThanOrEqual(250);
		for (const name of names) expect(sent.some((query) => query.includes(`"${name}"`))).toBe(true);
	});

	it("does not fail if it is refused, and continues from there next time", async () => {
		await openDevelopers();
		file("1415", "Solar farm one opens");
		publishers.files.set(path, { status: 429 });
		const looks = await turn();
		expect(looks.search).toMatchObject({ outcome: "busy" });
		const [first] = queries();
		await signals.sql`update hosts set cooling_until = '-infinity'`;
		publishers.files.set(path, { body: answer("Solar farm sold") });
		await turn();
		expect(queries()[0]).toBe(first);
		expect((await signals.ask("listSignalPipelines")).pipelines.find((one) => one.pipeline === "news")?.state).not.toBe(
			"failing",
		);
	});

	it("splits the day if a page is full, and stops after twelve requests", async () => {
		await signals.developers(developer({ developer_id: 1, canonical_name: "Larkspur Energy Developments" }));
		const page = (from: string, count: number) =>
			JSON.stringify({
				articles: Array.from({ length: count }, (_, at) => ({
					...{ url: `https://example.com/${from}-${at}`, title: `Larkspur solar farm ${from} ${at}` },
					...{ seendate: "20261118T120000Z", language: "English" },
				})),
			});
		const isFull = (hours: number) => hours > 6;
		const windows: string[] = [];
		let full = isFull;
		publishers.files.set(path, ({ url = "" }) => {
			const query = new URL(url, "http://x").searchParams;
			const [from, to] = ["startdatetime", "enddatetime"].map((name) =>
				(query.get(name) ?? "").replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z"),
			) as [string, string];
			const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
			windows.push(`${from.slice(8, 16)} ${hours} h`);
			return { body: page(from, full(hours) ? 250 : 249) };
		});
		expect((await turn()).search).toMatchObject({ outcome: "applied", reason: null });
		expect(windows).toEqual([
			...["17T15:05 24 h", "18T03:05 12 h", "18T09:05 6 h", "18T03:05 6 h"],
			...["17T15:05 12 h", "17T21:05 6 h", "17T15:05 6 h"],
		]);
		windows.length = 0;
		full = () => true;
		expect((await turn("2026-11-18T15:35:00Z")).search).toMatchObject({
			reason: expect.stringContaining("more articles"),
		});
		expect(windows).toHaveLength(12);
	});

	it("skips a query that GDELT rejects", async () => {
		await openDevelopers();
		publishers.files.set(path, { body: "Your query was too short or too long." });
		const looks = await turn();
		expect(looks.search).toMatchObject({ outcome: "refused", reason: expect.stringContaining("too short") });
		expect(new Set(queries()).size).toBe(4);
		const [pipeline] = await signals.sql`select last_outcome from pipelines where pipeline = 'news'`;
		expect(pipeline?.last_outcome).not.toBe("failed");
	});
});
