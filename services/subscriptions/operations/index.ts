import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { recordingPlan } from "./account.ts";
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
		createWebhook: recordingPlan(resources, createWebhook(resources)),
		listWebhooks: recordingPlan(resources, listWebhooks(resources)),
		getWebhook: recordingPlan(resources, getWebhook(resources)),
		changeWebhook: recordingPlan(resources, changeWebhook(resources)),
		deleteWebhook: deleteWebhook(resources),
		testWebhook: recordingPlan(resources, testWebhook(resources)),
		rotateWebhook: recordingPlan(resources, rotateWebhook(resources)),
		replayWebhook: recordingPlan(resources, replayWebhook(resources)),
		listDeliveries: recordingPlan(resources, listDeliveries(resources)),
		redeliver: recordingPlan(resources, redeliver(resources)),
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
