/** The jobs, reactions and operations of signals over a database of their own, with a clock that the test sets. */
import type { z } from "zod";
import {
	operations as contract,
	type Events,
	events,
	type OwnedBy,
	type ParamsInput,
	type Reply,
} from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { copyDevelopers, copyProjects } from "../../../services/signals/companies/copies.ts";
import { matchAll } from "../../../services/signals/ingest/rematch.ts";
import { schema } from "../../../services/signals/migrate.ts";
import { operations } from "../../../services/signals/operations.ts";
import { createDatabase } from "../../support/database.ts";

export type DeveloperEvent = z.output<Events["developerChanged"]["payload"]>;
export type ProjectEvent = z.output<Events["projectChanged"]["payload"]>;
export type NewsEvent = z.output<Events["newsRecorded"]["payload"]>;
export type RaiseEvent = z.output<Events["raiseRecorded"]["payload"]>;
export type FilingEvent = z.output<Events["filingRecorded"]["payload"]>;

export interface Signals extends AsyncDisposable {
	sql: Sql;
	url: string;
	now: string;
	/** Delivers events, in one batch, and matches again what they make due. */
	developers(...events: DeveloperEvent[]): Promise<void>;
	projects(...events: ProjectEvent[]): Promise<void>;
	/** The operation's answer; parameters and reply are parsed by the contract, which is closed. */
	ask<N extends OwnedBy<"signals">>(name: N, params?: ParamsInput<N>): Promise<Reply<N>>;
	/** Events in the outbox since the last call, in order, each parsed by its schema. */
	announced(): Promise<{ news: NewsEvent[]; raises: RaiseEvent[]; filings: FilingEvent[] }>;
	dataVersion(): Promise<number>;
	/** Deletes everything, for the next test. */
	clear(): Promise<void>;
}

const defaultNow = "2026-06-30T12:00:00Z";

/** Brings the tables back to what migrations made of them; versions only rise, because caches are kept by them. */
export async function clearTables(sql: Sql): Promise<void> {
	const tables = await sql<{ name: string }[]>`
		select tablename as name from pg_tables
		where schemaname = current_schema() and tablename not in ('migrations', 'names', 'data_version')`;
	await sql.unsafe(`
		truncate ${tables.map(({ name }) => name).join(", ")} restart identity;
		update names set version = version + 1;
		insert into matching (kind, names_version) select kind, version from names, unnest(array['articles', 'raises', 'filings']) kind;
		insert into pipelines (pipeline) values ('form-d'), ('8-k'), ('news')`);
}

export async function openSignals(): Promise<Signals> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("signals"));
	const sql = stack.use(connect(database.url, { schema, name: "test", max: 4, statementTimeoutMs: 0 }));
	const handlers = operations({ sql, now: () => new Date(signals.now) });
	const context = { signal: new AbortController().signal };
	const signals: Signals = {
		sql,
		url: database.url,
		now: defaultNow,
		async developers(...delivered) {
			await sql.begin((tx) => copyDevelopers.handler(tx, delivered));
			await matchAll(sql);
		},
		async projects(...delivered) {
			await sql.begin((tx) => copyProjects.handler(tx, delivered));
			await matchAll(sql);
		},
		async ask(name, params) {
			const operation = contract[name];
			const handler = handlers[name] as (params: unknown, of: typeof context) => Promise<{ json: string | Uint8Array }>;
			const { json } = await handler(operation.params.parse(params ?? {}), context);
			return operation.reply.parse(JSON.parse(Buffer.from(json).toString())) as never;
		},
		async announced() {
			const rows = await sql<{ subject: string; payload: string }[]>`
				with taken as (delete from outbox returning *) select subject, payload from taken order by id`;
			const of = (name: string) =>
				rows.filter((row) => row.subject.endsWith(name)).map((row): unknown => JSON.parse(row.payload));
			return {
				news: of(events.newsRecorded.name).map((payload) => events.newsRecorded.payload.parse(payload)),
				raises: of(events.raiseRecorded.name).map((payload) => events.raiseRecorded.payload.parse(payload)),
				filings: of(events.filingRecorded.name).map((payload) => events.filingRecorded.payload.parse(payload)),
			};
		},
		dataVersion: () => readDataVersion(sql),
		async clear() {
			signals.now = defaultNow;
			await clearTables(sql);
		},
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
	const rest = stack.move();
	return signals;
}
