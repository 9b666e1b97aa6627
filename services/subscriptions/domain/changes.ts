/** Which changes of the log concern a webhook or a watchlist. Pure. */
import type { LoggedChange } from "#libs/bus/requests/change-log.ts";
import { matches } from "#libs/contract/filters/matches.ts";
import type { Filters } from "#libs/contract/filters/meanings.ts";
import type { ParamsInput } from "#libs/contract/index.ts";

export type WebhookFilters = NonNullable<ParamsInput<"createWebhook">["filters"]>;

/** The filters apply to the request after the change. */
export function concernsWebhook(filters: WebhookFilters | null, change: LoggedChange): boolean {
	const { change_type, region, ...ofRequest } = (filters ?? {}) as Filters & { change_type?: string[] };
	if (change_type !== undefined && !change_type.includes(change.change_type)) return false;
	if (region !== undefined && !region.includes(change.region)) return false;
	if (Object.values(ofRequest).every((value) => value === undefined)) return true;
	if (change.project == null) return false;
	// The log has requests of every kind, and those that are no longer listed.
	return matches({ ...ofRequest, population: "all", include_unlisted: true }, change.project);
}

/** The effect of a change on a watchlist; undefined for none. */
export function eventOf(
	filters: Filters,
	change: LoggedChange,
	isMember: boolean,
): "entered" | "left" | null | undefined {
	// Without the request, membership does not change.
	if (change.project == null) return isMember ? null : undefined;
	if (matches(filters, change.project)) return isMember ? null : "entered";
	return isMember ? "left" : undefined;
}
