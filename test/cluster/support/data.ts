/** One operator's list, taken in again and again: each time some requests have changed. */
import { expect } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { eventually } from "../../support/eventually.ts";
import { queueFile, queueRows } from "../../support/queue-files.ts";

const hourMs = 3_600_000;

export interface Ingesting {
	/** Ids of its requests. */
	ids: readonly string[];
	/** Takes in the next list, in which the next active request has been withdrawn. Answers its id. */
	withdrawNext(): Promise<string>;
	/** Takes in the next list, which has one request more. Answers its id. */
	addOne(): Promise<string>;
	/** Requests withdrawn so far. */
	readonly withdrawn: readonly string[];
}

/** Has taken in the first list when it resolves. */
export async function startIngesting(sql: Sql): Promise<Ingesting> {
	let rows = queueRows("miso");
	let hours = 20 * 24;
	const take = async () => {
		const asOf = new Date(Date.now() - --hours * hourMs).toISOString();
		const taken = await ingestSnapshot(sql, { region: "MISO", files: [await queueFile("miso", rows)], asOf });
		if (taken.outcome !== "applied") throw new Error(`a list was ${taken.outcome}: ${JSON.stringify(taken)}`);
	};
	await take();
	const withdrawn: string[] = [];
	return {
		ids: rows.map(({ number }) => `MISO-${number}`),
		withdrawn,
		async withdrawNext() {
			const next = rows.find(({ status }) => status === "active");
			if (next === undefined) throw new Error("no active request is left");
			rows = rows.map((row) => (row === next ? { ...row, status: "withdrawn" as const, ended: "2026-11-01" } : row));
			await take();
			withdrawn.push(`MISO-${next.number}`);
			return `MISO-${next.number}`;
		},
		async addOne() {
			const added = queueRows("miso", { count: rows.length + 1 }).slice(rows.length);
			rows = [...rows, ...added];
			await take();
			return `MISO-${added[0]?.number}`;
		},
	};
}

export const outboxCount = async (admin: Sql): Promise<number> => (await admin`select from queue_ingest.outbox`).count;

/** The copy at signals equals its source, and each request that was withdrawn is published once. `admin`: sees every schema. */
export async function copiesAgree(admin: Sql, lists: Ingesting): Promise<void> {
	await eventually(
		async () => {
			expect(await outboxCount(admin)).toBe(0);
			const differing = await admin`
				select p.id, p.version, c.version as copied from queue_ingest.projects p
				full join signals.projects c on c.project_id = p.id where p.version is distinct from c.version`;
			expect([...differing]).toEqual([]);
			return true;
		},
		{ withinMs: 30_000 },
	);
	const published = await admin<{ project_id: string }[]>`
		select project_id from queue_ingest.changes where change_type = 'status_change' and new_value = 'Withdrawn' order by seq`;
	expect(published.map(({ project_id }) => project_id)).toEqual([...lists.withdrawn]);
}
