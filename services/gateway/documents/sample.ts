/** Warnings that loaded data is the bundled sample, which is invented. */
import { type Database, databases } from "#libs/contract/databases.ts";
import { untilAborted } from "#libs/contract/within.ts";

/** The part of an owner's reply that names its databases with sample data. */
interface SampledReply {
	sample_databases: readonly Database[];
}

/** Scores are computed from requests, so they are sample data if the requests are. */
export function sampledDatabases(...parts: (SampledReply | undefined)[]): Database[] {
	const theirs = new Set(parts.flatMap((part) => part?.sample_databases ?? []));
	if (theirs.has("master")) theirs.add("scoring");
	return databases.filter((name) => theirs.has(name));
}

/** Undefined if no database contains the sample. */
export function sampleNote(sampled: readonly Database[]): string | undefined {
	if (sampled.length === 0) return undefined;
	const what = sampled.length === databases.length ? "every database" : `the databases ${sampled.join(", ")}`;
	return `What is loaded in ${what} is the bundled sample, invented to try the service with: none of it was published by the operators, agencies and companies that its rows name. Rely on none of it and pass none of it on.`;
}

/** Names the databases with sample data. An owner that does not respond in time is omitted, because a document does not wait for it. */
export async function findSampled(parts: readonly Promise<SampledReply>[], signal: AbortSignal): Promise<Database[]> {
	const answers = await Promise.all(parts.map((part) => untilAborted(part, signal).catch(() => undefined)));
	return sampledDatabases(...answers);
}
