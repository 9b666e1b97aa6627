import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { flag, integer } from "#libs/contract/params.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";
import { checkMailSettings, mailSettings } from "#libs/service/mail.ts";

const settings = z.object({
	...postgresSettings,
	...natsSettings,
	...mailSettings,
	WEBHOOKS_ALLOW_PRIVATE: flag()
		.default(false)
		.describe("Allows webhooks of every format at any address and port, over http too; for tests and private systems"),
	WEBHOOK_PORTS: z
		.string()
		.regex(/^\d{1,5}(,\d{1,5})*$/, "must be ports, separated by commas")
		.default("443,8443")
		.describe("Ports that a webhook's address may use"),
	WEBHOOK_TIMEOUT_MS: integer(100, 60_000)
		.default(10_000)
		.describe("Longest attempt to send a delivery, including the response"),
	WEBHOOK_RETRY_MS: integer(1, 3_600_000)
		.default(5_000)
		.describe("Pause after the first failed attempt; it triples each time, up to 8 hours, for 3 days"),
	WEBHOOKS_AT_ONCE: integer(1, 1_000)
		.default(32)
		.describe(
			"Webhooks that a replica sends to at once. The same limit applies to requests that test a webhook or set its address",
		),
	WEBHOOKS_AT_ONCE_PER_ACCOUNT: integer(1, 1_000).default(4).describe("WEBHOOKS_AT_ONCE for one account"),
	WEBHOOKS_PER_ACCOUNT: integer(1, 10_000).default(10).describe("Most webhooks of an account"),
	WATCHLISTS_PER_ACCOUNT: integer(1, 10_000).default(20).describe("Most watchlists of an account"),
	WATCHLIST_REQUESTS: integer(1, 1_000_000)
		.default(20_000)
		.describe("Most interconnection requests that a watchlist's filters may match when they are set"),
	FREE_WATCHLIST_REQUESTS: integer(1, 1_000_000)
		.default(1_000)
		.describe("WATCHLIST_REQUESTS for an account on the free plan"),
	FREE_WATCHLIST_DAYS: integer(1, 3_660)
		.default(90)
		.describe(
			"Days after which an unused watchlist of the free plan is deleted. Reading it, changing it, naming it in a webhook, and following it with an enabled webhook whose address is confirmed count as use",
		),
	FILTERS_MAX_BYTES: integer(100, 1_000_000)
		.default(16_384)
		.describe("Longest filters of a webhook or watchlist, as JSON (bytes)"),
	SAVED_QUERIES_PER_ACCOUNT: integer(1, 10_000).default(100).describe("Most saved queries of an account"),
	DELIVERIES_KEPT: integer(1, 1_000_000).default(1_000).describe("Finished deliveries retained for each webhook"),
	DELIVERIES_KEEP_DAYS: integer(4, 3_660).default(30).describe("Days after which a finished delivery is deleted"),
});
export const configSchema = settings.superRefine(checkMailSettings);
export type Config = z.output<typeof configSchema>;
