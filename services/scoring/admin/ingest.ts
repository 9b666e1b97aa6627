/**
 * Loads reference lists by hand, against the running system's database:
 *
 *   ingest --source energy-communities FILE...   IRS county lists (.tsv), Treasury's workbooks (.xlsx), lists of some places (.csv)
 *   ingest --source low-income FILE...           CDFI's tracts (.json), the 48E(h) program's workbook (.xlsx)
 *   ingest --source ic-costs FILE...             interconnection costs of requests (.csv), LBNL's workbooks (.xlsx)
 *   ingest --sample | --data DIR                 the bundled sample, or DIR/energy_communities, DIR/geography, DIR/ic_costs and
 *                                                DIR/interconnection_costs
 *
 * The result of each file goes to stderr. With `--source` the last line on stdout is the total as JSON. Exit code: 0 if every file was
 * loaded or already loaded, 3 if a file was refused, 1 if no file was given or the system failed.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { type FileIngest, ingest, sumFiles } from "#libs/service/ingest-program.ts";
import { exitCodeOf, runProgram } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";
import { formatReport, loadReferenceFiles } from "../references/load.ts";
import { loadFolder, loadSample } from "../references/load-folder.ts";
import { type ReferenceSource, referenceSources } from "../references/sources/reference.ts";

const program: FileIngest<ReferenceSource> = {
	schema,
	sources: referenceSources,
	loadFolder,
	loadSample,
	async ingestFiles(sql: Sql, source, paths) {
		const reports = await loadReferenceFiles(sql, source, paths, {
			now: () => new Date(),
			report: (report) => console.error(formatReport(report)),
			reportSkipped: (path, reason) => console.error(`${path}: not loaded: ${reason}`),
		});
		return sumFiles(source, reports);
	},
};

const main = (args: string[], env: NodeJS.ProcessEnv) => ingest(program, args, env);

/** Prints a usage error to stderr. @returns the exit code */
export const run = (args: string[], env: NodeJS.ProcessEnv): Promise<number> => exitCodeOf(main, args, env);

if (import.meta.main) await runProgram("ingest", main);
