import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { deleteSubscriptions, withPlanRecorded } from "./account.ts";
import { deliveryOperations, listNotices } from "./deliveries.ts";
import { openAlertLink } from "./mails.ts";
import { savedQueryOperations } from "./saved-queries.ts";
import { watchlistOperations } from "./watchlists.ts";
import { webhookOperations } from "./webhooks.ts";

/** The handlers of all operations that this service owns. */
export const operations = (resources: Resources): Handlers<"subscriptions"> => ({
	...withPlanRecorded(resources, { ...webhookOperations(resources), ...deliveryOperations(resources) }),
	openAlertLink: openAlertLink(resources),
	listNotices: listNotices(resources),
	deleteSubscriptions: deleteSubscriptions(resources),
	...watchlistOperations(resources),
	...savedQueryOperations(resources),
});
