import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { choice } from "#libs/contract/params.ts";
import { extractSettings } from "#libs/parquet/settings.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";

export const configSchema = z.object({
	...postgresSettings,
	...natsSettings,
	...extractSettings,
	NOTICE_2025_42: choice(["vacated", "in_force"])
		.default("vacated")
		.describe("Whether IRS Notice 2025-42 is in force: vacated on 2026-06-06 (D.D.C. 25-4400); changes warnings only"),
});
