/** Health and freshness of the data, as its owners report them. */

import { type Database, databaseOwners } from "#libs/contract/databases.ts";
import { about } from "#libs/contract/documents/about.ts";
import { AppError } from "#libs/contract/errors.ts";
import { type Handler, operations, type Reply } from "#libs/contract/index.ts";
import { freshness } from "#libs/contract/vocabulary.ts";
import { within } from "#libs/contract/within.ts";
import { databaseOperations, latestOf, pipelineOperations, type ReadPart, sourceOperations } from "./parts.ts";

/** Returns 503, for load balancers, if data is missing or its owner does not respond. `minRows`: the setting HEALTH_MIN_ROWS. */
export function getHealth(readPart: ReadPart, minRows: string): Handler<"getHealth"> {
	const thresholds = thresholdsOf(minRows);
	return async () => {
		const owners = new Set(thresholds.map(({ name }) => databaseOwners[name]));
		const wanted = databaseOperations.filter((name) => owners.has(operations[name].owner));
		const parts = await Promise.all(wanted.map((name) => replyInTime(readPart(name), operations[name].owner)));
		const rowsOf = new Map(parts.flatMap(({ databases }) => databases).map(({ name, row_count }) => [name, row_count]));
		for (const { name, least } of thresholds) {
			const rows = rowsOf.get(name) ?? 0;
			if (rows < least) throw new Unhealthy(`the database ${name} has ${rows} rows, fewer than the required ${least}`);
		}
		return { json: JSON.stringify(healthReply("ok")) };
	};
}

/** Parses `master=1,developer=20`, which the setting's schema has validated. */
function thresholdsOf(minRows: string): { name: Database; least: number }[] {
	return minRows.split(",").map((part) => {
		const [name, least] = part.split("=");
		return { name: name as Database, least: Number(least) };
	});
}

/** A load balancer waits only for seconds, so an owner that hangs counts as unavailable. */
const ownerWaitMs = 2_000;

async function replyInTime<T>(requested: Promise<T>, owner: string): Promise<T> {
	const reply = await within(requested, ownerWaitMs).catch((error: unknown) => {
		throw error instanceof AppError ? new Unhealthy(error.message) : error;
	});
	if (reply === undefined) throw new Unhealthy(`${owner} did not respond within ${ownerWaitMs} ms`);
	return reply.value;
}

const healthReply = (status: string): Reply<"getHealth"> => ({
	status,
	version: about.version,
	timestamp: new Date().toISOString(),
});

/** A 503 that also has the fields of a healthy response. */
class Unhealthy extends AppError {
	constructor(detail: string) {
		super(503, detail, { retryAfterSeconds: 5 });
	}

	override toJSON() {
		return { ...super.toJSON(), ...healthReply("unhealthy") };
	}
}

export function getHealthDetailed(readPart: ReadPart): Handler<"getHealthDetailed"> {
	return async () => {
		const parts = await Promise.all(databaseOperations.map(readPart));
		const databases = parts.flatMap((part) => part.databases);
		const reply: Reply<"getHealthDetailed"> = { status: "ok", databases };
		return { json: JSON.stringify(reply) };
	};
}

type Pipelines = Reply<"listPipelines">["pipelines"];

export function getFreshness(readPart: ReadPart): Handler<"getFreshness"> {
	return async () => {
		const parts = await Promise.all(pipelineOperations.map(readPart));
		const pipelines = parts.flatMap((part) => part.pipelines);
		return { json: JSON.stringify(summarise(pipelines, new Date())) };
	};
}

/** Lists pipelines, and those that are stale or never ran. `_status_dist` omits statuses that no pipeline has. */
export function summarise(pipelines: Pipelines, checkedAt: Date): Reply<"getFreshness"> {
	const by = Object.groupBy(pipelines, (pipeline) => pipeline.status);
	const names = (verdict: (typeof freshness)[number]) => (by[verdict] ?? []).map(({ pipeline }) => pipeline);
	const stale = names("STALE");
	const never = names("NEVER");
	return {
		checked_at: checkedAt.toISOString(),
		pipelines,
		stale,
		never,
		_status_dist: freshness.flatMap((status) => {
			const members = by[status] ?? [];
			return members.length === 0
				? []
				: [{ status, n: members.length, newest: latestOf(members.map(({ last_success }) => last_success)) }];
		}),
		stale_count: stale.length,
		never_count: never.length,
	};
}

export function getSourceFreshness(readPart: ReadPart): Handler<"getSourceFreshness"> {
	return async () => {
		const parts = await Promise.all(sourceOperations.map(readPart));
		const sources = parts.flatMap((part) => part.sources);
		const reply: Reply<"getSourceFreshness"> = {
			timestamp: new Date().toISOString(),
			total_sources: sources.length,
			sources,
		};
		return { json: JSON.stringify(reply) };
	};
}
