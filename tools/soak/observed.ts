/** The real system, each service a process of its own, in a folder of its own: its programs, metrics and process ids. */

import { basename } from "node:path";
import type { Child } from "../../deploy/local/children.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import type { Run } from "../../deploy/local/run-file.ts";
import { programOf } from "../../deploy/local/services.ts";
import { nodeCommand, startSystem } from "../../deploy/local/system.ts";
import { openHome, pidOf } from "../../test/support/home.ts";

export interface Observed extends AsyncDisposable {
	/** Address of the gateway. */
	url: string;
	/** Everything that it keeps is in here. */
	directory: string;
	run: Run;
	services: string[];
	/** Starts a program of a service, as `npm run ingest` does. Its output goes to a log of that name. */
	launch(service: string, file: string, args: string[], name?: string): Child;
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
	return {
		url: run.url,
		directory,
		run,
		launch: (service, file, args, name = `${service}-${basename(file)}`) =>
			children.launch(nodeCommand(run, service, name, [programOf(service, file), ...args])),
		services: Object.keys(run.services),
		metricsOf: async (service) => (await fetch(`${healthOf(service)}/metrics`)).text(),
		pidOf: (name) => pidOf(children, name),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
