/** The tables that describe: what was tested, how well every score orders it, what became of each grade. Pure. */
import { grades, type Region } from "../../libs/contract/vocabulary.ts";
import type { ScoreTables } from "../../services/scoring/domain/score/index.ts";
import { version1 } from "../../services/scoring/domain/score/versions/1.ts";
import type { Case, Cohort } from "./cohorts.ts";
import type { Fate } from "./outcomes.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, percent, section, table } from "./report.ts";
import { type Outcome, outcomeNames, scored } from "./samples.ts";
import { areaWithin, type Series, seriesOf } from "./series.ts";
import { auc } from "./statistics.ts";
import type { Weights } from "./weights.ts";

const count = (cases: readonly { fate: Fate }[], wanted: Fate): number =>
	cases.filter(({ fate }) => fate === wanted).length;

const byRegion = (cases: readonly Case[]): Map<Region, Case[]> => Map.groupBy(cases, ({ facts }) => facts.region);

/** How many there were, and what became of them. */
export function describeCohort({ name, cases }: Cohort): string {
	const line = (label: string, some: readonly Case[]) => {
		const [built, lost] = [count(some, "built"), count(some, "lost")];
		return [
			label,
			some[0]?.today ?? "",
			...[some.length, built, lost, count(some, "open"), count(some, "unknown")].map(String),
			percent(built, built + lost),
			percent(built, some.length - count(some, "unknown")),
			percent(some.length - count(some, "unknown") - lost, some.length - count(some, "unknown")),
		];
	};
	const rows = [...byRegion(cases)].map(([region, some]) => line(region, some));
	const head = [
		"region",
		"list of",
		"n",
		"built",
		"lost",
		"open",
		"unknown",
		"built/finished",
		"built/all",
		"kept/all",
	];
	return section(`Open requests of ${name}, and what became of them`, table(head, [...rows, line("all", cases)]));
}

/** Area under the curve of every score, region by region. */
export function describeOrder(cohort: Cohort, chosen: Weights, posture: Posture): string {
	const parts = outcomeNames.map((outcome) => orderTable(cohort.cases, outcome, chosen, posture));
	return section(
		`How well each score orders the requests of ${cohort.name} (area under the curve; 0.5 is chance)`,
		...parts,
	);
}

function orderTable(cases: readonly Case[], outcome: Outcome, chosen: Weights, posture: Posture): string {
	const all = seriesOf(cases, outcome, chosen, posture);
	const names = [...all.scores.keys()];
	const line = (label: string, { sample }: Series, areaOf: (name: string) => number | null) => {
		const positives = sample.positive.filter(Boolean).length;
		const share = percent(positives, sample.positive.length);
		return [label, String(sample.positive.length), share, ...names.map((name) => decimals(areaOf(name)))];
	};
	const rows = [...byRegion(cases)].map(([region, some]) => {
		const series = seriesOf(some, outcome, chosen, posture);
		return line(region, series, (name) => areaWithin(series, name));
	});
	rows.push(line("pairs of one region", all, (name) => areaWithin(all, name)));
	rows.push(line("all pairs", all, (name) => auc(all.scores.get(name) ?? [], all.sample.positive)));
	return `${table([outcome, "n", "share", ...names], rows)}\n`;
}

/** Grades as they would have been given on the day of the list. */
export function describeGrades(cohort: Cohort, chosen: Weights, posture: Posture): string {
	const rows = (label: string, tables: ScoreTables) => {
		const requests = scored(cohort.cases, { ...tables, posture });
		return grades.map((grade) => {
			const some = requests.filter((request) => request.grade === grade);
			const known = some.length - count(some, "unknown");
			const [built, lost] = [count(some, "built"), count(some, "lost")];
			return [`${label} ${grade}`, String(some.length), percent(built, known), percent(lost, known)];
		});
	};
	const lines = [...rows("version 1", version1), ...rows("chosen", { ...version1, weights: chosen })];
	return section(`What became of each grade of ${cohort.name}`, table(["", "n", "built", "lost"], lines));
}
