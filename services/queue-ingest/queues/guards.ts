/**
 * Decides whether a list may replace the last one. Pure. The thresholds are shares for one cadence, scaled with the time
 * between the two snapshots; beyond three cadences a faulty structure (found before), a collapse of the rows and more vanished requests
 * than any operator's list lost in that time hold it back.
 */
import type { Project } from "#libs/contract/records/project.ts";
import type { Source } from "../sources/source.ts";

/** A staged list compared with the data that it would replace; generation rows only (of a programme: its installations, of a utility: all its rows). */
export interface Measures {
	/** Known requests of this list, not yet missing. */
	known: number;
	/** Generation rows of the staged list; like `known`, without requests that may leave the list. */
	rows: number;
	/** Known requests that the staged list lacks, without an explanation (a finished request may leave an active-only list). */
	vanished: number;
	/** Active requests before, and how many of them would no longer be active. */
	active: number;
	flips: number;
	/** Active capacity before, and after over all rows (MW). */
	activeMw: number;
	nextActiveMw: number;
	/** Dropped rows without a number of the operator's. */
	malformed: number;
}

interface Verdict {
	/** Why the list is held back; empty: accepted. */
	reasons: string[];
	/** Whether an equal list at least 12 hours later is accepted in spite of the reasons. */
	holdOnce: boolean;
}

/** A list with less than this share of the previous rows is broken, however old those are. */
const collapseShare = 0.6;

/**
 * The largest share of `known` that may have vanished over months or years. Lists of all statuses lost at most 0.5 %, in up to four years;
 * SPP's active requests 41 % in 17 months, ERCOT's 11 % in nine. Of ERCOT's requests of 2019, 71 % were gone in 2025.
 */
function maxVanishedShare({ coverage }: Source, elapsedHours: number): number {
	const years = elapsedHours / 8_766;
	return coverage === "active-only" ? Math.min(0.8, 0.1 + 0.3 * years) : 0.2;
}

export function judge(source: Source, measures: Measures, elapsedHours: number): Verdict {
	const cadences = Math.max(1, elapsedHours / source.cadenceHours);
	const hard: string[] = [];
	const once: string[] = [];
	const addIf = (list: string[], wrong: boolean, sentence: string) => wrong && list.push(sentence);
	const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
	const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

	addIf(hard, measures.rows === 0, "the list contains no requests");
	addIf(
		hard,
		measures.rows < collapseShare * measures.known,
		`rows collapsed from ${measures.known} to ${measures.rows}`,
	);
	const malformed = share(measures.malformed, measures.malformed + measures.rows);
	addIf(
		hard,
		malformed > 0.02 && measures.malformed > 5,
		`${percent(malformed)} of the rows have no number of this operator`,
	);
	const gone = share(measures.vanished, measures.known);
	if (cadences <= 3) {
		const [mostShare, mostKeys] = source.coverage === "active-only" ? [0.08, 5] : [0.02, 2];
		addIf(
			hard,
			gone > mostShare * cadences && measures.vanished > mostKeys,
			`${measures.vanished} of ${measures.known} requests (${percent(gone)}) vanished without an explanation`,
		);
		addIf(
			hard,
			source.coverage === "all-status" && measures.vanished > 50 * cadences && gone <= mostShare * cadences,
			`${measures.vanished} requests vanished from a list that keeps finished ones`,
		);
		const flips = share(measures.flips, measures.active);
		addIf(
			once,
			flips > 0.15 * cadences && measures.flips > 5,
			`${measures.flips} of ${measures.active} active requests (${percent(flips)}) changed their status at once`,
		);
		const lost = share(measures.activeMw - measures.nextActiveMw, measures.activeMw);
		addIf(once, lost > 0.2 * cadences, `active capacity fell by ${percent(lost)}`);
	} else {
		addIf(
			hard,
			gone > maxVanishedShare(source, elapsedHours) && measures.vanished > 50,
			`${measures.vanished} of ${measures.known} requests (${percent(gone)}) vanished without an explanation, more than this list may lose in ${Math.round(elapsedHours / 24)} days`,
		);
	}
	return { reasons: [...hard, ...once], holdOnce: hard.length === 0 && once.length > 0 };
}

/** Longest first list that a person may load unchecked: shorter lists are examples, which need not be complete. */
export const longestExample = 499;

/** Reasons why a feed's first list may be incomplete, for example filtered by a person; empty if it is accepted. */
export function judgeFirstList(
	{ firstList }: Source,
	requests: readonly { state: Project["state"]; statusStd: Project["status_std"] }[],
): string[] {
	const count = requests.length;
	if (firstList === undefined) return [];
	const [least, most] = firstList.rows;
	const states = new Set(requests.flatMap(({ state }) => state ?? [])).size;
	const found = new Set(requests.map(({ statusStd }) => statusStd));
	const lacking = firstList.statuses.filter((status) => !found.has(status));
	return [
		...(count < least || count > most ? [`it has ${count} requests, where its lists have ${least} to ${most}`] : []),
		...(states < firstList.states ? [`it has ${states} of at least ${firstList.states} states`] : []),
		...(lacking.length > 0 ? [`no request is ${lacking.join(" or ")}`] : []),
	];
}

/** A second list confirms a sharp change if it is at least this much later (hours). */
export const confirmingHours = 12;

/** Whether two downloads show the same state: then a sharp change is the operator's and not a broken download. */
export function confirms(earlier: Measures, later: Measures, hoursBetween: number): boolean {
	const close = (a: number, b: number) => Math.abs(a - b) <= 0.02 * Math.max(Math.abs(a), Math.abs(b), 1);
	return (
		hoursBetween >= confirmingHours &&
		close(earlier.rows, later.rows) &&
		close(earlier.flips, later.flips) &&
		close(earlier.nextActiveMw, later.nextActiveMw)
	);
}
