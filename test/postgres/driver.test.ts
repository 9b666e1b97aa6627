/** postgres.js carries the corrections of `patches/`, and a process does not start without them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
// Node.js with TypeScript, as services run.
const importing = (...preload: string[]) =>
	spawnSync(
		join(root, "node_modules/.bin/node"),
		[...preload, "--input-type=module", "--eval", 'await import("#libs/postgres/driver.ts")'],
		{ cwd: root, encoding: "utf8", timeout: 60_000 },
	);

test("the installed driver is the patched one", () => {
	expect(importing()).toMatchObject({ status: 0, stderr: "" });
});

test("an unpatched driver stops the start, and the error states the remedy", () => {
	// The package's own CommonJS copy of the same release, which the patch leaves alone.
	const released = pathToFileURL(join(root, "node_modules/postgres/cjs/src/index.js")).href;
	const hook = `import { registerHooks } from "node:module";
		registerHooks({ resolve: (name, context, next) => next(name === "postgres" ? "${released}" : name, context) });`;
	const { status, stderr } = importing("--import", `data:text/javascript,${encodeURIComponent(hook)}`);
	expect(status).toBe(1);
	expect(stderr).toContain("postgres.js lacks the corrections of patches/postgres+3.4.9.patch");
	expect(stderr).toContain("node deploy/local/bootstrap.mjs");
});
