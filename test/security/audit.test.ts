/** The audit of dependencies in CI: npm's own client, asked about a small package, with a registry that answers this or that. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { audit, describeBase } from "../../deploy/audit.ts";
import { freePort, root } from "../../deploy/local/data-dir.ts";

const folder = mkdtempSync(join(tmpdir(), "energy-audit-"));
// npm caches advisories, and waits before it asks a registry again.
process.env.npm_config_cache = join(folder, "cache");
process.env.npm_config_fetch_retry_mintimeout = "10";
let nextId = 1;
afterAll(() => rmSync(folder, { recursive: true }));
const [dependencies, devDependencies] = [{ served: "^1.0.0" }, { tried: "^1.0.0", "@bundled/all": "^1.0.0" }];
const itself = { name: "small", version: "1.0.0" };
writeFileSync(join(folder, "package.json"), JSON.stringify({ ...itself, dependencies, devDependencies }));
mkdirSync(join(folder, "web"));
writeFileSync(join(folder, "web", "page.tsx"), 'import { all } from "@bundled/all/hooks";');
writeFileSync(join(folder, "web", "page.test.ts"), 'import { tried } from "tried";');
writeFileSync(
	join(folder, "package-lock.json"),
	JSON.stringify({
		...itself,
		lockfileVersion: 3,
		requires: true,
		packages: {
			"": { ...itself, dependencies, devDependencies },
			"node_modules/served": { version: "1.0.0" },
			"node_modules/tried": { version: "1.0.0", dev: true },
			"node_modules/@bundled/all": { version: "1.0.0", dev: true, dependencies: { deep: "^1.0.0" } },
			"node_modules/deep": { version: "1.0.0", dev: true },
		},
	}),
);

/** A registry that knows these advisories; null: it answers no audit. */
async function registry(advisories: Record<string, string> | null) {
	const answer = async (request: IncomingMessage): Promise<unknown> => {
		const sent = await buffer(request);
		const name = decodeURIComponent(request.url?.slice(1) ?? "");
		if (request.method !== "POST")
			return { name, versions: { "1.0.0": { name, version: "1.0.0" } }, "dist-tags": { latest: "1.0.0" } };
		const names = Object.keys(
			JSON.parse(String(request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent)),
		);
		const known = Object.entries(advisories ?? {}).filter(([one]) => names.includes(one));
		return Object.fromEntries(
			known.map(([one, severity]) => {
				const id = nextId++;
				const text = { title: `${one} is broken`, url: `https://advisories.example/${one}` };
				return [one, [{ id, ...text, severity, vulnerable_versions: "<2.0.0" }]];
			}),
		);
	};
	const server = createServer((request, response) => {
		response.writeHead(request.method === "POST" && advisories === null ? 405 : 200, {
			"content-type": "application/json",
		});
		void answer(request).then((body) => response.end(JSON.stringify(body)));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		[Symbol.dispose]() {
			server.closeAllConnections();
			server.close();
		},
	};
}

test("a high advisory on a production package fails, and is named", async () => {
	using known = await registry({ served: "high" });
	const { passed, lines } = await audit(folder, known.url);
	expect(passed).toBe(false);
	expect(lines).toEqual([
		"high: served: served is broken (https://advisories.example/served)",
		"Packages of services and pages were audited: 1 with an advisory.",
	]);
});

test("a lower advisory is named without failing, and test packages are not checked", async () => {
	using known = await registry({ served: "moderate", tried: "critical" });
	const { passed, lines } = await audit(folder, known.url);
	expect(passed).toBe(true);
	expect(lines.join("\n")).toMatch(
		/^moderate: served: .*\nPackages of services and pages were audited: 1 .*none of them high\.$/,
	);
});

test("a high advisory on a package that pages bundle fails, and so on its dependencies", async () => {
	using known = await registry({ deep: "high", tried: "critical" });
	const { passed, lines } = await audit(folder, known.url);
	expect([passed, lines[0]]).toEqual([false, "high: deep: deep is broken (https://advisories.example/deep)"]);
	expect(lines.join()).not.toContain("tried is broken");
});

test("a registry that cannot audit fails a release, with a message", async () => {
	using mirror = await registry(null);
	const env = { ...process.env, npm_config_registry: mirror.url };
	const run = (...args: string[]) =>
		promisify(execFile)(process.execPath, ["deploy/audit.ts", ...args], { cwd: root, env });
	expect((await run()).stdout).toMatch(/^Dependencies were NOT audited, no registry answered/);
	await expect(run("--release")).rejects.toMatchObject({
		code: 1,
		stdout: expect.stringContaining("A release has to be audited."),
	});
});

test("a registry that cannot audit, or does not respond, does not fail a check, with a message", async () => {
	using mirror = await registry(null);
	const unreachable = `http://127.0.0.1:${await freePort()}/`;
	for (const url of [mirror.url, unreachable]) {
		const { passed, lines } = await audit(folder, url);
		expect(passed).toBeUndefined();
		expect(lines).toEqual([expect.stringMatching(/^Dependencies were NOT audited, no registry answered: .+/)]);
	}
});

test("a release prints whether a digest pins its base image", () => {
	const pinned = `node:24@sha256:${"0".repeat(64)}`;
	expect(describeBase(undefined, "# Why.\nARG BASE_IMAGE=node:24\n")).toBe(
		"The base image node:24 is NOT pinned by a digest.",
	);
	expect(describeBase(pinned, "ARG BASE_IMAGE=node:24\n")).toBe(`The base image ${pinned} is pinned by a digest.`);
});
