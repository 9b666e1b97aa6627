/** The tables of docs/settings.md and docs/limits.md, made from the settings of all services as they are declared. */
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { processConfig } from "#libs/service/run-service.ts";

export const marks = ["<!-- table: UPDATE_SNAPSHOT=1 -->", "<!-- end of the table -->"] as const;

/** Settings that are numbers and limit nothing. */
const noLimits = new Set(["PORT", "HEALTH_PORT", "INSTANCES", "STREAM_REPLICAS", "MPP_CHAIN_ID"]);

interface Setting {
	name: string;
	services: string[];
	schema: z.ZodType;
	value: unknown;
}

/** Every setting with a default that is a number. */
export async function limitsTable(root: string): Promise<string> {
	const { settings, services } = await readSettings(root);
	const limits = settings.filter(({ name, value }) => typeof value === "number" && !noLimits.has(name));
	return [
		"| Setting | Default | May be | Service | What it limits |",
		"|---|---:|---:|---|---|",
		...limits.map((limit) => rowOf(limit, services)),
	].join("\n");
}

export async function settingsTable(root: string): Promise<string> {
	const { settings, services } = await readSettings(root);
	return [
		"| Setting | Default | May be | Service | Meaning |",
		"|---|---|---|---|---|",
		...settings.map((setting) => rowOf(setting, services)),
	].join("\n");
}

/** In the order of their declaration; the gateway's first. */
async function readSettings(root: string): Promise<{ settings: Setting[]; services: string[] }> {
	const files = globSync(join(root, "services", "*", "config.ts"));
	const services = files.map((file) => basename(dirname(file))).sort();
	services.sort((a, b) => Number(b === "gateway") - Number(a === "gateway"));
	const settings = new Map<string, Setting>();
	for (const service of services) {
		const { configSchema } = (await import(join(root, "services", service, "config.ts"))) as {
			configSchema: z.ZodObject;
		};
		for (const [name, declared] of Object.entries({ ...processConfig.shape, ...configSchema.shape })) {
			const schema = declared as z.ZodType;
			const known = settings.get(name);
			if (known === undefined)
				settings.set(name, { name, services: [service], schema, value: schema.safeParse(undefined).data });
			else if (!known.services.includes(service)) known.services.push(service);
		}
	}
	return { settings: [...settings.values()], services };
}

function rowOf({ name, schema, services, value }: Setting, all: readonly string[]): string {
	const whose = services.length === all.length ? "all" : services.join(", ");
	const description = (schema.description ?? "").replaceAll("|", "\\|");
	return `| \`${name}\` | ${defaultOf(name, value)} | ${rangeOf(schema)} | ${whose} | ${description} |`;
}

function rangeOf(schema: z.ZodType): string {
	const { minimum, maximum, enum: words } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
	if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ");
	if (minimum === undefined) return "";
	return maximum === undefined || maximum === 2 ** 31 - 1
		? `${shown(minimum)} or more`
		: `${shown(minimum)} to ${shown(maximum)}`;
}

function defaultOf(name: string, value: unknown): string {
	if (value === undefined) return "";
	if (typeof value === "number") return noLimits.has(name) ? String(value) : shown(value);
	// This default depends on the machine and the process.
	return name.endsWith("_DIR") ? "a temporary folder" : `\`${String(value)}\``;
}

const shown = (value: number): string => value.toLocaleString("en-US");
