/** Values that scoring computes for some requests, by the service itself on a separate database. */
import type { z } from "zod";
import { AppError } from "#libs/contract/errors.ts";
import { operations as contract, events } from "#libs/contract/index.ts";
import { publishProjects, withoutChanges } from "../../../services/queue-ingest/history/events/publish.ts";
import type { ReadComputed } from "../../../services/queue-ingest/provenance/computed-values.ts";
import { copyScores } from "../../../services/queue-ingest/reactions.ts";
import { operations } from "../../../services/scoring/operations/index.ts";
import { project } from "../../scoring/support/deliver.ts";
import type { TestScoring } from "../../scoring/support/scoring.ts";
import type { Queue } from "./queue.ts";

type Announced = z.output<typeof events.projectChanged.payload>;

export const computedBy =
	({ sql, clock }: TestScoring): ReadComputed =>
	async (project_id) => {
		const { readOrigins } = operations({ sql, now: () => clock.now, notice_2025_42: "vacated" });
		const params = contract.readOrigins.params.parse({ project_id });
		try {
			const { json } = await readOrigins(params, { signal: AbortSignal.timeout(60_000) });
			return contract.readOrigins.reply.parse(JSON.parse(json.toString()));
		} catch (error) {
			if (error instanceof AppError && error.status === 404) return undefined;
			throw error;
		}
	};

/** Scoring receives these requests, and the queue what they score. */
export async function scoreRequests(queue: Queue, scoring: TestScoring, ids: readonly string[]): Promise<void> {
	const rows = await queue.sql.begin(async (tx) => {
		await tx`delete from outbox`;
		await publishProjects(tx, withoutChanges(tx, tx`select unnest(${[...ids]}::text[])`), ":again");
		return tx<{ payload: string }[]>`delete from outbox returning payload::text as payload`;
	});
	const announced = rows.map(({ payload }): Announced => events.projectChanged.payload.parse(JSON.parse(payload)));
	await scoring.deliver(...announced.map((event) => project(event as Parameters<typeof project>[0])));
	await scoring.compute();
	const scored = await scoring.sql<{ payload: string }[]>`
		select payload::text as payload from outbox where subject like ${`%${events.projectScored.name}`} order by id`;
	const payloads = scored.map(({ payload }) => events.projectScored.payload.parse(JSON.parse(payload)));
	await queue.sql.begin((tx) => copyScores.handler(tx, payloads));
}
