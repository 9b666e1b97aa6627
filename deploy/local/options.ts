import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UserError } from "./program.ts";

/** Arguments of a service's ingest program. */
export interface Load {
	service: string;
	args: string[];
}

export type Options = ReturnType<typeof readOptions>;

const usage = `Usage: npm run up -- [--live | --data DIR...] [--demo-payments] [--observe]

  (nothing)      loads the bundled sample
  --live         downloads from the operators
  --data DIR     loads every dated snapshot of a folder, oldest first; then its eia860, developers, sec and news;
                 before all its energy_communities and geography. Given several times, folder after folder
  --demo-payments  asks for payment without a key, on all three rails, with stand-ins for the chains and for Stripe:
                 no money is moved
  --observe      starts Prometheus, Grafana and Jaeger beside it, as far as they are on this machine

PORT (8080) is the gateway's port, DATA_DIR (.data) the folder that keeps everything, BACKUP_DIR the one for backups
(none: docs/backups.md).`;

export function readOptions(args: string[], env: NodeJS.ProcessEnv) {
	const given = parse(args);
	const load = readLoad(given, env.INIT_CWD ?? process.cwd());
	return {
		dataDir: resolve(env.DATA_DIR || ".data"),
		/** The gateway's. */
		port: readPort(env.PORT || "8080"),
		load,
		/** Go on downloading the operators' lists at their cadence. */
		refresh: load.some(({ args }) => args.includes("--live")),
		demoPayments: given.demoPayments,
		observe: given.observe,
		backupDir: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : undefined,
	};
}

function readLoad({ live, data }: ReturnType<typeof parse>, cwd: string): Load[] {
	if (live && data !== undefined) throw new UserError(`--live and --data exclude each other.\n\n${usage}`);
	if (live) return [{ service: "queue-ingest", args: ["--live"] }];
	const folders = (data ?? []).map((each) => resolve(cwd, each));
	const missing = folders.find((folder) => !statSync(folder, { throwIfNoEntry: false })?.isDirectory());
	if (missing !== undefined) throw new UserError(`--data: ${missing} is no folder.`);
	const loads = data === undefined ? [["--sample"]] : folders.map((folder) => ["--data", folder]);
	// Lists and names are loaded before data that refers to them.
	return ["scoring", "queue-ingest", "signals"].flatMap((service) => loads.map((args) => ({ service, args })));
}

function parse(args: string[]) {
	try {
		const { values } = parseArgs({
			args,
			options: {
				live: { type: "boolean" },
				data: { type: "string", multiple: true },
				"demo-payments": { type: "boolean" },
				observe: { type: "boolean" },
			},
		});
		const { live = false, data, "demo-payments": demoPayments = false, observe = false } = values;
		return { live, data, demoPayments, observe };
	} catch (error) {
		const reason = error instanceof Error ? error.message.split(". ")[0] : String(error);
		throw new UserError(`${reason}.\n\n${usage}`);
	}
}

function readPort(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
	throw new UserError(`PORT: "${text}" is no port number.`);
}
