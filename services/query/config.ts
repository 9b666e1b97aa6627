/** Settings of this service in addition to those of every process (libs/service/run-service.ts). `main.ts` reads them from the environment. */
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
		.describe("Maximum total size of the extract files (bytes); newer extracts that would exceed it are not loaded"),
	STATEMENT_PROCESSES: integer(1, 64).default(4).describe("Statements that run concurrently, each in its own process"),
	STATEMENT_DATA_KB: integer(700_000, 16_000_000)
		.default(920_000)
		.describe("RLIMIT_DATA of each statement process (KiB), of which V8 reserves 512 MiB that it does not use"),
});
