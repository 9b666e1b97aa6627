/** The whole system by deploy/compose.yaml, in containers. Skipped where no Docker engine answers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../deploy/local/data-dir.ts";
import { services } from "../../deploy/local/services.ts";
import { eventually } from "../support/eventually.ts";
import { findCompose } from "./support/compose.ts";
import { type Composed, openComposed } from "./support/composed.ts";
import { buildImage, builtImage, docker, noContainers } from "./support/docker.ts";

const away =
	noContainers(["BASE_IMAGE", "POSTGRES_IMAGE", "NATS_IMAGE", "REDIS_IMAGE"]) ??
	(findCompose() ? undefined : "there is no Compose here");
if (away !== undefined) console.warn(`compose.yaml is not brought up: ${away}.`);

type Usage = { by_operation: { operation: string; requests: number }[] };

describe.skipIf(away)(`compose.yaml${away === undefined ? "" : ` (skipped: ${away})`}`, () => {
	let system: Composed;
	let url = "";
	const composed = (...args: string[]) => system.composed("--profile", "sample", ...args);
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
		const settings = { SERVICE_IMAGE: builtImage, ANONYMOUS_PER_MINUTE: "0", FREE_PER_MINUTE: "0" };
		system = openComposed({ PORT: String(port), ...settings });
		await composed("up", "-d", "--no-build");
		await eventually(async () => (await fetch(`${url}/health`)).ok, { withinMs: 180_000, everyMs: 500 });
	}, 900_000);
	afterAll(() => system.down(), 180_000);

	test("list, SQL and MCP return the sample and its scores", async () => {
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

	test("every container runs as in compose.yaml, and only the gateway can be reached", async () => {
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

	test("Redis counts for the gateway, and no error was logged", async () => {
		const lines = (await Promise.all(services.map(({ name }) => composed("logs", "--no-color", name)))).join("\n");
		expect(lines.split("\n").filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
		expect(await docker("exec", await containerOf("redis"), "redis-cli", "dbsize")).toContain("NOAUTH");
	});

	test("all data remain after a restart", async () => {
		const before = await total();
		await composed("restart", "--timeout", "25", "postgres", "nats", ...services.map(({ name }) => name));
		await eventually(async () => (await total()) === before, { withinMs: 180_000, everyMs: 500 });
	}, 400_000);

	test("a killed gateway loses no usage, even if its container and NATS' disk are lost before billing is back", async () => {
		const registered = await fetch(`${url}/register`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ email: "you@example.com" }),
		});
		const { key } = (await registered.json()) as { key: string };
		const headers = { "X-API-Key": key };
		const list = async () => (await fetch(`${url}/projects?per_page=1`, { headers })).status;
		const recorded = async () => {
			const { by_operation } = (await (await fetch(`${url}/usage`, { headers })).json()) as Usage;
			return by_operation.find(({ operation }) => operation === "listProjects")?.requests;
		};
		const onDisk = async () => {
			const files = await docker("exec", await containerOf("gateway"), "sh", "-c", "cat /usage/*.json || true");
			return files.split("listProjects").length - 1;
		};
		expect(await list()).toBe(200);
		await eventually(async () => (await recorded()) === 1 && (await onDisk()) === 0, {
			withinMs: 60_000,
			everyMs: 500,
		});
		await composed("stop", "--timeout", "25", "billing");
		expect([await list(), await list()]).toEqual([200, 200]);
		await eventually(async () => (await onDisk()) === 2, { withinMs: 60_000, everyMs: 500 });
		await composed("kill", "gateway");
		await composed("down", "--timeout", "25");
		await docker("volume", "rm", `${system.project}_nats`);
		await composed("up", "-d", "--no-build");
		await eventually(async () => (await recorded()) === 3, { withinMs: 240_000, everyMs: 1_000 });
	}, 600_000);

	test("every service stops with exit code 0 on request", async () => {
		for (const { name } of services) {
			const id = await containerOf(name);
			await docker("stop", "--time", "25", id);
			expect(await docker("inspect", id, "--format", "{{.State.ExitCode}}"), name).toBe("0");
		}
	}, 180_000);
});
