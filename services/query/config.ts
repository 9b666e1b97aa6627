/** Settings of this service besides those of every process (libs/service/run-service.ts); read from the environment once, in `main.ts`. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { integer } from "#libs/contract/params.ts";

export const configSchema = z.object({
	...natsSettings,
	EXTRACTS_DIR: z
		.string()
		.min(1)
		.default(join(tmpdir(), `energy-data-extracts-${process.pid}`))
		.describe("Folder for the extracts' files, used by this process only; emptied at the start"),
	EXTRACTS_MAX_BYTES: integer(1024 ** 2, 1024 ** 4)
		.default(1024 ** 3)
		.describe("Most bytes of all extract files together; newer extracts that exceed it are not loaded [bytes]"),
	STATEMENT_PROCESSES: integer(1, 64).default(4).describe("Statements that run concurrently, each in its own process"),
	STATEMENT_DATA_KB: integer(700_000, 16_000_000)
		.default(920_000)
		.describe("RLIMIT_DATA of such a process, of which V8 reserves 512 MiB that it does not use [KiB]"),
});
