/** deploy/compose.yaml brought up for a test, under a project of its own. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composeFile, exampleEnv, findCompose } from "./compose.ts";
import { type Answer, imageOf, run } from "./docker.ts";

export interface Composed {
	/** The prefix of its containers' and volumes' names. */
	project: string;
	/** The program's result. */
	tried(...args: string[]): Promise<Answer>;
	/** Standard output of what must go well. */
	composed(...args: string[]): Promise<string>;
	/** Removes it with all of its data. */
	down(): Promise<void>;
}

/** `settings` over those of the example; the images are those of the environment. */
export function openComposed(settings: Record<string, string>): Composed {
	const project = `energytest${randomBytes(4).toString("hex")}`;
	const folder = mkdtempSync(join(tmpdir(), "energy-compose-"));
	const envFile = join(folder, "env");
	const images = (["POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"] as const).map((name) => [name, imageOf(name)]);
	const env = { ...exampleEnv(), ...Object.fromEntries(images), ...settings };
	const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
	writeFileSync(envFile, lines.join(""), { mode: 0o600 });
	const tried = (...args: string[]) => {
		const [program = "", ...first] = findCompose() ?? [];
		return run(program, [...first, "--env-file", envFile, "-f", composeFile, "-p", project, ...args]);
	};
	const composed = async (...args: string[]) => {
		const answer = await tried(...args);
		if (answer.code !== 0) throw new Error(`compose ${args.join(" ")} ended with ${answer.code}: ${answer.err}`);
		return answer.out.trim();
	};
	return {
		project,
		tried,
		composed,
		async down() {
			const profiles = ["sample", "backup", "restore"].flatMap((profile) => ["--profile", profile]);
			await composed(...profiles, "down", "--volumes", "--timeout", "25");
			rmSync(folder, { recursive: true });
		},
	};
}
