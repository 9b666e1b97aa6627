import type { Reply } from "../index.ts";
import { counted, labelOf, power, safeText } from "./text.ts";

type Change = Reply<"listChanges">["data"][number];
/** A change as a watchlist shows it. `event`: whether the request entered or left the watchlist. */
export type WatchedChange = Change & { event?: "entered" | "left" | null };
type Wording = (before: string | null, after: string | null) => string;

const monthMs = (365.25 / 12) * 86_400_000;

/** Sentences for fields with a special wording; `fieldSentence` describes changes of the other fields. */
const sentences: Record<string, Wording> = {
	missing_since: (_, after) =>
		after === null ? "Back in the operator's list" : `Missing from the operator's list of ${after.slice(0, 10)}`,
	capacity_mw: (before, after) =>
		before === null || after === null
			? fieldSentence("Capacity", before && power(Number(before)), after && power(Number(after)))
			: `Capacity ${Number(after) < Number(before) ? "reduced" : "raised"} from ${power(Number(before))} to ${power(Number(after))}`,
	cod: (before, after) => {
		if (before === null || after === null) return fieldSentence("Projected operation", before, after);
		const months = Math.round((Date.parse(after) - Date.parse(before)) / monthMs);
		const by = counted(Math.abs(months), "month");
		const moved = months === 0 ? "" : `, ${by} ${months > 0 ? "later" : "earlier"}`;
		return `Projected operation moved from ${before} to ${after}${moved}`;
	},
	components: (before, after) => fieldSentence("Parts", partsText(before), partsText(after)),
	security_posted: (_, after) => (after === "true" ? "Security posted" : "Security no longer posted"),
	/** The summary of a change in many requests, which is already a sentence. */
	requests: (_, after) => safeText(after ?? "", 120),
};

/** Describes a change in a sentence without a period. */
export function changeSentence({ change_type, field_name, old_value, new_value }: Change): string {
	if (change_type === "new_project") return "New request";
	if (change_type === "first_listed") return "In the first list that was loaded";
	if (change_type === "raw_update")
		return fieldSentence(`Column “${safeText(field_name ?? "", 60)}”`, old_value, new_value);
	const sentence = sentences[field_name ?? ""];
	const text =
		sentence?.(old_value, new_value) ?? fieldSentence(labelOf(field_name ?? change_type), old_value, new_value);
	if (change_type === "correction") return `Corrected: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
	return change_type === "evidence_update" ? `${text}, according to a source other than the list` : text;
}

/** The name or number of the changed request. */
export const nameOfChange = ({ project_name, queue_id }: Pick<Change, "project_name" | "queue_id">): string =>
	safeText(project_name ?? queue_id ?? "Many requests", 80);

const eventLabels = { entered: "Entered the watchlist", left: "Left the watchlist" };

/** The request and its change in one line. If the request entered or left a watchlist, the line says so instead of describing the change. */
export const changeTitle = (change: WatchedChange): string =>
	`${nameOfChange(change)} (${change.region}): ${change.event ? eventLabels[change.event] : changeSentence(change)}`;

/** Facts about the changed request, separated by dots. If the request entered or left a watchlist, the change comes first. */
export function changeFacts(change: WatchedChange): string {
	const { event, capacity_mw, type_std, state, developer_canonical } = change;
	const facts = [
		event && changeSentence(change),
		capacity_mw !== null && power(capacity_mw),
		type_std !== null && labelOf(type_std),
		state,
		developer_canonical,
	];
	return facts.filter(Boolean).join(" · ");
}

/** URL of the changed request's page, or of the page of all changes if the change concerns many requests. */
export const changeLink = ({ project_id }: Pick<Change, "project_id">, site: string): string =>
	project_id === null ? `${site}/changes` : `${site}/projects/${encodeURIComponent(project_id)}`;

function fieldSentence(field: string, before: string | null, after: string | null): string {
	const [from, to] = [before, after].map((value) => safeText(value ?? "", 60));
	if (before === null) return `${field}: ${to}`;
	return after === null ? `${field} no longer stated (was ${from})` : `${field} changed from ${from} to ${to}`;
}

function partsText(json: string | null): string | null {
	if (json === null) return null;
	const parts: { type_std: string; capacity_mw: number | null }[] = JSON.parse(json);
	return parts
		.map(({ type_std, capacity_mw: mw }) => (mw === null ? type_std : `${type_std} ${power(mw)}`))
		.join(" + ");
}
