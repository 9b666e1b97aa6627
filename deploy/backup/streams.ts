/** Deletes the files in which NATS on this machine keeps streams of a database that was restored. The servers must be stopped. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { streamOf } from "#libs/contract/events/event.ts";

/**
 * Takes away every stream with its consumers, except what the gateways said: of that only the consumers, so that usage which the restored
 * ledger lacks comes once more. Services make anew what is missing when they start. Answers the names of the streams that are gone.
 */
export function forgetStreams(dataDir: string): string[] {
	const store = join(dataDir, "nats", "jetstream");
	const gone: string[] = [];
	for (const account of existsSync(store) ? readdirSync(store) : []) {
		const streams = join(store, account, "streams");
		for (const name of existsSync(streams) ? readdirSync(streams) : []) {
			const isUsage = name === streamOf("gateway");
			rmSync(join(streams, name, isUsage ? "obs" : ""), { recursive: true, force: true });
			if (!isUsage) gone.push(name);
		}
	}
	// A mirror is called like its stream.
	return [...new Set(gone)].sort();
}
