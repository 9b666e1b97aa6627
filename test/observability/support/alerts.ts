/** The alerts, their trials and the scrape configurations, read; and promtool, which judges them where it is installed. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { findProgram } from "../../../deploy/local/server-programs.ts";
import { observeFile } from "./exposition.ts";

export interface Alert {
	alert: string;
	expr: string;
	labels: { severity: string };
	annotations: { summary: string; runbook: string };
}

export interface Trial {
	name: string;
	input_series: { series: string }[];
	/** An alert is silent where none is expected. */
	alert_rule_test: { alertname: string; exp_alerts?: { exp_labels: Record<string, string> }[] }[];
}

export interface ScrapeConfig {
	job_name: string;
	kubernetes_sd_configs?: unknown;
	relabel_configs?: { source_labels: string[]; target_label?: string }[];
}

const read = <T>(name: string): T => parse(readFileSync(observeFile(name), "utf8")) as T;

export const alerts: Alert[] = read<{ groups: { rules: Alert[] }[] }>("alerts.yml").groups.flatMap(
	({ rules }) => rules,
);

/** The files that promtool tries the alerts by. */
export const trialFiles: string[] = readdirSync(observeFile(".")).filter((name) => name.endsWith(".test.yaml"));
export const trials: Trial[] = trialFiles.flatMap((name) => read<{ tests: Trial[] }>(name).tests);

export const scrapeConfigs = (name: string): ScrapeConfig[] =>
	read<{ scrape_configs: ScrapeConfig[] }>(name).scrape_configs;

export const promtool = findProgram("promtool");
const reason = "no Prometheus on this machine: apt-get install prometheus";
if (promtool === undefined) console.warn(`SKIPPED: ${reason}`);
/** The title of a test that promtool or Prometheus is needed for. */
export const judged = (what: string): string => (promtool === undefined ? `${what} (${reason})` : what);

export function approved(...args: string[]): string {
	const { status, stdout, stderr } = spawnSync(promtool ?? "", args, { encoding: "utf8" });
	if (status !== 0) throw new Error(stdout + stderr);
	return stdout;
}
