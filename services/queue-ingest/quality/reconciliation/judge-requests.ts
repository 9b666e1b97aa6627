/** Explains why an operator's list differs from another publisher's edition of the same requests. Pure. */
import type { Status } from "#libs/contract/vocabulary.ts";
import { type Line, type ListedRequest, type OurRequest, sideOf } from "./line.ts";
import { matchRequests, type Pairs } from "./match-requests.ts";
import { classOf, type Rule } from "./rules.ts";

interface Compared {
	/** Last day that the edition covers (`YYYY-MM-DD`). */
	edition: string;
	/** Day of the list that the edition is compared with: the edition's day, else the day of the first list after it, else of the last before it. */
	listDay: string;
	/** Whether the operator's loaded lists contain only open requests. */
	listsOnlyOpen: boolean;
	/** Counted requests: generation requests that were listed, as in responses as of the day. */
	ours: readonly OurRequest[];
	/** Other known requests of the region, which are not counted on the day. Used by number only. */
	known: readonly OurRequest[];
	theirs: readonly ListedRequest[];
}

const roundedMw = 1;
const roundedShare = 0.005;

export function judgeRequests(compared: Compared): Line[] {
	const found = matchRequests(compared.ours, compared.theirs);
	const known = new Map(compared.known.flatMap((request) => request.keys.map((key) => [key, request] as const)));
	return [
		...found.pairs.map(({ ours, theirs, method }) => ({
			method,
			ours: [sideOf(ours)],
			theirs: [sideOf(theirs)],
			rule: pairRule(ours, theirs, found, compared),
		})),
		...found.ours.map((ours) => ({ ours: [sideOf(ours)], theirs: [], rule: ourRule(ours, found, compared) })),
		...found.theirs.map((theirs) => ({
			ours: [],
			theirs: [sideOf(theirs)],
			rule: theirRule(theirs, known.get(theirs.key), found, compared),
		})),
	];
}

function ourRule({ queueDate, keys }: OurRequest, { paired }: Pairs, { edition }: Compared): Rule {
	if (queueDate !== null && queueDate > edition) return "filed_after_edition";
	return keys.some((key) => paired.has(key)) ? "part_of_number" : "not_in_edition";
}

function theirRule(
	theirs: ListedRequest,
	known: OurRequest | undefined,
	{ paired }: Pairs,
	{ listsOnlyOpen, listDay }: Compared,
): Rule {
	if (theirs.queueDate !== null && theirs.queueDate > listDay) return "filed_after_list";
	if (paired.has(theirs.key)) return "part_of_number";
	if (known === undefined) return listsOnlyOpen && isFinished(theirs.status) ? "finished_not_listed" : "not_in_list";
	if (known.kind !== "generation") return "no_generation";
	return known.listed === "listed" ? "listed_later" : "left_the_list";
}

/** Whether the request was still open in the earlier of the two, if their days differ. */
function wasOpen(ours: OurRequest, theirs: ListedRequest, edition: string, listDay: string): boolean {
	if (listDay === edition) return false;
	return !isFinished((listDay > edition ? theirs : ours).status);
}

const isFinished = (status: Status): boolean => status === "Withdrawn" || status === "Operational";

function pairRule(ours: OurRequest, theirs: ListedRequest, { byKey }: Pairs, compared: Compared): Rule {
	const others = (byKey.get(theirs.key) ?? []).filter((other) => other !== ours);
	const isOfAnother = others.some(({ status }) => status === theirs.status);
	const status = ours.status === theirs.status ? "agrees" : statusRule(ours, theirs, isOfAnother, compared);
	const capacity = capacityRule(ours, theirs, compared);
	return severity.indexOf(classOf(capacity)) > severity.indexOf(classOf(status)) ? capacity : status;
}

const severity = ["matched", "timing", "definition", "ours_wrong", "unexplained"];

function statusRule(
	ours: OurRequest,
	theirs: ListedRequest,
	isOfAnother: boolean,
	{ edition, listDay }: Compared,
): Rule {
	const ended = [ours.withdrawnDate, ours.actualCod].some((day) => day !== null && day > edition);
	if (ended) return "ended_after_edition";
	if (ours.statusFlag === "retired") return "retired";
	if (isOfAnother) return "status_of_another";
	if (wasOpen(ours, theirs, edition, listDay)) return "moved_between";
	if (ours.status === "Suspended" || theirs.status === "Suspended") return "inactive";
	if (ours.status === "Active" || ours.status === "Unknown")
		return ours.statusBasis === "filed" ? "operator_says_open" : "operator_silent";
	return "status_differs";
}

function capacityRule(ours: OurRequest, theirs: ListedRequest, { edition, listDay }: Compared): Rule {
	const a = ours.mw;
	const b = theirs.mw;
	if (a === b || (a !== null && b !== null && agree(a, b))) return "agrees";
	if (!ours.isForRights && b !== null && (a ?? 0) < b && addition.test(ours.name ?? "")) return "whole_plant";
	if (ours.isForRights) return "capacity_rights";
	if (a === null || b === null) return "capacity_not_stated";
	if ([ours.summerMw, ours.winterMw].some((rating) => rating !== null && agree(rating, b))) return "other_rating";
	if (theirs.parts > 1 && a < b) return "parts_of_hybrid";
	if (ours.partsMw !== null && agree(ours.partsMw, b)) return "gross_capacity";
	if (theirs.parts === 1 && ours.typeStd.includes(" + ") && a > b) return "part_not_stated";
	if (wasOpen(ours, theirs, edition, listDay)) return "resized_between";
	if (ours.id.startsWith("PJM-") && a < b) return "maximum_output";
	return "capacity_differs";
}

const addition = /uprate|upgrade|increas|increment|expansion|addition|replace|repower|exciter|\bAVR\b/i;

const agree = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(roundedMw, roundedShare * Math.max(a, b));
