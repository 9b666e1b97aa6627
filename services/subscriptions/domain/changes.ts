/** The log's changes, and which of them concern a webhook. Pure. */
import type { z } from "zod";
import type { ParamsInput } from "#libs/contract/index.ts";
import type { changeWithRow } from "#libs/contract/operations/change.ts";
import type { project } from "#libs/contract/records/project.ts";
import { matches } from "#libs/filters/matches.ts";
import type { Filters } from "#libs/filters/meanings.ts";

export type Project = z.output<typeof project>;
/** With the request as it was after it; null where nothing is known of that. */
export type Change = z.output<typeof changeWithRow>;

/** As they are stored: parsed. */
export type WebhookFilters = NonNullable<ParamsInput<"createWebhook">["filters"]>;

/** Does a change concern a webhook with these filters? They are of the request as it is after it. */
export function concerns(filters: WebhookFilters | null, change: Change): boolean {
	const { change_type, region, ...ofRequest } = (filters ?? {}) as Filters & { change_type?: string[] };
	if (change_type !== undefined && !change_type.includes(change.change_type)) return false;
	if (region !== undefined && !region.includes(change.region)) return false;
	if (Object.values(ofRequest).every((value) => value === undefined)) return true;
	if (change.project == null) return false;
	// Every kind of request changes, and what no list shows any more did.
	return matches({ ...ofRequest, population: "all", include_unlisted: true }, change.project);
}

/** What a change is to a watchlist; undefined: it does not concern it. */
export function eventOf(filters: Filters, change: Change, isMember: boolean): "entered" | "left" | null | undefined {
	// What is not known of the request decides nothing.
	if (change.project == null) return isMember ? null : undefined;
	if (matches(filters, change.project)) return isMember ? null : "entered";
	return isMember ? "left" : undefined;
}
