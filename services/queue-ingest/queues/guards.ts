/**
 * Decides whether a list may replace the previous one. Pure. Thresholds apply to one cadence, the usual time between two lists, and grow with
 * the time between the two snapshots. After more than three cadences, a list is held back only for malformed rows, a collapse in the number
 * of rows, or more vanished requests than any operator's list has lost in that time.
 */
import { counted } from "#libs/contract/documents/text.ts";
import type { Project } from "#libs/contract/records/project.ts";
import type { Source } from "../sources/source.ts";

/** Compares a staged list with the data that it would replace. Counts only generation (for a program, installations; for a utility, every row). */
export interface Measures {
	/** Requests of the feed that are not yet missing. */
	known: number;
	/** Rows of the staged list. Like `known`, excludes finished requests, which may leave the list. */
	rows: number;
	/** Known requests that are missing from the staged list, except finished requests of an active-only list. */
	vanished: number;
	/** Staged requests that are active in the current data. */
	active: number;
	/** How many of the `active` requests have a known status other than active in the staged list. */
	flips: number;
	/** Capacity of all active requests in the current data (MW). */
	activeMw: number;
	/** Capacity of all active requests in the staged list (MW). */
	nextActiveMw: number;
	/** Rows dropped because they lack the operator's request number. */
	malformed: number;
}

interface Verdict {
	/** Why the list is held back; empty if it is accepted. */
	reasons: string[];
	/** Whether a second list with the same change is accepted (`confirmsChange`). */
	holdOnce: boolean;
}

/** A list with less than this share of the previous list's rows is incomplete, however old the previous list is. */
const collapseShare = 0.6;

/**
 * Maximum share of `known` that may vanish over months or years. Lists of all statuses lost at most 0.5 % in up to four years.
 * SPP's list of active requests lost 41 % in 17 months, ERCOT's 11 % in nine months and 71 % from 2019 to 2025.
 */
function maxVanishedShare({ coverage }: Source, elapsedHours: number): number {
	const years = elapsedHours / 8_766;
	return coverage === "active-only" ? Math.min(0.8, 0.1 + 0.3 * years) : 0.2;
}

export function judgeList(source: Source, measures: Measures, elapsedHours: number): Verdict {
	const cadences = Math.max(1, elapsedHours / source.cadenceHours);
	const finalReasons: string[] = [];
	const confirmableReasons: string[] = [];
	const addIf = (list: string[], isWrong: boolean, sentence: string) => isWrong && list.push(sentence);
	const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
	const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

	addIf(finalReasons, measures.rows === 0, "the list contains no requests");
	addIf(
		finalReasons,
		measures.rows < collapseShare * measures.known,
		`rows collapsed from ${measures.known} to ${measures.rows}`,
	);
	const malformed = share(measures.malformed, measures.malformed + measures.rows);
	addIf(
		finalReasons,
		malformed > 0.02 && measures.malformed > 5,
		`${percent(malformed)} of the rows lack a request number of this operator`,
	);
	const vanishedShare = share(measures.vanished, measures.known);
	if (cadences <= 3) {
		const [maxShare, maxVanished] = source.coverage === "active-only" ? [0.08, 5] : [0.02, 2];
		addIf(
			finalReasons,
			vanishedShare > maxShare * cadences && measures.vanished > maxVanished,
			`${measures.vanished} of ${measures.known} requests (${percent(vanishedShare)}) vanished without an explanation`,
		);
		addIf(
			finalReasons,
			source.coverage === "all-status" && measures.vanished > 50 * cadences && vanishedShare <= maxShare * cadences,
			`${measures.vanished} requests vanished from a list that keeps finished ones`,
		);
		const flips = share(measures.flips, measures.active);
		addIf(
			confirmableReasons,
			flips > 0.15 * cadences && measures.flips > 5,
			`${measures.flips} of ${measures.active} active requests (${percent(flips)}) changed their status at once`,
		);
		const lost = share(measures.activeMw - measures.nextActiveMw, measures.activeMw);
		addIf(confirmableReasons, lost > 0.2 * cadences, `active capacity fell by ${percent(lost)}`);
	} else {
		addIf(
			finalReasons,
			vanishedShare > maxVanishedShare(source, elapsedHours) && measures.vanished > 50,
			`${measures.vanished} of ${measures.known} requests (${percent(vanishedShare)}) vanished without an explanation, more than this list may lose in ${Math.round(elapsedHours / 24)} days`,
		);
	}
	return {
		reasons: [...finalReasons, ...confirmableReasons],
		holdOnce: finalReasons.length === 0 && confirmableReasons.length > 0,
	};
}

/** First lists up to this size are not checked if a person loads them: they may be examples, which need not be complete. */
export const maxExampleRequests = 499;

/** Reasons why a feed's first list may be incomplete, for example filtered by a person; empty if it is accepted. */
export function judgeFirstList(
	{ firstList }: Source,
	requests: readonly { state: Project["state"]; statusStd: Project["status_std"] }[],
): string[] {
	const count = requests.length;
	if (firstList === undefined) return [];
	const [minRows, maxRows] = firstList.rows;
	const states = new Set(requests.flatMap(({ state }) => state ?? [])).size;
	const statuses = new Set(requests.map(({ statusStd }) => statusStd));
	const missingStatuses = firstList.statuses.filter((status) => !statuses.has(status));
	return [
		...(count < minRows || count > maxRows ? [`it has ${count} requests (expected: ${minRows} to ${maxRows})`] : []),
		...(states < firstList.states
			? [`its requests are in ${counted(states, "state")} (expected: at least ${firstList.states})`]
			: []),
		...(missingStatuses.length > 0 ? [`no request is ${missingStatuses.join(" or ")}`] : []),
	];
}

/** A second list confirms a sharp change if it was fetched at least this many hours after the first. */
export const confirmingHours = 12;

/** Whether two downloads show the same sharp change, so that it comes from the operator and not from a broken download. */
export function confirmsChange(earlier: Measures, later: Measures, hoursBetween: number): boolean {
	const isClose = (a: number, b: number) => Math.abs(a - b) <= 0.02 * Math.max(Math.abs(a), Math.abs(b), 1);
	return (
		hoursBetween >= confirmingHours &&
		isClose(earlier.rows, later.rows) &&
		isClose(earlier.flips, later.flips) &&
		isClose(earlier.nextActiveMw, later.nextActiveMw)
	);
}
