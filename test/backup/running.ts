/** A system as `npm run up` starts it, real processes in a folder of their own, that a test stops, restores and starts again. */

import { join } from "node:path";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect as connectNats } from "@nats-io/transport-node";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { operator } from "../../deploy/engines/nats-users.ts";
import { urlOf } from "../../deploy/engines/postgres-roles.ts";
import { Children } from "../../deploy/local/children.ts";
import { freePort, host, root, secret } from "../../deploy/local/data-dir.ts";
import type { Run } from "../../deploy/local/run-file.ts";
import { programOf } from "../../deploy/local/services.ts";
import { nodeCommand, startSystem } from "../../deploy/local/system.ts";
import { republish as republishKeys } from "../../services/billing/admin/republish.ts";
import { republish as republishQueues } from "../../services/queue-ingest/admin/republish.ts";
import { republish as republishScores } from "../../services/scoring/admin/republish.ts";
import { republish as republishSignals } from "../../services/signals/ingest/republish.ts";
import { eventually } from "../support/eventually.ts";
import { openHome as openFolder } from "../support/home.ts";
import { loadSamples } from "../support/sample-database.ts";

export interface Home extends AsyncDisposable {
	dataDir: string;
	backupDir: string | undefined;
	/** The port of the gateway, each time. */
	port: number;
}

export async function openHome(): Promise<Home & { backupDir: string }> {
	const home = openFolder();
	return {
		dataDir: home.directory,
		backupDir: join(home.directory, "backups"),
		port: await freePort(),
		[Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
	};
}

export interface Running extends AsyncDisposable {
	url: string;
	dataDir: string;
	run: Run;
	children: Children;
	/** The administrator's. */
	adminUrl: string;
	sql: Sql;
	/** Loads the bundled sample. */
	load(): Promise<void>;
	/** Runs a program of a service to its end, and answers its exit code. */
	program(service: string, file: string, ...args: string[]): Promise<number | null>;
	/** Resolves when every event that was committed has had its effect. */
	settled(): Promise<void>;
}

export async function start({ dataDir, backupDir, port }: Home): Promise<Running> {
	const children = new Children(dataDir);
	// Twenty processes start in all: from compiled code, in half the time.
	process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "node");
	process.env.REGISTRATIONS_PER_HOUR = "1000";
	try {
		const run = await startSystem(children, { dataDir, backupDir, port, say: () => {} });
		const at = `${host}:${run.servers.postgres?.port}`;
		const adminUrl = urlOf(`postgres://postgres:${secret(dataDir, "postgres")}@${at}`, "energy");
		const sql = connect(adminUrl, { schema: "public", name: "referee", max: 2, statementTimeoutMs: 30_000 });
		let runs = 0;
		const quiet = async () => (await unsettled(sql)) === 0 && (await backlog(dataDir, run)) === 0;
		return {
			url: run.url,
			dataDir,
			run,
			children,
			adminUrl,
			sql,
			load: () => loadSamples((service) => run.services[service]?.env.POSTGRES_URL ?? "", new Date()),
			async program(service, file, ...args) {
				const command = nodeCommand(run, service, `program-${++runs}`, [programOf(service, file), ...args]);
				return (await children.launch(command).exited).code;
			},
			// One service's last step may start another's first: it is quiet when it is quiet twice.
			settled: () =>
				eventually(async () => (await quiet()) && (await quiet()), { withinMs: 60_000, everyMs: 100 }).then(() => {}),
			async [Symbol.asyncDispose]() {
				await sql[Symbol.asyncDispose]();
				await children.close();
				delete process.env.REGISTRATIONS_PER_HOUR;
			},
		};
	} catch (error) {
		await children.close();
		throw error;
	}
}

export const owners = ["queue_ingest", "signals", "scoring", "billing"] as const;

/** Events that wait to be sent, and work that waits to be done. */
async function unsettled(sql: Sql): Promise<number> {
	const waiting = [
		...owners.map((schema) => `select from ${schema}.outbox`),
		"select from scoring.project_recompute_queue",
		"select from scoring.developer_recompute_queue",
		"select from signals.matching m, signals.names n where m.names_version < n.version or m.after_key is not null",
	];
	const [row] = await sql.unsafe<{ count: number }[]>(`select count(*) from (${waiting.join(" union all ")}) w`);
	return row?.count ?? -1;
}

/** Connects as the operator, who may read every stream. */
async function withStreams<T>(dataDir: string, run: Run, look: (manager: JetStreamManager) => Promise<T>): Promise<T> {
	const login = { user: operator, pass: secret(dataDir, `nats ${operator}`) };
	const nats = await connectNats({ servers: `${host}:${run.servers.nats?.port}`, ...login });
	try {
		return await look(await jetstreamManager(nats));
	} finally {
		await nats.close();
	}
}

/** Events that a consumer has not finished. */
const backlog = (dataDir: string, run: Run): Promise<number> =>
	withStreams(dataDir, run, async (manager) => {
		let waiting = 0;
		for await (const stream of manager.streams.names())
			for await (const { num_pending, num_ack_pending } of manager.consumers.list(stream))
				waiting += num_pending + num_ack_pending;
		return waiting;
	});

/** Streams of events; the buckets of extracts are made again at times of their own. */
export const streamNames = ({ dataDir, run }: Running): Promise<string[]> =>
	withStreams(dataDir, run, async (manager) => {
		const names: string[] = [];
		for await (const name of manager.streams.names()) if (!name.startsWith("OBJ_")) names.push(name);
		return names.sort();
	});

/** Republishes everything of every publisher, as docs/backups.md prescribes. @returns the number of events */
export async function republishAll({ run }: Running): Promise<number> {
	let published = 0;
	for (const [service, { republish, events }] of Object.entries(publishers)) {
		const url = run.services[service]?.env.POSTGRES_URL ?? "";
		await using sql = connect(url, { schema: service.replaceAll("-", "_"), name: "republish", max: 1 });
		for (const event of events) {
			const count = await republish(sql, event);
			if (count === undefined) throw new Error(`${service} cannot say ${event} again`);
			published += count;
		}
	}
	return published;
}

const publishers = {
	"queue-ingest": {
		republish: republishQueues,
		events: ["project.changed", "developer.changed", "ownership.recorded"],
	},
	signals: {
		republish: republishSignals,
		events: ["news.recorded", "raise.recorded", "filing.recorded", "ownership.changed"],
	},
	scoring: { republish: republishScores, events: ["project.scored", "developer.rated"] },
	billing: { republish: republishKeys, events: ["key.changed"] },
};
