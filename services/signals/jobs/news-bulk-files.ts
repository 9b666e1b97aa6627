/** GDELT's bulk files: every page of the world's press, of which those stay that speak of energy or of a developer. */
import { energyKeyword } from "../domain/energy.ts";
import type { Article } from "../domain/parsed.ts";
import type { Got } from "../http/polite.ts";
import { gkgNames } from "../sources/news/gkg-files.ts";
import { moveCursor, readCursor } from "./cursors.ts";
import { type Matchers, matchersOf } from "./matchers.ts";
import type { Content } from "./read-task.ts";
import { lockWriters } from "./storing.ts";
import { refuse, takeIn } from "./take-in.ts";
import type { Tally, Turn } from "./turn.ts";

const feed = "news/gkg";
/** Files that a turn reads; they come one in 15 minutes. */
const maxFiles = 12;
const quarterHourMs = 15 * 60_000;
/** What is older than this is not caught up with. */
const reachMs = 24 * 3_600_000;
/** A file that has not come by then (four looks) does not come: some never do. */
const lateMs = 3_600_000;
/** 5 MB, those of 2015 11. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 180_000;
const maxExamples = 5;

export async function readBulkFiles(turn: Turn, tally: Tally): Promise<void> {
	const now = turn.now();
	const oldest = new Date(now.getTime() - reachMs).toISOString();
	const cursor = (await readCursor(turn.sql, feed)) ?? oldest;
	// A clock that was ahead has skipped what was not published yet.
	const isAhead = Date.parse(cursor) - now.getTime() > lateMs;
	const from = cursor < oldest || isAhead ? oldest : cursor;
	for (const name of gkgNames(from, now.toISOString()).slice(0, maxFiles)) {
		turn.signal.throwIfAborted();
		const moment = momentOf(name);
		const got = await download(turn, name);
		tally.answered++;
		if (got.kind === "file") {
			const matchers = await currentMatchers(turn);
			await takeIn(turn, tally, [{ name, bytes: got.bytes }], { select: (content) => ofInterest(content, matchers) });
		} else {
			if (now.getTime() - moment < lateMs) return;
			await refuse(turn, tally, { name, bytes: new Uint8Array() }, `${name} was never published: skipped`);
		}
		await moveCursor(turn.sql, feed, new Date(moment + quarterHourMs).toISOString(), turn.now());
	}
}

const momentOf = (name: string): number =>
	Date.parse(name.slice(0, 14).replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z"));

/** Of the first place that has it. It counts as absent only when every place says so: one that could not be asked may have it. */
async function download(turn: Turn, name: string): Promise<Got> {
	let unasked: { why: unknown } | undefined;
	for (const folder of turn.hosts.gkg) {
		try {
			const got = await turn.polite.get(`${folder}${name}`, { maxBytes, timeoutMs });
			if (got.kind === "file") return got;
		} catch (why) {
			turn.signal.throwIfAborted();
			unasked ??= { why };
		}
	}
	if (unasked !== undefined) throw unasked.why;
	return { kind: "absent" };
}

/** Under the lock that they ask for, which is given back before anything is read. */
function currentMatchers({ sql }: Turn): Promise<Matchers> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		return matchersOf(sql, tx);
	});
}

function ofInterest(content: Content, matchers: Matchers): Content {
	const byInterest = Map.groupBy(content.articles, (article) => isOfInterest(article, matchers));
	const others = byInterest.get(false) ?? [];
	if (others.length === 0) return content;
	const reason = "speaks neither of energy nor of a developer";
	const examples = others.slice(0, maxExamples).map(({ url }) => url.slice(0, 200));
	return {
		...content,
		articles: byInterest.get(true) ?? [],
		dropped: [...content.dropped, { reason, count: others.length, examples }],
	};
}

const isOfInterest = (article: Article, matchers: Matchers): boolean =>
	energyKeyword({ names: [article.title] }).energyKeyword === 1 ||
	matchers.matchArticle({ ...article, bodyNames: [] }).length > 0;
