/** Settings of this service, besides those of every process (libs/service/run-service.ts). */
import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { flag } from "#libs/contract/params.ts";
import { extractSettings } from "#libs/parquet/settings.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";

/** The user agent of requests to publishers. */
export const contact = z
	.string()
	.max(200)
	.regex(/^[ -~]*@[ -~]*$/, "must be an organization and an e-mail address, such as Example Org data@example.org");

export const configSchema = z.object({
	...postgresSettings,
	...natsSettings,
	...extractSettings,
	REFRESH_SOURCES: flag().default(false).describe("Download news and filings as they are published"),
	CONTACT: contact.optional().describe("Organization and e-mail address, which SEC requires every program to declare"),
});
