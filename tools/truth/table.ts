/** The figures that a paying user checks first, before and now. Pure. */
import { regions } from "../../libs/contract/vocabulary.ts";
import type { Project, Readings } from "./answers.ts";
import { figuresOfChanges } from "./changes.ts";
import { conclusionsOf } from "./conclusions.ts";
import { isLate, isOpen } from "./links.ts";
import { figuresOfLists } from "./lists.ts";

export interface Figure {
	what: string;
	/** As the opening paragraph of the issue that asked for true lists states it; null where it states none. */
	before: string | null;
	now: string;
}

/** In the order of the opening paragraph, by operator in the order of the vocabulary. */
export function figuresOf(answers: Readings): Figure[] {
	return [
		...ofRequests(answers),
		...ofInvestable(answers),
		...ofScores(answers),
		...ofStatuses(answers),
		...conclusionsOf(answers),
		...figuresOfLists(answers),
		...ofDevelopers(answers),
		...ofDistress(answers),
		...ofFilters(answers),
		...figuresOfChanges(answers.probed),
	];
}

const figure = (what: string, before: string | null, now: string | number): Figure => ({
	what,
	before,
	now: typeof now === "number" ? count(now) : now,
});

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const percent = (part: number, whole: number): string =>
	whole === 0 ? "none to count" : `${((100 * part) / whole).toFixed(1)} % (${count(part)} of ${count(whole)})`;

const megawatts = (projects: readonly Project[]): number =>
	projects.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0);
const gigawatts = (projects: readonly Project[]): string => `${(megawatts(projects) / 1000).toFixed(1)} GW`;

const byRegion = <T>(rows: readonly { region: string }[], say: (region: string, own: number) => T): T[] =>
	regions.map((region) => say(region, rows.filter((row) => row.region === region).length));

const isListed = ({ listed }: Project): boolean => listed === "listed";

function ofRequests({ projects, everything, listDays }: Readings): Figure[] {
	return [
		figure("rows of all lists, whatever became of them", "23,106", everything),
		figure("of them requests for generation", null, projects.length),
		figure("of them in their operator's newest list", null, projects.filter(isListed).length),
		...regions.map((region) => figure(`day of ${region}'s newest list`, null, listDays.get(region) ?? "unknown")),
	];
}

function ofInvestable({ investable, projects, listDays }: Readings): Figure[] {
	const known = new Map(projects.map((project) => [project.id, project]));
	const isPast = ({ region, cod, construction_stage: stage }: (typeof investable)[number]) =>
		cod !== null && cod < (listDays.get(region) ?? "") && stage !== "construction";
	const isUnlisted = ({ id }: { id: string }) => known.get(id)?.listed !== "listed";
	return [
		figure("requests in /investable", "910", investable.length),
		figure("of them past their projected date, not under construction", "475", investable.filter(isPast).length),
		figure("of them not in their operator's newest list", "82", investable.filter(isUnlisted).length),
		figure(
			"of them with a chance of operation (p_cod_36)",
			"0",
			investable.filter(({ p_cod_36 }) => typeof p_cod_36 === "number").length,
		),
		...byRegion(investable, (region, own) =>
			figure(`of them in ${region}`, region === "CAISO" ? "0" : null, `${count(own)}${lateOf(projects, region)}`),
		),
	];
}

function lateOf(projects: readonly Project[], region: string): string {
	const late = projects.filter((p) => p.region === region && isListed(p) && isOpen(p) && isLate(p));
	return `, of ${count(late.length)} open ones of late stage`;
}

function ofScores({ projects }: Readings): Figure[] {
	return regions.map((region) => {
		const scores = projects.flatMap((p) => (p.region === region && isListed(p) ? (p.investability_score ?? []) : []));
		const best = scores.reduce((most, score) => Math.max(most, score), 0);
		return figure(`best score in ${region}`, region === "CAISO" ? "63" : null, best);
	});
}

function ofStatuses({ projects, activeByDefault }: Readings): Figure[] {
	const active = projects.filter(({ status_std: status }) => status === "Active");
	const gone = active.filter((project) => !isListed(project));
	const silent = active.filter((p) => p.region === "ISO-NE" && isListed(p) && p.status === null);
	const isOld = ({ cod }: Project) => cod !== null && cod < "2016-01-01";
	const followed = projects.filter(({ status_basis: basis }) => basis === "other_source");
	return [
		figure('"Active" requests that a list of active ones shows', null, activeByDefault),
		figure(
			"of them not in their operator's newest list",
			"475 (91 GW)",
			activeByDefault - active.filter(isListed).length,
		),
		figure(
			"requests last filed as active that vanished, with include_unlisted",
			null,
			`${count(gone.length)} (${gigawatts(gone)})`,
		),
		figure('"Active" of ISO-NE without a filed status', "314", silent.length),
		figure("of them with a date of before 2016", null, silent.filter(isOld).length),
		...["filed", "milestone", "date", "other_source", "outcome_sheet", "absence", null].map((basis) =>
			figure(
				`status_std rests on ${basis ?? "nothing but the listing"}`,
				null,
				projects.filter(({ status_basis }) => status_basis === basis).length,
			),
		),
		...byRegion(followed, (region, own) => figure(`status_std of ${region} follows LBNL or EIA`, null, own)),
	];
}

function ofDevelopers({ projects }: Readings): Figure[] {
	const listed = projects.filter(isListed);
	const late = listed.filter((project) => isOpen(project) && isLate(project));
	const isKnown = ({ developer_canonical: developer }: Project) => developer !== null;
	const isFiled = (project: Project) => isKnown(project) || project.developer !== null;
	const shareOf = (rows: readonly Project[], counts: (project: Project) => boolean) =>
		percent(megawatts(rows.filter(counts)), megawatts(rows));
	const nameless = (rows: readonly Project[]) =>
		percent(rows.filter(({ developer_canonical: developer }) => developer === null).length, rows.length);
	return [
		figure(
			"listed requests whose operator files no developer",
			null,
			percent(listed.filter(({ developer }) => developer === null).length, listed.length),
		),
		figure("listed requests without a developer", "77 %", nameless(listed)),
		figure("open ones of late stage without a developer", null, nameless(late)),
		...regions.map((region) =>
			figure(
				`open ones of late stage in ${region} without a developer`,
				null,
				nameless(late.filter((p) => p.region === region)),
			),
		),
		figure("MW of late stage with a developer", "20 %", shareOf(late, isKnown)),
		figure("MW of late stage with a developer or a filed company", "46 %, the most at hand", shareOf(late, isFiled)),
	];
}

function ofDistress({ leaderboard }: Readings): Figure[] {
	const levels = new Map<string, number>();
	for (const { distress_signal: signal } of leaderboard) levels.set(signal.level, (levels.get(signal.level) ?? 0) + 1);
	const raised = leaderboard.flatMap(({ capital_raised }) => capital_raised ?? []);
	const unknownTier = leaderboard.filter(({ tier }) => tier === "unknown").length;
	return [
		figure("developers", "768", leaderboard.length),
		...[...levels]
			.sort(([a], [b]) => a.localeCompare(b))
			.map(([level, own]) => figure(`of them in distress: ${level}`, level === "Low" ? "767" : null, own)),
		figure("of them with capital raised", "0", raised.filter((usd) => usd > 0).length),
		figure("of them of which nothing is known of capital", "0", leaderboard.length - raised.length),
		figure("capital raised by all", "$0", `$${count(raised.reduce((sum, usd) => sum + usd, 0))}`),
		figure("developers without a tier", null, percent(unknownTier, leaderboard.length)),
	];
}

function ofFilters({ solar, stats }: Readings): Figure[] {
	const counted = stats.by_fuel_type.find(({ fuel_type }) => fuel_type === "Solar")?.count ?? 0;
	return [figure("fuel_type=Solar answers", "10,277", solar), figure("/stats counts of Solar", "8,515", counted)];
}

/** Three columns of plain text. */
export function printed(figures: readonly Figure[]): string {
	const rows = [["", "before", "now"], ...figures.map(({ what, before, now }) => [what, before ?? "", now])];
	const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows
		.map((row) =>
			row
				.map((cell, at) => cell.padEnd(widths[at] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}
