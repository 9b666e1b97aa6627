/** The table of docs/limits.md, made from the settings of all services as they are declared. */
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { processConfig } from "#libs/service/run-service.ts";

export const marks = ["<!-- table: UPDATE_SNAPSHOT=1 -->", "<!-- end of the table -->"] as const;

/** Settings that are numbers and limit nothing. */
const noLimits = new Set([
	"PORT",
	"HEALTH_PORT",
	"HEALTH_MIN_PROJECTS",
	"INSTANCES",
	"STREAM_REPLICAS",
	"MPP_CHAIN_ID",
]);

interface Limit {
	services: string[];
	value: string;
	range: string;
	description: string;
}

/** Every setting with a default that is a number, in the order of their declaration; the gateway's first. */
export async function limitsTable(root: string): Promise<string> {
	const limits = new Map<string, Limit>();
	const files = globSync(join(root, "services", "*", "config.ts"));
	const services = files.map((file) => basename(dirname(file))).sort();
	services.sort((a, b) => Number(b === "gateway") - Number(a === "gateway"));
	for (const service of services) {
		const { configSchema } = (await import(join(root, "services", service, "config.ts"))) as {
			configSchema: z.ZodObject;
		};
		for (const [name, setting] of Object.entries({ ...processConfig.shape, ...configSchema.shape }))
			addLimit(limits, service, name, setting as z.ZodType);
	}
	const rows = [...limits].map(([name, { services: of, value, range, description }]) => {
		const whose = of.length === services.length ? "all" : of.join(", ");
		return `| \`${name}\` | ${value} | ${range} | ${whose} | ${description} |`;
	});
	return ["| Setting | Default | May be | Service | What it limits |", "|---|---:|---:|---|---|", ...rows].join("\n");
}

function addLimit(limits: Map<string, Limit>, service: string, name: string, setting: z.ZodType): void {
	const { data: value } = setting.safeParse(undefined);
	if (typeof value !== "number" || noLimits.has(name)) return;
	const known = limits.get(name);
	if (known !== undefined) {
		if (!known.services.includes(service)) known.services.push(service);
		return;
	}
	const { minimum, maximum } = z.toJSONSchema(setting, { io: "output", unrepresentable: "any" });
	const most = maximum === undefined || maximum === 2 ** 31 - 1 ? "" : ` to ${shown(maximum)}`;
	const range = `${shown(minimum)}${most || " or more"}`;
	const description = (setting.description ?? "").replaceAll("|", "\\|");
	limits.set(name, { services: [service], value: shown(value), range, description });
}

const shown = (value: number | undefined): string => value?.toLocaleString("en-US") ?? "-";
