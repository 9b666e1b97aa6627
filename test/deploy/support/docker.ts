/**
 * Docker for tests. Images are those of deploy/compose.yaml, under its variables: BASE_IMAGE, POSTGRES_IMAGE, NATS_IMAGE, REDIS_IMAGE
 * name others, where a registry cannot be reached.
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { exampleEnv } from "./compose.ts";

export type ImageName = "BASE_IMAGE" | "POSTGRES_IMAGE" | "NATS_IMAGE" | "REDIS_IMAGE";

export const builtImage = "energy-infrastructure-data-service:test";
const root = join(import.meta.dirname, "../../..");

export const imageOf = (name: ImageName): string => process.env[name] || (exampleEnv()[name] ?? "");

/** Why there can be no containers of these images; undefined where there can. */
export function noContainers(names: ImageName[]): string | undefined {
	if (spawnSync("docker", ["info"], { timeout: 20_000 }).status !== 0) return "no Docker engine answers";
	const missing = names.filter(
		(name) =>
			spawnSync("docker", ["image", "inspect", imageOf(name)]).status !== 0 &&
			spawnSync("docker", ["pull", "--quiet", imageOf(name)], { timeout: 300_000 }).status !== 0,
	);
	if (missing.length === 0) return undefined;
	return `there is no image ${missing.map(imageOf).join(", ")}: name others by ${missing.join(", ")}`;
}

export interface Answer {
	code: number;
	out: string;
	err: string;
}

/** Runs a program to its end, at most ten minutes. */
export function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Answer> {
	return new Promise((decide, reject) => {
		const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], timeout: 600_000 });
		const answer = { code: -1, out: "", err: "" };
		child.stdout.on("data", (bytes) => {
			answer.out += bytes;
		});
		child.stderr.on("data", (bytes) => {
			answer.err += bytes;
		});
		child.once("error", reject);
		child.once("close", (code) => decide({ ...answer, code: code ?? -1 }));
	});
}

/** Standard output of a docker command that must go well. */
export async function docker(...args: string[]): Promise<string> {
	const { code, out, err } = await run("docker", args);
	if (code !== 0) throw new Error(`docker ${args.join(" ")} ended with ${code}: ${err}`);
	return out.trim();
}

/** The project's image. Only the sources are copied anew as long as no package changes. */
export const buildImage = (): Promise<string> =>
	docker(
		"build",
		"--quiet",
		"--network",
		"host",
		"--build-arg",
		`BASE_IMAGE=${imageOf("BASE_IMAGE")}`,
		"--tag",
		builtImage,
		".",
	);
