import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { integer } from "#libs/contract/params.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";
import { checkMailSettings, mailSettings } from "#libs/service/mail.ts";

const settings = z.object({
	...postgresSettings,
	...natsSettings,
	...mailSettings,
	USAGE_KEEP_DAYS: integer(32, 3_660)
		.default(400)
		.describe("Age after which single requests are deleted from the ledger (days); hourly sums are retained"),
});

export const configSchema = settings.superRefine(checkMailSettings);
