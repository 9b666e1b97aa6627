import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { accountOperations } from "./accounts.ts";
import { claimPayment } from "./claim-payment.ts";
import { creditOperations } from "./credits.ts";
import { oauthOperations } from "./oauth.ts";
import { paymentOperations } from "./payments.ts";
import { usageOperations } from "./usage.ts";

/** All operations of this service. A missing one is a compile error. */
export const operations = (resources: Resources): Handlers<"billing"> => ({
	...accountOperations(resources),
	...usageOperations(resources),
	claimPayment: claimPayment(resources),
	...paymentOperations(resources),
	...creditOperations(resources),
	...oauthOperations(resources),
});
