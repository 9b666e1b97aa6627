/** The ingest and the operations of queue-ingest over a database of their own, with a clock that the test sets. */

import type { z } from "zod";
import type { StreamedName } from "#libs/bus/requests/request.ts";
import {
	operations as contract,
	type Events,
	events,
	type OwnedBy,
	type ParamsInput,
	type Reply,
} from "#libs/contract/index.ts";
import type { Region } from "#libs/contract/vocabulary.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { schema } from "../../../services/queue-ingest/migrate.ts";
import { operations } from "../../../services/queue-ingest/operations.ts";
import type { ReadComputed } from "../../../services/queue-ingest/provenance/computed-values.ts";
import { ingestSnapshot } from "../../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { retractNewest } from "../../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IngestResult } from "../../../services/queue-ingest/queues/jobs/record-attempt.ts";
import { readQuarantined } from "../../../services/queue-ingest/sources/archive.ts";
import type { RawFile } from "../../../services/queue-ingest/sources/source.ts";
import { createDatabase } from "../../support/database.ts";
import { createSampleDatabase } from "../../support/sample-database.ts";

type Asked = Exclude<OwnedBy<"queue-ingest">, StreamedName>;
type ChangeEvent = z.output<Events["projectChanged"]["payload"]>;
type AppliedEvent = z.output<Events["snapshotApplied"]["payload"]>;

/** A change as a test states it: who, which field, from what to what. */
export type ChangeRow = [
	project: string | null,
	changeType: string,
	field: string | null,
	from: string | null,
	to: string | null,
];

interface Handling {
	accept?: boolean;
}

export interface Queue extends AsyncDisposable {
	sql: Sql;
	url: string;
	/** Clock of the operations; the last snapshot's time unless it is set. */
	now: string;
	/** Takes in a snapshot that is as of `day` (a day or a moment); the clock goes on to it. */
	take(region: Region, day: string, files: RawFile | RawFile[], options?: Handling): Promise<IngestResult>;
	/** Runs `ingest --region R --accept`. */
	release(region: Region): Promise<IngestResult>;
	/** Runs `ingest --region R --retract --as-of day`. */
	retract(region: Region, day: string): Promise<IngestResult>;
	/** The operation's answer; parameters and reply are parsed by the contract, which is closed. */
	ask<N extends Asked>(name: N, params?: ParamsInput<N>): Promise<Reply<N>>;
	/** Changes by days, the newest first. */
	changes(params: ParamsInput<"listChanges">): Promise<Extract<Reply<"listChanges">, { total: number }>>;
	/** The whole CSV of an export. */
	export(params?: ParamsInput<"exportProjects">): Promise<string>;
	/** The same as it is sent, in either format. */
	exportBytes(params?: ParamsInput<"exportProjects">): Promise<Buffer>;
	/** The whole CSV of another export. */
	file<N extends "exportDevelopers" | "exportChanges" | "exportPrices">(
		name: N,
		params?: ParamsInput<N>,
	): Promise<string>;
	/** The changes of the snapshots after `seq`, in order. */
	changeRows(afterSeq?: number): Promise<ChangeRow[]>;
	lastSeq(): Promise<number>;
	/** Events in the outbox, in order, each parsed by its schema. */
	announced(): Promise<{ changed: ChangeEvent[]; applied: AppliedEvent[] }>;
}

/** All requests, without their versions and the numbers of their developers, which depend on the order of loading. */
export async function present(queue: Queue) {
	const { data } = await queue.ask("listProjects", { per_page: 500, include_unlisted: true });
	return data.map(({ version, developer_id, ...row }) => row);
}

interface QueueOptions {
	/** Reads what scoring computes. */
	computed?: ReadComputed;
	/** Contains the bundled sample, as it is loaded today. */
	sample?: true;
}

export async function openQueue({ computed, sample }: QueueOptions = {}): Promise<Queue> {
	await using stack = new AsyncDisposableStack();
	const today = new Date();
	const database = stack.use(await (sample ? createSampleDatabase("queue-ingest", today) : createDatabase()));
	const sql = stack.use(connect(database.url, { schema, name: "test", max: 4, statementTimeoutMs: 0 }));
	const handlers = operations({ sql, now: () => new Date(queue.now), ...(computed && { computed }) });
	const context = { signal: new AbortController().signal };
	const moment = (day: string) => (day.length === 10 ? `${day}T06:00:00Z` : day);

	async function take(region: Region, day: string, files: RawFile | RawFile[], { accept = false }: Handling = {}) {
		const asOf = moment(day);
		queue.now = asOf;
		const incoming = [files].flat().map((file) => ({ ...file, path: file.name }));
		return ingestSnapshot(sql, {
			region,
			files: incoming,
			asOf,
			accept,
			now: () => new Date(asOf),
		});
	}

	const queue: Queue = {
		sql,
		url: database.url,
		now: sample ? today.toISOString() : "2026-01-01T00:00:00Z",
		take,
		async release(region) {
			const held = await readQuarantined(sql, region);
			if (held === undefined) throw new Error(`no snapshot of ${region} is held back`);
			return take(region, held.asOf ?? queue.now, held.files, { accept: true });
		},
		async retract(region, day) {
			queue.now = moment(day);
			return retractNewest(sql, region, new Date(queue.now));
		},
		async ask(name, params) {
			const operation = contract[name];
			const handler = handlers[name] as (params: unknown, of: typeof context) => Promise<{ json: string | Uint8Array }>;
			const { json } = await handler(operation.params.parse(params ?? {}), context);
			return operation.reply.parse(JSON.parse(Buffer.from(json).toString())) as never;
		},
		async changes(params) {
			const found = await queue.ask("listChanges", params);
			if (!("total" in found)) throw new Error("a page of the log, not of days");
			return found;
		},
		async export(params = {}) {
			return (await queue.exportBytes(params)).toString("utf8");
		},
		async exportBytes(params = {}) {
			const chunks: Uint8Array[] = [];
			const parsed = contract.exportProjects.params.parse(params);
			for await (const chunk of handlers.exportProjects(parsed, context)) chunks.push(Buffer.from(chunk));
			return Buffer.concat(chunks);
		},
		async file(name, params) {
			const handler = handlers[name] as (params: unknown, of: typeof context) => AsyncIterable<Uint8Array>;
			const chunks: Uint8Array[] = [];
			for await (const chunk of handler(contract[name].params.parse(params ?? {}), context)) chunks.push(chunk);
			return Buffer.concat(chunks).toString("utf8");
		},
		async changeRows(afterSeq = 0) {
			const rows = await sql<{ change: ChangeRow }[]>`
				select json_build_array(project_id, change_type, field_name, old_value, new_value) as change
				from changes where seq > ${afterSeq} and change_type not in ('first_listed', 'raw_update') order by seq`;
			return rows.map((row) => row.change);
		},
		async lastSeq() {
			const [row] = await sql<{ seq: number }[]>`select coalesce(max(seq), 0) as seq from changes`;
			return row?.seq ?? 0;
		},
		async announced() {
			const rows = await sql<{ subject: string; payload: string }[]>`
				select subject, payload::text as payload from outbox order by id`;
			const of = (name: string) =>
				rows.filter((row) => row.subject.endsWith(name)).map((row) => JSON.parse(row.payload));
			return {
				changed: of(events.projectChanged.name).map((payload) => events.projectChanged.payload.parse(payload)),
				applied: of(events.snapshotApplied.name).map((payload) => events.snapshotApplied.payload.parse(payload)),
			};
		},
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
	const rest = stack.move();
	return queue;
}
