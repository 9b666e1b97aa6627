/** DATA_DIR/run.json describes the running system, for commands that a person runs. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonObject, replaceFile } from "./data-dir.ts";
import { lockHolder } from "./lock.ts";

const runSchema = z.object({
	/** Where the gateway answers. */
	url: z.string(),
	servers: z.record(z.string(), z.object({ port: z.int() })),
	services: z.record(z.string(), z.object({ healthUrl: z.string(), env: z.record(z.string(), z.string()) })),
});

/** Holds passwords: private to the user. */
export type Run = z.infer<typeof runSchema>;

/** The system that runs in this data folder; undefined if none does, also if it was killed and left its file behind. */
export function readRun(dataDir: string): Run | undefined {
	const path = join(dataDir, "run.json");
	if (!existsSync(path) || lockHolder(dataDir) === undefined) return undefined;
	return runSchema.parse(readJsonObject(path, "start the system again"));
}

export function writeRun(dataDir: string, run: Run): void {
	replaceFile(join(dataDir, "run.json"), `${JSON.stringify(run, null, "\t")}\n`);
}

export function removeRun(dataDir: string): void {
	rmSync(join(dataDir, "run.json"), { force: true });
}
