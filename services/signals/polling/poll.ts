/** A poll of one pipeline runs its steps one after another and records the result of each. A failed step does not stop the others. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Content, Pipeline, SourceFile, Stored } from "../records/records.ts";
import { createRefusal, describeFiles, recordFile } from "../records/source-files.ts";
import type { Hosts } from "./hosts.ts";
import { Busy, type Download, type DownloadOptions, type PoliteClient } from "./polite.ts";

interface Poll {
	pipeline: Pipeline;
	sql: Sql;
	client: PoliteClient;
	hosts: Hosts;
	now: () => Date;
	signal: AbortSignal;
	log: Pick<Logger, "warn">;
	/** Called by `StepRun.ingest`. It is passed in to avoid a circular import: the readers of all pipelines import this module. */
	ingest(run: StepRun, files: readonly SourceFile[], options: IngestOptions): Promise<Ingested | null>;
}

export interface IngestOptions {
	/** Records the files in `source_files` even if nothing new was stored. */
	always?: boolean;
	/** Selects the content to store. */
	select?: (content: Content) => Content;
}

export interface Ingested extends Stored {
	/** Rows that the files contain, stored or not. */
	rowsIn: number;
}

/** Reads one publication. An error that it throws becomes the result of this step only. */
export interface Step {
	name: string;
	/** Minimum time between two runs. A run that ended because its host was busy is repeated by the next poll. */
	everyMinutes: number;
	/** If true, failures of this step do not count as failures of the pipeline. */
	bestEffort?: boolean;
	run(run: StepRun): Promise<void>;
}

export interface PollResult {
	feed: string;
	outcome: "applied" | "unchanged" | "refused" | "failed" | "busy";
	stored: number;
	known: number;
	reason: string | null;
}

/** One run of a step: its access to the publisher and the database, and its statistics so far. */
export class StepRun {
	readonly poll: Poll;
	readonly sql: Sql;
	readonly hosts: Hosts;
	readonly signal: AbortSignal;
	readonly now: () => Date;
	/** Requests that got a response: a file, "unchanged" or "absent". */
	responses = 0;
	/** Ingested batches of files, and unchanged feeds. */
	accepted = 0;
	stored = 0;
	known = 0;
	/** The first problem that did not end the run. */
	problem: string | null = null;

	constructor(poll: Poll) {
		this.poll = poll;
		({ sql: this.sql, hosts: this.hosts, signal: this.signal, now: this.now } = poll);
	}

	async download(url: string, options: DownloadOptions): Promise<Download> {
		const download = await this.poll.client.get(url, options);
		this.responses++;
		return download;
	}

	/** Reads the files and stores their records together. Unreadable files are refused. Returns null if no file was readable. */
	ingest(files: readonly SourceFile[], options: IngestOptions = {}): Promise<Ingested | null> {
		return this.poll.ingest(this, files, options);
	}

	/** Records a file that is unusable, or missing although it should be published (then `bytes` is empty). */
	async refuse(file: SourceFile, reason: string): Promise<void> {
		const { pipeline, log } = this.poll;
		this.noteProblem(reason);
		const identity = describeFiles([file]);
		await recordFile(this.sql, pipeline, createRefusal(identity, reason), this.now());
		log.warn({ pipeline, file: identity.name, reason }, "a download could not be used");
	}

	noteProblem(problem: string): void {
		this.problem ??= problem;
	}
}

/** Runs all steps, or with `due` only those that are due. Throws if the database fails or the poll's signal is aborted. */
export async function runSteps(poll: Poll, steps: readonly Step[], { due }: { due: boolean }): Promise<PollResult[]> {
	const results: PollResult[] = [];
	const countedResults: { result: PollResult; responses: number }[] = [];
	for (const step of steps) {
		poll.signal.throwIfAborted();
		const feed = `${poll.pipeline}/${step.name}`;
		if (due && !(await isDue(poll, feed, step.everyMinutes))) continue;
		const run = new StepRun(poll);
		const result = await runStep(run, step, feed);
		await recordResult(poll, result, step);
		if (result.outcome === "failed") poll.log.warn({ ...result }, "a step of a poll failed");
		results.push(result);
		if (!(step.bestEffort && hasFailed(result))) countedResults.push({ result, responses: run.responses });
	}
	await recordPoll(poll, countedResults);
	return results;
}

async function runStep(run: StepRun, step: Step, feed: string): Promise<PollResult> {
	const result = (outcome: PollResult["outcome"], reason: string | null): PollResult => {
		const { stored, known } = run;
		return { feed, outcome, stored, known, reason };
	};
	try {
		await step.run(run);
		return result(stepOutcome(run), run.problem);
	} catch (error) {
		run.signal.throwIfAborted();
		const outcome = error instanceof Busy ? "busy" : error instanceof StructureError ? "refused" : "failed";
		return result(outcome, error instanceof Error ? error.message : String(error));
	}
}

function stepOutcome({ stored, accepted, responses, problem }: StepRun): PollResult["outcome"] {
	if (stored > 0) return "applied";
	if (problem === null || accepted > 0) return "unchanged";
	return responses > 0 ? "refused" : "failed";
}

const hasFailed = ({ outcome }: PollResult): boolean => outcome === "failed" || outcome === "refused";

/** Reads the last run from the database, so that neither a restart nor another replica polls again too soon. */
async function isDue({ sql, now }: Poll, feed: string, everyMinutes: number): Promise<boolean> {
	const since = new Date(now().getTime() - everyMinutes * 60_000).toISOString();
	const recentPolls = await sql`
		select from looks where feed = ${feed} and outcome <> 'busy' and looked_at > ${since}::timestamptz
			and not ${writtenAhead(sql, sql`looked_at`, now())}`;
	return recentPolls.count === 0;
}

/** Records the outcome of a step or of one of its feeds, and the time since which it has been failing (refused, failed or busy). */
export async function recordResult(
	{ sql, now }: Poll,
	{ feed, outcome, reason }: Pick<PollResult, "feed" | "outcome" | "reason">,
	{ bestEffort = false }: Pick<Step, "bestEffort"> = {},
): Promise<void> {
	const at = now().toISOString();
	const isFailing = outcome !== "applied" && outcome !== "unchanged" && !bestEffort;
	await sql`
		insert into looks as t (feed, looked_at, outcome, reason, failing_since) values (${feed}, ${at}, ${outcome}, ${reason}, ${isFailing ? at : null})
		on conflict (feed) do update set (looked_at, outcome, reason) = (excluded.looked_at, excluded.outcome, excluded.reason),
			failing_since = case when ${isFailing} then coalesce(t.failing_since, excluded.failing_since) end`;
}

/** Records the outcome of the poll, unless no step got a response or failed. `recordFile` records when the pipeline changed. */
async function recordPoll(
	{ sql, pipeline, now }: Poll,
	countedResults: readonly { result: PollResult; responses: number }[],
) {
	const results = countedResults.filter(({ result, responses }) => responses > 0 || hasFailed(result));
	const outcomes = new Set(results.map(({ result }) => result.outcome));
	const hasStored = countedResults.some(({ result }) => result.stored > 0);
	const worstOutcome = (["failed", "refused"] as const).find((outcome) => outcomes.has(outcome));
	const hasSucceeded = hasStored || outcomes.has("applied") || outcomes.has("unchanged");
	if (worstOutcome === undefined && !hasSucceeded) return;
	const at = now().toISOString();
	await sql`
		update pipelines set last_checked_at = ${at}, last_outcome = ${worstOutcome ?? (hasStored ? "applied" : "unchanged")},
			last_success_at = case when ${hasSucceeded} then ${at}::timestamptz else last_success_at end
		where pipeline = ${pipeline}`;
}
