/** The scores of all open requests as of a past day, computed once for it, a version of the score and the data. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "#libs/contract/errors.ts";
import { type Region, regions } from "#libs/contract/vocabulary.ts";
import { within } from "#libs/contract/within.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type RequestOn, type ScoreOn, scoreOn } from "../domain/score-on.ts";
import { listedOn, readRequestsOn } from "../jobs/requests-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { readSettings } from "./read-score-on.ts";

export interface ScoresOn {
	day: string;
	score_version: number;
	/** By operator the day of the newest list of that day or before. */
	coverage: Record<Region, string | null>;
	/** By list, of operators that publish several. */
	lists: Record<string, string>;
	corrections: number;
	rows: Map<string, ScoredOn>;
}

export interface ScoredOn
	extends Pick<RequestOn, "entry" | "needs_capital">,
		Pick<ScoreOn, "inputs" | "hash" | "credit" | "basis" | "since"> {
	facts_as_of: string | null;
	score: number;
	grade: ScoreOn["score"]["grade"];
	investable: boolean;
	eligible: boolean;
	p_built: number | null;
}

/** Days that are kept: of the real lists each holds some ten thousand requests. */
const mostDays = 3;
/** Days that wait to be computed, one after another, beside the one that is. */
const mostWaiting = 8;
/** Longest wait for a day (ms): what is not ready by then goes on, and is there when it is asked for again. */
const patienceMs = 7_000;
/** One day's work (ms), and the requests that are scored before others get a turn. */
const mostMs = 120_000;
const slice = 200;

interface Kept {
	days: Map<string, Promise<ScoresOn>>;
	waiting: number;
	last: Promise<unknown>;
}

/** By database; the most recently used day last. */
const kept = new WeakMap<Sql, Kept>();

/** Throws 503 where too many days are wanted at once or this one is not ready in time. */
export async function scoresOn(resources: Resources, day: string): Promise<ScoresOn> {
	const { sql } = resources;
	const { dataVersion, active } = await readSettings(sql);
	const of: Kept = kept.get(sql) ?? { days: new Map(), waiting: 0, last: Promise.resolve() };
	kept.set(sql, of);
	const key = `${day} ${active} ${dataVersion}`;
	const found = of.days.get(key) ?? inTurn(of, () => compute(resources, day, active));
	of.days.delete(key);
	of.days.set(key, found);
	found.catch(() => of.days.delete(key));
	found.then(() => forgetOldest(of)).catch(() => {});
	const done = await within(found, patienceMs);
	if (done === undefined) throw tooLong();
	return done.value;
}

/** Once a day is there: what is still being computed is waited for, and is not begun anew. */
function forgetOldest({ days, waiting }: Kept): void {
	for (const oldest of days.keys()) if (days.size > mostDays + waiting) days.delete(oldest);
}

function inTurn(of: Kept, work: () => Promise<ScoresOn>): Promise<ScoresOn> {
	if (of.waiting >= mostWaiting) throw tooLong();
	of.waiting++;
	const turn = of.last.then(work).finally(() => of.waiting--);
	of.last = turn.catch(() => undefined);
	return turn;
}

const tooLong = () =>
	new AppError(503, "scores of past days are being computed: try again in a moment", { retryAfterSeconds: 5 });

async function compute({ sql, notice_2025_42 }: Resources, day: string, version: number): Promise<ScoresOn> {
	const references = await loadReferences(sql);
	const end = performance.now() + mostMs;
	const rows = new Map<string, ScoredOn>();
	for (const region of regions) {
		const requests = await readRequestsOn(sql, [day], { region });
		for (const [at, request] of requests.entries()) {
			if (at % slice === slice - 1) await nextTurn();
			if (performance.now() > end) throw tooLong();
			rows.set(request.facts.project_id, scoredOn(request, scoreOn(request, version, { references, notice_2025_42 })));
		}
	}
	return { day, score_version: version, ...(await readCoverage(sql, day)), rows };
}

export function scoredOn(
	{ entry, needs_capital, facts }: RequestOn,
	{ score, inputs, hash, credit, basis, since }: ScoreOn,
): ScoredOn {
	const { grade, investable, eligible, chance } = score;
	return {
		entry,
		needs_capital,
		inputs,
		hash,
		credit,
		basis,
		since,
		facts_as_of: facts.facts_as_of,
		score: score.score,
		grade,
		investable,
		eligible,
		p_built: chance?.value ?? null,
	};
}

/** What was taken back, and what lists say that came after newer ones, is counted as corrected: as many states as GET /projects counts. */
export async function readCoverage(
	sql: Sql,
	day: string,
): Promise<Pick<ScoresOn, "coverage" | "lists" | "corrections">> {
	const listed = await sql<{ region: Region; feed: string; day: string }[]>`
		select l.region, l.feed, max(l.day) as day from lists l where ${listedOn(sql, day)} group by l.region, l.feed order by l.feed`;
	const days = new Map<Region, string>();
	for (const row of listed) if (row.day > (days.get(row.region) ?? "")) days.set(row.region, row.day);
	const ofOperators = listed.filter(({ region }) => regions.includes(region));
	const [corrected] = await sql<{ count: number }[]>`
		select count(*) from project_states where (backfilled or not (believed or derived)) and valid_from <= ${day}::text::date`;
	return {
		coverage: Object.fromEntries(regions.map((region) => [region, days.get(region) ?? null])) as ScoresOn["coverage"],
		lists: Object.fromEntries(ofOperators.map(({ feed, day: newest }) => [feed, newest])),
		corrections: corrected?.count ?? 0,
	};
}
