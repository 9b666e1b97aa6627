/** Rules that deploy/compose.yaml follows. `containers.long.test.ts` tests that it starts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configSchema as prepareSchema } from "../../deploy/container/prepare.ts";
import { secrets } from "../../deploy/container/secrets.ts";
import { renderRedisUsers } from "../../deploy/engines/redis-users.ts";
import { services } from "../../deploy/local/services.ts";
import { processConfig } from "../../libs/service/run-service.ts";
import {
	composeFile,
	composeText,
	exampleEnv,
	exampleNames,
	findCompose,
	readCompose,
	variables,
} from "./support/compose.ts";
import { k8sFolder } from "./support/manifests.ts";

const compose = readCompose();
const all = Object.entries(compose.services);
const ours = services.map(({ name }) => name);
const found = findCompose();

if (found === undefined) console.warn("compose.yaml is not shown to Compose: there is none here.");

test("every container has a read-only file system, minimal privileges and a memory limit", () => {
	for (const [name, service] of all) {
		expect(service, name).toMatchObject({
			read_only: true,
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
			mem_limit: expect.stringMatching(/^\d+[mg]$/),
		});
		// PostgreSQL's image gives up root by itself, for which it needs a few.
		expect(service.cap_add ?? [], name).toHaveLength(name === "postgres" ? 5 : 0);
	}
});

test("only the gateway is published, to this machine only", () => {
	const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
	expect(published).toEqual(["gateway 127.0.0.1:8080:8080"]);
	expect(compose.networks.inside?.internal).toBe(true);
	const outside = all.filter(([, { networks }]) => networks?.includes("outside")).map(([name]) => name);
	expect(outside).toEqual(["gateway", "queue-ingest", "signals", "billing", "subscriptions"]);
});

test("services start after their dependencies, and have time to shut down", () => {
	const drainMs = processConfig.shape.DRAIN_MS.parse(undefined);
	for (const name of ours) {
		const service = compose.services[name];
		expect(service?.depends_on, name).toMatchObject({
			prepare: { condition: "service_completed_successfully" },
			nats: { condition: "service_healthy" },
		});
		expect(Number.parseInt(service?.stop_grace_period ?? "0", 10) * 1_000, name).toBeGreaterThan(drainMs + 5_000);
		expect(service?.restart, name).toBe("unless-stopped");
	}
});

test("every service gets only declared settings, and all required ones", async () => {
	for (const name of ours) {
		const { configSchema } = await import(`../../services/${name}/config.ts`);
		const schema = processConfig.extend(configSchema.shape);
		const env = given(compose.services[name]?.environment);
		expect(
			Object.keys(env).filter((key) => !(key in schema.shape)),
			name,
		).toEqual([]);
		expect(schema.safeParse(env).error?.issues, name).toBeUndefined();
	}
	const env = given(compose.services.prepare?.environment);
	expect(prepareSchema.strict().safeParse(env).error?.issues).toBeUndefined();
});

test("each service has only its own passwords", () => {
	for (const [name, service] of all) {
		const text = JSON.stringify(service);
		const used = secrets().filter((secret) => new RegExp(`p-${secret.name}(?![A-Z_])`).test(text));
		const about = ours.includes(name) ? used.filter((secret) => !secret.about.startsWith(`${name}'s`)) : [];
		expect(
			about.filter((secret) => name !== "gateway" || !secret.name.startsWith("REDIS")),
			name,
		).toEqual([]);
	}
});

test(".env.example names every variable, and every secret is required", () => {
	const used = new Map(variables().map(({ name, otherwise }) => [name, otherwise]));
	const named = exampleNames().filter((name) => name !== "COMPOSE_PROJECT_NAME" && name !== "NATS_PASSWORD_ROUTES");
	expect([...used.keys()].sort()).toEqual(named.sort());
	expect(exampleNames()).toEqual(expect.arrayContaining(secrets().map(({ name }) => name)));
	for (const { name } of secrets().filter((secret) => used.has(secret.name)))
		expect(
			variables().filter((one) => one.name === name && !one.otherwise.startsWith(":?")),
			name,
		).toEqual([]);
	for (const name of named.filter((one) => exampleEnv()[one]?.includes("p-") === false && exampleEnv()[one] !== ""))
		expect(used.get(name), name).toBe(`:-${exampleEnv()[name]}`);
});

test("Redis' users equal those of the local run, also on Kubernetes", () => {
	const expected = renderRedisUsers({ password: "PASSWORD" });
	const users = (args: string[]) =>
		args
			.join(" ")
			.split(" --")
			.filter((one) => one.startsWith("user "))
			.join("\n");
	const ofCompose = compose.services.redis?.command ?? [];
	expect(users(ofCompose).replace("p-REDIS_PASSWORD_GATEWAY", "PASSWORD")).toBe(expected);
	const manifest = readFileSync(join(k8sFolder, "overlays/engines-inside/redis.yaml"), "utf8");
	const [, args = ""] = /args:\s*\[([^\]]*)\]/.exec(manifest) ?? [];
	const ofKubernetes = args.split(",").map((one) => one.trim().replaceAll('"', ""));
	expect(users(ofKubernetes).trim().replace("$(REDIS_PASSWORD_GATEWAY)", "PASSWORD")).toBe(expected);
});

test.skipIf(!found)(
	`Compose takes the file${found ? "" : " (skipped: there is no Compose here)"}`,
	() => {
		const [program = "", ...args] = found ?? [];
		const folder = mkdtempSync(join(tmpdir(), "energy-compose-"));
		const file = join(folder, "env");
		const config = () =>
			spawnSync(program, [...args, "--env-file", file, "-f", composeFile, "config"], { encoding: "utf8" });
		try {
			writeFileSync(
				file,
				Object.entries(exampleEnv())
					.map(([name, value]) => `${name}=${value}\n`)
					.join(""),
			);
			expect(config()).toMatchObject({ status: 0, stdout: expect.stringContaining("p-NATS_PASSWORD_GATEWAY") });
			writeFileSync(file, "");
			expect(config()).toMatchObject({
				status: expect.not.toBeOneOf([0]),
				stderr: expect.stringContaining("docs/deploy.md"),
			});
		} finally {
			rmSync(folder, { recursive: true });
		}
		expect(composeText()).not.toContain("\nversion:");
		// Compose 1 is a program of Python, and takes seconds to start on a busy machine.
	},
	120_000,
);

/** A setting that is empty is absent: `loadConfig`. */
const given = (env: Record<string, string> = {}) =>
	Object.fromEntries(
		Object.entries(env).flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, String(value)]])),
	);
