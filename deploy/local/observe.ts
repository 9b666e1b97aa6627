/** `npm run up -- --observe`: Prometheus, Grafana and Jaeger beside the local system, if they are installed. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Children, Command } from "./children.ts";
import { host, port, replaceFile, root, secret } from "./data-dir.ts";
import { describe } from "./program.ts";
import type { Run } from "./run-file.ts";
import { findProgram } from "./server-programs.ts";
import { answersOk, listens } from "./supervise.ts";

export interface Observing {
	children: Children;
	dataDir: string;
	/** Where programs are looked for; on this machine by default. */
	find?: (name: string) => string | undefined;
}

const files = join(root, "deploy", "observe");
/** The usual port of collectors of traces, and that of Jaeger's page. */
const otlpPort = 4_318;
const jaegerPort = 16_686;

const missing = {
	prometheus:
		"Prometheus: not on this machine. Debian and Ubuntu: apt-get install prometheus; macOS: brew install prometheus; else https://prometheus.io/download",
	grafana:
		"Grafana: not on this machine (no part of Debian): https://grafana.com/grafana/download. The dashboard is deploy/observe/grafana/dashboards/energy.json",
	traces:
		"Traces: no collector runs here. With Jaeger (https://www.jaegertracing.io/download) on the PATH, or anything that takes OTLP at port 4318, they are sent",
};

/**
 * Starts a collector of the services' traces, before them, unless one runs. @returns its address, which is the value of
 * OTEL_EXPORTER_OTLP_ENDPOINT, and a line for the terminal
 */
export async function startTraces({
	children,
	find = findProgram,
}: Observing): Promise<{ url?: string; line: string }> {
	const set = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
	if (set) return { url: set, line: `Traces: sent to ${set} (OTEL_EXPORTER_OTLP_ENDPOINT)` };
	const url = `http://${host}:${otlpPort}`;
	if (await listens(otlpPort)) return { url, line: `Traces: sent to ${url}, where a collector listens already` };
	const program = find("jaeger-all-in-one") ?? find("jaeger");
	if (program === undefined) return { line: missing.traces };
	// No port is set, because both generations of the program listen on these ports by default.
	const env = { ...process.env, COLLECTOR_OTLP_ENABLED: "true" };
	const failure = await tryToStart(children, { name: "jaeger", program, args: [], env }, () => listens(otlpPort));
	if (failure !== undefined) return { line: `Traces: Jaeger does not start: ${failure}` };
	return { url, line: `Traces: http://${host}:${jaegerPort} (Jaeger)` };
}

/** Starts Prometheus and Grafana, when the services run. @returns a line on each; the failure of one does not stop the system */
export async function startMetrics(observing: Observing, run: Run): Promise<string[]> {
	const { url, line } = await startPrometheus(observing, run);
	return [line, await startGrafana(observing, url)];
}

async function startPrometheus(
	{ children, dataDir, find = findProgram }: Observing,
	run: Run,
): Promise<{ url?: string; line: string }> {
	const program = find("prometheus");
	if (program === undefined) return { line: missing.prometheus };
	const home = join(dataDir, "observe");
	mkdirSync(join(home, "prometheus"), { recursive: true, mode: 0o700 });
	for (const file of ["prometheus.yml", "alerts.yml"]) copyFileSync(join(files, file), join(home, file));
	replaceFile(join(home, "targets.json"), `${JSON.stringify(targetsOf(run), null, "\t")}\n`);
	const address = `${host}:${await port(dataDir, "prometheus")}`;
	const args = [
		`--config.file=${join(home, "prometheus.yml")}`,
		`--storage.tsdb.path=${join(home, "prometheus")}`,
		"--storage.tsdb.retention.time=15d",
		"--storage.tsdb.retention.size=1GB",
		`--web.listen-address=${address}`,
		"--log.level=warn",
	];
	const url = `http://${address}`;
	const failure = await tryToStart(children, { name: "prometheus", program, args }, () => answersOk(`${url}/-/ready`));
	if (failure !== undefined) return { line: `Prometheus does not start: ${failure}` };
	return { url, line: `Prometheus: ${url} (alerts: ${url}/alerts)` };
}

export const targetsOf = (run: Run) =>
	Object.entries(run.services).map(([service, { healthUrl }]) => ({
		targets: [new URL(healthUrl).host],
		labels: { service },
	}));

const grafanaHomes = ["/usr/share/grafana", "/opt/homebrew/share/grafana", "/usr/local/share/grafana"];

async function startGrafana(
	{ children, dataDir, find = findProgram }: Observing,
	prometheus?: string,
): Promise<string> {
	const [program, before] = find("grafana") ? [find("grafana"), ["server"]] : [find("grafana-server"), []];
	const share = grafanaHomes.find((folder) => existsSync(folder));
	if (program === undefined || share === undefined) return missing.grafana;
	if (prometheus === undefined) return "Grafana: not started, as there is no Prometheus to ask";
	const home = join(dataDir, "observe", "grafana");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const grafanaPort = await port(dataDir, "grafana");
	const env = {
		...process.env,
		GF_SERVER_HTTP_ADDR: host,
		GF_SERVER_HTTP_PORT: String(grafanaPort),
		GF_PATHS_DATA: home,
		GF_PATHS_LOGS: join(home, "logs"),
		GF_PATHS_PLUGINS: join(home, "plugins"),
		GF_PATHS_PROVISIONING: join(files, "grafana", "provisioning"),
		GF_SECURITY_ADMIN_PASSWORD: secret(dataDir, "grafana"),
		GF_AUTH_ANONYMOUS_ENABLED: "true",
		GF_ANALYTICS_REPORTING_ENABLED: "false",
		GF_ANALYTICS_CHECK_FOR_UPDATES: "false",
		PROMETHEUS_URL: prometheus,
		DASHBOARDS: join(files, "grafana", "dashboards"),
	};
	const url = `http://${host}:${grafanaPort}`;
	const command = { name: "grafana", program, args: [...before, "--homepath", share], env };
	const failure = await tryToStart(children, command, () => answersOk(`${url}/api/health`));
	return failure === undefined ? `Grafana: ${url}/d/energy-data` : `Grafana does not start: ${failure}`;
}

/** Returns why it could not be started, undefined if it is ready. The system continues without it. */
async function tryToStart(
	children: Children,
	command: Command,
	isReady: () => Promise<boolean>,
): Promise<string | undefined> {
	try {
		await children.ready(children.launch(command), isReady, 30_000);
		return undefined;
	} catch (error) {
		return describe(error);
	}
}
