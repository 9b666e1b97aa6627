/** The real system, each service a process of its own, in a folder of its own: what it logs, what it shows, and how to make it ill. */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Child } from "../../../deploy/local/children.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import type { Run } from "../../../deploy/local/run-file.ts";
import { programOf } from "../../../deploy/local/services.ts";
import { nodeCommand, startSystem } from "../../../deploy/local/system.ts";
import { openHome, pidOf } from "../../support/home.ts";

export interface LogLine {
	/** Levels of pino: 30 info, 40 warn, 50 error. */
	level: number;
	time: number;
	name: string;
	msg: string;
}

export interface Observed extends AsyncDisposable {
	/** Address of the gateway. */
	url: string;
	/** Everything that it keeps is in here. */
	directory: string;
	run: Run;
	services: string[];
	/** Starts a program of a service, as `npm run ingest` does. Its output goes to a log of that name. */
	launch(service: string, file: string, args: string[], name?: string): Child;
	/** Runs one to its end. */
	program(service: string, file: string, args: string[]): Promise<void>;
	/** @throws for a line that is not JSON */
	logOf(service: string): LogLine[];
	metricsOf(service: string): Promise<string>;
	pidOf(name: string): number;
}

/** `settings` are set around the processes, as a user sets them around `npm run up`. */
export async function startObserved(settings: Record<string, string> = {}): Promise<Observed> {
	await using stack = new AsyncDisposableStack();
	const before = { ...process.env };
	stack.defer(() => {
		for (const name of Object.keys(settings)) delete process.env[name];
		Object.assign(process.env, before);
	});
	Object.assign(process.env, settings);
	const { directory, children } = stack.use(openHome());
	const run = await startSystem(children, { dataDir: directory, port: await freePort(), say: () => {} });
	const owned = stack.move();
	const healthOf = (service: string) => run.services[service]?.healthUrl ?? "";
	const launch: Observed["launch"] = (service, file, args, name = `${service}-${basename(file)}`) =>
		children.launch(nodeCommand(run, service, name, [programOf(service, file), ...args]));
	return {
		url: run.url,
		directory,
		run,
		launch,
		services: Object.keys(run.services),
		async program(service, file, args) {
			const child = launch(service, file, args);
			if ((await child.exited).code !== 0) throw children.failure(child);
		},
		logOf: (service) =>
			readFileSync(join(directory, "logs", `${service}.log`), "utf8")
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as LogLine),
		metricsOf: async (service) => (await fetch(`${healthOf(service)}/metrics`)).text(),
		pidOf: (name) => pidOf(children, name),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
