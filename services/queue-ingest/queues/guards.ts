/**
 * Decides whether a list may replace the previous one. Pure. Thresholds are shares per cadence, scaled with the time between the two
 * snapshots. After more than three cadences only broken rows, a collapse of the rows, or more vanished requests than any operator's list
 * lost in that time hold a list back.
 */
import { counted } from "#libs/contract/documents/text.ts";
import type { Project } from "#libs/contract/records/project.ts";
import type { Source } from "../sources/source.ts";

/** A staged list compared with the data that it would replace. Only generation rows count (of a programme: installations; of a utility: all). */
export interface Measures {
	/** Requests of the feed that are not yet missing. */
	known: number;
	/** Rows of the staged list; like `known`, without finished requests that may leave the list. */
	rows: number;
	/** Known requests that the staged list lacks and should have (a finished request may leave an active-only list). */
	vanished: number;
	/** Staged requests that are active so far, and how many of them would no longer be. */
	active: number;
	flips: number;
	/** Capacity of all active requests before and after (MW). */
	activeMw: number;
	nextActiveMw: number;
	/** Rows dropped because they lack the operator's request number. */
	malformed: number;
}

interface Verdict {
	/** Why the list is held back; empty: accepted. */
	reasons: string[];
	/** Whether a second, similar list is accepted in spite of the reasons (`confirmsChange`). */
	holdOnce: boolean;
}

/** A list with less than this share of the previous rows is broken, however old the previous list is. */
const collapseShare = 0.6;

/**
 * The largest share of `known` that may have vanished over months or years. Lists of all statuses lost at most 0.5 % in up to four years.
 * SPP's list of active requests lost 41 % in 17 months, ERCOT's 11 % in nine months and 71 % from 2019 to 2025.
 */
function maxVanishedShare({ coverage }: Source, elapsedHours: number): number {
	const years = elapsedHours / 8_766;
	return coverage === "active-only" ? Math.min(0.8, 0.1 + 0.3 * years) : 0.2;
}

export function judgeList(source: Source, measures: Measures, elapsedHours: number): Verdict {
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
		`${percent(malformed)} of the rows lack a request number of this operator`,
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

/** Most requests of a first list that a person may load unchecked, because it may be an example, which need not be complete. */
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
		...(count < least || count > most ? [`it has ${count} requests (expected: ${least} to ${most})`] : []),
		...(states < firstList.states
			? [`its requests are in ${counted(states, "state")} (expected: at least ${firstList.states})`]
			: []),
		...(lacking.length > 0 ? [`no request is ${lacking.join(" or ")}`] : []),
	];
}

/** A second list confirms a sharp change if it is at least this much later (hours). */
export const confirmingHours = 12;

/** Whether two downloads show the same sharp change: then it is the operator's, not a broken download. */
export function confirmsChange(earlier: Measures, later: Measures, hoursBetween: number): boolean {
	const isClose = (a: number, b: number) => Math.abs(a - b) <= 0.02 * Math.max(Math.abs(a), Math.abs(b), 1);
	return (
		hoursBetween >= confirmingHours &&
		isClose(earlier.rows, later.rows) &&
		isClose(earlier.flips, later.flips) &&
		isClose(earlier.nextActiveMw, later.nextActiveMw)
	);
}
