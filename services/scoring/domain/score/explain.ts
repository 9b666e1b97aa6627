/** Explains a score in sentences: its largest components, its deductions, and its unknown inputs. Pure. */
import { type RequestKind, scoreComponents } from "#libs/contract/vocabulary.ts";
import { listMissed } from "./investable.ts";
import { contribution, roundHalfUp, type Score } from "./score.ts";
import type { Exclusion, ScoreInputs, ScoreTables } from "./tables.ts";
import { listUnknown } from "./words.ts";

/**
 * `A (63): interconnection agreement executed and secured: operates within 36 months ... (42.0 of 70 points), ... Deducted from deal
 * cleanliness: likely duplicate of another request (-10 of 100). Unknown: developer tier. Score version 7; not investment advice.`
 */
export function explain(score: Score, inputs: ScoreInputs, tables: ScoreTables): string {
	const sentences = [
		`${score.grade} (${score.score}): ${listLargest(score)}.`,
		describeChance(score),
		describeDeductions(score),
		describeOverdue(score, inputs),
		describeBarrier(score, inputs),
		describeUnknown(inputs),
		closingSentence(tables.version),
	];
	return sentences.filter((sentence) => sentence !== "").join(" ");
}

const otherKinds: Partial<Record<RequestKind, string>> = {
	distribution: "an installation on the distribution network, not a request for generation",
	affected_system: "the request is in another operator's queue, and its effects on this operator's system are studied",
	utility: "the request is in a utility's own queue, outside the seven operators",
};

const exclusions: Readonly<Record<Exclusion, string>> = {
	energized: "the plant is connected, so it is no longer a plan",
	operating: "the plant operates",
	void_window: "the request is void by its operator's process and must apply anew",
	existing_rights: "the request uses the rights of an existing plant, or requests only rights",
};

export function explainUnscored({ kind, status, exclusion }: ScoreInputs, version: number): string {
	const isClosed = status === "Withdrawn" || status === "Operational" || exclusion === undefined;
	const reason =
		kind !== "generation"
			? (otherKinds[kind] ?? `a request for ${kind}, not for generation`)
			: status === "Withdrawn"
				? "the request was withdrawn"
				: isClosed
					? "the request is in operation"
					: exclusions[exclusion];
	return `Not scored: ${reason}. ${closingSentence(version)}`;
}

/**
 * The three components with the most points (of equals, the first in the vocabulary). The operator's record is excluded, and so is deal
 * cleanliness if it has deductions, which have a separate sentence.
 */
function listLargest({ components, deductions }: Score): string {
	const ranked = scoreComponents
		.filter((name) => (name === "deal_cleanliness" ? deductions.length === 0 : name !== "iso_posture"))
		.map((name) => ({ name, component: components[name], points: contribution(components[name]) }))
		.sort((a, b) => b.points - a.points)
		.slice(0, 3);
	return ranked
		.map(({ name, component, points }, at) => {
			const tenths = (roundHalfUp(points * 10) / 10).toFixed(1);
			const most = roundHalfUp(component.weight * 1000) / 10;
			const fact = name === "deal_cleanliness" ? "a clean request" : component.value;
			return `${fact} (${tenths} of ${most}${at === 0 ? " points" : ""})`;
		})
		.join(", ");
}

function describeChance({ chances }: Score): string {
	if (chances?.p_cod_36 == null) return "";
	const { value, low, high } = chances.p_cod_36;
	return `Chance of operating within 36 months: ${hundredths(value)} (${hundredths(low)} to ${hundredths(high)}).`;
}

function describeDeductions({ deductions }: Score): string {
	if (deductions.length === 0) return "";
	const list = deductions.map(({ points, reason }, at) => `${reason} (-${points}${at === 0 ? " of 100" : ""})`);
	return `Deducted from deal cleanliness: ${list.join(", ")}.`;
}

/** Why the request is investable although its projected date has passed. */
const describeOverdue = ({ investable }: Score, { cod_position }: ScoreInputs): string =>
	investable && cod_position === "overdue"
		? "Its projected date has passed, and a later list of the EIA has the plant under construction."
		: "";

/** Why the request is not investable; empty if it is. */
function describeBarrier({ investable, candidate, chances }: Score, inputs: ScoreInputs): string {
	const { status, has_ia, cod_position, region } = inputs;
	if (investable) return "";
	if (status === "Suspended") return "Suspended, so not investable.";
	if (chances?.reason === "too_few_outcomes")
		return `Too few past requests of ${region} were followed to state a chance, so not investable.`;
	if (!has_ia) return "No executed agreement, so not investable.";
	if (cod_position === "past") return "Its projected date had passed on the day of the list, so not investable.";
	if (cod_position === "passed_since")
		return "Its projected date has passed since the day of the list, so not investable: no newer list says whether it operates.";
	if (cod_position === "none") return "No projected date, so not investable.";
	return `Not investable: ${listMissed(candidate).join(", ")}.`;
}

function describeUnknown(inputs: ScoreInputs): string {
	const words = listUnknown(inputs);
	return words.length === 0 ? "" : `Unknown: ${words.join(", ")}.`;
}

function closingSentence(version: number): string {
	return `Score version ${version}; not investment advice.`;
}

const hundredths = (share: number): string => share.toFixed(2);
