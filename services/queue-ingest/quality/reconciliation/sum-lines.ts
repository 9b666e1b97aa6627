/** Sums lines by status and reason, so that both sides' totals are exact to the kilowatt. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { reconciliationClasses, reconciliationMethods, type Status, statuses } from "#libs/contract/vocabulary.ts";
import { type Line, megawattsOf, type Side } from "./line.ts";
import { classOf, type Rule } from "./rules.ts";

/** A region's totals next to another publisher's, as stored and returned. */
export type Reconciled = Reply<"getReconciliation">["data"][number];
type StatusSums = Reconciled["statuses"][number];
export type ReasonSums = StatusSums["reasons"][number];
type Example = Reconciled["examples"][number];
type Summed = Omit<Reconciled, "source" | "region" | "title" | "edition" | "compared_on" | "sha256" | "notes">;

const examplesOfRule = 3;

export function sumLines(lines: readonly Line[]): Summed {
	const ours = sumOf(lines.flatMap((line) => line.ours));
	const theirs = sumOf(lines.flatMap((line) => line.theirs));
	const unexplained = lines.filter(({ rule }) => classOf(rule) === "unexplained").map(differenceOf);
	const unexplainedMw = rounded(unexplained.reduce((sum, mw) => sum + mw, 0));
	const most = Math.max(ours.capacity_mw, theirs.capacity_mw);
	return {
		ours,
		theirs,
		unexplained_mw: unexplainedMw,
		unexplained_share: most === 0 ? 0 : Math.min(1, Math.round((unexplainedMw / most) * 1e5) / 1e5),
		matched_by: Object.fromEntries(
			reconciliationMethods
				.map((method) => [method, lines.filter((line) => line.method === method).length] as const)
				.filter(([, pairs]) => pairs > 0),
		),
		statuses: statuses.map((status) => sumStatus(lines, status)).filter(({ reasons }) => reasons.length > 0),
		examples: examplesOf(lines),
	};
}

/** The unexplained amount: for one status the difference, for two statuses the larger. */
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
	const rulesHere = new Set(
		lines
			.filter(({ ours, theirs }) => [...ours, ...theirs].some((one) => one.status === status))
			.map(({ rule }) => rule),
	);
	const reasons = [...rulesHere].map((rule) => ({
		class: classOf(rule),
		rule,
		ours: sumOf(sides(rule, "ours")),
		theirs: sumOf(sides(rule, "theirs")),
	}));
	const place = (one: ReasonSums) => reconciliationClasses.indexOf(one.class);
	reasons.sort((a, b) => place(a) - place(b) || a.rule.localeCompare(b.rule));
	return { status, ours: sumOf(sides(null, "ours")), theirs: sumOf(sides(null, "theirs")), reasons };
}

function examplesOf(lines: readonly Line[]): Example[] {
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
				.sort((a, b) => b.mw - a.mw || nameOf(a.line).localeCompare(nameOf(b.line)))
				.slice(0, examplesOfRule)
				.map(({ line }) => ({
					class: classOf(rule),
					rule,
					ours: exampleSides(line.ours),
					theirs: exampleSides(line.theirs),
				})),
		);
}

const nameOf = ({ ours, theirs }: Line): string => ours[0]?.id ?? theirs[0]?.id ?? "";

function exampleSides(sides: readonly Side[]): Example["ours"] {
	const [first] = sides;
	if (first === undefined) return null;
	const mw = sides.length === 1 ? first.mw : megawattsOf(sides);
	return {
		id: sides
			.slice(0, 3)
			.map(({ id }) => id)
			.join(", "),
		status: first.status,
		capacity_mw: mw === null ? null : rounded(mw),
	};
}

/** Sums in kilowatts, which is exact. */
function sumOf(sides: readonly Side[]): Reconciled["ours"] {
	const kw = sides.reduce((sum, { mw }) => sum + Math.round((mw ?? 0) * 1_000), 0);
	return { records: sides.reduce((sum, { records = 1 }) => sum + records, 0), capacity_mw: kw / 1_000 };
}

const rounded = (mw: number): number => Math.round(mw * 1_000) / 1_000;
