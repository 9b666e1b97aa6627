/** The dashboard, judged by Prometheus' own tools (the alerts: alerts.test.ts), and `npm run up -- --observe`: what is there is used, what is not is named. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Health, serveHealth } from "#libs/service/health.ts";
import { startMetrics, startTraces } from "../../deploy/local/observe.ts";
import type { Run } from "../../deploy/local/run-file.ts";
import { findProgram } from "../../deploy/local/server-programs.ts";
import { eventually } from "../support/eventually.ts";
import { openHome } from "../support/home.ts";
import { alerts, approved, judged, promtool } from "./support/alerts.ts";
import { expressions, metricsIn } from "./support/exposition.ts";

const prometheus = findProgram("prometheus");

function openFolder(stack: AsyncDisposableStack) {
	const { directory, children } = stack.use(openHome());
	return { dataDir: directory, children };
}

const runOf = (healthUrl: string): Run => ({
	url: "",
	servers: {},
	services: { gateway: { healthUrl, env: {} } },
});

test.skipIf(promtool === undefined)(judged("every expression of the dashboard is one"), async () => {
	await using stack = new AsyncDisposableStack();
	const { dataDir } = openFolder(stack);
	const rules = expressions().map((expr, at) => ({
		record: `tried:${at}`,
		expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$operation", ".*"),
	}));
	const file = join(dataDir, "rules.yml");
	writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
	expect(approved("check", "rules", file)).toContain(`${rules.length} rules found`);
});

test("names of metrics are distinguished from labels, functions and words", () => {
	const expr =
		'sum by (operation, le) (rate(http_requests_total{status=~"5.."}[5m])) > 0 and on (x) max(up offset 3d) == 1';
	expect(metricsIn(expr)).toEqual(["http_requests_total", "up"]);
});

test("missing programs are named with installation instructions, and the system runs without them", async () => {
	await using stack = new AsyncDisposableStack();
	const observing = { ...openFolder(stack), find: () => undefined };
	const lines = await startMetrics(observing, runOf("http://127.0.0.1:1"));
	expect(lines).toEqual([
		expect.stringMatching(/^Prometheus: not on this machine\..*apt-get install prometheus/),
		expect.stringMatching(/^Grafana: not on this machine.*energy\.json$/),
	]);
	expect(observing.children.running).toEqual([]);
});

test("a configured destination of traces is retained", async () => {
	await using stack = new AsyncDisposableStack();
	const observing = { ...openFolder(stack), find: () => undefined };
	process.env.OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:1";
	stack.defer(() => void delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
	const { url, line } = await startTraces(observing);
	expect([url, line]).toEqual([
		"http://127.0.0.1:1",
		"Traces: sent to http://127.0.0.1:1 (OTEL_EXPORTER_OTLP_ENDPOINT)",
	]);
});

test("a program that does not start is named with its reason, and the system runs", async () => {
	await using stack = new AsyncDisposableStack();
	const observing = {
		...openFolder(stack),
		find: (name: string) => (name === "prometheus" ? "/bin/false" : undefined),
	};
	const [line] = await startMetrics(observing, runOf("http://127.0.0.1:1"));
	expect(line).toMatch(/^Prometheus does not start: prometheus stopped \(exit code 1\)/);
});

test.skipIf(prometheus === undefined)(
	judged("Prometheus collects from every service, and knows every alert"),
	async () => {
		await using stack = new AsyncDisposableStack();
		const observing = openFolder(stack);
		const health = stack.use(await serveHealth(new Health(), 0, "127.0.0.1"));
		const run = runOf(`http://127.0.0.1:${health.port}`);
		const [line = ""] = await startMetrics(
			{ ...observing, find: (name) => (name === "prometheus" ? prometheus : undefined) },
			run,
		);
		const url = /^Prometheus: (\S+)/.exec(line)?.[1];
		expect(url).toBeDefined();
		const get = async (path: string) =>
			((await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: unknown }).data;
		const rules = (await get("rules")) as { groups: { rules: { name: string }[] }[] };
		expect(new Set(rules.groups.flatMap((group) => group.rules.map(({ name }) => name)))).toEqual(
			new Set(alerts.map(({ alert }) => alert)),
		);
		await eventually(
			async () => {
				const up = (await get('query?query=up{job="energy"}')) as {
					result: { metric: object; value: [number, string] }[];
				};
				expect(up.result).toMatchObject([{ metric: { service: "gateway" }, value: [expect.any(Number), "1"] }]);
				return true;
			},
			{ withinMs: 25_000, everyMs: 250 },
		);
	},
);
