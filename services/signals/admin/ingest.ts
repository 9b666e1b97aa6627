/**
 * Ingests files, or polls the publishers, by hand:
 *
 *   ingest --source form-d|8-k|news (FILE|FOLDER... | --live)
 *   ingest --sample | --data DIR      the bundled sample, or DIR/news and DIR/sec
 *
 * The result of each file goes to stderr. With `--source` the last line on stdout is the total as JSON. Exit code: 0 if every file was
 * ingested or already known, 3 if a file was refused, 1 if no file was given, a publisher could not be reached or the system failed.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { type FileIngest, type IngestOutcome, ingest } from "#libs/service/ingest-program.ts";
import { createLogger } from "#libs/service/logger.ts";
import { exitCodeOf, runProgram, UserError } from "#libs/service/program.ts";
import { contact } from "../config.ts";
import { ingestFiles, loadFolder, sumReports } from "../ingest/ingest-files.ts";
import { needsContact, refreshNow } from "../ingest/refresh.ts";
import { loadSample } from "../ingest/sample.ts";
import { schema } from "../migrate.ts";
import type { PollResult } from "../polling/poll.ts";
import { type Pipeline, pipelineNames } from "../records/records.ts";
import type { FileReport } from "../records/source-files.ts";

const program: FileIngest<Pipeline> = {
	schema,
	sources: pipelineNames,
	loadFolder,
	loadSample,
	async ingestFiles(sql, source, paths) {
		const reports = await ingestFiles(sql, source, paths, {
			now: () => new Date(),
			report: (report) => console.error(formatReport(report)),
			reportSkipped: (path, reason) => console.error(`${path}: not ingested: ${reason}`),
		});
		return sumReports(source, reports);
	},
	ingestPublished: (sql, source, env) => ingestPublished(sql, source, env.CONTACT),
};

/** Runs every step of the pipeline, even if it is not due. */
async function ingestPublished(sql: Sql, source: Pipeline, declared: string | undefined): Promise<IngestOutcome> {
	const parsedContact = contact.optional().safeParse(declared || undefined);
	if (!parsedContact.success) throw new UserError(`CONTACT ${parsedContact.error.issues[0]?.message}`);
	if (parsedContact.data === undefined && needsContact(source))
		throw new UserError("CONTACT is not set: SEC requires the name of an organization and an e-mail address");
	const log = createLogger({ name: "ingest", level: "silent" });
	const options = { log, now: () => new Date(), contact: parsedContact.data };
	const results = await refreshNow(sql, source, options, new AbortController().signal);
	if (results === undefined)
		throw new UserError("the running system is polling this source: try again in a few minutes");
	for (const { feed, outcome, stored, known, reason } of results)
		console.error(
			`${feed}: ${outcome}, ${stored} stored, ${known} known already${reason === null ? "" : `; ${reason}`}`,
		);
	return { source, looks: results, outcome: worstOutcome(results) } as IngestOutcome;
}

/** The worst outcome of the steps. A busy host is not a failure. */
function worstOutcome(results: readonly PollResult[]): IngestOutcome["outcome"] {
	const outcomes = new Set(results.map(({ outcome }) => outcome));
	return (["failed", "refused", "applied"] as const).find((outcome) => outcomes.has(outcome)) ?? "unchanged";
}

function formatReport({ name, outcome, rows_in, stored, known, dropped, notes, reason }: FileReport): string {
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const droppedText = dropped.map(({ reason: why, count }) => `; dropped ${count}: ${why}`).join("");
	const notesText = notes.map(({ reason: why, count }) => `; noted ${count}: ${why}`).join("");
	return `${name}: ${outcome}, ${rows_in} rows, ${stored} stored, ${known} known already${droppedText}${notesText}`;
}

const main = (args: string[], env: NodeJS.ProcessEnv) => ingest(program, args, env);

/** Returns the exit code. Prints a usage error to stderr. */
export const run = (args: string[], env: NodeJS.ProcessEnv): Promise<number> => exitCodeOf(main, args, env);

if (import.meta.main) await runProgram("ingest", main);
