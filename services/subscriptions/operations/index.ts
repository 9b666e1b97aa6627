import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { recordPlan } from "./account.ts";
import { deliveryOperations, listNotices } from "./deliveries.ts";
import { savedQueryOperations } from "./saved-queries.ts";
import { watchlistOperations } from "./watchlists.ts";
import { webhookOperations } from "./webhooks.ts";

/** Every operation this service owns. A missing one does not compile. */
export const operations = (resources: Resources): Handlers<"subscriptions"> => ({
	...recordPlan(resources, { ...webhookOperations(resources), ...deliveryOperations(resources) }),
	listNotices: listNotices(resources),
	...watchlistOperations(resources),
	...savedQueryOperations(resources),
});
