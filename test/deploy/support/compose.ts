/** deploy/compose.yaml for tests: as it is, and with the variables of an `.env` in their places. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { renderSecrets } from "../../../deploy/container/secrets.ts";

const deployFolder = join(import.meta.dirname, "../../../deploy");
export const composeFile = join(deployFolder, "compose.yaml");

export interface ComposeService {
	image: string;
	user?: string;
	command?: string[];
	environment?: Record<string, string>;
	read_only?: boolean;
	cap_drop?: string[];
	cap_add?: string[];
	security_opt?: string[];
	mem_limit?: string;
	ports?: string[];
	networks?: string[];
	restart?: string;
	stop_grace_period?: string;
	depends_on?: Record<string, { condition: string }>;
	profiles?: string[];
}

export interface Compose {
	services: Record<string, ComposeService>;
	networks: Record<string, { internal?: boolean }>;
	volumes: Record<string, object>;
}

export const composeText = (): string => readFileSync(composeFile, "utf8");
const exampleText = (): string => readFileSync(join(deployFolder, ".env.example"), "utf8");

/** Names and values of a file of settings. */
const readEnv = (text: string): Record<string, string> =>
	Object.fromEntries([...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

/** Settings that the example names, filled in as by `secrets.ts`. */
export function exampleEnv(): Record<string, string> {
	return { ...readEnv(exampleText()), ...readEnv(renderSecrets(({ name }) => `p-${name}`)) };
}
export const exampleNames = (): string[] => Object.keys(readEnv(exampleText()));

/** Every `${NAME}` of the file, with what stands behind it. */
export const variables = (text = composeText()): { name: string; otherwise: string }[] =>
	[...text.replace(/#.*$/gm, "").matchAll(/\$\{([A-Z_]+)([^}]*)\}/g)].map(([, name = "", otherwise = ""]) => ({
		name,
		otherwise,
	}));

/** The file as Compose reads it. */
export function readCompose(env = exampleEnv()): Compose {
	const filled = composeText().replace(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind, other = "") => {
		if (env[name]) return env[name];
		if (kind === "?") throw new Error(`${name} is required`);
		return other;
	});
	return parse(filled, { merge: true });
}

/** The program and first arguments of whatever Compose is here. */
export function findCompose(): string[] | undefined {
	return [["docker", "compose"], ["docker-compose"]].find(([program = "", ...args]) => {
		return spawnSync(program, [...args, "version"]).status === 0;
	});
}
