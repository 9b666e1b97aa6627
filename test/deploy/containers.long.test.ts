/** The whole system by deploy/compose.yaml, in containers. Skipped where no Docker engine answers. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../deploy/local/data-dir.ts";
import { services } from "../../deploy/local/services.ts";
import { eventually } from "../support/eventually.ts";
import { composeFile, exampleEnv, findCompose } from "./support/compose.ts";
import { buildImage, builtImage, docker, imageOf, noContainers, run } from "./support/docker.ts";

const compose = findCompose();
const away =
	noContainers(["BASE_IMAGE", "POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"]) ??
	(compose === undefined ? "there is no Compose here" : undefined);
if (away !== undefined) console.warn(`compose.yaml is not brought up: ${away}.`);

describe.skipIf(away)(`compose.yaml${away === undefined ? "" : ` (skipped: ${away})`}`, () => {
	const project = `energytest${randomBytes(4).toString("hex")}`;
	const folder = mkdtempSync(join(tmpdir(), "energy-compose-"));
	const envFile = join(folder, "env");
	let url = "";

	const composed = async (...args: string[]) => {
		const [program = "", ...first] = compose ?? [];
		const all = [...first, "--env-file", envFile, "-f", composeFile, "-p", project, "--profile", "sample", ...args];
		const answer = await run(program, all);
		if (answer.code !== 0) throw new Error(`compose ${args.join(" ")} ended with ${answer.code}: ${answer.err}`);
		return answer.out.trim();
	};
	const containerOf = async (service: string) => (await composed("ps", "-q", service)).split("\n")[0] ?? "";
	const inspect = async (service: string) => JSON.parse(await docker("inspect", await containerOf(service)))[0];

	async function total(filter = ""): Promise<number> {
		const answer = await fetch(`${url}/projects?${filter}per_page=1`);
		const { meta } = (await answer.json()) as { meta: { total: number } };
		return meta.total;
	}

	beforeAll(async () => {
		await buildImage();
		const port = await freePort();
		url = `http://127.0.0.1:${port}`;
		const images = (["POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"] as const).map((name) => [name, imageOf(name)]);
		const env = {
			...exampleEnv(),
			...Object.fromEntries(images),
			...{ PORT: String(port), SERVICE_IMAGE: builtImage, ANONYMOUS_PER_MINUTE: "0", FREE_PER_MINUTE: "0" },
		};
		writeFileSync(
			envFile,
			Object.entries(env)
				.map(([name, value]) => `${name}=${value}\n`)
				.join(""),
			{ mode: 0o600 },
		);
		await composed("up", "-d", "--no-build");
		await eventually(async () => (await fetch(`${url}/health`)).ok, { withinMs: 180_000, everyMs: 500 });
	}, 900_000);
	afterAll(async () => {
		await composed("down", "--volumes", "--timeout", "25");
		rmSync(folder, { recursive: true });
	}, 180_000);

	test("the sample is there, and its scores: list, SQL and MCP answer", async () => {
		const version = await docker("exec", await containerOf("postgres"), "postgres", "--version");
		console.log(`with ${version}`);
		await eventually(async () => (await total()) > 100, { withinMs: 120_000, everyMs: 500 });
		const sql = "select count(*)::int as n from projects where state = 'TX'";
		const ask = (body: object, path: string) =>
			fetch(`${url}${path}`, {
				method: "POST",
				headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
				body: JSON.stringify(body),
			});
		const answer = await ask({ sql }, "/query");
		expect(await answer.json()).toMatchObject({ data: [{ n: expect.any(Number) }] });
		const tools = await ask({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, "/mcp");
		expect(await tools.text()).toContain("list_projects");
		await eventually(async () => (await total("min_score=1&")) > 0, { withinMs: 120_000, everyMs: 500 });
		const exported = await fetch(`${url}/export/projects?state=TX`);
		expect((await exported.text()).split("\n").length).toBeGreaterThan(5);
	}, 300_000);

	test("every container runs as compose.yaml says, and only the gateway can be reached", async () => {
		for (const { name } of services) {
			const { Config, HostConfig, State, NetworkSettings } = await inspect(name);
			expect(HostConfig, name).toMatchObject({ ReadonlyRootfs: true, CapDrop: ["ALL"], Privileged: false });
			expect(Config.User, name).toBe("10001:10001");
			expect(State.Health.Status, name).toBe("healthy");
			const published = Object.values(NetworkSettings.Ports).flatMap((ports) => ports ?? []);
			expect(published, name).toEqual(name === "gateway" ? [{ HostIp: "127.0.0.1", HostPort: new URL(url).port }] : []);
		}
		for (const name of ["postgres", "nats", "redis"])
			expect((await inspect(name)).HostConfig.PortBindings ?? {}, name).toEqual({});
		expect((await inspect("prepare")).State.ExitCode).toBe(0);
	});

	test("Redis counts for the gateway, and nothing was written as an error", async () => {
		const lines = (await Promise.all(services.map(({ name }) => composed("logs", "--no-color", name)))).join("\n");
		expect(lines.split("\n").filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
		expect(await docker("exec", await containerOf("redis"), "redis-cli", "dbsize")).toContain("NOAUTH");
	});

	test("started again, it has kept everything", async () => {
		const before = await total();
		await composed("restart", "--timeout", "25", "postgres", "nats", ...services.map(({ name }) => name));
		await eventually(async () => (await total()) === before, { withinMs: 180_000, everyMs: 500 });
	}, 400_000);

	test("every service stops with 0 when asked to", async () => {
		for (const { name } of services) {
			const id = await containerOf(name);
			await docker("stop", "--time", "25", id);
			expect(await docker("inspect", id, "--format", "{{.State.ExitCode}}"), name).toBe("0");
		}
	}, 180_000);
});
