/** What PostgreSQL's planner expects of a statement, and when that is too much to begin with. */
import { badRequest } from "#libs/contract/errors.ts";
import type { CheckedStatement } from "./check-statement.ts";

/**
 * In the planner's units. Five seconds are about a million of them on two slow cores (a scan of 40,000 projects is 3,000, sorting a
 * million prices 200,000): whoever is above this would be stopped anyway, and is told at once.
 */
const highestCost = 3_000_000;
/** Of rows that are collected into one value, which is held in memory whole. */
const megabyte = 1024 * 1024;
const mostCollectedBytes = 64 * megabyte;
/** Bytes that may be kept in memory by one part of a plan, before it writes to disk: the session's work_mem. */
export const workMemory = 8 * megabyte;
/** Of all parts of a plan that keep rows together: PostgreSQL frees none of it before the statement ends. */
const mostKeptBytes = 128 * megabyte;
/** Of a part that the planner expects to keep little: it may be wrong. */
const leastKeptBytes = 2 * megabyte;
/** What a value in memory takes besides itself. */
const valueOverhead = 24;

interface Plan {
	"Node Type": string;
	"Total Cost": number;
	"Plan Rows": number;
	"Plan Width": number;
	"Parent Relationship"?: string;
	Strategy?: string;
	Plans?: Plan[];
}

/** @throws AppError 400 */
export function checkPlan(
	explained: unknown,
	statement: Pick<CheckedStatement, "growth" | "literalBytes" | "textCalls">,
): void {
	const [{ Plan: plan }] = explained as [{ Plan: Plan }];
	if (plan["Total Cost"] > highestCost)
		throw badRequest(
			`the statement would take too long: PostgreSQL estimates its cost at ${Math.round(plan["Total Cost"]).toLocaleString("en")}, and at most ${highestCost.toLocaleString("en")} is run; join on a key, filter, or aggregate less`,
		);
	const { growth, literalBytes, textCalls } = statement;
	// All literals may be put to each row.
	const bytesOf: BytesOf = (rows) =>
		rows["Plan Rows"] * ((rows["Plan Width"] + literalBytes) * Math.max(1, growth.factor) + valueOverhead);
	const kept = keptBytes(plan, bytesOf);
	if (kept > mostKeptBytes)
		throw badRequest(
			`the statement would keep about ${inMegabytes(kept)} in memory to sort, group and join, and at most ${inMegabytes(mostKeptBytes)} are: sort, group and join less often`,
		);
	if (growth.collects === 0) return;
	const bytes = mostCollected(plan, bytesOf);
	// Each function goes through the whole of it again, and cannot be stopped.
	const most = mostCollectedBytes / (1 + textCalls);
	if (bytes > most)
		throw badRequest(
			`the statement would collect about ${inMegabytes(bytes)} into one value, and at most ${inMegabytes(most)} are${textCalls > 0 ? ` beside ${textCalls} functions that make text` : ""}: filter its rows first`,
		);
}

const inMegabytes = (bytes: number): string => `${(bytes / megabyte).toFixed(bytes < 10 * megabyte ? 1 : 0)} MB`;

type BytesOf = (rows: Plan) => number;

const keeping =
	/^(Sort|Incremental Sort|Hash|WindowAgg|Materialize|Memoize|CTE Scan|Function Scan|SetOp|Table Function Scan)$/;
const keepsRows = ({ "Node Type": type, Strategy }: Plan): boolean =>
	keeping.test(type) || (type === "Aggregate" && (Strategy === "Hashed" || Strategy === "Mixed"));

/** Bytes that all parts of the plan keep together. */
function keptBytes(plan: Plan, bytesOf: BytesOf): number {
	const own = keepsRows(plan) ? Math.min(workMemory, Math.max(leastKeptBytes, bytesOf(plan))) : 0;
	return (plan.Plans ?? []).reduce((sum, input) => sum + keptBytes(input, bytesOf), own);
}

/** Bytes of the largest input of an aggregate or of a subquery. A literal that is put to each row makes it longer by itself. */
function mostCollected(plan: Plan, bytesOf: BytesOf): number {
	const inputs = plan.Plans ?? [];
	const own = inputs.map((input) => {
		const collects = /Aggregate|Group/.test(plan["Node Type"]) || input["Parent Relationship"] !== "Outer";
		return collects ? bytesOf(input) : 0;
	});
	return Math.max(0, ...own, ...inputs.map((input) => mostCollected(input, bytesOf)));
}
