/** The measured system as `npm run up` starts it, in a folder that is removed with it, and databases beside it. */

import { connect, type Sql } from "#libs/postgres/connect.ts";
import { execute, prepareDatabase, urlOf } from "../../deploy/engines/postgres-roles.ts";
import type { Children, Command } from "../../deploy/local/children.ts";
import { freePort, host, secret } from "../../deploy/local/data-dir.ts";
import type { Run } from "../../deploy/local/run-file.ts";
import { startSystem } from "../../deploy/local/system.ts";
import { migrate, schema } from "../../services/queue-ingest/migrate.ts";
import { openHome, pidOf } from "../../test/support/home.ts";
import { haveRealData, realData } from "./real-data.ts";

/** The size and duration of the measurement. The functions take the figure of a full run. */
export interface Size {
	/** Generation requests that the services hold: a full run has as many as the seven operators list together. */
	requests: number;
	/** The same of the part that exports them: so many that an answer that is kept in memory shows. */
	exported: number;
	/** Folder of the operators' real files; undefined where made-up ones are measured. */
	realData: string | undefined;
	/** Whether documents that contain figures are rewritten. */
	rewritesDocuments: boolean;
	/** Whether parts that compare two systems start a second one, and parts that need other limits a second gateway. */
	startsSecond: boolean;
	/** Turns that count, after those that do not. */
	turns(rounds: number): { rounds: number; warmUps: number };
	seconds(full: number): number;
	/** Rows, calls, connections. */
	count(full: number): number;
	/** Questions, or lists, that the benchmark treats alike: a smoke run takes the first, or the first few. */
	alike<T>(all: readonly T[], few?: number): readonly T[];
}

export const fullSize: Size = {
	requests: 36_000,
	exported: 200_000,
	realData: haveRealData ? realData : undefined,
	rewritesDocuments: true,
	startsSecond: true,
	turns: (rounds) => ({ rounds, warmUps: 1 }),
	seconds: (full) => full,
	count: (full) => full,
	alike: (all) => all,
};

/** Runs the same code on a hundred rows or so, to show that it works; the figures mean nothing. */
export const smokeSize: Size = {
	requests: 120,
	exported: 240,
	realData: undefined,
	rewritesDocuments: false,
	startsSecond: false,
	turns: () => ({ rounds: 1, warmUps: 0 }),
	seconds: (full) => Math.min(full, 0.05),
	count: (full) => Math.ceil(full / 120),
	alike: (all, few = 1) => all.slice(0, few),
};

export interface Bench extends AsyncDisposable {
	size: Size;
	/** A folder for files; deleted at the end. */
	directory: string;
	/** Address of the gateway. */
	url: string;
	/** The service's own database, as its own role. */
	databaseUrl: string;
	sql: Sql;
	/** Database of another service, as its own role. */
	urlOf(service: string): string;
	/** Where NATS is, and the login there of a service or of the operator. */
	natsOf(user: string): { url: string; user: string; password: string };
	envOf(service: string): Record<string, string>;
	/** Process id of a service, or of an engine. */
	pidOf(name: string): number;
	/** Starts a second system beside this one. In a smoke run this one is also the second. */
	startSecond(): Promise<Bench>;
	/** Starts a further process that is stopped at the end, its output in a log. */
	launch(command: Command): ReturnType<Children["launch"]>;
	/** An empty, migrated database beside the service's: what is written there, no service looks at. */
	emptyDatabase(): Promise<Sql & AsyncDisposable>;
}

const template = "bench_template";

export async function startBench(say: (line: string) => void, size = fullSize): Promise<Bench> {
	await using stack = new AsyncDisposableStack();
	const { directory, children } = stack.use(openHome());
	const run = await startSystem(children, { dataDir: directory, port: await freePort(), refresh: false, say });
	const databaseUrl = run.services["queue-ingest"]?.env.POSTGRES_URL ?? "";
	const sql = stack.use(connect(databaseUrl, { schema, name: "bench", max: 2, statementTimeoutMs: 0 }));
	const databases = await prepareDatabases(directory, run);
	const owned = stack.move();
	const bench: Bench = {
		size,
		directory,
		url: run.url,
		databaseUrl,
		sql,
		urlOf: (service) => run.services[service]?.env.POSTGRES_URL ?? "",
		natsOf: (user) => ({
			url: run.services.gateway?.env.NATS_URL ?? "",
			user,
			password: secret(directory, `nats ${user}`),
		}),
		envOf: (service) => run.services[service]?.env ?? {},
		pidOf: (name) => pidOf(children, name),
		async startSecond() {
			return size.startsSecond ? startBench(say, size) : { ...bench, async [Symbol.asyncDispose]() {} };
		},
		launch: (command) => children.launch(command),
		emptyDatabase: databases.empty,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
	return bench;
}

async function prepareDatabases(directory: string, run: Run) {
	const adminUrl = `postgres://postgres:${secret(directory, "postgres")}@${host}:${run.servers.postgres?.port}/postgres`;
	const role = {
		name: schema,
		password: secret(directory, `postgres ${schema}`),
	};
	await prepareDatabase(adminUrl, template, [role]);
	await migrate(urlOf(adminUrl, template, role));
	let made = 0;
	return {
		async empty(): Promise<Sql & AsyncDisposable> {
			const name = `bench_${++made}`;
			await using server = connect(adminUrl, { schema: "public", name: "bench", max: 1 });
			await execute(server, "create database %I template %I", name, template);
			return connect(urlOf(adminUrl, name, role), { schema, name: "bench", max: 4, statementTimeoutMs: 0 });
		},
	};
}
