/** `clients/python` as its users have it: built, imported from the wheel, and run by Debian's Python against the service and hostile servers. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { test } from "../support/world.ts";
import { unlimitedKey } from "./support/walk.ts";

const root = join(import.meta.dirname, "../..");
const tests = join(root, "clients/python/tests");
const python = process.env.PYTHON ?? "/usr/bin/python3";
const run = promisify(execFile);
const hasPackages = await run(python, ["-c", "import httpx, hatchling"]).then(
	() => true,
	() => false,
);
if (!hasPackages)
	console.warn(`SKIPPED: ${python} has no httpx or hatchling: apt-get install python3-httpx python3-hatchling`);

describe.skipIf(!hasPackages)("the Python client", () => {
	let folder: string;
	let wheel: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "python-client-"));
		await run(process.execPath, [join(root, "deploy/local/build-python.ts"), folder]);
		wheel = join(folder, (await readdir(folder)).find((name) => name.endsWith(".whl")) ?? "");
	});
	afterAll(async () => {
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	});

	/** The service may be in this process, which must go on answering. */
	const unittest = async (name: string, signal: AbortSignal, more: Record<string, string>) => {
		const env = { ...process.env, PYTHONPATH: [wheel, tests].join(delimiter), PYTHONDONTWRITEBYTECODE: "1", ...more };
		const args = ["-W", "error::ResourceWarning", "-m", "unittest", name];
		const { stderr } = await run(python, args, { env, cwd: folder, signal });
		expect(stderr).toMatch(/^OK/m);
	};

	test("a wheel with types and an sdist with its tests are built", async () => {
		expect((await readdir(folder)).sort()).toEqual(["eids-1.0.0-py3-none-any.whl", "eids-1.0.0.tar.gz"]);
		const program = `import sys, tarfile, zipfile
print(*zipfile.ZipFile(sys.argv[1]).namelist(), *tarfile.open(sys.argv[2]).getnames())`;
		const { stdout } = await run(python, ["-c", program, wheel, join(folder, "eids-1.0.0.tar.gz")]);
		const names = stdout.trim().split(" ");
		expect(names).toEqual(expect.arrayContaining(["eids/py.typed", "eids/types.py", "eids-1.0.0/tests/test_live.py"]));
		expect(names.filter((name) => name.includes("__pycache__"))).toEqual([]);
	});

	test("it reads lists, feed, streams and files of the service, and its examples run", async ({
		readOnlyWorld,
		signal,
	}) => {
		const env = { EIDS_URL: readOnlyWorld.url, EIDS_API_KEY: await unlimitedKey(readOnlyWorld) };
		await unittest("test_live", signal, env);
		const documents = ["clients/python/README.md"].map((name) => join(root, name));
		await unittest("test_examples", signal, { ...env, EXAMPLES: documents.join(delimiter) });
	});

	test("broken, busy and hostile servers are errors, and webhooks are verified as standardwebhooks signs them", async ({
		signal,
	}) => {
		const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
		const now = new Date();
		const body = JSON.stringify({ type: "webhook.test", timestamp: now.toISOString(), data: { webhook_id: 3 } });
		const headers = {
			"webhook-id": "msg_1",
			"webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
			"webhook-signature": new Webhook(secret).sign("msg_1", now, body),
		};
		await unittest("test_hostile", signal, { WEBHOOK: JSON.stringify({ body, headers, secrets: secret }) });
	});
});
