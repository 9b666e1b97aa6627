/** Decides which changes concern a webhook or a watchlist. Pure. */
import type { LoggedChange } from "#libs/bus/requests/change-log.ts";
import { matches } from "#libs/contract/filters/matches.ts";
import type { Filters } from "#libs/contract/filters/meanings.ts";
import type { ParamsInput } from "#libs/contract/index.ts";

export type WebhookFilters = NonNullable<ParamsInput<"createWebhook">["filters"]>;

/** Filters apply to the interconnection request as it is after the change. */
export function concernsWebhook(filters: WebhookFilters | null, change: LoggedChange): boolean {
	const { change_type, region, ...requestFilters } = (filters ?? {}) as Filters & { change_type?: string[] };
	if (change_type !== undefined && !change_type.includes(change.change_type)) return false;
	if (region !== undefined && !region.includes(change.region)) return false;
	if (Object.values(requestFilters).every((value) => value === undefined)) return true;
	if (change.project == null) return false;
	// Unlike lists, webhooks include requests of every kind, and those that are no longer listed.
	return matches({ ...requestFilters, population: "all", include_unlisted: true }, change.project);
}

/** The effect of a change on a watchlist: its request enters, leaves, or stays a member (null). */
export type MemberEvent = "entered" | "left" | null;

/** @returns undefined if the change does not concern the watchlist. `isMember`: whether its request is a member before the change */
export function findWatchlistEvent(filters: Filters, change: LoggedChange, isMember: boolean): MemberEvent | undefined {
	// Without the request the filters cannot be applied, so membership is unchanged.
	if (change.project == null) return isMember ? null : undefined;
	if (matches(filters, change.project)) return isMember ? null : "entered";
	return isMember ? "left" : undefined;
}
