/** Sums lines by status and reason, so that both sides' totals are exact to the kilowatt. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { reconciliationClasses, reconciliationMethods, type Status, statuses } from "#libs/contract/vocabulary.ts";
import { type Line, megawattsOf, type Side } from "./line.ts";
import { classOf, type Rule } from "./rules.ts";

/** A region's totals next to another publisher's, as stored and returned. */
export type Reconciliation = Reply<"getReconciliation">["data"][number];
type StatusSums = Reconciliation["statuses"][number];
export type ReasonSums = StatusSums["reasons"][number];
type Example = Reconciliation["examples"][number];
type LineSums = Omit<Reconciliation, "source" | "region" | "title" | "edition" | "compared_on" | "sha256" | "notes">;

const maxExamplesPerRule = 3;

export function sumLines(lines: readonly Line[]): LineSums {
	const ours = sumSides(lines.flatMap((line) => line.ours));
	const theirs = sumSides(lines.flatMap((line) => line.theirs));
	const unexplained = lines.filter(({ rule }) => classOf(rule) === "unexplained").map(differenceOf);
	const unexplainedMw = roundToKw(unexplained.reduce((sum, mw) => sum + mw, 0));
	const largerMw = Math.max(ours.capacity_mw, theirs.capacity_mw);
	return {
		ours,
		theirs,
		unexplained_mw: unexplainedMw,
		unexplained_share: largerMw === 0 ? 0 : Math.min(1, Math.round((unexplainedMw / largerMw) * 1e5) / 1e5),
		matched_by: Object.fromEntries(
			reconciliationMethods
				.map((method) => [method, lines.filter((line) => line.method === method).length] as const)
				.filter(([, pairs]) => pairs > 0),
		),
		statuses: statuses.map((status) => sumStatus(lines, status)).filter(({ reasons }) => reasons.length > 0),
		examples: selectExamples(lines),
	};
}

/** Returns the unexplained MW of a line: the difference if all sides have one status, else the larger side. */
function differenceOf({ ours, theirs }: Line): number {
	const [a, b] = [megawattsOf(ours), megawattsOf(theirs)];
	const isOneStatus = new Set([...ours, ...theirs].map(({ status }) => status)).size === 1;
	return isOneStatus ? Math.abs(a - b) : Math.max(Math.abs(a), Math.abs(b));
}

function sumStatus(lines: readonly Line[], status: Status): StatusSums {
	const sides = (rule: Rule | null, side: "ours" | "theirs") =>
		lines
			.filter((line) => rule === null || line.rule === rule)
			.flatMap((line) => line[side])
			.filter((one) => one.status === status);
	const statusRules = new Set(
		lines
			.filter(({ ours, theirs }) => [...ours, ...theirs].some((one) => one.status === status))
			.map(({ rule }) => rule),
	);
	const reasons = [...statusRules].map((rule) => ({
		class: classOf(rule),
		rule,
		ours: sumSides(sides(rule, "ours")),
		theirs: sumSides(sides(rule, "theirs")),
	}));
	const classRank = (one: ReasonSums) => reconciliationClasses.indexOf(one.class);
	reasons.sort((a, b) => classRank(a) - classRank(b) || a.rule.localeCompare(b.rule));
	return { status, ours: sumSides(sides(null, "ours")), theirs: sumSides(sides(null, "theirs")), reasons };
}

function selectExamples(lines: readonly Line[]): Example[] {
	const byRule = Map.groupBy(
		lines.filter(({ rule }) => classOf(rule) !== "matched"),
		({ rule }) => rule,
	);
	const size = (line: Line) =>
		Math.max(Math.abs(differenceOf(line)), Math.abs(megawattsOf(line.ours) - megawattsOf(line.theirs)));
	return [...byRule]
		.sort(([a], [b]) => a.localeCompare(b))
		.flatMap(([rule, same]) =>
			same
				.map((line) => ({ line, mw: size(line) }))
				.sort((a, b) => b.mw - a.mw || firstId(a.line).localeCompare(firstId(b.line)))
				.slice(0, maxExamplesPerRule)
				.map(({ line }) => ({
					class: classOf(rule),
					rule,
					ours: toExampleSide(line.ours),
					theirs: toExampleSide(line.theirs),
				})),
		);
}

const firstId = ({ ours, theirs }: Line): string => ours[0]?.id ?? theirs[0]?.id ?? "";

function toExampleSide(sides: readonly Side[]): Example["ours"] {
	const [first] = sides;
	if (first === undefined) return null;
	const mw = sides.length === 1 ? first.mw : megawattsOf(sides);
	return {
		id: sides
			.slice(0, 3)
			.map(({ id }) => id)
			.join(", "),
		status: first.status,
		capacity_mw: mw === null ? null : roundToKw(mw),
	};
}

/** Sums in kilowatts, which is exact. */
function sumSides(sides: readonly Side[]): Reconciliation["ours"] {
	const kw = sides.reduce((sum, { mw }) => sum + Math.round((mw ?? 0) * 1_000), 0);
	return { records: sides.reduce((sum, { records = 1 }) => sum + records, 0), capacity_mw: kw / 1_000 };
}

const roundToKw = (mw: number): number => Math.round(mw * 1_000) / 1_000;
