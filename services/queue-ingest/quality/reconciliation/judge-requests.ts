/** Explains why an operator's list differs from another publisher's edition of the same requests. Pure. */
import type { Status } from "#libs/contract/vocabulary.ts";
import { type Line, type ListedRequest, type OurRequest, sideOf } from "./line.ts";
import { type Matches, matchRequests } from "./match-requests.ts";
import { classOf, type Rule } from "./rules.ts";

interface Compared {
	/** Last day that the edition covers (`YYYY-MM-DD`). */
	edition: string;
	/** Day of the operator's list that is compared: the edition's day if possible, else that of the first later list, else of the last earlier one. */
	listDay: string;
	/** Whether the operator's loaded lists contain only open requests. */
	listsOnlyOpen: boolean;
	/** Counted requests: generation requests listed on the day, as in responses with `as_of`. */
	ours: readonly OurRequest[];
	/** Other known requests of the region, which are not counted on the day. Matched by number only. */
	known: readonly OurRequest[];
	theirs: readonly ListedRequest[];
}

const toleranceMw = 1;
const toleranceShare = 0.005;

export function judgeRequests(compared: Compared): Line[] {
	const matches = matchRequests(compared.ours, compared.theirs);
	const known = new Map(compared.known.flatMap((request) => request.keys.map((key) => [key, request] as const)));
	return [
		...matches.pairs.map(({ ours, theirs, method }) => ({
			method,
			ours: [sideOf(ours)],
			theirs: [sideOf(theirs)],
			rule: findPairRule(ours, theirs, matches, compared),
		})),
		...matches.ours.map((ours) => ({ ours: [sideOf(ours)], theirs: [], rule: findOurRule(ours, matches, compared) })),
		...matches.theirs.map((theirs) => ({
			ours: [],
			theirs: [sideOf(theirs)],
			rule: findTheirRule(theirs, known.get(theirs.key), matches, compared),
		})),
	];
}

function findOurRule({ queueDate, keys }: OurRequest, { paired }: Matches, { edition }: Compared): Rule {
	if (queueDate !== null && queueDate > edition) return "filed_after_edition";
	return keys.some((key) => paired.has(key)) ? "part_of_number" : "not_in_edition";
}

function findTheirRule(
	theirs: ListedRequest,
	known: OurRequest | undefined,
	{ paired }: Matches,
	{ listsOnlyOpen, listDay }: Compared,
): Rule {
	if (theirs.queueDate !== null && theirs.queueDate > listDay) return "filed_after_list";
	if (paired.has(theirs.key)) return "part_of_number";
	if (known === undefined) return listsOnlyOpen && isFinished(theirs.status) ? "finished_not_listed" : "not_in_list";
	if (known.kind !== "generation") return "no_generation";
	return known.listed === "listed" ? "listed_later" : "left_the_list";
}

/** Whether the request is open in the older of the list and the edition. False if both are of the same day. */
function wasOpen(ours: OurRequest, theirs: ListedRequest, edition: string, listDay: string): boolean {
	if (listDay === edition) return false;
	return !isFinished((listDay > edition ? theirs : ours).status);
}

const isFinished = (status: Status): boolean => status === "Withdrawn" || status === "Operational";

function findPairRule(ours: OurRequest, theirs: ListedRequest, { byKey }: Matches, compared: Compared): Rule {
	const others = (byKey.get(theirs.key) ?? []).filter((other) => other !== ours);
	const hasStatusOfSibling = others.some(({ status }) => status === theirs.status);
	const status = ours.status === theirs.status ? "agrees" : findStatusRule(ours, theirs, hasStatusOfSibling, compared);
	const capacity = findCapacityRule(ours, theirs, compared);
	return severity.indexOf(classOf(capacity)) > severity.indexOf(classOf(status)) ? capacity : status;
}

const severity = ["matched", "timing", "definition", "ours_wrong", "unexplained"];

function findStatusRule(
	ours: OurRequest,
	theirs: ListedRequest,
	hasStatusOfSibling: boolean,
	{ edition, listDay }: Compared,
): Rule {
	const hasEndedSince = [ours.withdrawnDate, ours.actualCod].some((day) => day !== null && day > edition);
	if (hasEndedSince) return "ended_after_edition";
	if (ours.statusFlag === "retired") return "retired";
	if (hasStatusOfSibling) return "status_of_another";
	if (wasOpen(ours, theirs, edition, listDay)) return "moved_between";
	if (ours.status === "Suspended" || theirs.status === "Suspended") return "inactive";
	if (ours.status === "Active" || ours.status === "Unknown")
		return ours.statusBasis === "filed" ? "operator_says_open" : "operator_silent";
	return "status_differs";
}

function findCapacityRule(ours: OurRequest, theirs: ListedRequest, { edition, listDay }: Compared): Rule {
	const a = ours.mw;
	const b = theirs.mw;
	if (a === b || (a !== null && b !== null && isSameCapacity(a, b))) return "agrees";
	if (!ours.isForRights && b !== null && (a ?? 0) < b && additionWords.test(ours.name ?? "")) return "whole_plant";
	if (ours.isForRights) return "capacity_rights";
	if (a === null || b === null) return "capacity_not_stated";
	if ([ours.summerMw, ours.winterMw].some((rating) => rating !== null && isSameCapacity(rating, b)))
		return "other_rating";
	if (theirs.parts > 1 && a < b) return "parts_of_hybrid";
	if (ours.partsMw !== null && isSameCapacity(ours.partsMw, b)) return "gross_capacity";
	if (theirs.parts === 1 && ours.typeStd.includes(" + ") && a > b) return "part_not_stated";
	if (wasOpen(ours, theirs, edition, listDay)) return "resized_between";
	if (ours.id.startsWith("PJM-") && a < b) return "maximum_output";
	return "capacity_differs";
}

const additionWords = /uprate|upgrade|increas|increment|expansion|addition|replace|repower|exciter|\bAVR\b/i;

const isSameCapacity = (a: number, b: number): boolean =>
	Math.abs(a - b) <= Math.max(toleranceMw, toleranceShare * Math.max(a, b));
