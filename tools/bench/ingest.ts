/** A list of PJM's from its bytes to the commit, against a bare COPY of the same rows: the first one, the next day's, the same again. */
import { pipeline } from "node:stream/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { factColumns } from "../../services/queue-ingest/queues/columns.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import type { RawFile } from "../../services/queue-ingest/sources/source.ts";
import { median, timed } from "./measure.ts";
import { asFile, nextDay, pjmList } from "./pjm-list.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const days = 3;
const phaseNames = ["hash", "archive", "read", "stage", "compare", "write"] as const;
type Phase = (typeof phaseNames)[number];
type Phases = Record<Phase, number>;

/** Milliseconds of each turn, by phase. */
interface Turns {
	first: Phases[];
	next: Phases[];
	unchanged: Phases[];
	copy: number[];
}

export async function measureIngest(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const list = pjmList(bench.size);
	const { rounds, warmUps } = bench.size.turns(5);
	const all = Array.from({ length: days + 1 }, (_, day) => asFile(day === 0 ? list : nextDay(list, day)));
	const files = bench.size.alike(all, 2);
	const turns: Turns = { first: [], next: [], unchanged: [], copy: [] };
	for (let round = -warmUps; round < rounds; round++) {
		await using sql = await bench.emptyDatabase();
		const taken = await oneRound(sql, files);
		say(`round ${round + 1} of ${rounds}: done`);
		if (round < 0) continue;
		for (const name of ["first", "next", "unchanged", "copy"] as const) turns[name].push(...(taken[name] as never[]));
	}
	return rowsOf(turns);
}

/** First list, COPY, next day's list, COPY, …, and the last one again. */
async function oneRound(sql: Sql, files: readonly RawFile[]): Promise<Turns> {
	const turns: Turns = { first: [], next: [], unchanged: [], copy: [] };
	let copy: (() => Promise<number>) | undefined;
	for (const [day, file] of files.entries()) {
		(day === 0 ? turns.first : turns.next).push(await take(sql, day, file, "applied"));
		copy ??= await bareCopy(sql);
		turns.copy.push(await copy());
		turns.unchanged.push(await take(sql, day, file, "unchanged"));
	}
	return turns;
}

/** Takes the list in and answers how long each phase took. */
async function take(sql: Sql, day: number, file: RawFile, expected: string): Promise<Phases> {
	const phases: Phases = { hash: 0, archive: 0, read: 0, stage: 0, compare: 0, write: 0 };
	let [phase, since]: [Phase, number] = ["hash", performance.now()];
	const enter = (step: string) => {
		const now = performance.now();
		phases[phase] += now - since;
		since = now;
		phase = phaseNames.find((name) => step.startsWith(name)) ?? phase;
	};
	const asOf = new Date(Date.UTC(2026, 6, 1 + day)).toISOString();
	const files = [{ ...file, path: file.name }];
	const result = await ingestSnapshot(sql, { region: "PJM", files, asOf, onProgress: enter });
	enter("end");
	if (result.outcome !== expected) throw new Error(`the list was ${result.outcome}, ${result.reason}`);
	return phases;
}

/** The rows as they are staged, rendered beforehand, into a plain table with a primary key. */
async function bareCopy(sql: Sql): Promise<() => Promise<number>> {
	const rows = `select id, key, queue_id, false as is_new, false as renumbered, false as partial, row_hash, raw,
		${factColumns.map(({ name }) => name).join(", ")} from projects`;
	const chunks: Buffer[] = [];
	for await (const chunk of await sql.unsafe(`copy (${rows}) to stdout`).readable()) chunks.push(chunk);
	return async () => {
		await sql.unsafe(`drop table if exists bare; create table bare as ${rows} with no data`);
		await sql`alter table bare add primary key (id)`;
		return timed(async () => pipeline(chunks, await sql.unsafe("copy bare from stdin").writable()));
	};
}

function rowsOf({ first, next, unchanged, copy }: Turns): Row[] {
	const parsedToCommit = (turn: Phases) => turn.stage + turn.compare + turn.write;
	const bytesToCommit = (turn: Phases) => turn.hash + turn.archive + turn.read + parsedToCommit(turn);
	const against = { unit: "ms", baseline: copy };
	const aim = { atMost: 8 };
	return [
		{ ...against, measure: "first PJM list, parsed rows to commit", ours: first.map(parsedToCommit), aim },
		{ ...against, measure: "first PJM list, bytes to commit", ours: first.map(bytesToCommit), aim, note: noted(first) },
		{ ...against, measure: "next day's list, parsed rows to commit", ours: next.map(parsedToCommit), aim },
		{ ...against, measure: "next day's list, bytes to commit", ours: next.map(bytesToCommit), aim, note: noted(next) },
		{
			measure: "the same list again, against a changed one",
			unit: "ms",
			ours: unchanged.map(bytesToCommit),
			baseline: next.map(bytesToCommit),
			aim: { atMost: 0.01 },
		},
	];
}

const noted = (turns: Phases[]): string =>
	phaseNames.map((name) => `${name} ${Math.round(median(turns.map((turn) => turn[name])))}`).join(", ");
