/** The tables that describe: what was tested, how well every score orders it, what became of each grade. Pure. */
import { grades, type Region, regions } from "../../libs/contract/vocabulary.ts";
import { middlePosture } from "../../services/scoring/domain/score/tables.ts";
import type { Case, Cohort } from "./cohorts.ts";
import type { Fate } from "./outcomes.ts";
import type { Posture } from "./posture-then.ts";
import { decimals, percent, range, section, signed, table } from "./report.ts";
import { outcomeNames, pairings, type Scored } from "./samples.ts";
import { areaOf, gain, judged, type Series, scoredUnder, seriesOf, type Version, within } from "./series.ts";

const count = (cases: readonly { fate: Fate }[], wanted: Fate): number =>
	cases.filter(({ fate }) => fate === wanted).length;

/** The number of requests, and their outcomes. */
export function describeCohort({ name, cases }: Cohort): string {
	const line = (label: string, some: readonly Case[]) => {
		const [built, lost] = [count(some, "built"), count(some, "lost")];
		const known = some.length - count(some, "unknown");
		return [
			label,
			some[0]?.today ?? "",
			...[some.length, built, lost, count(some, "open"), count(some, "unknown")].map(String),
			percent(built, built + lost),
			percent(built, known),
			percent(known - lost, known),
		];
	};
	const rows = [...Map.groupBy(cases, ({ facts }) => facts.region)].map(([region, some]) => line(region, some));
	const counted = ["n", "built", "lost", "open", "unknown", "built/finished", "built/all", "kept/all"];
	return section(
		`Open requests of ${name}, and what became of them`,
		table(["region", "list of", ...counted], [...rows, line("all", cases)]),
	);
}

/** Area under the curve of every score, region by region, and where the milestone alone does better. */
export function describeOrder(cohort: string, versions: readonly Version[]): string {
	return section(
		`How well each score orders the requests of ${cohort} (area under the curve; 0.5 is chance)`,
		...outcomeNames.map((outcome) => orderTable(seriesOf(versions, outcome))),
	);
}

function orderTable(series: Series): string {
	const names = [...series.scores.keys()];
	const line = (label: string, some: Series, area: (name: string) => number | null) => {
		const { positive } = some.sample;
		const share = percent(positive.filter(Boolean).length, positive.length);
		return [label, String(positive.length), share, ...names.map((name) => decimals(area(name)))];
	};
	const own = [...new Set(series.sample.regions)].map((region) => ({ region, some: within(series, region) }));
	const rows = own.map(({ region, some }) => line(region, some, (name) => areaOf(some, name, "all")));
	rows.push(line("pairs of one region", series, (name) => areaOf(series, name, "one region")));
	rows.push(line("all pairs", series, (name) => areaOf(series, name, "all")));
	return `${table([series.outcome, "n", "share", ...names], rows)}\n${milestoneBetter(series, own)}\n`;
}

function milestoneBetter(series: Series, own: readonly { region: Region; some: Series }[]): string {
	const lead = (some: Series, pairs: (typeof pairings)[number]) =>
		(areaOf(some, "milestone", pairs) ?? 0) - (areaOf(some, judged, pairs) ?? 0);
	const over = pairings
		.filter((pairs) => lead(series, pairs) > 0)
		.map((pairs) => {
			const sure = range(gain(series, "milestone", judged, pairs));
			return `${pairs === "all" ? "all pairs" : "pairs of one region"} (by ${signed(lead(series, pairs))}, 95 % ${sure})`;
		});
	const places = [...over, ...own.filter(({ some }) => lead(some, "all") > 0).map(({ region }) => region)];
	return places.length === 0
		? `  Nowhere here does milestone alone order better than ${judged}.`
		: `  Milestone alone orders better than ${judged} in: ${places.join(", ")}.`;
}

/** Outcomes of each version's grades, and whether a worse one was lost more often. */
export function describeGrades(cohort: string, versions: readonly Version[]): string {
	const graded = versions.map(({ name, requests }) => ({
		name,
		rows: grades.map((grade) => ({ grade, ...fatesIn(requests.filter((request) => request.grade === grade)) })),
	}));
	const lines = graded.flatMap(({ name, rows }) =>
		rows.map(({ grade, n, known, built, lost }) => [
			`${name} ${grade}`,
			String(n),
			percent(built, known),
			percent(lost, known),
		]),
	);
	const notes = graded.map(({ name, rows }) => `  ${name}: ${monotonous(rows.filter(({ known }) => known > 0))}`);
	return section(`What became of each grade of ${cohort}`, table(["", "n", "built", "lost"], lines), ...notes);
}

function fatesIn(requests: readonly Scored[]) {
	const known = requests.length - count(requests, "unknown");
	return { n: requests.length, known, built: count(requests, "built"), lost: count(requests, "lost") };
}

/** `rows` from the best grade down. */
function monotonous(rows: readonly { grade: string; known: number; lost: number }[]): string {
	const falls = rows.flatMap((row, at) => {
		const better = rows[at - 1];
		return better !== undefined && row.lost / row.known < better.lost / better.known
			? `${row.grade} was lost less often than ${better.grade}`
			: [];
	});
	return falls.length === 0 ? '"lost" never falls from a grade to the next worse.' : `${falls.join("; ")}.`;
}

/** Postures by name, and what each does to the order of all requests under the judged version and version 1. */
export function comparePostures(
	{ name, cases }: Cohort,
	[served, version1]: readonly [Version["tables"], Version["tables"]],
	postures: ReadonlyMap<string, Posture>,
): string {
	const rows = [...postures].flatMap(([label, posture]) => {
		const versions = { [judged]: { ...served, posture }, "version 1": { ...version1, posture } };
		const scoredSo = scoredUnder(cases, versions);
		return outcomeNames.map((outcome) => {
			const series = seriesOf(scoredSo, outcome);
			const areas = ["posture", "version 1", judged].map((each) => decimals(areaOf(series, each, "all")));
			return [label, outcome, ...areas];
		});
	});
	const points = [...postures].map(([label, posture]) => [
		label,
		...regions.map((region) => String(posture[region] ?? middlePosture)),
	]);
	return section(
		`Posture of the regions, over all pairs of ${name}`,
		table(["points", ...regions], points),
		"",
		table(["posture", "outcome", "alone", "version 1's weights", "version 2's weights"], rows),
	);
}
