/** Warnings that loaded data is the bundled sample, which is invented. */
import { type Database, databases } from "#libs/contract/databases.ts";
import { untilAborted } from "#libs/contract/within.ts";

/** An owner's reply that lists its databases with sample data. */
interface SampledReply {
	sample_databases: readonly Database[];
}

/** Scores are computed from requests, so they are sample data if the requests are. */
export function sampledDatabases(...replies: (SampledReply | undefined)[]): Database[] {
	const sampled = new Set(replies.flatMap((reply) => reply?.sample_databases ?? []));
	if (sampled.has("master")) sampled.add("scoring");
	return databases.filter((name) => sampled.has(name));
}

/** The warning as a sentence; undefined if no database contains the sample. */
export function sampleNote(sampled: readonly Database[]): string | undefined {
	if (sampled.length === 0) return undefined;
	const what = sampled.length === databases.length ? "every database" : `the databases ${sampled.join(", ")}`;
	return `What is loaded in ${what} is the bundled sample, invented to try the service with: none of it was published by the operators, agencies and companies that its rows name. Rely on none of it and pass none of it on.`;
}

/** Finds the databases with sample data. An owner that does not respond before `signal` fires is ignored, so that it does not delay a document. */
export async function findSampled(parts: readonly Promise<SampledReply>[], signal: AbortSignal): Promise<Database[]> {
	const replies = await Promise.all(parts.map((part) => untilAborted(part, signal).catch(() => undefined)));
	return sampledDatabases(...replies);
}
