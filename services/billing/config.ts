import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { integer } from "#libs/contract/params.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";

export const configSchema = z.object({
	...postgresSettings,
	...natsSettings,
	USAGE_KEEP_DAYS: integer(32, 3_660)
		.default(400)
		.describe("Age after which single requests are deleted from the ledger (days); hourly sums are retained"),
});
export type Config = z.output<typeof configSchema>;
