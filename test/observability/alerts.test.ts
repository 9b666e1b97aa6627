/** The alerts: each is made to fire and shown silent (by promtool, where it is), none is left out, and each asks for what is collected. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { alerts, approved, judged, promtool, scrapeConfigs, trialFiles, trials } from "./support/alerts.ts";
import { expressions, metricsIn, observeFile } from "./support/exposition.ts";

const names = alerts.map(({ alert }) => alert);
const wellName = "all is well";
const root = fileURLToPath(new URL("../../services/", import.meta.url));
const services = readdirSync(root).filter((name) => existsSync(join(root, name, "main.ts")));
const configs = ["prometheus.yml", "prometheus-kubernetes.yml"];

/** The labels of each alert that a trial expects. */
const expectedOf = (name: string) =>
	trials.flatMap(({ alert_rule_test }) =>
		alert_rule_test.flatMap(({ alertname, exp_alerts = [] }) =>
			alertname === name ? exp_alerts.map(({ exp_labels }) => exp_labels) : [],
		),
	);

test.skipIf(promtool === undefined)(judged("the rules are rules"), () => {
	expect(approved("check", "rules", observeFile("alerts.yml"))).toContain(`${alerts.length} rules found`);
});

test.skipIf(promtool === undefined)(
	judged("each alert is silent when all is well and says what it should when it is not"),
	{ timeout: 120_000 },
	() => {
		const output = approved("test", "rules", ...trialFiles.map(observeFile));
		expect(output.match(/SUCCESS/g)).toHaveLength(trialFiles.length);
	},
);

test.skipIf(promtool === undefined)(judged("the scrape configurations are such"), () => {
	const folder = mkdtempSync(join(tmpdir(), "energy-test-"));
	try {
		for (const name of configs) {
			// Debian's promtool knows nothing of Kubernetes: whom to ask is tried as a list.
			const scrape_configs = scrapeConfigs(name).map(({ kubernetes_sd_configs, ...rest }) =>
				kubernetes_sd_configs === undefined ? rest : { ...rest, static_configs: [{ targets: ["a:1"] }] },
			);
			const file = join(folder, name);
			writeFileSync(file, JSON.stringify({ scrape_configs }));
			expect(approved("check", "config", "--syntax-only", file)).toContain("SUCCESS");
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});

test("each alert has a severity, a meaning and a remedy", () => {
	for (const { labels, annotations } of alerts) {
		expect(["critical", "warning"]).toContain(labels.severity);
		expect(annotations.summary.length).toBeGreaterThanOrEqual(20);
		expect(annotations.runbook.length).toBeGreaterThanOrEqual(40);
	}
	expect(new Set(names).size).toBe(names.length);
	expect(names.length).toBeGreaterThan(20);
	expect(expressions().length).toBeGreaterThan(names.length + 30);
});

test("each alert is made to fire by a test case", () => {
	expect(names.filter((name) => expectedOf(name).length === 0)).toEqual([]);
});

test("each alert is tested in normal operation, with every series that it reads", () => {
	const well = trials.find(({ name }) => name === wellName);
	const silent = well?.alert_rule_test.filter(({ exp_alerts = [] }) => exp_alerts.length === 0) ?? [];
	expect(new Set(silent.map(({ alertname }) => alertname))).toEqual(new Set(names));
	const there = new Set(well?.input_series.flatMap(({ series }) => metricsIn(series)));
	expect([...new Set(alerts.flatMap(({ expr }) => metricsIn(expr)))].filter((name) => !there.has(name))).toEqual([]);
});

test("each service of this repository has an alert for its absence, and no other has", () => {
	const missing = alerts.find(({ alert }) => alert === "ServiceMissing");
	const named = [...(missing?.expr ?? "").matchAll(/"service", "([^"]+)"/g)].map(([, name]) => name);
	expect(named.toSorted()).toEqual(services.toSorted());
	expect(new Set(expectedOf("ServiceMissing").map(({ service }) => service))).toEqual(new Set(services));
});

test("every job in an alert is scraped by a configuration, with the service label", () => {
	const jobs = configs.flatMap(scrapeConfigs).map(({ job_name }) => job_name);
	const known = alerts.flatMap(({ expr }) =>
		[...expr.matchAll(/\bjob=~?"([^"]+)"/g)].flatMap(([, job = ""]) => job.split("|")),
	);
	expect(new Set(known)).toEqual(new Set(jobs));
	// Elsewhere targets.json has the label: observe.test.ts.
	const pods = scrapeConfigs("prometheus-kubernetes.yml").find(({ job_name }) => job_name === "energy");
	expect(pods?.relabel_configs).toContainEqual({
		source_labels: ["__meta_kubernetes_pod_label_app_kubernetes_io_name"],
		target_label: "service",
	});
});
