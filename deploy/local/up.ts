/** `npm run up`: the whole system on this machine until Ctrl-C. */
import { Children } from "./children.ts";
import { isFree, openDataDir } from "./data-dir.ts";
import { lockDirectory } from "./lock.ts";
import { startMetrics, startTraces } from "./observe.ts";
import { type Load, type Options, readOptions } from "./options.ts";
import { stopOrphans } from "./process-record.ts";
import { runProgram, UserError } from "./program.ts";
import { type Run, removeRun } from "./run-file.ts";
import { programOf } from "./services.ts";
import { nodeCommand, startSystem } from "./system.ts";
import { welcome } from "./welcome.ts";

await runProgram(async () => {
	const options = readOptions(process.argv.slice(2), process.env);
	const stop = stopSignal();
	const dataDir = openDataDir(options.dataDir);
	const unlock = lockDirectory(dataDir);
	await stopOrphans(dataDir, (names) => say(`Stopping what a killed run left behind: ${names.join(", ")}...`));
	const children = new Children(dataDir);
	try {
		await Promise.race([serve(children, { ...options, dataDir }).then(() => stop), stop]);
	} finally {
		if (children.running.length > 0) say("Stopping...");
		await children.close();
		removeRun(dataDir);
		unlock();
	}
});
// A start that was interrupted may still be waiting for something.
process.exit();

/** Starts, loads, and shows how to use it. */
async function serve(children: Children, options: Options): Promise<void> {
	if (!(await isFree(options.port))) {
		throw new UserError(`Port ${options.port} is taken: free it, or choose another with PORT=8090 npm run up.`);
	}
	const traces = options.observe ? await startTraces({ children, dataDir: options.dataDir }) : undefined;
	// Every program that is started from here on has it in its environment.
	if (traces?.url !== undefined) process.env.OTEL_EXPORTER_OTLP_ENDPOINT = traces.url;
	const run = await startSystem(children, { ...options, say });
	const shown = traces && [...(await startMetrics({ children, dataDir: options.dataDir }, run)), traces.line];
	say(`The gateway answers at ${run.url}; loading...`);
	await load(children, run, options.load);
	// The gateway's own settings override those of the environment.
	say(welcome(run.url, { ...process.env, ...run.services.gateway?.env }, options.demoPayments, shown));
}

/** A load that fails leaves the system running: what was loaded before is still served. */
async function load(children: Children, run: Run, loads: Load[]): Promise<void> {
	for (const { service, args } of loads) {
		const program = [programOf(service, "admin/ingest.ts"), ...args];
		const { exited } = children.launch({ ...nodeCommand(run, service, "load", program), output: "terminal" });
		const { code } = await exited;
		if (code !== 0) say(`Not everything was loaded (${service}: exit code ${code}); the system serves what it has.`);
	}
}

/** Resolves at the first Ctrl-C, `kill` or closed terminal. Later ones change nothing: npm passes each on once more. */
function stopSignal(): Promise<void> {
	// Writing to a closed terminal fails, which must not prevent an orderly stop.
	process.stdout.on("error", () => {});
	process.stderr.on("error", () => {});
	return new Promise((resolve) => {
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
	});
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
