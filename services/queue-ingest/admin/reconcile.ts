/**
 * Compares each operator's queue with other publishers' records of it, and prints why they differ: `npm run admin -- reconcile` while the
 * system is running.
 *
 *   reconcile [--region PJM] [--source lbnl|eia860|operator]
 *
 * Exit code: 0, or 3 if more than 1 % of a region's MW is unexplained.
 */
import { region as regionParam } from "#libs/contract/operations/projects/project.ts";
import { choice } from "#libs/contract/params.ts";
import { reconciliationClasses, reconciliationSources } from "#libs/contract/vocabulary.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { reconcile } from "../quality/reconciliation/reconcile.ts";
import { classOf } from "../quality/reconciliation/rules.ts";
import type { ReasonSums, Reconciliation } from "../quality/reconciliation/sum-lines.ts";
import { connectAs } from "./shared/connect.ts";

const maxUnexplainedShare = 0.01;

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const { values } = readArguments({ args, options: { region: { type: "string" }, source: { type: "string" } } });
	const region = parseOption("region", values.region, regionParam());
	const source = parseOption("source", values.source, choice(reconciliationSources));
	await using sql = connectAs("reconcile", env, 1);
	await reconcile(sql, new Date());
	const rows = await sql<{ body: Reconciliation }[]>`select body from reconciliations order by place`;
	const chosen = rows
		.map(({ body }) => body)
		.filter(
			(body) => (region === undefined || body.region === region) && (source === undefined || body.source === source),
		);
	for (const comparison of chosen) print(comparison);
	return chosen.some(({ unexplained_share }) => unexplained_share > maxUnexplainedShare) ? 3 : 0;
}

function parseOption<T>(
	name: string,
	value: string | undefined,
	schema: { safeParse(value: unknown): { success: boolean; data?: T } },
): T | undefined {
	if (value === undefined) return undefined;
	const found = schema.safeParse(value);
	if (!found.success) throw new UserError(`--${name}: "${value}" is not a known ${name}`);
	return found.data;
}

function print(one: Reconciliation): void {
	const share = (100 * one.unexplained_share).toFixed(2);
	console.log(
		`\n${one.region}: ${one.title}, edition of ${one.edition}, compared with our requests as of ${one.compared_on}; unexplained ${one.unexplained_mw} MW (${share} %)`,
	);
	console.table(
		Object.fromEntries([
			...sumByRule(one.statuses.flatMap(({ reasons }) => reasons)).map((reason) => [reason.rule, tableRow(reason)]),
			["total", tableRow({ class: "", ours: one.ours, theirs: one.theirs })],
		]),
	);
}

const tableRow = ({ class: kind, ours, theirs }: { class: string } & Pick<ReasonSums, "ours" | "theirs">) => ({
	class: kind,
	ours: ours.records,
	"our MW": Math.round(ours.capacity_mw),
	theirs: theirs.records,
	"their MW": Math.round(theirs.capacity_mw),
});

function sumByRule(reasons: readonly ReasonSums[]): ReasonSums[] {
	const rules = [...Map.groupBy(reasons, ({ rule }) => rule)].map(([rule, same]) => ({
		rule,
		class: classOf(rule),
		ours: addSums(same.map(({ ours }) => ours)),
		theirs: addSums(same.map(({ theirs }) => theirs)),
	}));
	const classRank = (one: ReasonSums) => reconciliationClasses.indexOf(one.class);
	return rules.sort((a, b) => classRank(a) - classRank(b));
}

const addSums = (sums: readonly ReasonSums["ours"][]): ReasonSums["ours"] => ({
	records: sums.reduce((all, { records }) => all + records, 0),
	capacity_mw: sums.reduce((all, { capacity_mw }) => all + capacity_mw, 0),
});

await runProgram("reconcile", main);
