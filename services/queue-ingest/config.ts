/** Settings of this service in addition to those of every process (libs/service/run-service.ts), read once from the environment in `main.ts`. */
import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { flag } from "#libs/contract/params.ts";
import { extractSettings } from "#libs/parquet/settings.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";

export const configSchema = z.object({
	...postgresSettings,
	...natsSettings,
	...extractSettings,
	REFRESH_SOURCES: flag().default(false).describe("Download the operators' lists at their cadence"),
});
