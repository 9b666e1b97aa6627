/**
 * Prints the images that are built upon or run (`deploy/.env.example`, or the environment) as lines of `deploy/.env`, each pinned by the
 * digest that its registry has for the tag now. Fails, and names the image, where there is none to read.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runProgram, Sentence } from "./local/sentence.ts";

const names = ["BASE_IMAGE", "POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"];

/** `node:24-bookworm-slim@sha256:...` for `node:24-bookworm-slim`. @throws Sentence */
function pin(image: string): string {
	const [tagged = image] = image.split("@", 1);
	const docker = (...args: string[]) => spawnSync("docker", args, { encoding: "utf8" });
	const { status, stderr } = docker("pull", "--quiet", tagged);
	const [digest] = /sha256:[0-9a-f]{64}/.exec(
		docker("image", "inspect", "--format", "{{json .RepoDigests}}", tagged).stdout ?? "",
	) ?? [undefined];
	if (status !== 0 || digest === undefined)
		throw new Sentence(`The digest of ${tagged} cannot be read: ${stderr?.trim() || "its registry gave none"}`);
	return `${tagged}@${digest}`;
}

await runProgram(async () => {
	const example = readFileSync(new URL(".env.example", import.meta.url), "utf8");
	for (const name of names) {
		const image = process.env[name] || new RegExp(`^${name}=(.+)$`, "m").exec(example)?.[1];
		if (image !== undefined) process.stdout.write(`${name}=${pin(image)}\n`);
	}
});
