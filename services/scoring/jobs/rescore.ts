/** Moves the service to another version of the score; requests have a score at every moment. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import { tablesOf } from "../domain/score/versions/index.ts";
import { enqueueAll, lockScoring } from "../tables/recompute-queue.ts";
import { scoreRow, storeScores } from "../tables/scores.ts";

/** Requests of one transaction, for which arriving events have to wait. */
const batchSize = 2_000;

/**
 * Scores what is stored under `version` from its stored inputs, then serves that version and marks everything to be published. Without a
 * version, everything is computed again from its facts under the version in use. @returns both versions, and how many open requests there are
 */
export async function rescore(
	sql: Sql,
	version: number | null,
	{ now, report }: { now: () => Date; report: (line: string) => void },
) {
	const from = await prepare(sql, version);
	const to = version ?? from;
	let requests = 0;
	for (let after: string | null = ""; to !== from && after !== null; ) {
		const done = await prepareBatch(sql, from, to, after, now());
		requests += done.requests;
		after = done.last;
		if (done.requests > 0) report(`${requests} requests scored under version ${to}`);
	}
	return { from, to, requests: await serve(sql, from, to) };
}

/** @throws where another rescore has begun since: the later one counts */
async function demandPreparing(tx: Transaction, from: number, to: number): Promise<void> {
	const [settings] = await tx<{ active_version: number; preparing_version: number | null }[]>`
		select active_version, preparing_version from settings`;
	if (settings?.active_version !== from || settings.preparing_version !== (from === to ? null : to))
		throw new Error(
			`another call began meanwhile: version ${settings?.active_version} is served and ${settings?.preparing_version ?? "none"} is being prepared; this one ends`,
		);
}

/** From here on, the worker scores requests under both versions. @returns the one in use */
const prepare = (sql: Sql, version: number | null): Promise<number> =>
	sql.begin(async (tx) => {
		await lockScoring(tx);
		const [settings] = await tx<{ active_version: number }[]>`select active_version from settings`;
		if (settings === undefined) throw new Error("the settings of scoring are missing: migrate");
		const { active_version } = settings;
		// Throws before anything is changed if the version's table is missing.
		tablesOf(version ?? active_version);
		const preparing = version === active_version ? null : version;
		await tx`update settings set preparing_version = ${preparing}`;
		// An interrupted preparation may have left scores of another version.
		await tx`delete from scores where score_version <> ${active_version} and score_version is distinct from ${preparing}`;
		return active_version;
	});

function prepareBatch(
	sql: Sql,
	from: number,
	to: number,
	after: string,
	now: Date,
): Promise<{ requests: number; last: string | null }> {
	return sql.begin(async (tx) => {
		await lockScoring(tx);
		await demandPreparing(tx, from, to);
		const known = await tx<{ project_id: string; inputs: ScoreInputs; inputs_hash: string }[]>`
			select project_id, inputs, inputs_hash from scores
			where score_version = ${from} and project_id > ${after} order by project_id limit ${batchSize}`;
		const rows = known.map(({ project_id, inputs, inputs_hash }) =>
			scoreRow(project_id, to, scoreProject(inputs, tablesOf(to)), inputs, inputs_hash),
		);
		await storeScores(tx, rows, now);
		return { requests: rows.length, last: rows.at(-1)?.project_id ?? null };
	});
}

/** One transaction, so that a reader sees either version whole. @returns how many requests are marked */
function serve(sql: Sql, from: number, version: number): Promise<number> {
	return sql.begin(async (tx) => {
		await lockScoring(tx);
		await demandPreparing(tx, from, version);
		// Without a hash, scores are computed again although their inputs have not changed.
		if (from === version) await tx`update scores set inputs_hash = '' where score_version = ${version}`;
		await tx`update settings set active_version = ${version}, preparing_version = null`;
		await tx`delete from scores where score_version <> ${version}`;
		const requests = await enqueueAll(tx);
		await raiseDataVersion(tx);
		return requests;
	});
}
