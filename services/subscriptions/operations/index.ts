import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { listDeliveries, listNotices, redeliver, replayWebhook, rotateWebhook, testWebhook } from "./deliveries.ts";
import {
	changeSavedQuery,
	createSavedQuery,
	deleteSavedQuery,
	getSavedQuery,
	listSavedQueries,
} from "./saved-queries.ts";
import {
	changeWatchlist,
	createWatchlist,
	deleteWatchlist,
	getWatchlist,
	listWatchlistChanges,
	listWatchlists,
} from "./watchlists.ts";
import { changeWebhook, createWebhook, deleteWebhook, getWebhook, listWebhooks } from "./webhooks.ts";

/** Every operation this service owns. A missing one does not compile. */
export function operations(resources: Resources): Handlers<"subscriptions"> {
	return {
		createWebhook: createWebhook(resources),
		listWebhooks: listWebhooks(resources),
		getWebhook: getWebhook(resources),
		changeWebhook: changeWebhook(resources),
		deleteWebhook: deleteWebhook(resources),
		testWebhook: testWebhook(resources),
		rotateWebhook: rotateWebhook(resources),
		replayWebhook: replayWebhook(resources),
		listDeliveries: listDeliveries(resources),
		redeliver: redeliver(resources),
		listNotices: listNotices(resources),
		createWatchlist: createWatchlist(resources),
		listWatchlists: listWatchlists(resources),
		getWatchlist: getWatchlist(resources),
		changeWatchlist: changeWatchlist(resources),
		deleteWatchlist: deleteWatchlist(resources),
		listWatchlistChanges: listWatchlistChanges(resources),
		createSavedQuery: createSavedQuery(resources),
		listSavedQueries: listSavedQueries(resources),
		getSavedQuery: getSavedQuery(resources),
		changeSavedQuery: changeSavedQuery(resources),
		deleteSavedQuery: deleteSavedQuery(resources),
	};
}
