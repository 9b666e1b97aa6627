/** Parses what a process shows at /metrics, and finds the names that rules and dashboards use. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export interface Sample {
	name: string;
	labels: Record<string, string>;
	value: number;
}

export interface Exposition {
	/** counter, gauge, histogram, summary: by name. */
	types: Map<string, string>;
	samples: Sample[];
	/** The value of the one sample with these labels (and maybe others); undefined when there is none. */
	value(name: string, labels?: Record<string, string>): number | undefined;
}

export function readExposition(text: string): Exposition {
	const lines = text.split("\n");
	const types = new Map(
		lines.flatMap((line) => {
			const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
			return name === undefined || type === undefined ? [] : [[name, type] as const];
		}),
	);
	const samples = lines.flatMap((line): Sample[] => {
		const [, name, labels = "", value] = /^([a-z_:]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
		if (name === undefined) return [];
		const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
		return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
	});
	const value = (name: string, labels: Record<string, string> = {}) =>
		samples.find((one) => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text))
			?.value;
	return { types, samples, value };
}

const observe = new URL("../../../deploy/observe/", import.meta.url);
export const observeFile = (name: string): string => fileURLToPath(new URL(name, observe));

/** Every expression of the alerts and of the dashboard. */
export function expressions(): string[] {
	const { groups } = parse(readFileSync(observeFile("alerts.yml"), "utf8")) as {
		groups: { rules: { expr: string }[] }[];
	};
	const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
	const dashboard = JSON.parse(readFileSync(observeFile("grafana/dashboards/energy.json"), "utf8")) as {
		panels: { targets?: { expr: string }[] }[];
	};
	return [...alerts, ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];
}

const words = new Set(["and", "or", "unless", "by", "without", "on", "ignoring", "offset", "bool"]);

/** The names of metrics in an expression: what is neither a label, a function nor a word of the language. */
export function metricsIn(expression: string): string[] {
	const bare = expression
		.replace(/"[^"]*"/g, "")
		.replace(/\{[^}]*\}/g, "")
		.replace(/\[[^\]]*\]/g, "")
		.replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, " ");
	return [...bare.matchAll(/(?<!\w)[a-z_:]\w*(?!\w)(?!\s*\()/gi)]
		.map(([name]) => name)
		.filter((name) => !words.has(name));
}
