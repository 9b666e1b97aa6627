/**
 * Runs statements that strangers wrote. Three borders, each of which would do: the statement is checked (check-statement.ts), its
 * session is of a role that can read the views of one database and nothing else (deploy/local/roles.ts), and its transaction is
 * read-only and bounded in time, in what the planner expects of it and in what comes back.
 */

import { type Database, type databaseOwners, databasesOf, queryLimits } from "#libs/contract/databases.ts";
import { badRequest, unavailable } from "#libs/contract/errors.ts";
import type { Json, Reply } from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import { connect, type Sql, type Transaction } from "../connect.ts";
import { type CheckedStatement, checkStatement } from "./check-statement.ts";
import { checkPlan, workMemory } from "./plan.ts";
import { type Column, columnsText, csvHeader, type Format, type Rows, type RunText, rowsText } from "./rows.ts";
import { forCaller, tookTooLong } from "./server-error.ts";
import { openTurns, tooManyAtOnce } from "./turns.ts";

export interface Question {
	sql: string;
	database: Database;
	format: Format;
	/** Whom statements at the same time are counted under. */
	subject: string;
}

export interface Sandbox extends AsyncDisposable {
	/** @throws AppError */
	run(question: Question): Promise<Json<Reply<"queryQueues">>>;
	/** Statements of this process. */
	readonly turns: { running: number; waiting: number };
}

export interface SandboxOptions {
	/** Of the owner's role: the readers' differ in user and password. */
	url: string;
	/** Of the readers. Without it nothing is run: 503. */
	password: string | undefined;
	owner: (typeof databaseOwners)[Database];
}

export const readerOf = (database: Database): string => `query_${database}`;

/** Of this process, over all its databases. The bus waits ten seconds: two for a place, five for the statement, two until it is ended. */
const turnLimits = { atOnce: 6, ofSubject: queryLimits.atOnce, waiting: 12, waitMs: 2_000 };
/** How long after its time a statement that does not stop is waited for. */
const graceMs = 2_000;

export function openSandbox({ url, password, owner }: SandboxOptions): Sandbox {
	const databases = password === undefined ? [] : databasesOf(owner);
	const pools = new Map(databases.map((database) => [database, openReader(url, password ?? "", database)]));
	const turns = openTurns(turnLimits);
	return {
		get turns() {
			return turns.load;
		},
		async run(question) {
			const sql = pools.get(question.database);
			if (sql === undefined) throw unavailable("SQL is not set up here", 60);
			await using _turn = await turns.take(question.subject);
			return await answer(sql, question);
		},
		async [Symbol.asyncDispose]() {
			await Promise.all([...pools.values()].map((pool) => pool[Symbol.asyncDispose]()));
		},
	};
}

/** As the role that reads the views of one database. Its sessions end soon: what a statement leaves in their memory goes with them. */
function openReader(url: string, password: string, database: Database): Sql & AsyncDisposable {
	const reader = new URL(url);
	reader.username = readerOf(database);
	reader.password = password;
	const schema = readerOf(database);
	return connect(reader.href, {
		schema,
		name: schema,
		// As many again for sessions that do not stop when they are told to, and to tell them.
		max: 2 * turnLimits.atOnce,
		statementTimeoutMs: queryLimits.timeoutMs,
		idleSeconds: 20,
	});
}

/**
 * While it computes a single value PostgreSQL hears no timeout. Whoever takes longer than that is not waited for: his session is ended
 * as soon as it listens, and the place is free.
 */
async function answer(sql: Sql, question: Question): Promise<Json<Reply<"queryQueues">>> {
	const session: Session = {};
	try {
		const answered = await within(answerIn(sql, question, session), queryLimits.timeoutMs + graceMs);
		if (answered === undefined) throw session.isOpen === true ? tookTooLong() : noSession();
		return answered.value;
	} catch (error) {
		if (session.isOpen === true) endSession(sql, session).catch(() => {});
		throw error;
	}
}

const noSession = () => unavailable("too many statements are running: try again soon", 2);

/** Of one transaction. */
interface Session {
	isOpen?: boolean;
	pid?: number;
	/** When the transaction began: by that it is no other one of the same session. */
	began?: string;
}

/** A reader may end sessions of its own role. */
async function endSession(sql: Sql, { pid, began }: Session): Promise<void> {
	if (pid === undefined || began === undefined) return;
	await sql`
		select pg_terminate_backend(pid) from pg_stat_activity
		where pid = ${pid} and usename = current_user and xact_start = ${began}::timestamptz`;
}

async function answerIn(sql: Sql, question: Question, session: Session): Promise<Json<Reply<"queryQueues">>> {
	const endsAt = performance.now() + queryLimits.timeoutMs;
	try {
		return (await sql.begin("read only", async (tx) => {
			session.isOpen = true;
			return await answerInside({ tx, endsAt }, question, session);
		})) as Json<Reply<"queryQueues">>;
	} finally {
		session.isOpen = false;
	}
}

/** The steps of a statement have their time together. */
interface Run {
	tx: Transaction;
	endsAt: number;
}

async function answerInside(run: Run, question: Question, session: Session): Promise<Json<Reply<"queryQueues">>> {
	const views = await begin(run, question.subject, session);
	const statement = await checkStatement(question.sql, views);
	const columns = await readColumns(run, statement, question.sql);
	const text = rowsText(statement.sql, columns, question.format);
	const explained = await asked(run, question.sql, statement, explain(text));
	checkPlan(Object.values(explained[0] ?? {})[0], statement);
	const [found] = (await asked(run, question.sql, statement, text)) as unknown as Rows[];
	if (found === undefined) throw new Error("a statement of one row answered none");
	if (found.long !== null)
		throw badRequest(
			`row ${found.long} is longer than ${queryLimits.rowBytes} bytes: ask for fewer or shorter columns`,
		);
	return written(question, columns, found);
}

/**
 * Bounds the transaction, takes one of the caller's places among all replicas, and answers the views there are.
 * The settings are of the role already (deploy/local/roles.ts), or the server's own: none is left to chance.
 */
async function begin({ tx, endsAt }: Run, subject: string, session: Session): Promise<string[]> {
	const settings = {
		lock_timeout: "1s",
		statement_timeout: `${leftMs(endsAt)}`,
		work_mem: `${workMemory / 1024}kB`,
		hash_mem_multiplier: "1",
		max_parallel_workers_per_gather: "0",
		standard_conforming_strings: "on",
		row_security: "on",
		transform_null_equals: "off",
	};
	const [row] = await tx<{ slot: number | null; views: string[]; pid: number; began: string }[]>`
		select (select count(set_config(key, value, true)) from jsonb_each_text(${tx.json(settings)})) as settings,
			pg_backend_pid() as pid, now()::text as began,
			(select slot from generate_series(1, ${queryLimits.atOnce}::int) as slot
				where pg_try_advisory_xact_lock(hashtext(${`query ${subject}`}), slot) limit 1) as slot,
			array(select relname::text from pg_class
				where relnamespace = current_schema()::regnamespace and relkind in ('v', 'm')
					and has_table_privilege(oid, 'select')) as views`;
	if (row !== undefined) Object.assign(session, { pid: row.pid, began: row.began });
	if (row === undefined || row.slot === null) throw tooManyAtOnce(queryLimits.atOnce);
	return row.views;
}

/** What is left of a statement's time, for its next step. */
function leftMs(endsAt: number): number {
	const left = Math.ceil(endsAt - performance.now());
	if (left <= 0) throw tookTooLong();
	return left;
}

/** Runs a text as one statement of the extended protocol, which takes no second one. */
async function asked({ tx, endsAt }: Run, sql: string, { offset }: CheckedStatement, { text, before }: RunText) {
	await tx`select set_config('statement_timeout', ${`${leftMs(endsAt)}`}, true)`;
	try {
		return await tx.unsafe(text, [], { prepare: false, simple: false } as object);
	} catch (error) {
		throw forCaller(error, { sql, offset, before });
	}
}

function explain({ text, before }: RunText): RunText {
	const word = "explain (format json) ";
	return { text: word + text, before: before + word.length };
}

async function readColumns(run: Run, statement: CheckedStatement, sql: string): Promise<Column[]> {
	const { columns } = await asked(run, sql, statement, columnsText(statement.sql));
	if (columns.length === 0) throw badRequest("the statement has no columns");
	const twice = columns.find(({ name }, index) => columns.findIndex((other) => other.name === name) < index);
	if (twice !== undefined) throw badRequest(`two columns are named ${twice.name}: name them apart with AS`);
	const types = await run.tx<{ oid: number; name: string }[]>`
		select oid::int, format_type(oid, null) as name
		from unnest(${[...new Set(columns.map(({ type }) => type))]}::oid[]) as t (oid)`;
	const names = new Map(types.map(({ oid, name }) => [oid, name]));
	return columns.map(({ name, type }) => ({ name, type: names.get(type) ?? "unknown" }));
}

/** The rows are put in as PostgreSQL wrote them. */
function written({ database, format }: Question, columns: Column[], { body, rows, seen, full }: Rows) {
	const meta: Reply<"queryQueues">["meta"] = {
		database,
		columns,
		rows,
		truncated: rows < seen,
		truncated_by: rows < seen ? (full ? "bytes" : "rows") : null,
		row_limit: queryLimits.rows,
		byte_limit: queryLimits.bytes,
	};
	if (format === "json") return `{"data":[${body ?? ""}],"meta":${JSON.stringify(meta)}}`;
	const lines = body === null ? [csvHeader(columns)] : [csvHeader(columns), body];
	return JSON.stringify({ data: [], csv: lines.map((line) => `${line}\r\n`).join(""), meta });
}
