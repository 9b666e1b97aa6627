/**
 * Computes what is marked: developers first, because scores look at them, then requests, a batch of each a transaction. What is
 * computed depends on nothing but the copies, the reference lists and the day, so that the order in which events came is forgotten.
 */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { keepUp } from "#libs/service/keep-up.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Basis } from "../domain/assess.ts";
import { schema } from "../migrate.ts";
import { loadReferences } from "../references.ts";
import { rateDevelopers } from "./rate-developers.ts";
import { type Settings, scoreProjects } from "./score-projects.ts";
import { touchAll, touchedChannel } from "./touch.ts";

export interface Scoring {
	now: () => Date;
	notice_2025_42: Basis["notice_2025_42"];
	log: Pick<Logger, "error">;
}

/** Most requests, and most developers, that one transaction computes. */
const batchSize = 500;

export const keepScored = (sql: Sql, scoring: Scoring): Promise<AsyncDisposable> =>
	keepUp(sql, {
		channel: touchedChannel(schema),
		run: (signal) => scoreTouched(sql, scoring, signal),
		failure: "what is marked could not be scored",
		log: scoring.log,
	});

/** Everything that is marked is computed when it resolves. */
export async function scoreTouched(sql: Sql, scoring: Scoring, signal?: AbortSignal): Promise<void> {
	while (await scoreBatch(sql, scoring)) signal?.throwIfAborted();
}

/** Is nothing left to compute? */
export async function isScored(sql: Sql): Promise<boolean> {
	const rows = await sql`
		select from (select from touched_projects union all select from touched_developers) t limit 1`;
	return rows.count === 0;
}

/** One batch; answers whether there was one. One replica at a time: what two computed side by side could look past each other. */
export async function scoreBatch(sql: Sql, { now, notice_2025_42, log }: Scoring): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockScoring(tx);
		const at = now();
		const today = at.toISOString().slice(0, 10);
		const settings = await settle(tx, today);
		const developers = await tx<{ developer_id: number }[]>`
			delete from touched_developers where developer_id in (
				select developer_id from touched_developers order by developer_id limit ${batchSize} for update skip locked)
			returning developer_id`;
		const rated = await rateDevelopers(
			tx,
			developers.map((row) => row.developer_id),
			at,
			log,
		);
		const projects = await tx<{ project_id: string }[]>`
			delete from touched_projects where project_id in (
				select project_id from touched_projects order by project_id limit ${batchSize} for update skip locked)
			returning project_id`;
		const scored = await scoreProjects(
			tx,
			projects.map((row) => row.project_id),
			settings,
			{ basis: { today, references: await loadReferences(tx), notice_2025_42 }, now: at, log },
		);
		if (rated || scored) await raiseDataVersion(tx);
		return developers.length + projects.length > 0;
	});
}

export async function lockScoring(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':score', 0))`;
}

/** A new day, or a new reference list, touches everything. */
async function settle(tx: Transaction, today: string): Promise<Settings> {
	const [settings] = await tx<(Settings & { due: boolean; lists: number })[]>`
		select active_version, preparing_version, r.version as lists,
			computed_on is distinct from ${today}::text::date or references_version <> r.version as due
		from settings, reference_versions r`;
	if (settings === undefined) throw new Error("the settings of scoring are missing: migrate");
	if (settings.due) {
		await touchAll(tx);
		await tx`update settings set computed_on = ${today}::text::date, references_version = ${settings.lists}`;
	}
	return settings;
}
