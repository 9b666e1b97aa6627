/** Watchlists: saved filters whose changes are tracked. */
import { z } from "zod";
import { count, logPage, named, page, pageMeta, timestamp } from "../../envelopes.ts";
import { subscriptionsOperation } from "../../operation.ts";
import { flag, integer, listParams, none, words } from "../../params.ts";
import { project } from "../../records/project.ts";
import { changeWithRow } from "../history/change.ts";
import { projectFilters, refuseContradictions } from "../projects/project.ts";
import { watchlistId } from "./subscription.ts";

const name = () => words(1, 100).describe("Name of the watchlist");
const filters = () =>
	z
		.strictObject(projectFilters, { error: "must be an object of filters" })
		.superRefine(refuseContradictions)
		.describe("Filters as of /projects: ids, developers, a circle or any other, together");

const watchlist = named("Watchlist", {
	watchlist_id: z.int().min(1),
	name: z.string(),
	filters: z.looseObject({}).describe("The filters as sent, spelled as documented"),
	requests: count().nullable().describe("Requests in it as of `seq`; null until they were first read"),
	seq: count().nullable().describe("The newest change that it includes; null until its requests were first read"),
	created_at: timestamp(),
	expires_at: timestamp()
		.nullable()
		.describe(
			"When it is deleted unless read, changed or named in a webhook before. Null with a paid plan, and while an enabled, confirmed webhook uses it",
		),
});

export const createWatchlist = subscriptionsOperation({
	summary: "Saves filters of requests as a watchlist, whose changes are tracked.",
	params: z.strictObject({ name: name(), filters: filters() }),
	reply: watchlist,
	http: { method: "POST", path: "/watchlists", price: "free", needsKey: true },
	example: {
		name: "Solar in Texas",
		filters: { population: "transmission", include_unlisted: false, state: ["TX"], fuel_type: ["Solar"] },
	},
});

export const listWatchlists = subscriptionsOperation({
	summary: "The account's watchlists, oldest first, a page at a time.",
	params: listParams({}, 200),
	reply: page(watchlist),
	http: { method: "GET", path: "/watchlists", price: "free", needsKey: true },
	example: {},
	noPast: "It lists an account's own settings.",
});

export const getWatchlist = subscriptionsOperation({
	summary: "A watchlist and the requests that its filters choose now, a page at a time.",
	params: listParams({ watchlist_id: watchlistId() }, 500),
	reply: z.strictObject({
		watchlist,
		data: z.array(project),
		meta: z.strictObject({ ...pageMeta, seq: count().optional() }),
	}),
	http: { method: "GET", path: "/watchlists/{watchlist_id}", price: "standard", needsKey: true },
	alsoAs: ["ics"],
	example: { watchlist_id: 1 },
	noPast: "A watchlist follows the present; `/projects?as_of=` takes the same filters.",
});

export const changeWatchlist = subscriptionsOperation({
	summary:
		"Renames a watchlist or replaces its filters; requests that this adds or removes are not reported as entered or left.",
	params: z.strictObject({ watchlist_id: watchlistId(), name: name().optional(), filters: filters().optional() }),
	reply: watchlist,
	http: { method: "PATCH", path: "/watchlists/{watchlist_id}", price: "free", needsKey: true },
	example: { watchlist_id: 1, name: "Solar in Texas" },
});

export const deleteWatchlist = subscriptionsOperation({
	summary: "Deletes a watchlist. 409 while a webhook uses it.",
	params: z.strictObject({ watchlist_id: watchlistId() }),
	reply: none,
	http: { method: "DELETE", path: "/watchlists/{watchlist_id}", price: "free", needsKey: true },
	example: { watchlist_id: 1 },
});

/** A change of a request that is in a watchlist, enters it or leaves it. */
const watchlistChange = changeWithRow.extend({
	event: z
		.enum(["entered", "left"])
		.nullable()
		.describe("entered: the change brought the request into the watchlist; left: it removed it; null: neither"),
	project: project.nullable().describe("The request as it was after the change"),
});

export const listWatchlistChanges = subscriptionsOperation({
	summary:
		"Changes of the requests in a watchlist, including those that entered or left it, after a `seq`, oldest first.",
	params: z.strictObject({
		watchlist_id: watchlistId(),
		after: integer(0, Number.MAX_SAFE_INTEGER)
			.default(0)
			.describe("Changes with a greater `seq`. Continue with the `next` of each response"),
		newest: flag()
			.default(false)
			.describe(
				"The newest changes after `after`, newest first. `next` is then the newest `seq`: older changes that did not fit in the page are skipped",
			),
		per_page: integer(1, 200).default(100).describe("Rows a page"),
	}),
	reply: logPage(watchlistChange),
	http: { method: "GET", path: "/watchlists/{watchlist_id}/changes", price: "free", needsKey: true },
	alsoAs: ["atom"],
	example: { watchlist_id: 1 },
	noPast: "`after` reads its changes from any past `seq`.",
});
