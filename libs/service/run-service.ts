/** The life cycle of a process: settings, log, start, readiness, and shutdown in reverse order. */
import { once } from "node:events";
import { mkdtempSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { within } from "#libs/contract/within.ts";
import { ConfigError, loadConfig } from "./config.ts";
import { Health, serveHealth } from "./health.ts";
import { collectWhenIdle } from "./idle-collection.ts";
import { createLogger, type Logger } from "./logger.ts";
import { makeFolder } from "./make-folder.ts";
import { stopTelemetry } from "./telemetry.ts";

/** Settings of every service. */
export const processConfig = z.object({
	LOG_LEVEL: z
		.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
		.default("info")
		.describe("Lowest severity of log lines"),
	HEALTH_HOST: z.string().default("0.0.0.0").describe("Address of the health port"),
	HEALTH_PORT: z.coerce
		.number()
		.int()
		.min(0)
		.max(65_535)
		.default(0)
		.describe("Port of /live, /ready and /metrics; 0 for any free one"),
	DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(15_000).describe("Longest time to stop"),
});

export interface Starting<C> {
	config: C;
	log: Logger;
	health: Health;
	/** Registers a resource, to be closed in reverse order when the service stops, and returns it. */
	open<R extends Disposable | AsyncDisposable>(resource: R): R;
}

export interface Service<S extends z.ZodObject> {
	name: string;
	config: S;
	/** Opens everything; the service is ready when the promise resolves. */
	start(starting: Starting<z.output<S>>): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT, then closes its resources in reverse order within DRAIN_MS and exits. The exit code is 1 if a
 * setting is invalid, the start or shutdown fails, or an error is not caught. A second signal ends the process at once.
 */
export async function runService<S extends z.ZodObject>(service: Service<S>): Promise<never> {
	const settings = readSettings(service.config);
	const log = createLogger({ name: service.name, level: settings.process.LOG_LEVEL });
	failOnUncaught(log);
	const stopping = stopOnSignal(log);
	const resources = new AsyncDisposableStack();
	const health = new Health();
	const open = <R extends Disposable | AsyncDisposable>(resource: R): R => resources.use(resource);
	let code = 0;
	try {
		const { HEALTH_PORT, HEALTH_HOST } = settings.process;
		const { port } = open(await serveHealth(health, HEALTH_PORT, HEALTH_HOST));
		await service.start({ config: settings.own, log, health, open });
		open(collectWhenIdle());
		health.state = "started";
		log.info({ healthPort: port }, `${service.name} is ready`);
		if (!stopping.aborted) await once(stopping, "abort");
	} catch (error) {
		if (!stopping.aborted) {
			log.fatal({ err: error }, `${service.name} could not start`);
			code = 1;
		}
	}
	health.state = "stopping";
	if (!(await closeAll(resources, settings.process.DRAIN_MS, log))) code = 1;
	log.info(`${service.name} has stopped`);
	process.exit(code);
}

function readSettings<S extends z.ZodObject>(schema: S): { process: z.output<typeof processConfig>; own: z.output<S> } {
	try {
		const settings = { process: loadConfig(processConfig, process.env), own: loadConfig(schema, process.env) };
		makeFolders(settings.own);
		return settings;
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exit(1);
	}
}

/**
 * Creates the folders that settings ending in `_DIR` name, and checks that the service can write to them. A read-only container often lacks
 * one.
 */
function makeFolders(settings: Record<string, unknown>): void {
	for (const [name, path] of Object.entries(settings)) {
		if (!name.endsWith("_DIR") || typeof path !== "string") continue;
		try {
			makeFolder(path, 0o700);
			rmdirSync(mkdtempSync(join(path, "probe-")));
		} catch (error) {
			const reason = error instanceof Error ? error.message : error;
			throw new ConfigError(`The setting ${name} is wrong: it must be a writable folder (${reason}).`);
		}
	}
}

/** An error that is not caught leaves the process in an unknown state. */
function failOnUncaught(log: Logger): void {
	for (const event of ["uncaughtException", "unhandledRejection"] as const)
		process.on(event, (error: unknown) => {
			log.fatal({ err: error }, "an error was not caught: the process exits");
			process.exit(1);
		});
}

function stopOnSignal(log: Logger): AbortSignal {
	const controller = new AbortController();
	for (const signal of ["SIGTERM", "SIGINT"] as const)
		process.on(signal, () => {
			if (controller.signal.aborted) process.exit(1);
			log.info({ signal }, "stopping");
			controller.abort(new Error(`${signal} was received`));
		});
	return controller.signal;
}

/** Returns whether everything closed in time and without an error. */
async function closeAll(resources: AsyncDisposableStack, withinMs: number, log: Logger): Promise<boolean> {
	try {
		const done = await within(resources.disposeAsync().then(stopTelemetry), withinMs);
		if (done === undefined) throw new Error(`resources were not closed within ${withinMs} ms`);
		return true;
	} catch (error) {
		log.error({ err: error }, "closing failed");
		return false;
	}
}
